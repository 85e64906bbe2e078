"""Attached bots in games with a clock, over real sockets: when it runs, what they are told, and losses on time."""

import asyncio
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.server.bot_peers import Bot, Json, a_bot, a_player, http, position, reached, submit
from tests.server.serving import Served

SECONDS = 60
INCREMENT = 2
TIMED = {"timed": True}


@pytest.fixture(scope="module")
def services(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with Served(tmp_path_factory.mktemp("timed")) as served:
        yield served


async def opened(
    client: httpx.AsyncClient, bot_id: str, *, is_first: bool = True, seconds: int = SECONDS, **control: Any
) -> Json:
    """Creates a game with a clock against a bot; ``is_first``: the person has the first move."""
    seats = [{"kind": "human"}, {"kind": "bot", "bot": bot_id}]
    body = {
        "game": "wallwars",
        "config": {"boardWidth": 3, "boardHeight": 3},
        "seats": seats if is_first else seats[::-1],
        "timeControl": {"initialSeconds": seconds, "incrementSeconds": INCREMENT, **control},
    }
    answer = await client.post("/api/games", json=body)
    assert answer.status_code == 201, answer.text
    game = answer.json()
    return {"gameId": game["gameId"], "token": next(s["token"] for s in game["seats"] if "token" in s)}


async def asked(bot: Bot, ply: int) -> Json | None:
    """Expects an evaluation at ``ply``, and returns its clock, without answering."""
    request = await bot.expect("evaluate_position")
    assert request["expectedPly"] == ply, request
    clock: Json | None = request.get("clock")
    return clock


async def answer(bot: Bot, game: Json, ply: int, best: str) -> None:
    """Answers the evaluation at ``ply``."""
    await bot.answer("evaluate_response", {"bgsId": game["gameId"]}, ply=ply, bestMove=best, evaluation=0)


async def running(client: httpx.AsyncClient, game: Json, seats: list[int]) -> Json:
    """Waits until the clocks of exactly these seats run; returns the position."""
    async with asyncio.timeout(60):
        while True:
            found = await position(client, game["gameId"])
            if found["running"] == seats:
                return found
            await asyncio.sleep(0.02)


async def test_a_timed_bot_moves_at_once_and_is_told_its_clock(services: Served) -> None:
    async with a_bot(services) as bot, http(services) as client:
        await bot.attach("timed", TIMED)
        bots = (await client.get("/api/bots")).json()["bots"]
        known = {one["id"]: one["timed"] for one in bots}
        assert (known["timed:b1"], known["plyhouse:easy"]) == (True, True)
        game = await opened(client, "timed:b1")
        await submit(client, game, "Ma2")
        await bot.started()
        assert await asked(bot, 0) is None, "the person is to move"
        await answer(bot, game, 0, "---")
        await bot.applied(0, "Ma2")
        clock = await asked(bot, 1)
        assert clock is not None
        assert (0 < clock["remainingMs"] <= SECONDS * 1000, clock["incrementMs"]) == (True, 2000)
        await answer(bot, game, 1, "Mc2")
        shown = await reached(client, game["gameId"], ply=2)
        assert (shown["history"], shown["running"]) == (["Ma2", "Mc2"], [0])
        await bot.applied(1, "Mc2")
        assert await asked(bot, 2) is None, "the bot has moved"


@pytest.mark.parametrize("starts_at_once", [False, True])
async def test_the_first_move_is_timed_only_if_the_clocks_start_at_once(
    services: Served, *, starts_at_once: bool
) -> None:
    async with a_bot(services) as bot, http(services) as client:
        name = f"first-{starts_at_once}"
        await bot.attach(name, TIMED)
        game = await opened(client, f"{name}:b1", is_first=False, startsAtOnce=starts_at_once)
        async with a_player(services, game) as player:
            await player.opened()
            await bot.started()
            assert (await asked(bot, 0) is not None) is starts_at_once


async def test_an_answer_to_an_earlier_request_takes_no_time(services: Served) -> None:
    async with a_bot(services) as bot, http(services) as client:
        await bot.attach("slow", TIMED)
        game = await opened(client, "slow:b1")
        await submit(client, game, "Ma2")
        await bot.started()
        await bot.evaluated(0, "---")
        await bot.applied(0, "Ma2")
        await bot.evaluated(1, "Mc2")
        left = (await reached(client, game["gameId"], ply=2))["clocks"][1]
        await bot.applied(1, "Mc2")
        await asked(bot, 2)
        await submit(client, game, "---")
        assert (await running(client, game, []))["clocks"][1] == left
        assert (await position(client, game["gameId"]))["clocks"][1] == left, "the clock stands"
        await answer(bot, game, 2, "---")
        await bot.applied(2, "---")
        clock = await asked(bot, 3)
        assert clock is not None
        assert clock["remainingMs"] <= left
        await running(client, game, [1])


async def test_a_takeback_while_the_clock_runs(services: Served) -> None:
    async with a_bot(services) as bot, http(services) as client:
        await bot.attach("back", TIMED)
        game = await opened(client, "back:b1")
        headers = {"Authorization": f"Bearer {game['token']}"}
        await submit(client, game, "Ma2")
        await bot.started()
        await bot.evaluated(0, "---")
        await bot.applied(0, "Ma2")
        await asked(bot, 1)
        await running(client, game, [1])
        path = f"/api/games/{game['gameId']}/takeback"
        assert (await client.post(path, json={"toPly": 0}, headers=headers)).json()["ply"] == 0
        await submit(client, game, "Mb1")
        left = (await running(client, game, []))["clocks"][1]
        await answer(bot, game, 1, "Mc2")
        await bot.ended()
        await bot.started()
        assert await asked(bot, 0) is None, "the replay takes no time"
        assert (await position(client, game["gameId"]))["clocks"][1] == left
        await answer(bot, game, 0, "---")
        await bot.applied(0, "Mb1")
        clock = await asked(bot, 1)
        assert clock is not None
        assert clock["remainingMs"] <= left
        await answer(bot, game, 1, "Mc2")
        assert (await reached(client, game["gameId"], ply=2))["history"] == ["Mb1", "Mc2"]


async def test_a_bot_that_ignores_its_clock_loses_on_time(services: Served) -> None:
    async with a_bot(services) as bot, http(services) as client:
        await bot.attach("late", TIMED)
        game = await opened(client, "late:b1", seconds=1)
        await submit(client, game, "Ma2")
        await bot.started()
        await bot.evaluated(0, "---")
        await bot.applied(0, "Ma2")
        assert await asked(bot, 1) is not None
        over = await reached(client, game["gameId"], ply=1, status="finished")
        assert (over["result"]["reason"], over["result"]["winners"]) == ("timeout", [0])
        await answer(bot, game, 1, "Mc2")
        await bot.ended()
        again = await opened(client, "late:b1")
        await submit(client, again, "Ma2")
        assert (await bot.started())["bgsId"] == again["gameId"]


async def test_a_kill_while_the_bot_thinks_costs_it_nothing(tmp_path: Path) -> None:
    with Served(tmp_path) as served:
        async with a_bot(served) as bot, http(served) as client:
            await bot.attach("killed", TIMED)
            game = await opened(client, "killed:b1")
            await submit(client, game, "Ma2")
            await bot.started()
            await bot.evaluated(0, "---")
            await bot.applied(0, "Ma2")
            await asked(bot, 1)
            served.stop(signal.SIGKILL)
        served.start()
        async with a_bot(served) as bot, http(served) as client:
            assert (await running(client, game, []))["clocks"][1] == SECONDS * 1000
            await bot.attach("killed", TIMED)
            await bot.ended(success=False)
            await bot.started()
            assert await asked(bot, 0) is None
            assert (await position(client, game["gameId"]))["clocks"][1] == SECONDS * 1000
            await answer(bot, game, 0, "---")
            await bot.applied(0, "Ma2")
            assert await asked(bot, 1) is not None
            await running(client, game, [1])
            await answer(bot, game, 1, "Mc2")
            await reached(client, game["gameId"], ply=2)


async def test_other_bots_play_without_a_clock_only(services: Served) -> None:
    async with a_bot(services) as bot, http(services) as client:
        await bot.attach("plain", {"timed": False})
        with pytest.raises(AssertionError, match="B plays without a clock only") as refusal:
            await opened(client, "plain:b1")
        assert '"field":"timeControl"' in str(refusal.value)
        (listed,) = [bot for bot in (await client.get("/api/bots")).json()["bots"] if bot["botId"] == "b1"]
        assert listed["timed"] is False


@pytest.mark.parametrize("said", ["yes", 1, 0, None, [], {}])
async def test_timed_is_true_or_false(services: Served, said: object) -> None:
    async with a_bot(services) as bot:
        rejected = await bot.attach("fuzzed", {"timed": said})
        assert rejected == {
            "type": "attach-rejected",
            "code": "INVALID_BOT_CONFIG",
            "message": "bot 1: timed must be true or false",
        }
