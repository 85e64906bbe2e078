"""A game of simultaneous moves over HTTP, on sockets, with bots, and across a crash of the server."""

import asyncio
import signal
import sqlite3
from collections.abc import Callable
from contextlib import aclosing
from pathlib import Path
from typing import Any

import httpx
import pytest

from plyhouse import AsyncClient
from plyhouse.wire import GameState
from tests.server.bot_peers import a_bot, a_viewer, http, reached, submit
from tests.server.services import bearer, opening, play, post
from tests.server.serving import Served

Json = dict[str, Any]

CONFIG = {"width": 5, "height": 3, "walls": [], "mud": [], "cheese": [[2, 1], [4, 0], [0, 2]], "maxTurns": 9}
"""An open board: seat 0 starts at the bottom left, where it can go UP and RIGHT, seat 1 at the top right."""

SECONDS = 120.0


async def a_game(client: httpx.AsyncClient, **more: Any) -> Json:
    return await opening(client, "pyrat", config=CONFIG, **more)


async def position(client: httpx.AsyncClient, game: Json, seat: int | None = None) -> Json:
    headers = {} if seat is None else bearer(game, seat)
    answer = await client.get(f"/api/games/{game['gameId']}", headers=headers)
    return dict(answer.json()["position"])


async def state_when(served: Served, game_id: str, is_wanted: Callable[[GameState], bool]) -> GameState:
    """The first state that is wanted."""
    async with (
        asyncio.timeout(SECONDS),
        AsyncClient(served.url) as client,
        aclosing(client.follow(game_id)) as states,
    ):
        async for state in states:
            if is_wanted(state):
                return state
    raise AssertionError("the game ended before that")


def is_over(state: GameState) -> bool:
    return state.is_over


# ---- over HTTP -----------------------------------------------------------------------------------


async def test_a_turn_of_two_people(client: httpx.AsyncClient) -> None:
    game = await a_game(client)
    start = await position(client, game)
    assert (start["toAct"], "pending" in start) == ([0, 1], False)
    assert start["legal"] == {"0": ["UP", "RIGHT", "STAY"], "1": ["DOWN", "LEFT", "STAY"]}
    assert await play(client, game, 0, "UP", expectedPly=0) == (200, {"ply": 0, "pending": [1]})
    for seat in (None, 0, 1):
        shown = await position(client, game, seat)
        assert (shown["toAct"], shown["pending"], shown["legal"]) == ([1], [1], {"1": start["legal"]["1"]})
        assert {**shown, "toAct": 0, "legal": 0, "pending": 0} == {
            **start,
            "toAct": 0,
            "legal": 0,
            "pending": 0,
        }
    status, moved = await play(client, game, 1, "LEFT", expectedPly=0)
    assert (status, moved["position"]["history"], "pending" in moved["position"]) == (200, ["UP/LEFT"], False)


async def test_a_blocked_direction_is_recorded_as_staying(client: httpx.AsyncClient) -> None:
    game = await a_game(client)
    await play(client, game, 0, "DOWN")
    _, moved = await play(client, game, 1, "UP")
    assert moved["position"]["history"] == ["STAY/STAY"]


@pytest.mark.parametrize("text", ["up", "UP/LEFT", "", "NORTH", "UP ", "UP +1", "!0", "U" * 1001])
async def test_texts_that_are_no_direction(client: httpx.AsyncClient, text: str) -> None:
    game = await a_game(client)
    status, body = await play(client, game, 0, text)
    assert (status, body["code"], body["field"]) == (422, "illegal-move", "move")
    assert (await position(client, game))["toAct"] == [0, 1]


@pytest.mark.parametrize("move", [None, 3, ["UP"], {"0": "UP", "1": "LEFT"}])
async def test_moves_that_are_no_text(client: httpx.AsyncClient, move: object) -> None:
    game = await a_game(client)
    status, body = await post(client, game, "moves", 0, {"move": move})
    assert (status, body["code"]) == (400, "malformed")


