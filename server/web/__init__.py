"""Connections: what the server changes in HTTP, WebSockets and TCP below the routes, and their limits."""
