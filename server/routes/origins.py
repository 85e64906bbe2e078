"""Keeps pages of other sites out: they change nothing here, open no sockets, and do not come under a foreign name.

One ASGI middleware for all addresses, before anything of a request is read. What is allowed is said in
``server.domain.origins``.
"""

from functools import lru_cache

from fastapi import FastAPI
from fastapi.middleware.cors import CORSMiddleware
from starlette.types import ASGIApp, Receive, Scope, Send
from starlette.websockets import WebSocket

from server.domain.errors import ApiError, Code
from server.domain.origins import Origins
from server.routes.errors import answer
from server.routes.sockets import deny

LOCAL_ORIGIN = r"https?://(([a-z0-9-]+\.)*localhost|127\.0\.0\.1|\[::1\])(:\d+)?"

BOT_SOCKET = "/ws/custom-bot"
"""Programs connect here under whatever name they know; they name no page."""

PROBES = frozenset({"/healthz", "/readyz"})
"""Supervisors ask these under any name. Nothing in the answers is worth a page's while."""

READING = frozenset({"GET", "HEAD", "OPTIONS"})
"""Methods that change nothing."""

KNOWN_HOSTS = 256
"""Hosts whose verdict is kept."""


def install(app: FastAPI, origins: Origins) -> None:
    """Checks every request. Allowed pages may read what ``GET`` answers; nothing else is theirs to ask for."""
    app.add_middleware(
        CORSMiddleware,
        allow_origins=origins.allowed,
        allow_origin_regex=LOCAL_ORIGIN,
        allow_methods=["GET"],
    )
    app.add_middleware(OriginCheck, origins=origins)


class OriginCheck:
    """ASGI middleware: refuses with 403 what a browser sends on behalf of a page that is not allowed."""

    def __init__(self, app: ASGIApp, origins: Origins) -> None:
        self._app = app
        self._origins = origins
        self._knows = lru_cache(KNOWN_HOSTS)(origins.knows)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Refuses, or hands on."""
        refusal = None if scope["type"] == "lifespan" else self._refusal(scope)
        if refusal is None:
            await self._app(scope, receive, send)
        elif scope["type"] == "websocket":
            await deny(WebSocket(scope, receive, send), refusal)
        else:
            await answer(refusal)(scope, receive, send)

    def _refusal(self, scope: Scope) -> ApiError | None:
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
