"""The opening explorer of several servers: each game counts once, also those of a server that was killed."""

import signal
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from tests.server.bot_peers import http
from tests.server.databases import template
from tests.server.serving import Served
from tests.server.test_explorer import counted, ended, explored
from tools.services.postgres import PostgresServer


@pytest.fixture
def pair(tmp_path: Path, postgres: PostgresServer) -> Iterator[tuple[Served, Served]]:
    options = ("--database", postgres.new_database(template(postgres)))
    (tmp_path / "other").mkdir()
    with Served(tmp_path, *options) as one, Served(tmp_path / "other", *options) as other:
        yield one, other


async def play(client: httpx.AsyncClient, games: int) -> None:
    for _ in range(games):
        await ended(client, "Cb4", "Cc4")


@pytest.mark.slow
async def test_each_game_counts_once_although_a_server_is_killed(pair: tuple[Served, Served]) -> None:
    one, other = pair
    async with http(one) as here, http(other) as there:
        await play(here, 5)
        await play(there, 5)
        assert (await counted(there, 10))["games"] == 10
        await play(here, 5)
        one.stop(signal.SIGKILL)
        await play(there, 5)
        assert (await counted(there, 20))["games"] == 20
    one.start()
    async with http(one) as here, http(other) as there:
        await play(here, 1)
        assert (await counted(here, 21))["games"] == (await explored(there))["games"] == 21
