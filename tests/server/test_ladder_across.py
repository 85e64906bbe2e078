"""The ladder of two servers: bots attached to either meet, and one server pairs them until it dies."""

import asyncio
import json
import signal
from collections.abc import Iterator
from contextlib import AsyncExitStack
from pathlib import Path

import httpx
import pytest

from tests.server.bot_peers import Json, http
from tests.server.databases import template
from tests.server.program import run_command
from tests.server.serving import Served
from tests.server.test_ladder import of, on_ladder, until
from tools.services.postgres import PostgresServer

PATH = "/api/ladder/toy-draw"
NAMES = ("ann", "ben", "cat", "dan")


@pytest.fixture
def database(postgres: PostgresServer) -> str:
    return postgres.new_database(template(postgres))


@pytest.fixture
def pair(tmp_path: Path, database: str) -> Iterator[tuple[Served, Served]]:
    options = ("--database", database)
    limits = {"PLYHOUSE_LADDER_LEVEL_GAMES": "0", "PLYHOUSE_BOT_REJOIN_SECONDS": "5"}
    (tmp_path / "other").mkdir()
    with Served(tmp_path, *options, **limits) as one, Served(tmp_path / "other", *options, **limits) as other:
        yield one, other


def played(rows: Json, least: int, names: tuple[str, ...] = NAMES) -> bool:
    return all(of(rows, f"{name}:b1")["games"] >= least for name in names)


async def ratings_of(client: httpx.AsyncClient) -> list[Json]:
    rows = await until(client, PATH, lambda rows: not any(row["playing"] for row in rows["players"]))
    return [{name: row[name] for name in ("player", "rating", "error", "games")} for row in rows["players"]]


async def agreed(one: httpx.AsyncClient, other: httpx.AsyncClient) -> list[Json]:
    """The ratings once all games are over and both servers have the same: they follow results after a while."""
    async with asyncio.timeout(60):
        while (ratings := await ratings_of(one)) != await ratings_of(other):  # noqa: ASYNC110 - nobody is told
            await asyncio.sleep(0.1)
    return ratings


@pytest.mark.slow
async def test_the_ladder_goes_on_when_the_server_that_pairs_dies(
    pair: tuple[Served, Served], database: str
) -> None:
    one, other = pair
    async with AsyncExitStack() as bots, http(one) as here, http(other) as there:
        secrets = {}
        for name, server in zip(NAMES, (one, one, other, other), strict=True):
            _, answer = await bots.enter_async_context(on_ladder(server, name))
            secrets[name] = answer["resumeSecret"]
        await until(here, PATH, lambda rows: played(rows, 4))
        await until(there, PATH, lambda rows: played(rows, 4))
        started = ["of the ladder:" in server.log for server in pair]
        assert started.count(True) == 1, "one server pairs for both"
        dead, alive = (one, other) if started[0] else (other, one)
        dead.stop(signal.SIGKILL)
        for name in NAMES[:2] if dead is one else NAMES[2:]:
            await bots.enter_async_context(on_ladder(alive, name, secret=secrets[name]))
        client = there if alive is other else here
        before = (await client.get(PATH)).json()
        least = max(row["games"] for row in before["players"]) + 3
        rows = await until(client, PATH, lambda rows: played(rows, least))
        assert all(row["errors"] == 0 for row in rows["players"])
        dead.start()
    async with http(one) as here, http(other) as there:
        ratings = await agreed(here, there)
    again = run_command("ladder", "rebuild", "--database", database)
    assert "of which 0 were missing or different" in again.stdout, again.stderr
    [pool] = json.loads(run_command("ladder", "--json", "--database", database).stdout)["pools"]
    assert {row["player"]: row["games"] for row in pool["players"]} == {
        row["player"]: row["games"] for row in ratings
    }
    shown = {row["player"]: row["rating"] for row in pool["players"]}
    assert shown == pytest.approx({row["player"]: row["rating"] for row in ratings}, abs=0.11)
