"""The pure core of the server: the state of a game, which commands it allows, and what they change.

Commands and events go in, events and states come out; callers pass the time. Nothing here uses an event loop, a
socket, a clock or a database.
"""
