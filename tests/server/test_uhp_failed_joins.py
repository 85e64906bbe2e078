"""Players who wait over UHP while somebody tries to join them: in this process, with failures of the store."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path

import pytest

from protocols.uhp.remote.seek_criteria import SeekCriteria
from server.domain.errors import ApiError, Code, store_unavailable
from server.routes.services import Services
from server.services.games.games import Games
from server.services.uhp import matchmaking
from server.services.uhp.matchmaking import Matchmaking
from server.services.uhp.seat_access import SeatAccess, take_seat
from tests.server.services import app_with, settings

WHITE, BLACK = (SeekCriteria(type="Base", time_control=None, seat=seat) for seat in (0, 1))


class Players:
    """Players of one server. ``attempts`` are the games that they have tried to join."""

    def __init__(self, finder: Matchmaking) -> None:
        self._finder = finder
        self._tasks: list[asyncio.Task[SeatAccess]] = []
        self.attempts: list[str] = []
        self.fail: Callable[[], Awaitable[None]] | None = None
        """How the next attempt to join fails."""

    def seek(self, criteria: SeekCriteria) -> "asyncio.Task[SeatAccess]":
        self._tasks.append(asyncio.create_task(self._finder.find(criteria, None)))
        return self._tasks[-1]

    async def meet(self, *tasks: "asyncio.Task[SeatAccess]") -> None:
        async with asyncio.timeout(5):
            assert len({seat.game_id for seat in await asyncio.gather(*tasks)}) == 1

    async def until(self, is_so: Callable[[], bool]) -> None:
        async with asyncio.timeout(5):
            while not is_so():  # noqa: ASYNC110 - polls
                await asyncio.sleep(0.005)

    async def until_waiting(self, count: int) -> None:
        await self.until(lambda: self._finder.waiting == count)

    async def take(self, games: Games, game_id: str, seat: int | None, name: str | None) -> SeatAccess:
        self.attempts.append(game_id)
        fail, self.fail = self.fail, None
        if fail is not None:
            await fail()
        return await take_seat(games, game_id, seat, name)

    async def leave(self) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)


@pytest.fixture
async def players(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Players]:
    app = app_with(settings(tmp_path))
    async with app.router.lifespan_context(app):
        services: Services = app.state.services
        found = Players(services.uhp.context.matchmaking)
        monkeypatch.setattr(matchmaking, "take_seat", found.take)
        yield found
        await found.leave()


async def unavailable() -> None:
    raise store_unavailable("a test")


async def taken() -> None:
    raise ApiError(Code.SEAT_TAKEN, "The seat is taken.")


async def forever() -> None:
    await asyncio.Event().wait()


async def test_a_player_goes_on_waiting_if_the_store_is_unavailable(players: Players) -> None:
    white = players.seek(WHITE)
    await players.until_waiting(1)
    players.fail = unavailable
    players.seek(BLACK)
    await players.until_waiting(2)
    await players.meet(players.seek(BLACK), white)


async def test_a_player_goes_on_waiting_if_the_opponent_leaves_while_joining(players: Players) -> None:
    white = players.seek(WHITE)
    await players.until_waiting(1)
    players.fail = forever
    leaving = players.seek(BLACK)
    await players.until(lambda: bool(players.attempts))
    leaving.cancel()
    await players.meet(players.seek(BLACK), white)


async def test_a_game_that_is_full_is_tried_once(players: Players) -> None:
    players.seek(WHITE)
    await players.until_waiting(1)
    players.fail = taken
    players.seek(BLACK)
    await players.until(lambda: bool(players.attempts))
    await players.until_waiting(1)
    assert (await players.seek(WHITE)).game_id != players.attempts[0]
    assert len(players.attempts) == len(set(players.attempts)) == 2


async def test_of_two_who_come_at_once_one_meets_the_player_who_waits(players: Players) -> None:
    white = players.seek(WHITE)
    await players.until_waiting(1)
    both = [players.seek(BLACK), players.seek(BLACK)]
    seat = await white
    await players.until_waiting(1)
    assert [task.result().game_id for task in both if task.done()] == [seat.game_id] == players.attempts
