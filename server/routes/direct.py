"""The fast path for frequent operations, on which the framework would spend most of the time.

Each is an ordinary FastAPI operation: documented, and able to answer every request. A plain request, with nothing to
interpret but a bearer token and a JSON body, is answered by its function directly. Any other request goes through the
framework, and so do malformed ones, whose errors are then worded in one place.

``middleware.fast_path`` calls these operations before all other middleware, for requests that none of it concerns.
"""

from collections.abc import Awaitable, Callable, Collection, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import dataclass
from typing import Any, Final
from urllib.parse import parse_qsl

from fastapi import APIRouter
from fastapi.routing import APIRoute
from pydantic import TypeAdapter
from starlette.responses import Response
from starlette.routing import BaseRoute
from starlette.types import Message, Receive, Scope, Send

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


def install(
    into: APIRouter,
    router: APIRouter,
    answers: Mapping[Callable[..., Any], Answer],
    elsewhere: Collection[str] = (),
    *,
    is_paid: bool = True,
) -> None:
    """Adds the routes of ``router`` to those of ``into``; ``answers`` has the functions that answer plain requests.

    ``elsewhere``: paths that look like those of the router and belong to routes added before. ``is_paid``: clients pay
    for the time that their requests take, and are refused when they have used up theirs.
    """
    for route in router.routes:
        if not isinstance(route, APIRoute):
            raise TypeError(f"{route} is no operation")
        direct = copy(route)
        direct.app = Operation(route, answers[route.endpoint], elsewhere, is_paid=is_paid)
        into.routes.append(direct)


def operations(routes: Sequence[BaseRoute]) -> Iterator["Operation"]:
    """Those of the routes that ``install`` has added."""
    for route in routes:
        if isinstance(route, APIRoute) and isinstance(route.app, Operation):
            yield route.app


class Operation:
    """The ASGI application of one operation."""

    def __init__(self, route: APIRoute, answer: Answer, elsewhere: Collection[str], *, is_paid: bool) -> None:
        self.route = route
        self.is_paid = is_paid
        self._framework = route.app
        self._answer = answer
        self._model: TypeAdapter[Any] = TypeAdapter(route.response_model)
        self._methods = frozenset(route.methods or ())
        self._address = route.path_regex
        self._elsewhere = frozenset(elsewhere)

    def parameters(self, scope: Scope) -> dict[str, str] | None:
        """The parameters in the path of a request for this operation; None for other requests."""
        path = scope["path"]
        if scope["method"] not in self._methods or path in self._elsewhere:
            return None
        found = self._address.match(path)
        return None if found is None else found.groupdict()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answers a plain request, or passes it on to the framework together with the messages read so far."""
        read: list[Message] = []
        answer = await self.begin(scope, receive, read)
        if answer is None:
            await self._framework(scope, again(read, receive), send)
        else:
            await respond(await self.written(answer), send)

    async def begin(self, scope: Scope, receive: Receive, read: list[Message]) -> Awaitable[Any] | None:
        """Starts to answer a plain request; None if it is not plain. The messages of its body are added to ``read``."""
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

    async def written(self, answer: Awaitable[Any]) -> Response | bytes:
        """The answer as JSON text, or as the Response that it is already."""
        found = await answer
        if isinstance(found, Response | bytes):
            return found
        return self._model.dump_json(self._model.validate_python(found), by_alias=True, exclude_unset=True)


async def respond(found: Response | bytes, send: Send, more: Sequence[tuple[bytes, bytes]] = ()) -> None:
    """Sends an answer, with ``more`` headers. A Response contains its whole body."""
    if isinstance(found, Response):
        status, headers, body = found.status_code, found.raw_headers, found.body
    else:
        status, headers, body = 200, [(b"content-length", b"%d" % len(found)), (b"content-type", JSON)], found
    await send({"type": "http.response.start", "status": status, "headers": [*headers, *more]})
    await send({"type": "http.response.body", "body": body})


async def _body(receive: Receive, read: list[Message]) -> bytes | None:
    """The whole body, whose messages are added to ``read``; None if the client has disconnected."""
    while True:
        message = await receive()
        read.append(message)
        if message["type"] != "http.request":
            return None
        if not message.get("more_body", False):
            return b"".join(part.get("body", b"") for part in read)


def again(read: list[Message], receive: Receive) -> Receive:
    """A ``receive`` that first returns the messages already read."""
    left = iter(read)

    async def received() -> Message:
        return next(left, None) or await receive()

    return received
