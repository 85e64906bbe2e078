"""Attached bots of several servers: each server can open games against all of them, whichever they are attached to."""

import asyncio
import signal
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import httpx
import pytest

from tests.server.bot_peers import (
    Bot,
    a_bot,
    a_player,
    a_viewer,
    between_people,
    challenge,
    evaluating,
    http,
    position,
    reached,
    submit,
)
from tests.server.databases import template
from tests.server.game_peers import Json
from tests.server.serving import Served
from tools.services.postgres import PostgresServer
from tools.services.redis import RedisServer

Pair = tuple[Served, Served]

SECRET = "open sesame"  # noqa: S105 - of the tests only


@pytest.fixture(scope="module", params=["sqlite and redis", "postgres"])
def pair(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory, postgres: PostgresServer
) -> Iterator[Pair]:
    """Two servers on SQLite and Redis, or on Postgres alone; shared by all tests, which attach different clients."""
    folder = tmp_path_factory.mktemp("pair")
    with ExitStack() as stack:
        options: tuple[str, ...] = ("--database", postgres.new_database(template(postgres)))
        if request.param != "postgres":
            options = ("--redis", stack.enter_context(RedisServer()).url)
        one, other = (Served(folder, *options, OFFICIAL_BOT_TOKEN=SECRET) for _ in range(2))
        yield stack.enter_context(one), stack.enter_context(other)


async def listed(
    client: httpx.AsyncClient, bot_id: str, *, game: str = "wallwars", is_there: bool = True
) -> None:
    """Waits until the bot is in the server's list, or no longer."""
    async with asyncio.timeout(60):
        while True:
            bots = (await client.get("/api/bots", params={"game": game})).json()["bots"]
            if (bot_id in [bot["id"] for bot in bots]) == is_there:
                return
            await asyncio.sleep(0.02)  # The server tells nobody.


async def answers_first_move(bot: Bot) -> None:
    """The bot's session up to its answer to Ma2, with the values 0.25, 0.5 and 0.75."""
    await bot.started()
    await bot.evaluated(0, "---", 0.25)
    await bot.applied(0, "Ma2")
    await bot.evaluated(1, "Mc2", 0.5)
    await bot.applied(1, "Mc2")
    await bot.evaluated(2, "---", 0.75)


async def test_a_bot_plays_a_game_opened_at_another_server(pair: Pair) -> None:
    one, other = pair
    async with a_bot(one) as bot, http(other) as client:
        await bot.attach("far", results=True)
        await listed(client, "far:b1")
        game = await challenge(client, "far:b1")
        await submit(client, game, "Ma2")
        await answers_first_move(bot)
        await reached(client, game["gameId"], ply=2)
        async with a_viewer(other, game["gameId"]) as viewer:
            await viewer.shake(game["gameId"])
            assert [entry["evaluation"] for entry in await viewer.history()] == [0.25, 0.5, 0.75]
        headers = {"Authorization": f"Bearer {game['token']}"}
        await client.post(f"/api/games/{game['gameId']}/resign", headers=headers)
        # The end of the session and the result may come in any order.
        kinds = {(frame := await bot.next())["type"]: frame for _ in range(2)}
        assert kinds["game_result"]["gameId"] == game["gameId"]


async def test_a_bot_that_disconnects_resigns_at_the_other_server(pair: Pair) -> None:
    one, other = pair
    async with http(other) as client:
        async with a_bot(one) as bot:
            await bot.attach("leaves")
            await listed(client, "leaves:b1")
            game = await challenge(client, "leaves:b1")
        over = await reached(client, game["gameId"], status="finished")
        assert over["result"]["note"] == "the bot disconnected"
        await listed(client, "leaves:b1", is_there=False)


async def test_bots_of_two_servers_play_each_other(pair: Pair) -> None:
    one, other = pair
    async with a_bot(one) as first, a_bot(other) as second, http(one) as client:
        await first.attach("here")
        await second.attach("there")
        await listed(client, "there:b1")
        tasks = [asyncio.create_task(evaluating(bot)) for bot in (first, second)]
        seats = [{"kind": "bot", "bot": f"{name}:b1"} for name in ("here", "there")]
        config = {"boardWidth": 3, "boardHeight": 3}
        answer = await client.post("/api/games", json={"game": "wallwars", "config": config, "seats": seats})
        game: Json = answer.json()
        async with asyncio.timeout(60):
            while (await position(client, game["gameId"]))["ply"] < 4:  # noqa: ASYNC110 - polls
                await asyncio.sleep(0.02)  # The game may also be over by then.
        for task in tasks:
            task.cancel()


