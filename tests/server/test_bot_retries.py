"""Bots that are asked again after an illegal move, because they attached with ``retries``."""

import asyncio
from typing import Any

import pytest

from protocols.bgs.config import Setup
from protocols.bgs.messages import EvaluatePosition, EvaluateResponse, EvaluationLimits, Request
from protocols.values import MAX_NOTE, ClockReading
from server.services.bots.attached_session import AttachedSession
from tests.server.bot_peers import a_bot, challenge, http, reached, submit
from tests.server.serving import Served

REFUSED = "illegal move 'Cb9': Cb9 is off the 3x3 board"


async def test_a_bot_is_told_why_and_asked_again(served: Served) -> None:
    async with a_bot(served) as bot, http(served) as client:
        await bot.attach("again", {"retries": 2})
        game = await challenge(client, "again:b1")
        await submit(client, game, "Cb2")
        await bot.started()
        await bot.evaluated(0, "---")
        await bot.applied(0, "Cb2")
        assert "refused" not in await bot.evaluated(1, "Cb9")
        asked = await bot.evaluated(1, "castle" * 10_000)
        assert asked["refused"] == REFUSED
        asked = await bot.evaluated(1, "Mc2")
        assert asked["refused"].startswith("illegal move 'castlecastle")
        assert len(asked["refused"]) <= MAX_NOTE
        await bot.applied(1, "Mc2")
        assert "refused" not in await bot.evaluated(2, "---")
        assert (await reached(client, game["gameId"], ply=2))["history"] == ["Cb2", "Mc2"]


async def test_the_illegal_move_after_the_last_retry_resigns(served: Served) -> None:
    async with a_bot(served) as bot, http(served) as client:
        await bot.attach("stubborn", {"retries": 1})
        game = await challenge(client, "stubborn:b1")
        await submit(client, game, "Cb2")
        await bot.started()
        await bot.evaluated(0, "---")
        await bot.applied(0, "Cb2")
        await bot.evaluated(1, "castle")
        await bot.evaluated(1, "Cb9")
        over = await reached(client, game["gameId"], ply=1, status="finished")
        assert over["result"] == {"winners": [0], "reason": "resignation", "note": REFUSED}


async def test_other_failures_are_not_retried(served: Served) -> None:
    async with a_bot(served) as bot, http(served) as client:
        await bot.attach("unable", {"retries": 5})
        game = await challenge(client, "unable:b1")
        await submit(client, game, "Cb2")
        await bot.started()
        asked = await bot.expect("evaluate_position")
        await bot.answer("evaluate_response", asked, ply=0, bestMove="", evaluation=0, success=False)
        over = await reached(client, game["gameId"], ply=1, status="finished")
        assert over["result"]["reason"] == "resignation"


async def test_the_clock_goes_on_while_a_bot_is_asked_again() -> None:
    asked: list[EvaluatePosition] = []

    async def ask(request: Request) -> EvaluateResponse:
        assert isinstance(request, EvaluatePosition)
        asked.append(request)
        await asyncio.sleep(0.02)
        move = "Cb9" if request.refused is None else "Cb3"
        return EvaluateResponse("g", request.expected_ply, move, 0.0, success=True, error="")

    setup = Setup("wallwars", "standard", {"boardWidth": 3, "boardHeight": 3}, EvaluationLimits())
    session = AttachedSession(ask, "g", "b1", "B", setup, retries=1)
    assert (await session.evaluate(ClockReading(60_000, 500))).best_move == "Cb3"
    first, second = (request.clock for request in asked)
    assert first == ClockReading(60_000, 500)
    assert second is not None
    assert 0 < second.remaining_ms <= 60_000 - 20
    assert second.increment_ms == 500


@pytest.mark.parametrize("retries", [-1, 11, "two", 1.5, True])
async def test_the_number_of_retries_is_bounded(served: Served, retries: Any) -> None:
    async with a_bot(served) as bot:
        refused = await bot.attach("greedy", {"retries": retries})
        assert refused["code"] == "INVALID_BOT_CONFIG"
        assert refused["message"] == "bot 1: retries must be a whole number from 0 to 10"
