"""The services: they use the domain, the store, the bus and the engines, and know nothing of HTTP or sockets."""