async def test_only_its_player_moves_for_a_seat(client: httpx.AsyncClient) -> None:
    game, other = await a_game(client), await a_game(client)
    path, body = f"/api/games/{game['gameId']}/moves", {"move": "UP", "seat": 1}
    assert (await client.post(path, json=body)).json()["code"] == "no-token"
    stranger = await client.post(path, json=body, headers=bearer(other, 1))
    assert (stranger.status_code, stranger.json()["code"]) == (403, "not-your-seat")
    await client.post(path, json=body, headers=bearer(game, 0))
    assert (await position(client, game))["toAct"] == [1], "the token decides, not the body"


async def test_a_second_part_is_refused_and_a_repeated_message_answered_again(
    client: httpx.AsyncClient,
) -> None:
    game = await a_game(client)
    first = await play(client, game, 1, "LEFT", clientMsgId="a")
    status, body = await play(client, game, 1, "DOWN", clientMsgId="b")
    assert (status, body) == (409, {"error": body["error"], "code": "already-moved"})
    assert await play(client, game, 1, "DOWN", clientMsgId="a") == first == (200, {"ply": 0, "pending": [0]})
    _, moved = await play(client, game, 0, "UP", clientMsgId="a")
    assert moved["position"]["history"] == ["UP/LEFT"], "message ids belong to a seat"
    assert await play(client, game, 1, "DOWN", clientMsgId="a") == first
    stale = await play(client, game, 1, "LEFT", expectedPly=0)
    assert (stale[0], stale[1]["code"], stale[1]["ply"]) == (409, "stale-ply", 1)


async def test_nothing_but_the_database_contains_a_part(client: httpx.AsyncClient) -> None:
    """Answers with every direction as part differ only in what the clock and random ids decide."""
    seen = []
    for text in ("UP", "RIGHT", "STAY"):
        game = await a_game(client)
        await play(client, game, 0, text)
        game_id = game["gameId"]
        paths = [
            f"/api/games/{game_id}?staged=LEFT",
            f"/api/games/{game_id}?ply=0",
            f"/api/games/{game_id}/record",
            f"/api/games/{game_id}/record?format=prf",
        ]
        answers = [
            (await client.get(path, headers=bearer(game, seat))).text for path in paths for seat in (0, 1)
        ]
        assert "UP/" not in "".join(answers)
        refused = await play(client, game, 0, "LEFT")
        shown = await position(client, game)
        seen.append([shown, refused, *(len(answer) for answer in answers)])
        rows = [row for row in (await client.get("/api/games")).json()["games"] if row["gameId"] == game_id]
        assert [(row["ply"], row["status"]) for row in rows] == [(0, "playing")]
    assert seen[0] == seen[1] == seen[2]
    metrics = (await client.get("/metrics")).text
    assert not any(word in metrics for word in ("RIGHT", "STAY"))


async def test_the_eval_bar_hides_the_choice_of_a_bot_until_the_turn_is_complete(served: Served) -> None:
    async with a_bot(served) as bot, http(served) as client:
        await bot.attach("hidden", {"game": "toy-goofspiel", "variants": {"standard": {}}})
        body = {"botId": "hidden:b1", "config": {}}
        game = (await client.post("/api/bots/play?game=toy-goofspiel", json=body)).json()
        game_id = game["gameId"]
        async with a_viewer(served, game_id) as viewer:
            await viewer.send({"type": "eval-handshake", "gameId": game_id, "variant": "standard"})
            assert (await viewer.next())["type"] == "eval-handshake-accepted"
            await submit(client, game, "2", 0)
            await bot.started()
            await bot.evaluated(0, "1/4", 0.25)
            await bot.applied(0, "2/4")
            history = await viewer.history()
            assert [entry["bestMove"] for entry in history] in ([""], ["1/4"])
            if history[0]["bestMove"] == "":
                assert history == [{"ply": 0, "evaluation": 0.25, "bestMove": ""}]
                assert (await viewer.next())["bestMove"] == "1/4"
            await bot.evaluated(1, "4/1", 0.5)
            frame = await viewer.next()
            assert frame == {"type": "eval-update", "ply": 1, "evaluation": 0.5, "bestMove": ""}
            await state_when(served, game_id, lambda state: state.pending == (0,))
            await submit(client, game, "4", 1)
            await bot.applied(1, "4/1")
            frame = await viewer.next()
            assert (frame["ply"], frame["bestMove"]) == (1, "4/1")
            await bot.evaluated(2, "1/2", -0.5)
            assert (await viewer.next())["evaluation"] == -0.5


