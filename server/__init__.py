"""The part of Plyhouse that does I/O: command line, HTTP, sockets, storage.

Imports ``protocols`` and ``engines``, which do not import it.
"""
