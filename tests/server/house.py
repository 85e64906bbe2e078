"""The application in the test's own event loop, on a temporary database, toy games included."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import httpx

from engines import Position
from server.app import create_app
from server.domain.errors import ApiError, Code
from server.ports import BotChoice
from server.settings import Settings


def settings(folder: Path, **changes: object) -> Settings:
    """Settings of a house in a temporary folder."""
    base = {"database": f"sqlite:///{folder}/plyhouse.sqlite3", "unlisted_games": True, "web": folder / "web"}
    return Settings.model_validate({**base, **changes})


@asynccontextmanager
async def opened(wanted: Settings) -> AsyncIterator[httpx.AsyncClient]:
    """A client of an application that runs in this event loop."""
    app = create_app(wanted)
    transport = httpx.ASGITransport(app, raise_app_exceptions=False)
    async with (
        app.router.lifespan_context(app),
        httpx.AsyncClient(transport=transport, base_url="http://house") as client,
    ):
        yield client


class Botless:
    """The directory of bots of a house that has none."""

    def choose(self, bot_id: str | None, position: Position, *, is_timed: bool) -> BotChoice:
        """Refuses."""
        raise ApiError(Code.UNKNOWN_BOT, f"There is no bot {bot_id!r}.")
