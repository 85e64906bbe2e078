"""The ladder of a running server: bots attach, and are paired, rated and reported."""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest

from server.routes.ladder import Ratings
from tests.server.bot_peers import OFFER, Bot, Json, a_bot, evaluating, http
from tests.server.serving import Served

DRAW = {"game": "toy-draw", "variants": {"standard": {}}}
"""A short game; both seats take until nothing is left."""


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A server whose built-in levels play no games of the ladder, and with a place for one other client."""
    limits = {"PLYHOUSE_LADDER_LEVEL_GAMES": "0", "PLYHOUSE_BOT_CLIENTS": "1"}
    with Served(tmp_path_factory.mktemp("ladder"), **limits) as server:
        yield server


@asynccontextmanager
async def on_ladder(
    served: Served,
    client_id: str,
    move: str | None = "take",
    *,
    secret: str | None = None,
    headers: Mapping[str, str] | None = None,
    **members: Any,
) -> AsyncIterator[tuple[Bot, Json]]:
    """A bot on the ladder, and the server's answer to its attachment. It makes one move again and again."""
    async with a_bot(served, additional_headers=headers) as bot:
        entry = {**DRAW, "ladder": True, **members}
        answer = await bot.attach(client_id, entry, secret=secret)
        playing = None if move is None else asyncio.ensure_future(evaluating(bot, move))
        try:
            yield bot, answer
        finally:
            if playing is not None:
                playing.cancel()


async def until(client: httpx.AsyncClient, path: str, is_there: Callable[[Json], object]) -> Json:
    """Reads an address until its answer is as expected."""
    async with asyncio.timeout(60):
        while True:
            answer = await client.get(path)
            if answer.status_code == 200 and is_there(answer.json()):
                return dict(answer.json())
            await asyncio.sleep(0.05)  # Nobody is told of ratings.


def of(answer: Json, player: str) -> Json:
    """A player's row."""
    return next((row for row in answer["players"] if row["player"] == player), {"games": -1, "playing": []})


async def follow(bot: Bot, last: Callable[[Json], bool]) -> Json:
    """Answers what a bot is asked until it is to evaluate the ``last`` position; returns that request, unanswered."""
    while True:
        asked = await bot.next()
        match asked["type"]:
            case "start_game_session":
                await bot.answer("game_session_started", asked)
            case "end_game_session":
                await bot.answer("game_session_ended", asked)
            case "apply_move":
                await bot.answer("move_applied", asked, ply=asked["expectedPly"] + 1)
            case "evaluate_position" if last(asked):
                return asked
            case "evaluate_position":
                ply = asked["expectedPly"]
                await bot.answer("evaluate_response", asked, ply=ply, bestMove="take", evaluation=0.0)


async def test_bots_are_paired_rated_and_reported(served: Served) -> None:
    async with http(served) as client, on_ladder(served, "ann", version="1"), on_ladder(served, "ben"):
        path = "/api/ladder/toy-draw"
        rows = await until(client, path, lambda rows: of(rows, "ann:b1@1")["games"] >= 6)
        Ratings.model_validate(rows)
        ann, ben = of(rows, "ann:b1@1"), of(rows, "ben:b1")
        assert (ann["name"], ann["bot"], ann["here"], ann["errors"]) == ("B", "ann:b1", True, 0)
        assert ann["error"] < 700
        assert abs(ann["games"] - ben["games"]) <= 1
        report = (await client.get("/api/ladder/bots/ann:b1")).json()
        assert [pool["game"] for pool in report["pools"]] == ["toy-draw"]
        curve = report["pools"][0]["versions"][0]["progress"]
        assert curve[0]["error"] > curve[-1]["error"]
        meeting = report["opponents"][0]
        assert meeting["opponent"] == "ben:b1"
        assert meeting["wins"] + meeting["draws"] + meeting["losses"] >= 6
        assert report["looked"] == len(report["results"])
        assert report["weakOpenings"] == [], "all games of this variant begin in different ways"
        assert report["losses"] == []
        thinking = report["thinking"]
        assert thinking["moves"] > thinking["games"] >= 6
        assert 0 <= thinking["medianMs"] <= thinking["slowestMs"] < 60_000
        assert thinking["slowestGameId"] in {game["gameId"] for game in report["results"]}
        games = report["results"][::-1]
        assert all(game["reason"] != "aborted" for game in games)
        first, second = [(await client.get(f"/api/games/{game['gameId']}")).json() for game in games[:2]]
        assert [seat["bot"] for seat in first["seats"]] == [seat["bot"] for seat in second["seats"]][::-1]
        assert first["config"] != second["config"], "who remembers the first game would know what is hidden"
        assert (first["assistance"], first["matchStatus"]["matchType"]) == ("none", "ladder")
        pools = (await client.get("/api/ladder")).json()["pools"]
        assert [(pool["game"], pool["players"]) for pool in pools] == [("toy-draw", 2)]


