"""Unfinished games that count for a client address: those that ended at another server no longer do."""

import asyncio

from server.services.cluster.changes import (
    LOGS,
)
from tests.server.replicas import DRAW, Services, a_server


async def opened_and_over(one: Services, other: Services) -> set[str]:
    """Two games that ``one`` opened and ``other`` ended, and that ``one`` does not have in memory."""
    games = {(await one.games.create(DRAW, "192.0.2.1")).state.id for _ in range(2)}
    for _ in range(5):
        await one.games.create(DRAW)
    for game in games:
        await other.games.abort(game, 0)
    assert one.opened.ids == games
    return games


async def test_a_game_found_finished_in_the_log_no_longer_counts(sqlite: str) -> None:
    async with a_server(sqlite, loaded=1) as one, a_server(sqlite) as other:
        for game in await opened_and_over(one, other):
            await one.games.get(game)
            assert game not in one.opened.ids
        assert not one.opened.ids


async def test_a_game_that_ended_in_a_gap_no_longer_counts(sqlite: str) -> None:
    async with a_server(sqlite, loaded=1) as one, a_server(sqlite) as other:
        await opened_and_over(one, other)
        live = (await one.games.create(DRAW, "192.0.2.1")).state.id
        one.bus.miss(LOGS)
        async with asyncio.timeout(60):
            while one.opened.ids != {live}:  # noqa: ASYNC110 - polls
                await asyncio.sleep(0.01)


async def test_a_game_ended_by_another_process_no_longer_counts(sqlite: str) -> None:
    async with a_server(sqlite, loaded=1) as one, a_server(sqlite) as other:
        for game in await opened_and_over(one, other):
            await one.hears_last_of(game)
        async with asyncio.timeout(60):
            while one.opened.ids:  # noqa: ASYNC110 - polls
                await asyncio.sleep(0.01)
