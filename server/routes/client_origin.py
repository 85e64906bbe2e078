"""The origin of a request: the client's address, to which limits apply, and the scheme that it used.

Both are those of the connection, unless it comes from a trusted proxy.
"""

import asyncio
from collections.abc import Coroutine, Sequence
from functools import lru_cache, partial
from ipaddress import ip_network
from typing import Any

from starlette.requests import HTTPConnection, Request

from server.domain.client_address import Network, client_address, is_within

LOOPBACK: tuple[Network, ...] = (ip_network("127.0.0.0/8"), ip_network("::1"))

KNOWN_PEERS = 1024
"""The number of peers without a proxy whose address is cached."""


class Clients:
    """Determines the addresses of clients.

    ``trusted``: the networks of the proxies in front of this server. ``public_url``: the server's origin, if known.
    """

    def __init__(self, trusted: Sequence[Network] = (), public_url: str | None = None) -> None:
        self._trusted = tuple(trusted)
        self._direct = lru_cache(KNOWN_PEERS)(
            partial(client_address, forwarded_for=(), trusted=self._trusted)
        )
        self._public_url = public_url

    def address(self, connection: HTTPConnection) -> str | None:
        """The address to which limits apply (see ``server.domain.client_address``); None if no limit applies."""
        forwarded = connection.headers.getlist("x-forwarded-for")
        peer = _peer(connection)
        return client_address(peer, forwarded, self._trusted) if forwarded else self._direct(peer)

    def base_url(self, connection: HTTPConnection) -> str:
        """The public address of the server, else the one that the client used, ending in a slash.

        ``X-Forwarded-Proto``, in which a proxy reports TLS, is accepted from trusted proxies and from programs on this
        machine.
        """
        if self._public_url is not None:
            return f"{self._public_url}/"
        url = connection.base_url
        proto = connection.headers.get("x-forwarded-proto", "").strip().lower()
        if proto in ("http", "https") and is_within(_peer(connection), (*self._trusted, *LOOPBACK)):
            url = url.replace(scheme=proto)
        return str(url)


def _peer(connection: HTTPConnection) -> str | None:
    return None if connection.client is None else connection.client.host


async def completed(work: Coroutine[Any, Any, None], request: Request) -> bool:
    """Runs ``work`` while the client waits; False if the client disconnects before it is done.

    The body must have been read already.
    """
    working = asyncio.ensure_future(work)
    leaving = asyncio.ensure_future(_left(request))
    try:
        await asyncio.wait([working, leaving], return_when=asyncio.FIRST_COMPLETED)
        return working.done()
    finally:
        working.cancel()
        leaving.cancel()
        await asyncio.gather(working, leaving, return_exceptions=True)


async def _left(request: Request) -> None:
    while (await request.receive())["type"] != "http.disconnect":
        continue
