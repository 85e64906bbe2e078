"""Analyses by attached bots: who offers them, what the bot is asked, whose name the results have, and its leaving."""

import asyncio
import json
from collections.abc import AsyncIterator, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx
import pytest

from engines import Candidate, Evaluation
from protocols.bgs.answers import LONGEST_MOVE, presentable
from protocols.bgs.codec import LONGEST_LINE, MOST_LIKELY, MOST_LINES, BadFieldsError, decode_response
from protocols.bgs.messages import EvaluateResponse
from tests.server.bot_peers import OFFER, Bot, a_bot, evaluating, http, listed
from tests.server.serving import Served

Json = dict[str, Any]
SMALL = {"boardWidth": 3, "boardHeight": 3}
LINE = {"move": "Cb2", "visits": 7, "value": 0.25, "pv": ["Cb2", "Mb2"]}
BODY = {"game": "wallwars", "config": SMALL, "moves": ["---", "---"], "fromPly": 2, "toPly": 2}


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with Served(tmp_path_factory.mktemp("served")) as served:
        yield served


@pytest.fixture
async def client(served: Served) -> AsyncIterator[httpx.AsyncClient]:
    async with http(served) as client:
        yield client


async def analysed(client: httpx.AsyncClient, analyst: str, **wish: object) -> httpx.Response:
    return await client.post("/api/analysis?wait=1", json={**BODY, "analyst": analyst, **wish})


async def replayed(bot: Bot) -> Json:
    """Follows the session up to its evaluation, and returns the request for that."""
    await bot.started()
    await bot.applied(0, "---")
    await bot.applied(1, "---")
    return await bot.expect("evaluate_position")


async def test_a_bot_is_asked_about_the_position_and_named(served: Served, client: httpx.AsyncClient) -> None:
    async with a_bot(served) as bot:
        await bot.attach("asked", {"analyses": True, "name": "Deep"})
        assert await listed(client) == ["asked:b1"]
        asking = asyncio.ensure_future(analysed(client, "asked:b1", multipv=3))
        asked = await replayed(bot)
        assert (
            asked["expectedPly"],
            asked["lines"],
            asked.keys() & {"limits", "priority", "played", "then"},
        ) == (
            2,
            3,
            set(),
        )
        told = {"bestMove": "Cb2", "evaluation": 0.25, "lines": [LINE], "samples": 9, "source": "other name"}
        await bot.answer("evaluate_response", asked, ply=2, **told)
        await bot.ended()
        answer = await asking
        (studied,) = answer.json()["positions"]
        assert answer.json()["status"] == "done"
        assert (studied["source"], studied["bestMove"], studied["evaluation"]) == ("Deep", "Cb2", 0.25)
        assert [line["pv"] for line in studied["lines"]] == [LINE["pv"]]


async def test_a_bot_that_tells_little_is_named_as_well(served: Served, client: httpx.AsyncClient) -> None:
    async with a_bot(served) as bot:
        await bot.attach("short", {"analyses": True, "name": "Curt"})
        answering = asyncio.ensure_future(evaluating(bot))
        (studied,) = (await analysed(client, "short:b1")).json()["positions"]
        assert (studied["source"], studied["bestMove"], studied["lines"]) == ("Curt", "---", [])
        answering.cancel()


async def test_a_bot_that_leaves_is_not_replaced(served: Served, client: httpx.AsyncClient) -> None:
    async with a_bot(served) as bot:
        await bot.attach("leaving", {"analyses": True, "name": "Gone"})
        asking = asyncio.ensure_future(analysed(client, "leaving:b1"))
        await replayed(bot)
    result = (await asking).json()
    assert (result["status"], result["error"], result["positions"]) == ("failed", "Gone disconnected", [])
    again = await analysed(client, "leaving:b1")
    assert (again.status_code, again.json()["code"]) == (404, "unknown-bot")


async def test_a_bot_that_tells_too_much_is_cut_short(served: Served, client: httpx.AsyncClient) -> None:
    async with a_bot(served) as bot:
        await bot.attach("much", {"analyses": True, "name": "Loud"})
        asking = asyncio.ensure_future(analysed(client, "much:b1", multipv=2))
        asked = await replayed(bot)
        long = {**LINE, "pv": ["Cb2", *["---"] * 1000]}
        told = {"bestMove": "Cb2", "evaluation": 0.25, "lines": [long, *[LINE] * 400], "samples": 10**9}
        await bot.answer("evaluate_response", asked, ply=2, **told)
        await bot.ended()
        (studied,) = (await asking).json()["positions"]
        assert [len(line["pv"]) for line in studied["lines"]] == [LONGEST_LINE, 2]


async def test_another_client_with_the_id_is_asked_anew(served: Served, client: httpx.AsyncClient) -> None:
    for name in ("First", "Second"):
        async with a_bot(served) as bot:
            await bot.attach("shared", {"analyses": True, "name": name})
            answering = asyncio.ensure_future(evaluating(bot))
            results = [(await analysed(client, "shared:b1")).json() for _ in range(2)]
            assert [one["positions"][0]["source"] for one in results] == [name] * 2
            assert results[0]["analysisId"] == results[1]["analysisId"]
            answering.cancel()


