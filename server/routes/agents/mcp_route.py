"""``POST /mcp``: the tools of ``plyhouse mcp`` over streamable HTTP. Each request stands alone: there are no sessions.

Needs the extra ``mcp``, and is imported only where the setting asks for it.
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from starlette.routing import Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from plyhouse.agents.agent_table import AgentTable
from plyhouse.agents.mcp_server import mcp_server
from server.routes.agents.own_requests import AgentCall, OwnClient, caller
from server.routes.direct import again
from server.routes.errors import MAX_BODY_BYTES
from server.services.address_limit import AddressLimit
from server.services.payer import payer

PATH = "/mcp"


class AgentCalls:
    """ASGI application that answers the calls of agents. Host names and origins have been checked before it."""

    def __init__(self, app: ASGIApp, retries: int, per_address: int) -> None:
        """``app``: the whole application, which gets the requests of the tools; ``retries``: see ``AgentTable``.

        ``per_address``: how many calls of one client address are answered at a time; most of them wait for a turn.
        """
        self._limit = AddressLimit(per_address, "calls over MCP")
        self._client = OwnClient(app)
        self._server = mcp_server(AgentTable(self._client, retries))

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Answers calls as long as the context is open."""
        self._server.streamable_http_app(
            stateless_http=True, json_response=True, max_request_body_size=MAX_BODY_BYTES, host=""
        )
        async with self._client, self._server.session_manager.run():
            yield

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answers one call. Raises ApiError ``too-many-requests``."""
        with self._limit.holding(payer.get()):
            read: list[Message] = []
            while not read or read[-1].get("more_body"):
                read.append(await receive())
            if read[-1]["type"] == "http.disconnect":
                return
            call = AgentCall(scope)
            caller.set(call)
            watching = asyncio.ensure_future(_note_leaving(call, receive))
            try:
                await self._server.session_manager.handle_request(scope, again(read, receive), send)
            finally:
                watching.cancel()


async def _note_leaving(call: AgentCall, receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        continue
    call.has_left.set()


def route_of(calls: AgentCalls) -> Route:
    """The route; other methods than POST get 405, as there are no streams to open and no sessions to end."""
    return Route(PATH, calls, methods=["POST"])
