"""What everybody sees of an engine's clock: it runs from ``bestmove`` to the move, and at no other time."""

import asyncio

import pytest

from tests.server.serving import Served
from tests.server.test_uhp_engines import EMPTY, ONE, engines, greet, say, set_up
from tests.server.uhp_clients import new_game, opened, shown, tcp
from tests.server.uhp_results import ended, result

MINUTE = {"initialSeconds": 60, "incrementSeconds": 0, "startsAtOnce": True}
"""Longer than any test takes, however busy the machine is."""

PAUSE = 0.5
"""Clocks that stand show the same milliseconds after it."""


async def clocks(services: Served, game_id: str) -> tuple[list[int], list[int]]:
    """Milliseconds left, and the seats whose clocks run."""
    position = await shown(services, game_id)
    left, running = position["clocks"], position["running"]
    assert isinstance(left, list)
    assert isinstance(running, list)
    return left, running


async def test_clocks_stand_while_nothing_is_asked(uhp_server: Served) -> None:
    game_id, tokens = await new_game(uhp_server, timeControl=MINUTE)
    async with (
        opened(tcp, uhp_server, f"role=main token={tokens[0]}") as viewer,
        opened(tcp, uhp_server, f"role=engine token={tokens[0]}") as white,
        opened(tcp, uhp_server, f"role=engine token={tokens[1]}") as black,
    ):
        await set_up(viewer, white, black)
        before = await clocks(uhp_server, game_id)
        await asyncio.sleep(PAUSE)
        assert await clocks(uhp_server, game_id) == before
        assert before[1] == []

        await viewer.send("bestmove time 00:00:05")
        assert (await white.line()).startswith("bestmove time 00:00:0")
        assert (await clocks(uhp_server, game_id))[1] == [0]
        await say(white, "wA1", "ok")
        assert await viewer.answer() == ["wA1"]
        named, running = await clocks(uhp_server, game_id)
        await asyncio.sleep(PAUSE)
        assert await clocks(uhp_server, game_id) == (named, running)
        assert (running, named[0] < before[0][0], named[0] > 0) == ([], True, True)

        await viewer.send("play wA1")
        for peer in (white, black):
            assert await peer.line() == "play wA1"
            await say(peer, ONE, "ok")
        assert await viewer.answer() == [ONE]
        assert await clocks(uhp_server, game_id) == (named, [])


async def test_a_check_that_is_not_passed_costs_no_time(uhp_server: Served) -> None:
    async with engines(uhp_server, tcp, timeControl=MINUTE) as (game_id, white, black):
        assert (await white.line()).startswith("bestmove")
        await say(white, "wA1", "ok")
        for peer in (white, black):
            assert await peer.line() == "play wA1"
        await asyncio.sleep(PAUSE)
        left, running = await clocks(uhp_server, game_id)
        assert (left[1], running) == (60_000, [])
        await say(black, EMPTY, "ok")
        position = await ended(uhp_server, game_id)
        assert result(position) == ([0], "desync")
        assert position["clocks"] == left


async def until_running(services: Served, game_id: str, seats: list[int]) -> None:
    async with asyncio.timeout(60):
        while (await clocks(services, game_id))[1] != seats:  # noqa: ASYNC110 - polls
            await asyncio.sleep(0.02)


async def test_the_clock_of_an_engine_that_is_away_runs(uhp_server: Served) -> None:
    game_id, tokens = await new_game(uhp_server, timeControl=MINUTE)
    async with opened(tcp, uhp_server, f"role=main token={tokens[0]}") as viewer:
        await viewer.answer()
        async with opened(tcp, uhp_server, f"role=engine token={tokens[0]}") as white:
            await greet(white)
            await until_running(uhp_server, game_id, [])
        await until_running(uhp_server, game_id, [0])


