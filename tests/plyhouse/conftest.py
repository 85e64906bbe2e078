"""The served house of the server's tests, for clients of the public API."""

from tests.server.conftest import served

__all__ = ["served"]
