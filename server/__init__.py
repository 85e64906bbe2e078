"""The only part of Plyhouse with input and output: command line, HTTP, sockets, storage.

Imports ``protocols`` and ``engines``; nothing imports it.
"""
