"""The pure core of the server: what a played game is, which command is allowed, and what each one changes.

Commands and events go in, events and states come out; the time is passed in. No loop, socket, clock or
database here.
"""
