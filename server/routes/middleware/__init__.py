"""ASGI middleware: what is done to every request, whatever its address."""
