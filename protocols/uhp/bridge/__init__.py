"""Connects MzingaViewer to a game at a server: UHP 1.0 towards the viewer, model B towards the server.

In dependency order: ``requests.py``, how to end a game; ``options.py``, the viewer's settings; ``game.py``, the game at
the server; ``effects.py``, effects and events; ``link.py``, the way to a seat and back; ``server_connection.py``, the
server's side; ``session.py``, the session. Driven by ``plyhouse uhp --server URL``.
"""
