"""Refuses requests for heavy work of clients that have used up their time, before their bodies are read.

Reading 700 KB of JSON takes longer than refusing it. ``services.heavy_work`` keeps the accounts, and checks them again
when the work begins.
"""

from starlette.types import ASGIApp, Receive, Scope, Send

from server.domain.errors import ApiError
from server.routes.errors import answer
from server.routes.services import Services

HEAVY = ("/api/games/import", "/api/analysis", "/api/positions")
"""Every ``POST`` to these needs heavy work."""


class OverdrawnCheck:
    """ASGI middleware; ``payer`` is set before it."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answers 429, or passes the request on."""
        if scope["type"] == "http" and scope["method"] == "POST" and scope["path"] in HEAVY:
            services: Services = scope["app"].state.services
            try:
                services.host.admission.work.check()
            except ApiError as refusal:
                await answer(refusal)(scope, receive, send)
                return
        await self._app(scope, receive, send)
