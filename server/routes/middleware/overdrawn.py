"""Refuses expensive requests of clients that have used up their time, before their bodies are read.

Reading 700 KB of JSON takes longer than refusing it. ``services.heavy_work`` keeps the accounts, and checks them again
when work on threads begins. Reading one of the largest games takes the event loop a few milliseconds, for which clients
pay as well.
"""

import asyncio
from http import HTTPStatus

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from server.domain.errors import ApiError
from server.routes import lobby_lists
from server.routes.errors import answer
from server.routes.services import services_in, work_of

IMPORT = "/api/games/import"

HEAVY = (
    IMPORT,
    "/api/analysis",
    "/api/explorer",
    "/api/positions",
    "/api/variations",
    "/api/variations/text",
)
"""Every ``POST`` to these needs heavy work."""

REFUSAL_SECONDS = 0.25
"""How long a refusal waits: a client that asks again at once would cost more by its refusals than by its work.

So does every other answer 429, also that of the fast path.
"""

GAMES = "/api/games/"
"""The beginning of all paths of games, which are read by ``GET``, and of some lists."""


class OverdrawnCheck:
    """ASGI middleware; ``payer`` is set before it."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answers 429, or passes the request on."""
        is_read = _reads_game(scope)
        if is_read or (scope["type"] == "http" and scope["method"] == "POST" and scope["path"] in HEAVY):
            try:
                work_of(scope).check()
                if scope["path"] == IMPORT:
                    services_in(scope).records.check_room()
            except ApiError as refusal:
                await answer(refusal)(scope, receive, refusing_later(send))
                return
        rest = self._app(scope, receive, refusing_later(send))
        await (work_of(scope).paid(rest) if is_read else rest)


def refusing_later(send: Send) -> Send:
    """Sends an answer 429 only after a pause."""

    async def sent(message: Message) -> None:
        if message.get("status") == HTTPStatus.TOO_MANY_REQUESTS:
            await asyncio.sleep(REFUSAL_SECONDS)
        await send(message)

    return sent


def _reads_game(scope: Scope) -> bool:
    path = scope.get("path", "")
    return (
        scope["type"] == "http"
        and scope["method"] == "GET"
        and path.startswith(GAMES)
        and path not in lobby_lists.PATHS
    )
