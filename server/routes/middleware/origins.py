"""Refuses requests that browsers send for other sites: changes, sockets, and requests to unknown host names.

One ASGI middleware checks every request before its body is read. ``server.domain.origins`` has the rules.
"""

from functools import lru_cache

from fastapi import FastAPI
from fastapi.middleware.cors import CORSMiddleware
from starlette.types import ASGIApp, Receive, Scope, Send
from starlette.websockets import WebSocket

from server.domain.errors import ApiError, Code
from server.domain.origins import Origins
from server.routes.errors import answer
from server.routes.sockets.socket_connection import deny

LOCAL_ORIGIN = r"https?://(([a-z0-9-]+\.)*localhost|127\.0\.0\.1|\[::1\])(:\d+)?"

BOT_SOCKET = "/ws/custom-bot"
"""Bot clients are programs: they send no ``Origin``, and may use any host name."""

PROBES = frozenset({"/healthz", "/readyz"})
"""Load balancers and supervisors use any host name. These answers contain nothing to protect."""

READING = frozenset({"GET", "HEAD", "OPTIONS"})
"""Methods that change nothing."""

KNOWN_HOSTS = 256
"""The number of hosts whose check is cached."""


def install(app: FastAPI, origins: Origins) -> None:
    """Adds the check, and lets pages of allowed origins read answers to ``GET`` requests only (CORS)."""
    app.add_middleware(
        CORSMiddleware,
        allow_origins=origins.allowed,
        allow_origin_regex=LOCAL_ORIGIN,
        allow_methods=["GET"],
    )
    app.add_middleware(OriginCheck, origins=origins)


class OriginCheck:
    """ASGI middleware: answers 403 ``forbidden-origin`` to requests from origins or to hosts that are not allowed."""

    def __init__(self, app: ASGIApp, origins: Origins) -> None:
        self._app = app
        self._origins = origins
        self._knows = lru_cache(KNOWN_HOSTS)(origins.knows)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Refuses the request or passes it on."""
        refusal = None if scope["type"] == "lifespan" else self.refusal(scope)
        if refusal is None:
            await self._app(scope, receive, send)
        elif scope["type"] == "websocket":
            await deny(WebSocket(scope, receive, send), refusal)
        else:
            await answer(refusal)(scope, receive, send)

    def refusal(self, scope: Scope) -> ApiError | None:
        """The error for a request or a socket that is not allowed; None for others."""
        headers = dict(scope["headers"])
        host = headers.get(b"host", b"").decode("latin-1")
        sent = headers.get(b"origin")
        if host and not self._knows(host) and not _takes_any_name(scope["path"], sent):
            text = (
                f"This server does not answer to the name {host!r}: its operator can name it by --public-url."
            )
            return ApiError(Code.FORBIDDEN_ORIGIN, text)
        if scope["type"] == "http" and scope["method"] in READING:
            return None
        if sent is not None and not self._origins.permits(sent.decode("latin-1"), host):
            return ApiError(Code.FORBIDDEN_ORIGIN, _REFUSED[scope["type"]])
        if scope["type"] == "http" and headers.get(b"sec-fetch-site") == b"cross-site":
            return ApiError(Code.FORBIDDEN_ORIGIN, _REFUSED["http"])
        return None


def _takes_any_name(path: str, origin: bytes | None) -> bool:
    return path in PROBES or (path == BOT_SOCKET and origin is None)


_REFUSED = {
    "http": "Pages of other sites may not change anything here.",
    "websocket": "This page may not open sockets here.",
}