async def test_bots_play_at_tables_of_as_many_as_they_state(tmp_path: Path) -> None:
    """Two of three play pairs as well: the games of which there have been fewer come first."""
    path, both = "/api/ladder/toy-draw", {"seats": [3, 2]}
    with Served(tmp_path, PLYHOUSE_LADDER_LEVEL_GAMES="0") as served:
        async with AsyncExitStack() as bots, http(served) as client:
            for name, terms in (("tom", {"seats": [3]}), ("tim", both), ("tia", both)):
                await bots.enter_async_context(on_ladder(served, name, ladder=terms))
            rows = await until(client, path, lambda rows: of(rows, "tom:b1")["games"] >= 3)
            assert {of(rows, f"{name}:b1")["errors"] for name in ("tom", "tim", "tia")} == {0}
            report = (await client.get("/api/ladder/bots/tim:b1")).json()
            assert {one["opponent"] for one in report["opponents"]} == {"tom:b1", "tia:b1"}
            sizes = Counter(len(game["players"]) for game in report["results"])
            assert set(sizes) == {2, 3}
            assert abs(sizes[2] - sizes[3]) <= 2
            table = next(game for game in report["results"] if len(game["players"]) == 3)
            assert sorted(table["players"]) == ["tia:b1", "tim:b1", "tom:b1"]
            assert (min(table["places"]), len(table["places"])) == (1, 3)
            played = (await client.get(f"/api/games/{table['gameId']}")).json()
            assert [seat["bot"] for seat in played["seats"]] == table["players"]


async def test_one_bot_alone_waits(served: Served) -> None:
    async with http(served) as client, on_ladder(served, "alone", variants={"standard": {}}):
        rows = await until(client, "/api/ladder/toy-draw", lambda rows: of(rows, "alone:b1")["games"] == 0)
        assert of(rows, "alone:b1")["waiting"] is None
        report = (await client.get("/api/ladder/bots/alone:b1")).json()
        assert (report["looked"], report["weakOpenings"], report["losses"]) == (0, [], [])
        assert report["thinking"] is None


async def test_a_guest_cannot_play_under_the_id_of_another_client(served: Served) -> None:
    async with on_ladder(served, "owner") as (_, answer):
        secret = answer["resumeSecret"]
    async with on_ladder(served, "owner") as (_, answer):
        assert (answer["type"], answer["code"]) == ("attach-rejected", "INVALID_BOT_CONFIG")
        assert "attach with its resumeSecret" in answer["message"]
    async with on_ladder(served, "owner", secret=secret) as (_, answer):
        assert answer["type"] == "attached"


async def test_a_bot_that_comes_back_goes_on_with_its_game(served: Served) -> None:
    async with http(served) as client, on_ladder(served, "stays"):
        async with on_ladder(served, "returns", None) as (_, answer):
            path = "/api/ladder/toy-draw"
            rows = await until(client, path, lambda rows: of(rows, "returns:b1")["playing"])
            playing = of(rows, "returns:b1")["playing"][0]
        async with on_ladder(served, "returns", secret=answer["resumeSecret"]):
            await until(
                client, f"/api/games/{playing}", lambda game: game["matchStatus"]["status"] == "completed"
            )
            rows = await until(client, path, lambda rows: of(rows, "returns:b1")["games"] > 0)
            assert of(rows, "returns:b1")["errors"] == 0


async def test_a_game_of_a_bot_that_becomes_another_version_does_not_count(served: Served) -> None:
    async with http(served) as client, on_ladder(served, "steady"):
        async with on_ladder(served, "changes", None, version="1") as (_, answer):
            path = "/api/ladder/toy-draw"
            rows = await until(client, path, lambda rows: of(rows, "changes:b1@1")["playing"])
            playing = of(rows, "changes:b1@1")["playing"][0]
        async with on_ladder(served, "changes", secret=answer["resumeSecret"], version="2"):
            await until(
                client, f"/api/games/{playing}", lambda game: game["matchStatus"]["status"] == "aborted"
            )
            rows = await until(client, path, lambda rows: of(rows, "changes:b1@2")["games"] > 1)
            assert of(rows, "changes:b1@1")["games"] == -1, "it has played no game that counts"
            report = (await client.get("/api/ladder/bots/changes:b1")).json()
            [void] = [game for game in report["results"] if game["gameId"] == playing]
            assert (void["places"], void["reason"]) == (None, "aborted")


async def test_a_version_that_is_replaced_in_the_middle_of_a_game_has_lost(served: Served) -> None:
    async with http(served) as client, on_ladder(served, "firm"):
        path = "/api/ladder/toy-draw"
        async with on_ladder(served, "turns", None, version="1") as (bot, answer):
            rows = await until(client, path, lambda rows: of(rows, "turns:b1@1")["playing"])
            playing = of(rows, "turns:b1@1")["playing"][0]
            await follow(bot, lambda asked: asked["expectedPly"] >= 4)
        async with on_ladder(served, "turns", None, secret=answer["resumeSecret"], version="2"):
            await until(
                client, f"/api/games/{playing}", lambda game: game["matchStatus"]["status"] == "completed"
            )
            rows = await until(client, path, lambda rows: of(rows, "turns:b1@1")["games"] == 1)
            assert (of(rows, "turns:b1@1")["losses"], of(rows, "turns:b1@1")["errors"]) == (1, 1)
            [loss] = (await client.get("/api/ladder/bots/turns:b1")).json()["losses"]
            assert (loss["kind"], loss["games"], loss["gameId"]) == ("disconnection", 1, playing)
            assert 4 <= loss["fewestPlies"] == loss["medianPlies"]


