"""The fast path for frequent operations, on which the framework would spend most of the time.

Each is an ordinary FastAPI operation: documented, and able to answer every request. A plain request, with nothing to
interpret but a bearer token and a JSON body, is answered by its function directly. Any other request goes through the
framework, and so do malformed ones, whose errors are then worded in one place.
"""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from copy import copy
from dataclasses import dataclass
from typing import Any, Final
from urllib.parse import parse_qsl

from fastapi import APIRouter, FastAPI
from fastapi.routing import APIRoute
from pydantic import TypeAdapter
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from server.routes.services import Services

JSON: Final = b"application/json"
BEARER: Final = b"Bearer "


@dataclass(frozen=True, slots=True)
class Plain:
    """A plain request. ``token`` is from its ``Authorization`` header, None without one; ``body`` is JSON text."""

    scope: Scope
    token: str | None
    body: bytes

    @property
    def services(self) -> Services:
        """The server's services."""
        services: Services = self.scope["app"].state.services
        return services

    @property
    def path(self) -> Mapping[str, str]:
        """The parameters of the path."""
        parameters: Mapping[str, str] = self.scope["path_params"]
        return parameters

    @property
    def query(self) -> Sequence[tuple[str, str]]:
        """The names and values of the query, in order."""
        return parse_qsl(self.scope["query_string"].decode("latin-1"), keep_blank_values=True)


Answer = Callable[[Plain], Awaitable[Any] | None]
"""Starts the operation and returns its awaitable answer, which may be a Response; None leaves it to the framework.

An answer is validated and serialised like the framework's, unless it is JSON text already (bytes). An ApiError is
answered as everywhere.
"""


def install(app: FastAPI, router: APIRouter, answers: Mapping[Callable[..., Any], Answer]) -> None:
    """Adds the routes of ``router`` to the application; ``answers`` has the functions that answer plain requests."""
    for route in router.routes:
        if not isinstance(route, APIRoute):
            raise TypeError(f"{route} is no operation")
        direct = copy(route)
        direct.app = _Direct(route.app, answers[route.endpoint], TypeAdapter(route.response_model))
        app.router.routes.append(direct)


class _Direct:
    """The ASGI application of one operation."""

    def __init__(self, framework: ASGIApp, answer: Answer, written: TypeAdapter[Any]) -> None:
        self._framework = framework
        self._answer = answer
        self._written = written

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answers a plain request, or passes it on together with the messages read so far."""
        read: list[Message] = []
        answer = await self._begin(scope, receive, read)
        if answer is None:
            await self._framework(scope, _again(read, receive), send)
            return
        found = await answer
        if isinstance(found, Response):
            await found(scope, receive, send)
            return
        body = found if isinstance(found, bytes) else self._write(found)
        await send({"type": "http.response.start", "status": 200, "headers": _headers(body)})
        await send({"type": "http.response.body", "body": body})

    def _write(self, found: Any) -> bytes:  # noqa: ANN401 - of the model
        return self._written.dump_json(
            self._written.validate_python(found), by_alias=True, exclude_unset=True
        )

    async def _begin(self, scope: Scope, receive: Receive, read: list[Message]) -> Awaitable[Any] | None:
        has_body, token = False, None
        for name, value in scope["headers"]:
            if name == b"authorization":
                if token is not None or not value.startswith(BEARER) or value.count(b" ") != 1:
                    return None
                token = value[len(BEARER) :].decode("latin-1")
            elif name == b"content-type":
                if has_body or value != JSON:
                    return None
                has_body = True
        body = await _body(receive, read) if has_body else b""
        if body is None:
            return None
        return self._answer(Plain(scope, token, body))


async def _body(receive: Receive, read: list[Message]) -> bytes | None:
    """The whole body, whose messages are added to ``read``; None if the client has disconnected."""
    while True:
        message = await receive()
        read.append(message)
        if message["type"] != "http.request":
            return None
        if not message.get("more_body", False):
            return b"".join(part.get("body", b"") for part in read)


def _again(read: list[Message], receive: Receive) -> Receive:
    """A ``receive`` that first returns the messages already read."""
    left = iter(read)

    async def received() -> Message:
        return next(left, None) or await receive()

    return received


def _headers(body: bytes) -> list[tuple[bytes, bytes]]:
    return [(b"content-length", b"%d" % len(body)), (b"content-type", JSON)]
