"""HTTP and sockets: read requests and frames, call a service or a session, write the answer.

No game logic.
"""
