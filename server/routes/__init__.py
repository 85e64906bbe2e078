"""HTTP and sockets: reads requests and frames, calls a service or a session, writes the answer.

No game logic.
"""