async def test_what_a_bot_says_of_its_failure_is_short_and_printable(
    served: Served, client: httpx.AsyncClient
) -> None:
    async with a_bot(served) as bot:
        await bot.attach("sorry", {"analyses": True, "name": "Sorry"})
        asking = asyncio.ensure_future(analysed(client, "sorry:b1"))
        asked = await bot.expect("start_game_session")
        why = "\x1b[2J\u202e" + "x" * 60_000
        await bot.answer("game_session_started", asked, success=False, error=why)
        result = (await asking).json()
        assert (result["status"], result["error"]) == ("failed", ("?[2J?" + "x" * 200)[:200])


async def test_points_of_a_line_are_those_of_all_seats(served: Served, client: httpx.AsyncClient) -> None:
    async with a_bot(served) as bot:
        await bot.attach("points", {"analyses": True, "name": "P"})
        asking = asyncio.ensure_future(analysed(client, "points:b1"))
        asked = await replayed(bot)
        told = {"bestMove": "Cb2", "evaluation": 0.25, "lines": [{**LINE, "points": [0] * 9}]}
        await bot.answer("evaluate_response", asked, ply=2, **told)
        await bot.ended()
        result = (await asking).json()
        assert result["error"] == "points has 9 numbers, but the game has 2 seats"


def test_an_answer_shows_moves_and_numbers() -> None:
    line = Candidate("a", 1, 0.0, ("a", "b"))
    for wrong in (
        (),
        ("b",),
        ("a", "!1"),
        ("a", "\x1b[2J"),
        ("a", "b\u202e"),
        ("a", "b" * (LONGEST_MOVE + 1), "c"),
    ):
        (one,) = presentable(Evaluation((0.0, 0.0), "a", lines=(replace(line, pv=wrong),))).lines
        assert one.pv == ("a",)
    many = Evaluation((0.0, 0.0), "a", lines=(replace(line, visits=10**400),), samples=10**400)
    assert presentable(many).samples == presentable(many).lines[0].visits == 2**53 - 1
    usual = Evaluation((0.0, 0.0), "a", lines=(line,), source="native")
    assert presentable(usual) == usual


def test_no_more_of_an_answer_is_read_than_is_kept() -> None:
    line = {**LINE, "pv": [str(number) for number in range(500)]}
    policy = {str(number): 0.5 for number in range(500)}
    answer = {
        "type": "evaluate_response",
        "bgsId": "x",
        "ply": 0,
        "bestMove": "a",
        "evaluation": 0,
        "success": True,
        "error": "",
    }
    read = decode_response(json.dumps({**answer, "lines": [line] * 60, "policies": [policy, {}]}))
    assert isinstance(read, EvaluateResponse)
    assert read.lines is not None
    assert [len(one.pv) for one in read.lines] == [LONGEST_LINE] * MOST_LINES
    assert read.policies is not None
    assert list(map(len, read.policies)) == [MOST_LIKELY, 0]
    for name in ("values", "points", "chances"):
        with pytest.raises(BadFieldsError, match=f"{name} must be an array with one number per seat"):
            decode_response(json.dumps({**answer, name: [0] * 30_000}))


async def test_who_cannot_analyse_is_refused(served: Served, client: httpx.AsyncClient) -> None:
    async with a_bot(served) as bot:
        pieces = [{"q": 0, "r": 0, "pieces": ["wQ"]}]
        bee = {"botId": "bee", "game": "hive", "variants": {"Base": {}}, "analyses": True}
        await bot.attach("few", {}, {"botId": "able", "analyses": True, "variants": {"classic": OFFER}}, bee)
        cells = {
            "game": "hive",
            "variant": "Base",
            "config": {"cells": pieces, "toMove": 1},
            "moves": [],
            "fromPly": 0,
            "toPly": 0,
        }
        long = {"moves": ["---"] * 101, "variant": "classic", "fromPly": 0, "toPly": 100}
        for analyst, wish, status, said in (
            ("few:b1", {}, 422, "B analyses no positions: it did not attach with analyses: true."),
            ("plyhouse:easy", {}, 422, "Plyhouse easy analyses no positions"),
            ("few:other", {}, 404, "There is no bot 'few:other' for wallwars: it may have disconnected."),
            ("few:able", {}, 422, "B does not play this variant and board size."),
            ("few:bee", cells, 422, "B cannot analyse a position that was set up"),
            ("few:able", long, 422, "A bot analyses at most 100 positions at once"),
            (
                "few:able",
                {**long, "moves": ["---"] * 1001},
                422,
                "A bot analyses games of at most 1000 plies.",
            ),
            ("few:able", {"samples": 10}, 400, "Only without analyst, samples has an effect."),
        ):
            answer = await analysed(client, analyst, **wish)
            assert (answer.status_code, said in answer.json()["error"]) == (status, True), answer.text
        await bot.silent()


async def test_the_list_says_who_analyses(served: Served, client: httpx.AsyncClient) -> None:
    async with a_bot(served) as bot:
        await bot.attach("told", {}, {"botId": "b2", "analyses": True})
        bots = (await client.get("/api/bots")).json()["bots"]
        said = {one["id"]: one.get("analyses") for one in bots if one["clientId"] in {"told", "plyhouse"}}
        assert {name for name, analyses in said.items() if analyses} == {"told:b2"}
        assert set(said.values()) == {None, True}


async def test_an_untold_answer_is_refused_by_its_type(served: Served, tmp_path: Path) -> None:
    async with a_bot(served) as bot:
        rejected = await bot.attach("typed", {"analyses": "yes"})
        assert rejected["type"] == "attach-rejected"
        assert "analyses must be" in rejected["message"]