async def test_leaving_gives_no_time_back(served: Served) -> None:
    async with on_ladder(served, "waits", timed=True):
        async with on_ladder(served, "thinks", None, timed=True) as (bot, answer):
            before = await follow(bot, lambda asked: "clock" in asked)
            await asyncio.sleep(1)  # It thinks.
        async with on_ladder(served, "thinks", None, timed=True, secret=answer["resumeSecret"]) as (bot, _):
            after = await follow(bot, lambda asked: "clock" in asked)
        assert after["bgsId"] == before["bgsId"]
        # Most of the second: it passes on two clocks, and the server's counts whole milliseconds.
        assert after["clock"]["remainingMs"] <= before["clock"]["remainingMs"] - 900


async def test_a_bot_that_knows_no_clock_has_ten_seconds_a_move_and_is_not_told(served: Served) -> None:
    knows, does_not = on_ladder(served, "hour", timed=True), on_ladder(served, "minute", None)
    async with http(served) as client, knows, does_not as (bot, _):
        async with asyncio.timeout(60):
            await bot.started()
            asked = await bot.expect("evaluate_position")
        assert "clock" not in asked
        rows = (await client.get("/api/ladder/toy-draw")).json()
        game = (await client.get(f"/api/games/{of(rows, 'minute:b1')['playing'][0]}")).json()
        assert game["matchStatus"]["config"]["timeControl"] == {"initialSeconds": 10, "incrementSeconds": 10}


@pytest.mark.slow
async def test_endless_games_are_drawn(served: Served) -> None:
    side = {"min": 4, "max": 20}
    offer = {**OFFER, "boardWidth": side, "boardHeight": side}
    members: Json = {"game": "wallwars", "variants": {"standard": offer}}
    passes, too = on_ladder(served, "ping", "---", **members), on_ladder(served, "pong", "---", **members)
    async with http(served) as client, passes, too:
        rows = await until(client, "/api/ladder/wallwars", lambda rows: of(rows, "ping:b1")["draws"] > 0)
        assert of(rows, "pong:b1")["losses"] == 0
        report = (await client.get("/api/ladder/bots/ping:b1")).json()
        assert report["results"][0]["reason"] == "ply-limit"
        assert report["results"][0]["plies"] >= 200


async def test_the_bots_of_an_address_add_so_much_to_the_database_a_day(tmp_path: Path) -> None:
    limits = {"PLYHOUSE_LADDER_LEVEL_GAMES": "0", "PLYHOUSE_LADDER_MEGABYTES_PER_DAY": "0.001"}
    trust = {"PLYHOUSE_TRUST_PROXY": '["127.0.0.1/32"]'}
    one, two, three = ({"X-Forwarded-For": f"192.0.2.{number}"} for number in (1, 2, 3))
    spent, path = "its address has stored as many games as it may today", "/api/ladder/toy-draw"
    with Served(tmp_path, **limits, **trust) as served:
        async with AsyncExitStack() as bots, http(served) as client:
            for name in ("ann", "ben"):
                await bots.enter_async_context(on_ladder(served, name, headers=one))
            rows = await until(client, path, lambda rows: of(rows, "ann:b1")["games"] == 1)
            assert {of(rows, f"{name}:b1")["waiting"] for name in ("ann", "ben")} == {spent}
            for name, headers in (("cyd", two), ("dan", three)):
                await bots.enter_async_context(on_ladder(served, name, headers=headers))
            rows = await until(client, path, lambda rows: of(rows, "cyd:b1")["games"] == 1)
            assert {of(rows, f"{name}:b1")["games"] for name in ("ann", "ben", "cyd", "dan")} == {1}


async def test_unknown_games_and_bots_are_named(served: Served) -> None:
    async with http(served) as client:
        for path, why in (
            ("/api/ladder/hive", "No bot plays or has played Hive on the ladder."),
            ("/api/ladder/hive?variant=Base", "No bot plays or has played Hive (Base game) on the ladder."),
            ("/api/ladder/hive?variant=none", "No bot plays or has played Hive (none) on the ladder."),
            ("/api/ladder/chess", "No bot plays or has played chess on the ladder."),
            ("/api/ladder/bots/nobody:b", "No bot 'nobody:b' plays or has played on the ladder."),
        ):
            answer = await client.get(path)
            assert (answer.status_code, answer.json()["error"]) == (404, why)
