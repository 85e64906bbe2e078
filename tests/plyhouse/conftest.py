"""The fixture with a running server, for tests of the public API's clients."""

from tests.server.conftest import served

__all__ = ["served"]
