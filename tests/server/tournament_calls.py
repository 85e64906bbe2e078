"""What tests ask of tournaments, and what they read in them."""

import asyncio
from collections.abc import Callable
from typing import Any

import httpx

Json = dict[str, Any]

SMALL: Json = {"game": "wallwars", "config": {"boardWidth": 3, "boardHeight": 3}}
TOY: Json = {"game": "toy-draw", "gamesPerPair": 1}
PYRAT: Json = {"game": "pyrat", "variant": "tiny", "config": {}}
TABLE: Json = {**TOY, "seats": 3, "config": {}}
TOY_BOT: Json = {"game": "toy-draw", "variants": {"standard": {}}}


def bearer(token: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {token}"}


async def create(client: httpx.AsyncClient, *entries: Json, **members: Any) -> Json:
    """A tournament with these entries, whose tokens are in ``tokens``."""
    body = {"name": "Test", **SMALL, **members}
    answer = await client.post("/api/tournaments", json=body)
    assert answer.status_code == 201, answer.text
    made: Json = answer.json()
    made["tokens"] = [(await enter(client, made, entry))["token"] for entry in entries]
    return made


async def enter(client: httpx.AsyncClient, made: Json, entry: Json, token: str | None = None) -> Json:
    headers = {} if token is None else bearer(token)
    answer = await client.post(f"/api/tournaments/{made['id']}/entries", json=entry, headers=headers)
    assert answer.status_code == 201, answer.text
    return dict(answer.json())


async def start(client: httpx.AsyncClient, made: Json) -> None:
    answer = await client.post(f"/api/tournaments/{made['id']}/start", headers=bearer(made["token"]))
    assert (answer.status_code, answer.json()["status"]) == (200, "running"), answer.text


async def until(
    client: httpx.AsyncClient, made: Json, is_there: Callable[[Json], object], token: str | None = None
) -> Json:
    """Reads a tournament until it is as expected."""
    async with asyncio.timeout(60):
        while True:
            headers = {} if token is None else bearer(token)
            answer = await client.get(f"/api/tournaments/{made['id']}", headers=headers)
            if answer.status_code == 200 and is_there(answer.json()):
                return dict(answer.json())
            await asyncio.sleep(0.05)


def is_finished(found: Json) -> bool:
    return bool(found["status"] == "finished")


def is_playing(found: Json) -> bool:
    return any(game["status"] == "playing" for game in games_of(found))


def is_playing_game(number: int) -> Callable[[Json], bool]:
    """Whether the game with this number, of all rounds, is being played."""
    return lambda found: bool(games_of(found)[number]["status"] == "playing")


def games_of(found: Json) -> list[Json]:
    return [game for one in found["games"] for game in one["games"]]


def levels(*names: str) -> list[Json]:
    return [{"bot": f"plyhouse:{name}"} for name in names]


def has_over(least: int) -> Callable[[Json], bool]:
    """Whether so many games are over."""
    return lambda found: sum(game["status"] == "over" for game in games_of(found)) >= least
