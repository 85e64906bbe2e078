"""Gives requests and sockets an id, counts requests, and logs when a socket is opened and how it ends.

The outermost layer: it sees every answer of the application.
"""

import logging
from collections.abc import Awaitable, Sequence
from time import perf_counter
from typing import Final

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from server.routes.services import Services
from server.services.request_id import new_request_id, request_id

log = logging.getLogger(__name__)

REQUEST_ID: Final = b"x-request-id"

LOST: Final = 1006
"""The code of a connection that was not closed by either side (RFC 6455, 7.1.5)."""


class Observation:
    """ASGI middleware that does this."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    def __call__(self, scope: Scope, receive: Receive, send: Send) -> Awaitable[None]:
        """Passes the request on."""
        if scope["type"] == "lifespan":
            return self._app(scope, receive, send)
        request_id.set(new_request_id(_header(scope["headers"], REQUEST_ID)))
        if scope["type"] == "http":
            return self._answer(scope, receive, send)
        return _ObservedSocket(self._app, scope, receive, send).run()

    async def _answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        began, status = perf_counter(), 0

        async def send_with_id(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                if status >= 400:
                    name = (request_id.get() or "").encode()
                    message["headers"] = [*message["headers"], (REQUEST_ID, name)]
            await send(message)

        metrics = _services(scope).metrics
        try:
            await self._app(scope, receive, send_with_id)
        except Exception:
            metrics.exceptions.inc()
            raise
        finally:
            metrics.count_request(_route(scope), scope["method"], status, perf_counter() - began)


class _ObservedSocket:
    """One socket, with what has been seen of its end."""

    def __init__(self, app: ASGIApp, scope: Scope, receive: Receive, send: Send) -> None:
        self._app = app
        self._scope = scope
        self._receive = receive
        self._send = send
        self._is_open = False
        self._end = "the connection was lost"
        """How it has ended. A peer that is found to be gone when it is written to is lost."""
        self._by, self._code = "client", LOST
        self._is_closed = False
        """Whether either side has closed it, or its loss was noticed."""

    async def run(self) -> None:
        """Passes the socket on."""
        began, metrics = perf_counter(), _services(self._scope).metrics
        peer, path = self._scope.get("client"), self._scope["path"]
        self._name = f'{f"{peer[0]}:{peer[1]} - " if peer else ""}"WebSocket {path}"'
        try:
            await self._app(self._scope, self._next, self._send_seen)
        except Exception:
            self._end = "the server failed"
            self._by, self._code = "server", 0
            metrics.exceptions.inc()
            raise
        finally:
            if self._is_open:
                metrics.sockets_closed.labels(_route(self._scope), self._by, str(self._code or "")).inc()
                log.info("%s ended after %.1f s: %s", self._name, perf_counter() - began, self._end)

    async def _next(self) -> Message:
        message = await self._receive()
        if message["type"] == "websocket.disconnect" and not self._is_closed:
            self._is_closed = True
            code, reason = message.get("code", LOST), message.get("reason") or ""
            self._code = LOST if code == LOST else 0
            self._end = (
                "the connection was lost"
                if code == LOST
                else f"closed by the client: {code} {reason}".strip()
            )
        return message

    async def _send_seen(self, message: Message) -> None:
        kind = message["type"]
        if kind == "websocket.accept":
            self._is_open = True
            log.info("%s opened", self._name)
        elif kind == "websocket.close" and self._is_open:
            self._is_closed = True
            self._by, self._code = "server", message.get("code", 1000)
            self._end = f"closed by the server: {self._code} {message.get('reason') or ''}".strip()
        elif kind == "websocket.http.response.start":
            name = (request_id.get() or "").encode()
            message["headers"] = [*message.get("headers", []), (REQUEST_ID, name)]
            log.info("%s refused: %d", self._name, message["status"])
        await self._send(message)


def _services(scope: Scope) -> Services:
    services: Services = scope["app"].state.services
    return services


def _route(scope: Scope) -> str:
    """The route's path, with the names of parameters in place of ids; ``other`` for files and unknown addresses."""
    return str(getattr(scope.get("route"), "path", "other"))


def _header(headers: Sequence[tuple[bytes, bytes]], wanted: bytes) -> bytes | None:
    return next((value for name, value in headers if name == wanted), None)