@pytest.mark.slow
async def test_an_engine_that_comes_and_does_not_answer_stops_no_clock(uhp_server: Served) -> None:
    """Its clock stands when it has taken the position, and no sooner, however often it comes."""
    game_id, tokens = await new_game(uhp_server, timeControl={**MINUTE, "initialSeconds": 8})
    for is_last in (False, True):
        async with opened(tcp, uhp_server, f"role=engine token={tokens[0]}") as white:
            await greet(white)
            assert await white.line() == f"newgame {EMPTY}"
            assert (await clocks(uhp_server, game_id))[1] == [0]
            await (ended(uhp_server, game_id) if is_last else asyncio.sleep(PAUSE))
    assert result(await ended(uhp_server, game_id)) == ([1], "timeout")


async def test_who_takes_the_seat_of_an_engine_that_has_stopped_its_clock_runs_it(uhp_server: Served) -> None:
    """Also while the older connection is still there, and is being checked."""
    game_id, tokens = await new_game(uhp_server, timeControl=MINUTE)
    async with (
        opened(tcp, uhp_server, f"role=engine token={tokens[0]}") as white,
        opened(tcp, uhp_server, f"role=engine token={tokens[1]}") as black,
    ):
        for peer in (white, black):
            await greet(peer)
            assert await peer.line() == f"newgame {EMPTY}"
            await say(peer, EMPTY, "ok")
        assert (await white.line()).startswith("bestmove")
        await say(white, "wA1", "ok")
        assert await black.line() == "play wA1"
        await until_running(uhp_server, game_id, [])
        async with opened(tcp, uhp_server, f"role=engine token={tokens[1]}") as again:
            await greet(again)
            assert await again.line() == f"newgame {ONE}"
            await until_running(uhp_server, game_id, [1])
            for _ in range(10):
                assert (await clocks(uhp_server, game_id))[1] == [1], (
                    "the older connection leaves the clock alone"
                )


async def test_what_an_engine_is_asked_to_take_is_of_what_is_left(uhp_server: Served) -> None:
    """Its answer to the newgame was on the clock: 40 seconds are not left, of which it would have two."""
    _, tokens = await new_game(uhp_server, timeControl={**MINUTE, "initialSeconds": 41})
    async with opened(tcp, uhp_server, f"role=engine token={tokens[0]}") as white:
        await greet(white)
        assert await white.line() == f"newgame {EMPTY}"
        await asyncio.sleep(1.2)
        await say(white, EMPTY, "ok")
        assert await white.line() == "bestmove time 00:00:01"


@pytest.mark.slow
async def test_an_engine_that_never_answers_loses_on_time(uhp_server: Served) -> None:
    control = {"initialSeconds": 6, "incrementSeconds": 0, "startsAtOnce": True}
    async with engines(uhp_server, tcp, timeControl=control) as (game_id, white, _):
        assert (await white.line()).startswith("bestmove")
        position = await ended(uhp_server, game_id)
        assert result(position) == ([1], "timeout")
        assert position["clocks"] == [0, 6_000]


async def test_checks_are_not_on_the_clock(uhp_server: Served) -> None:
    control = {"initialSeconds": 60, "incrementSeconds": 0, "startsAtOnce": True}
    async with engines(uhp_server, tcp, timeControl=control) as (game_id, white, black):
        assert (await white.line()).startswith("bestmove")
        await say(white, "wA1", "ok")
        await white.line()
        await black.line()
        before = (await shown(uhp_server, game_id))["clocks"]
        await asyncio.sleep(0.5)
        assert (await shown(uhp_server, game_id))["clocks"] == before
        await say(white, ONE, "ok")
        await say(black, ONE, "ok")
        assert (await black.line()).startswith("bestmove")
        await asyncio.sleep(0.5)
        await say(black, "bB1 -wA1", "ok")
        assert await black.line() == "play bB1 -wA1"
        after = (await shown(uhp_server, game_id))["clocks"]
        assert isinstance(before, list)
        assert isinstance(after, list)
        assert (after[0], before[1], after[1] <= 59_500) == (before[0], 60_000, True)
