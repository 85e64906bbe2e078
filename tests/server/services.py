"""The application in the test's event loop, on a temporary database, and requests of its players."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from time import monotonic
from typing import Any

import httpx
from fastapi import FastAPI

from engines import Position
from server.app import create_app
from server.domain.bots import ListedBot
from server.domain.errors import ApiError, Code
from server.services.bots.admission import Admission, Quotas
from server.services.bots.bgs import BgsHost
from server.settings import Settings
from tests.server.databases import provide

Json = dict[str, Any]
SITE_BODY: Json = {
    "config": {
        "timeControl": {"initialSeconds": 180, "incrementSeconds": 2, "preset": "blitz"},
        "rated": False,
        "variant": "standard",
        "boardWidth": 5,
        "boardHeight": 4,
    },
    "matchType": "friend",
    "hostDisplayName": "Ada",
    "hostIsPlayer1": False,
}


def settings(folder: Path, **changes: object) -> Settings:
    """Returns the settings of a server in a temporary folder."""
    base = {
        "database": f"sqlite:///{folder}/plyhouse.sqlite3",
        "unlisted_games": True,
        "web": folder / "web",
        "public_url": "http://services",
    }
    return Settings.model_validate({**base, **changes})


def app_with(wanted: Settings, **more: Any) -> FastAPI:
    """An application, whose database has its tables already. ``more``: what else ``create_app`` takes."""
    if wanted.database.startswith("sqlite:///"):
        provide(Path(wanted.database.removeprefix("sqlite:///")))
    return create_app(wanted, **more)


@asynccontextmanager
async def opened(wanted: Settings) -> AsyncIterator[httpx.AsyncClient]:
    """Runs an application in this event loop and yields a client of it."""
    app = app_with(wanted)
    transport = httpx.ASGITransport(app, raise_app_exceptions=False)
    async with (
        app.router.lifespan_context(app),
        httpx.AsyncClient(transport=transport, base_url="http://services", timeout=60) as client,
    ):
        yield client


def host_of(sessions: int) -> BgsHost:
    """A session host with this number of sessions, none of them reserved."""
    return BgsHost(Admission(Quotas(sessions), monotonic))


class Botless:
    """The bot directory of a server without bots."""

    def choose(
        self,
        bot_id: str | None,
        position: Position,
        *,
        is_timed: bool,
        with_people: bool = True,
        is_rated: bool = False,
        is_awaited: bool = False,
    ) -> ListedBot:
        """Always raises."""
        raise ApiError(Code.UNKNOWN_BOT, f"There is no bot {bot_id!r}.")


# ---- requests of players -------------------------------------------------------------------------


async def opening(client: httpx.AsyncClient, game: str = "wallwars", **more: Any) -> Json:
    body = {"game": game, "seats": [{"kind": "human"}, {"kind": "human"}], **more}
    answer = await client.post("/api/games", json=body)
    assert answer.status_code == 201, answer.text
    return dict(answer.json())


def bearer(game: Json, seat: int) -> dict[str, str]:
    return {"Authorization": f"Bearer {game['seats'][seat]['token']}"}


async def post(
    client: httpx.AsyncClient, game: Json, what: str, seat: int, body: Json | None = None
) -> tuple[int, Json]:
    path = f"/api/games/{game['gameId']}/{what}"
    answer = await client.post(path, json=body or {}, headers=bearer(game, seat))
    return answer.status_code, answer.json()


async def play(client: httpx.AsyncClient, game: Json, seat: int, move: str, **more: Any) -> tuple[int, Json]:
    return await post(client, game, "moves", seat, {"move": move, **more})
