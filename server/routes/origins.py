"""Which pages may open sockets here: a browser names the page's origin, other programs name none."""

from collections.abc import Iterable
from urllib.parse import urlsplit

LOCAL_HOSTS = frozenset({"localhost", "127.0.0.1", "::1"})


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