async def test_the_bar_of_another_server_shows_the_bots_evaluations(pair: Pair) -> None:
    one, other = pair
    async with a_bot(one) as bot, http(one) as client, http(other) as far:
        await bot.attach("shown")
        await listed(far, "shown:b1")
        game = await challenge(client, "shown:b1")
        task = asyncio.create_task(evaluating(bot))
        await submit(client, game, "Ma2")
        await reached(client, game["gameId"], ply=2)
        async with a_viewer(other, game["gameId"]) as viewer:
            assert (await viewer.shake(game["gameId"]))["type"] == "eval-handshake-accepted"
            assert [entry["evaluation"] for entry in await viewer.history()] == [0.5] * 3
        task.cancel()


async def test_bars_of_two_servers_and_the_bot_share_a_session(pair: Pair) -> None:
    one, other = pair
    async with a_bot(one) as bot, http(one) as client, http(other) as far:
        await bot.attach("shares")
        await listed(far, "shares:b1")
        game = await challenge(client, "shares:b1")
        await submit(client, game, "Ma2")
        await answers_first_move(bot)
        await reached(client, game["gameId"], ply=2)
        async with a_viewer(one, game["gameId"]) as here, a_viewer(other, game["gameId"]) as there:
            for viewer in (here, there):
                await viewer.shake(game["gameId"])
                assert [entry["evaluation"] for entry in await viewer.history()] == [0.25, 0.5, 0.75]
            await bot.silent()


async def test_an_official_bot_evaluates_games_that_are_watched_at_another_server(pair: Pair) -> None:
    one, other = pair
    async with http(other) as far, a_bot(one) as bot:
        await bot.attach("judge", {"officialToken": SECRET})
        await listed(far, "judge:b1")
        players = await between_people(far, "Cb2")
        game_id = players[0]["gameId"]
        async with a_viewer(other, game_id) as viewer:
            await viewer.shake(game_id)
            assert (await bot.started())["bgsId"] == game_id
            await bot.evaluated(0, "Cb2", 0.5)
            await bot.applied(0, "Cb2")
            await bot.evaluated(1, "---", 0.25)
            assert [entry["evaluation"] for entry in await viewer.history()] == [0.5, 0.25]
            await submit(far, players[1], "---", 1)
            await bot.applied(1, "---")
            await bot.evaluated(2, "---", 0.75)
            assert (await viewer.until("eval-update"))["evaluation"] == 0.75


async def test_a_client_that_attaches_elsewhere_keeps_its_games(pair: Pair) -> None:
    one, other = pair
    async with a_bot(one) as bot, a_bot(other) as again, http(other) as client:
        secret = (await bot.attach("moves"))["resumeSecret"]
        await listed(client, "moves:b1")
        game = await challenge(client, "moves:b1")
        await submit(client, game, "Ma2")
        await bot.started()
        assert (await again.attach("moves"))["code"] == "TOO_MANY_CLIENTS"
    async with a_bot(one) as bot, a_bot(other) as again, http(other) as client:
        await reached(client, game["gameId"], status="finished")
        await bot.attach("moves", secret=secret)
        await listed(client, "moves:b1")
        game = await challenge(client, "moves:b1")
        await submit(client, game, "Ma2")
        await bot.started()
        await again.attach("moves", secret=secret)
        assert (await bot.closed())[0] == 1000
        await again.ended(success=False)
        await again.started()
        await again.evaluated(0, "---")
        await again.applied(0, "Ma2")
        await reached(client, game["gameId"], ply=1)


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGTERM])
async def test_the_game_waits_for_a_bot_whose_server_stops(
    tmp_path: Path, how: signal.Signals, postgres: PostgresServer
) -> None:
    options = ("--database", postgres.new_database(template(postgres)))
    with Served(tmp_path, *options) as one, Served(tmp_path, *options) as other:
        async with http(other) as client:
            async with a_bot(one) as bot:
                secret = (await bot.attach("back"))["resumeSecret"]
                await listed(client, "back:b1")
                game = await challenge(client, "back:b1")
                await submit(client, game, "Ma2")
                await bot.started()
                one.stop(how)
            async with a_player(other, game) as player:
                while True:
                    players = (await player.until("match-status"))["snapshot"]["players"]
                    if not players[1]["connected"]:
                        break
            async with a_bot(other) as bot:
                await bot.attach("back", secret=secret)
                await bot.ended(success=False)
                await bot.started()
                await bot.moved()
                await reached(client, game["gameId"], ply=2)
