"""Which pages may open sockets here and read answers: a browser names the page's origin, other programs none."""

from collections.abc import Iterable
from urllib.parse import urlsplit

from fastapi import FastAPI
from fastapi.middleware.cors import CORSMiddleware

LOCAL_HOSTS = frozenset({"localhost", "127.0.0.1", "::1"})
LOCAL_ORIGIN = r"https?://(localhost|127\.0\.0\.1|\[::1\])(:\d+)?"


class Origins:
    """The allow-list: the server's own origin, any port of localhost, and those given."""

    def __init__(self, allowed: Iterable[str] = ()) -> None:
        self._allowed = frozenset(origin.rstrip("/").lower() for origin in allowed)

    def permits(self, origin: str | None, host: str | None) -> bool:
        """Whether a request with these ``Origin`` and ``Host`` headers may go on."""
        if origin is None:
            return True
        origin = origin.rstrip("/").lower()
        try:
            parts = urlsplit(origin)
            is_local = parts.hostname in LOCAL_HOSTS
        except ValueError:
            return False
        return is_local or origin in self._allowed or (host is not None and parts.netloc == host.lower())


def install(app: FastAPI, allowed: Iterable[str]) -> None:
    """Lets the pages of the same origins read what ``GET`` answers. Nothing else is theirs to ask for."""
    app.add_middleware(
        CORSMiddleware,
        allow_origins=[origin.rstrip("/").lower() for origin in allowed],
        allow_origin_regex=LOCAL_ORIGIN,
        allow_methods=["GET"],
    )
