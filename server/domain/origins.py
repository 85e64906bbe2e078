"""Which pages may use this server, and under which host names it answers.

Browsers name the page that sends a request (``Origin``) and the name that its address has (``Host``); other programs
name no page. A name that this server does not know may be anybody's that leads here, with a page of theirs
behind it (DNS rebinding), so it is refused. Pure: routes read the headers.
"""

import re
from collections.abc import Iterable
from ipaddress import ip_address
from urllib.parse import SplitResult, urlsplit

_HOST = re.compile(r"(?P<name>\[[0-9a-f:.]+\]|[^\[\]:/@?#,\s]+)(:\d*)?")

DEFAULT_PORTS = {"http": 80, "https": 443}


class Origins:
    """The allow-list of pages: those of this server, of any port of this machine, and of the origins given.

    ``public_url`` is where this server is found and ``allowed`` are other sites; both are origins as
    ``read_origin`` returns them.
    """

    def __init__(self, allowed: Iterable[str] = (), public_url: str | None = None) -> None:
        self.allowed = tuple(allowed)
        self._origins = frozenset(self.allowed if public_url is None else (*self.allowed, public_url))
        self._names = frozenset(urlsplit(origin).hostname or "" for origin in self._origins)

    def knows(self, host: str) -> bool:
        """Whether this server answers requests with this ``Host``, whatever its port is.

        It does where that is an IP address, which no DNS can turn on somebody else, a name of this machine, or the
        name of one of the origins.
        """
        found = _HOST.fullmatch(host.lower())
        if found is None:
            return False
        name = found["name"].rstrip(".")
        return _is_loopback(name) or name in self._names or _is_address(name.strip("[]"))

    def permits(self, origin: str, host: str) -> bool:
        """Whether a page of this ``Origin`` may use the server that it calls ``host``, a name which this knows."""
        if origin in self._origins:
            return True
        parts = _split(origin)
        if parts is None or parts.scheme not in DEFAULT_PORTS:
            return False
        return _is_loopback(parts.hostname or "") or parts.netloc.lower() == host.lower()


def read_origin(text: str) -> str:
    """``scheme://host[:port]`` as browsers write it; ValueError for an address that is more or less than that."""
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
        raise ValueError(f"{text!r} is more than scheme, host and port")
    port = parts.port if parts.port != DEFAULT_PORTS[parts.scheme] else None
    host = f"[{parts.hostname}]" if ":" in parts.hostname else parts.hostname
    return f"{parts.scheme}://{host}" + ("" if port is None else f":{port}")


def _split(url: str) -> SplitResult | None:
    """The parts of an address; None where it has none."""
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
