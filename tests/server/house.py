"""The application in the test's own event loop, on a temporary database, and what its players ask."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from time import monotonic
from typing import Any

import httpx

from engines import Position
from server.app import create_app
from server.domain.errors import ApiError, Code
from server.ports import BotChoice
from server.services.admission import Admission, Quotas
from server.services.bgs import BgsHost
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
    """Settings of a house in a temporary folder."""
    base = {
        "database": f"sqlite:///{folder}/plyhouse.sqlite3",
        "unlisted_games": True,
        "web": folder / "web",
        "public_url": "http://house",
    }
    return Settings.model_validate({**base, **changes})


@asynccontextmanager
async def opened(wanted: Settings) -> AsyncIterator[httpx.AsyncClient]:
    """A client of an application that runs in this event loop."""
    if wanted.database.startswith("sqlite:///"):
        provide(Path(wanted.database.removeprefix("sqlite:///")))
    app = create_app(wanted)
    transport = httpx.ASGITransport(app, raise_app_exceptions=False)
    async with (
        app.router.lifespan_context(app),
        httpx.AsyncClient(transport=transport, base_url="http://house") as client,
    ):
        yield client


def host_of(sessions: int) -> BgsHost:
    """A host of so many sessions, without reserved ones."""
    return BgsHost(Admission(Quotas(sessions), monotonic))


class Botless:
    """The directory of bots of a house that has none."""

    def choose(self, bot_id: str | None, position: Position, *, is_timed: bool) -> BotChoice:
        """Refuses."""
        raise ApiError(Code.UNKNOWN_BOT, f"There is no bot {bot_id!r}.")


# ---- what players ask ----------------------------------------------------------------------------


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
