"""The event stream at a server at which neither the bot is attached nor its game played."""

import asyncio
from pathlib import Path

import pytest

from tests.server.bot_peers import a_bot, challenge, http, submit
from tests.server.databases import template
from tests.server.serving import Served
from tests.server.test_client_events import reading, resigning, secret_of
from tests.server.tournament_calls import create, start
from tools.services.postgres import PostgresServer
from tools.services.redis import RedisServer


@pytest.mark.parametrize("medium", ["postgres", "redis"])
async def test_a_stream_tells_what_happens_at_another_server(
    tmp_path: Path, postgres: PostgresServer, redis_server: RedisServer, medium: str
) -> None:
    database = ("--database", postgres.new_database(template(postgres)))
    options = (*database, "--redis", redis_server.url) if medium == "redis" else database
    (tmp_path / "other").mkdir()
    wait = {"PLYHOUSE_TOURNAMENT_WAIT_SECONDS": "0.2"}
    folders = (tmp_path, tmp_path / "other")
    one, other = (Served(folder, *options, **wait) for folder in folders)
    with one, other:
        secret = await secret_of(one, "far")
        async with (
            http(one) as there,
            http(other) as here,
            reading(here, "far", secret) as lines,
            a_bot(one) as bot,
        ):
            await bot.attach("far", secret=secret)
            assert (await lines.until("bot-connected"))["bot"] == "far:b1"
            playing = asyncio.ensure_future(resigning(bot))
            for _ in range(2):
                game = await challenge(there, "far:b1")
                begun = await lines.next()
                assert (begun["type"], begun["gameId"]) == ("game-started", game["gameId"])
                assert (await submit(there, game, "Cb2")).status_code == 200
                over = await lines.next()
                assert (over["type"], over["gameId"]) == ("game-finished", game["gameId"])
                assert "nonsense" in over["result"]["note"]
            playing.cancel()
            made = await create(there, {"bot": "far:b1"}, {"name": "Ada"}, gamesPerPair=1)
            await bot.connection.close()
            assert (await lines.next())["type"] == "bot-disconnected"
            await start(there, made)
            lost = await lines.next()
            assert (lost["type"], lost["tournamentId"], lost["points"]) == ("game-forfeited", made["id"], 0)