# ---- crashes -------------------------------------------------------------------------------------


async def test_an_accepted_part_survives_a_crash(tmp_path: Path) -> None:
    with Served(tmp_path) as served:
        async with http(served) as client:
            game = await a_game(client)
            assert await play(client, game, 0, "RIGHT", clientMsgId="a") == (200, {"ply": 0, "pending": [1]})
        served.stop(signal.SIGKILL)
        assert "RIGHT" not in served.log
        served.start()
        async with http(served) as client:
            assert (await position(client, game))["pending"] == [1]
            assert (await play(client, game, 0, "UP"))[1]["code"] == "already-moved"
            assert await play(client, game, 0, "UP", clientMsgId="a") == (200, {"ply": 0, "pending": [1]})
            _, moved = await play(client, game, 1, "DOWN")
            assert moved["position"]["history"] == ["RIGHT/DOWN"]
        served.stop(signal.SIGTERM)
        assert "RIGHT" not in served.log
    with sqlite3.connect(tmp_path / "plyhouse.sqlite3") as database:
        kinds = [kind for (kind,) in database.execute("select kind from events order by seq")]
    assert kinds == ["Created", "Sealed", "Moved"]


async def test_the_time_for_a_move_ends_after_a_crash_too(tmp_path: Path) -> None:
    with Served(tmp_path) as served:
        async with http(served) as client:
            game = await a_game(client, timeControl={"moveMs": 2000})
            await play(client, game, 0, "RIGHT")
        served.stop(signal.SIGKILL)
        served.start()
        async with http(served) as client:
            state = await state_when(served, game["gameId"], lambda state: state.ply > 1)
            assert state.history[:2] == ("RIGHT/STAY", "STAY/STAY")


async def test_a_seat_that_is_late_stays(served: Served) -> None:
    async with http(served) as client:
        game = await a_game(client, timeControl={"moveMs": 100, "preprocessingMs": 0})
        state = await state_when(served, game["gameId"], is_over)
        assert (state.history, state.reason) == (("STAY/STAY",) * 9, "ply-limit")


# ---- built-in bots -------------------------------------------------------------------------------


async def test_a_built_in_bot_seals_its_part_without_waiting(served: Served) -> None:
    async with http(served) as client:
        seats = [{"kind": "human"}, {"kind": "bot", "bot": "plyhouse:easy"}]
        game = await opening(client, "pyrat", config=CONFIG, seats=seats)
        game_id = game["gameId"]
        for ply in range(3):
            assert (await state_when(served, game_id, lambda state: state.pending == (0,))).ply == ply
            status, moved = await play(client, game, 0, "STAY", expectedPly=ply)
            assert (status, moved["ply"]) == (200, ply + 1)
        await state_when(served, game_id, lambda state: state.pending == (0,))
        status, back = await post(client, game, "takeback", 0)
        assert (status, back["ply"]) == (200, 2)
        await state_when(served, game_id, lambda state: state.pending == (0,))


async def test_a_live_game_with_a_bot_is_analysed_up_to_the_last_complete_turn(served: Served) -> None:
    async with http(served) as client:
        seats = [{"kind": "human"}, {"kind": "bot", "bot": "plyhouse:easy"}]
        game = await opening(client, "pyrat", config=CONFIG, seats=seats)
        ask = {"gameId": game["gameId"], "samples": 10}
        refused = await client.post("/api/analysis?wait=1", json=ask)
        assert (refused.status_code, refused.json()["code"]) == (403, "no-assistance")
        await play(client, game, 0, "STAY")
        await reached(client, game["gameId"], ply=1)
        assert [
            one["ply"] for one in (await client.post("/api/analysis?wait=1", json=ask)).json()["positions"]
        ] == [0]
        await post(client, game, "resign", 0)
        assert len((await client.post("/api/analysis?wait=1", json=ask)).json()["positions"]) == 2


async def test_two_built_in_bots_play_to_the_end(served: Served) -> None:
    async with http(served) as client:
        seats = [{"kind": "bot", "bot": "plyhouse:easy"}] * 2
        game = await opening(client, "pyrat", config=CONFIG, seats=seats)
        state = await state_when(served, game["gameId"], is_over)
        assert state.reason in ("majority", "cheese", "ply-limit")
