"""What the server does: drives the domain, the store, the bus and the engines.

Knows no HTTP and no socket.
"""
