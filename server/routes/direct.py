"""Operations that are asked so often that the framework's part of the work would be most of it.

Each is an ordinary operation of FastAPI: documented, and able to answer every request. A plain request for it, which
has a bearer token, JSON and nothing else to interpret, is answered by its function directly. Any other request goes
through the framework, and so does each that will be refused as malformed: there is one place that words refusals.
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

from server.routes.house import House

JSON: Final = b"application/json"
BEARER: Final = b"Bearer "


@dataclass(frozen=True, slots=True)
class Plain:
    """A plain request. ``token`` is that of its ``Authorization`` header, None without one; ``body`` is JSON text."""

    scope: Scope
    token: str | None
    body: bytes

    @property
    def house(self) -> House:
        """The parts of the server."""
        house: House = self.scope["app"].state.house
        return house

    @property
    def path(self) -> Mapping[str, str]:
        """The parameters of the path."""
        parameters: Mapping[str, str] = self.scope["path_params"]
        return parameters

    @property
    def query(self) -> Sequence[tuple[str, str]]:
        """The names and values of the query, in their order."""
        return parse_qsl(self.scope["query_string"].decode("latin-1"), keep_blank_values=True)


Answer = Callable[[Plain], Awaitable[Any] | None]
"""Begins the operation and returns its answer to be, which may be a Response; None: let the framework do it.

What it returns the framework would check and write as well, unless it is JSON text already (bytes). ApiError is
answered as everywhere.
"""


def install(app: FastAPI, router: APIRouter, answers: Mapping[Callable[..., Any], Answer]) -> None:
    """Adds the routes of ``router`` to the application, with the answers to plain requests by their functions."""
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
        """Answers a plain request, or hands it on with what was read of it."""
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
    """The whole body, with its messages added to ``read``; None when the client has gone."""
    while True:
        message = await receive()
        read.append(message)
        if message["type"] != "http.request":
            return None
        if not message.get("more_body", False):
            return b"".join(part.get("body", b"") for part in read)


def _again(read: list[Message], receive: Receive) -> Receive:
    """``receive`` as it was before these messages were read."""
    left = iter(read)

    async def received() -> Message:
        return next(left, None) or await receive()

    return received


def _headers(body: bytes) -> list[tuple[bytes, bytes]]:
    return [(b"content-length", b"%d" % len(body)), (b"content-type", JSON)]
