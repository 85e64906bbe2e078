"""Requests of this server to its own API, on behalf of the client whose call is being answered.

They pass through the whole application, so that the checks and limits are those of any request. The client's address,
the proxies before it and the name by which it calls this server are those of the call.
"""

import asyncio
from collections.abc import AsyncGenerator
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Final

import httpx
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from plyhouse.agents.agent_client import AgentClient
from plyhouse.wire import GameState, ServerError
from server.domain.errors import Code
from server.routes.services import services_in


@dataclass(frozen=True, slots=True)
class AgentCall:
    """The call of a client. ``has_left``: the client has disconnected, so that nobody reads the answer."""

    scope: Scope
    has_left: asyncio.Event = field(default_factory=asyncio.Event)


caller: ContextVar[AgentCall] = ContextVar("caller")
"""The call that is being answered; tasks that are started on the way inherit it."""

CARRIED: Final = (b"host", b"x-forwarded-for", b"x-forwarded-proto")
"""The headers by which a request is attributed to a client."""

POLL_SECONDS: Final = (0.1, 0.2, 0.4, 1.0)
"""Seconds between the polls of a game; the last number is repeated."""

STOPPING: Final = {"error": "The server is stopping.", "code": Code.UNAVAILABLE.value}
LEFT: Final = {"error": "The client has disconnected.", "code": Code.UNAVAILABLE.value}


class OwnTransport(httpx.AsyncBaseTransport):
    """Answers requests by the application itself."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        """The answer of the application to the request, as if the caller had sent it."""
        call = caller.get()
        scope = call.scope
        own = [(name, value) for name, value in request.headers.raw if name.lower() not in CARRIED]
        carried = [(name, value) for name, value in scope["headers"] if name in CARRIED]
        request.headers = httpx.Headers([*carried, *own])
        transport = httpx.ASGITransport(_told(self._app, call.has_left), raise_app_exceptions=False)
        # The peer of a Unix socket has no address.
        transport.client = scope.get("client")  # type: ignore[assignment]
        return await transport.handle_async_request(request)


def _told(app: ASGIApp, has_left: asyncio.Event) -> ASGIApp:
    """The application, which learns that the client has disconnected as it does in a request of its own."""

    async def answering(scope: Scope, receive: Receive, send: Send) -> None:
        async def received() -> Message:
            getting, leaving = asyncio.ensure_future(receive()), asyncio.ensure_future(has_left.wait())
            try:
                await asyncio.wait([getting, leaving], return_when=asyncio.FIRST_COMPLETED)
                return getting.result() if getting.done() else {"type": "http.disconnect"}
            finally:
                getting.cancel()
                leaving.cancel()

        await app(scope, received, send)

    return answering


class OwnClient(AgentClient):
    """A client of the server that it runs in."""

    def __init__(self, app: ASGIApp) -> None:
        super().__init__("http://plyhouse", transport=OwnTransport(app))

    async def follow(self, game_id: str, token: str | None = None) -> AsyncGenerator[GameState, None]:
        """Yields the current state and every later one, until the game is over, by polling.

        Raises ServerError, also when the server stops or the client has disconnected.
        """
        call = caller.get()
        last: GameState | None = None
        pauses = iter(POLL_SECONDS)
        while last is None or not last.is_over:
            state = await self.state(game_id, token)
            if state != last:
                last = state
                yield state
            await asyncio.sleep(next(pauses, POLL_SECONDS[-1]))
            if services_in(call.scope).readiness.is_stopping:
                raise ServerError(503, STOPPING)
            if call.has_left.is_set():
                raise ServerError(503, LEFT)
