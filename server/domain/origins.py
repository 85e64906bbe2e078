"""Which pages may use this server, and under which host names it answers.

Browsers send the origin of the page that makes a request in ``Origin``, and the host name of the URL in ``Host``.
Anyone can point a DNS name at this server, so that browsers treat it as the same site as their own page (DNS
rebinding). Requests for unknown host names are therefore refused. Pure: the routes read the headers.
"""

import re
from collections.abc import Iterable
from ipaddress import ip_address
from urllib.parse import SplitResult, urlsplit

_HOST = re.compile(r"(?P<name>\[[0-9a-f:.]+\]|[^\[\]:/@?#,\s]+)(:\d*)?")

DEFAULT_PORTS = {"http": 80, "https": 443}


class Origins:
    """The allow-list: this server's own origin, any port of the user's machine, and the origins given.

    ``public_url`` is the origin of this server and ``allowed`` those of other sites, as returned by ``read_origin``.
    """

    def __init__(self, allowed: Iterable[str] = (), public_url: str | None = None) -> None:
        self.allowed = tuple(allowed)
        self._origins = frozenset(self.allowed if public_url is None else (*self.allowed, public_url))
        self._names = frozenset(urlsplit(origin).hostname or "" for origin in self._origins)

    def knows(self, host: str) -> bool:
        """Whether requests with this ``Host`` are answered; the port does not matter.

        True for IP addresses, which need no DNS, for ``localhost`` and its subdomains, and for the host names of the
        allowed origins.
        """
        found = _HOST.fullmatch(host.lower())
        if found is None:
            return False
        name = found["name"].rstrip(".")
        return _is_loopback(name) or name in self._names or _is_address(name.strip("[]"))

    def permits(self, origin: str, host: str) -> bool:
        """Whether a page of ``origin`` may send a request to ``host``, the ``Host`` header, which must be known."""
        if origin in self._origins:
            return True
        parts = _split(origin)
        if parts is None or parts.scheme not in DEFAULT_PORTS:
            return False
        return _is_loopback(parts.hostname or "") or parts.netloc.lower() == host.lower()


def read_origin(text: str) -> str:
    """Returns the origin ``scheme://host[:port]`` as browsers write it. Raises ValueError for any other text."""
    parts = _split(text.strip().rstrip("/").lower())
    if parts is None or parts.scheme not in DEFAULT_PORTS or not parts.hostname:
        raise ValueError(f"{text!r} is not an origin such as https://play.example")
    if (
        parts.path
        or parts.query
        or parts.fragment
        or "@" in parts.netloc
        or set(parts.netloc) & set(" ;,'\"")
    ):
        raise ValueError(f"{text!r} has more than a scheme, a host and a port")
    port = parts.port if parts.port != DEFAULT_PORTS[parts.scheme] else None
    host = f"[{parts.hostname}]" if ":" in parts.hostname else parts.hostname
    return f"{parts.scheme}://{host}" + ("" if port is None else f":{port}")


def _split(url: str) -> SplitResult | None:
    """Splits a URL; None if it is invalid."""
    try:
        parts = urlsplit(url)
        parts.port  # noqa: B018 - read for its ValueError
    except ValueError:
        return None
    return parts


def _is_loopback(name: str) -> bool:
    return name in ("localhost", "127.0.0.1", "::1") or name.endswith(".localhost")


def _is_address(name: str) -> bool:
    try:
        ip_address(name)
    except ValueError:
        return False
    return True
