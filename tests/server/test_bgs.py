"""Hosted sessions at the real pool: their law under any order of moves, their limit, their end, their analysts."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engines import Position
from engines.pool import EnginePool, Limits
from protocols.bgs import messages as m
from protocols.bgs.config import Limits as OwnLimits
from protocols.bgs.config import Setup, write_config
from protocols.bgs.effects import Entry, FailureCode
from server.adapters.pool_analyst import PoolAnalyst
from server.adapters.pool_searches import SearchSettings
from server.domain.errors import ApiError
from server.ports import AnalystGoneError
from server.services.bgs import Bgs, BgsHost, Line
from server.services.session_places import Use
from tests.server.house import host_of

START = Position("wallwars", "standard", {"boardWidth": 3, "boardHeight": 3})
SEARCHES = SearchSettings(Limits(samples=20))
MOVES = ("Cb3", "---", "Ma2", "Mc2", "Ca3", "Cc3", "Ma1", "Mc1")


@pytest.fixture(scope="module")
def pool() -> Iterator[EnginePool]:
    pool = EnginePool(threads=2)
    yield pool
    pool.stop()


@pytest.fixture
async def host() -> AsyncIterator[BgsHost]:
    host = host_of(8)
    yield host
    await host.stop()


def analyst(pool: EnginePool, name: str, sessions: int = 256) -> PoolAnalyst:
    return PoolAnalyst(pool, SEARCHES, analyst_id=name, max_sessions=sessions)


def config(limits: OwnLimits | None = None) -> m.JsonObject:
    return write_config(Setup("wallwars", "standard", START.config, limits or OwnLimits()))


def line(*moves: str) -> Line:
    position = START.copy()
    position.play(*moves)
    outcome = position.outcome
    return Line(tuple(position.history), None if outcome is None else outcome.values[0])


async def at_rest(bgs: Bgs, wanted: Line) -> tuple[Entry, ...]:
    changed = asyncio.Event()
    bgs.listeners.add(changed.set)
    async with asyncio.timeout(10):
        while not bgs.is_complete(wanted):
            assert bgs.failure is None
            changed.clear()
            await changed.wait()
    bgs.listeners.remove(changed.set)
    return bgs.entries_for(wanted)


async def fresh(pool: EnginePool, wanted: Line) -> tuple[Entry, ...]:
    """What a session says that is started, and evaluated at every ply, along the same moves."""
    host = host_of(1)
    bgs = host.open(Use.BOT_MOVE, analyst(pool, "fresh"), "f", "b", config())
    bgs.follow(wanted)
    entries = await at_rest(bgs, wanted)
    bgs.end()
    await bgs.closed()
    return entries


@settings(max_examples=25)
@given(plies=st.lists(st.tuples(st.integers(0, 4), st.integers(0, 3), st.booleans()), min_size=1, max_size=6))
def test_at_rest_a_history_is_what_a_fresh_session_says(
    pool: EnginePool, plies: list[tuple[int, int, bool]]
) -> None:
    """Go back so far, play so many moves, and wait or do not."""

    async def run() -> None:
        host = host_of(1)
        bgs = host.open(Use.BOT_MOVE, analyst(pool, "law"), "g", "b", config())
        moves: list[str] = []
        for back, forth, waits in plies:
            moves = moves[: max(0, len(moves) - back)]
            for _ in range(forth):
                moves.append(playable(moves))
            bgs.follow(line(*moves))
            if waits:
                await at_rest(bgs, line(*moves))
        wanted = line(*moves)
        entries = await at_rest(bgs, wanted)
        assert [entry.ply for entry in entries] == list(range(len(moves) + 1))
        assert entries == await fresh(pool, wanted)
        bgs.end()
        await bgs.closed()
        assert len(host) == 0

    asyncio.run(run())


def playable(moves: list[str]) -> str:
    """A legal move that changes with the number of moves played."""
    position = START.copy()
    position.play(*moves)
    for move in (*MOVES[len(moves) % len(MOVES) :], *MOVES):
        try:
            return position.check(move)
        except ValueError:
            continue
    raise AssertionError("a pass is always legal")


async def test_all_sessions_together_are_limited(pool: EnginePool, host: BgsHost) -> None:
    bots = [analyst(pool, name) for name in "ab"]
    opened = [host.open(Use.EVAL_BAR, bots[index % 2], f"g{index}", "b", config()) for index in range(8)]
    with pytest.raises(ApiError, match="The engine is busy") as refusal:
        host.open(Use.EVAL_BAR, bots[0], "g8", "b", config())
    assert (refusal.value.status, refusal.value.limit, refusal.value.retry_after_ms) == (503, 8, 5000)
    opened[0].end()
    await opened[0].closed()
    host.open(Use.EVAL_BAR, bots[0], "g8", "b", config())


async def test_equal_ids_of_two_analysts_are_two_sessions(pool: EnginePool, host: BgsHost) -> None:
    one, other = (host.open(Use.BOT_MOVE, analyst(pool, name), "same", "b", config()) for name in ("x", "y"))
    one.follow(line("Cb3"))
    other.follow(line("Ma2", "---"))
    assert len(await at_rest(one, line("Cb3"))) == 2
    assert len(await at_rest(other, line("Ma2", "---"))) == 3
    with pytest.raises(ValueError, match="still running"):
        host.open(Use.BOT_MOVE, one.analyst, "same", "b", config())


async def test_a_full_pool_refuses_with_the_protocols_text(host: BgsHost) -> None:
    pool = EnginePool(threads=1, sessions=1)
    try:
        first = host.open(Use.BOT_MOVE, analyst(pool, "p"), "1", "b", config())
        await at_rest(first, Line())
        second = host.open(Use.BOT_MOVE, analyst(pool, "p2"), "2", "b", config())
        await second.closed()
        assert second.failure is not None
        assert second.failure.reason == "Maximum session limit reached (1)"
    finally:
        pool.stop()


async def test_ending_gives_a_long_search_up_at_once(pool: EnginePool, host: BgsHost) -> None:
    sessions = len(pool)
    bgs = host.open(Use.BOT_MOVE, analyst(pool, "long"), "g", "b", config(OwnLimits(samples=1_000_000_000)))
    await asyncio.sleep(0.05)
    assert len(pool) == sessions + 1
    bgs.end()
    async with asyncio.timeout(2):
        await bgs.closed()
    assert (bgs.failure, len(pool)) == (None, sessions)


async def test_what_was_searched_is_known_in_detail_while_the_session_lasts(pool: EnginePool) -> None:
    own = analyst(pool, "detail")
    await own.request(m.StartGameSession("g", "b", config()))
    answer = await own.request(m.EvaluatePosition("g", 0))
    assert isinstance(answer, m.EvaluateResponse)
    detail = own.detail("g", 0)
    assert detail is not None
    assert detail.lines[0].move == answer.best_move
    await own.request(m.EndGameSession("g"))
    assert own.detail("g", 0) is None


@dataclass
class Leaver:
    """An analyst who answers a start and then leaves when asked for anything."""

    id: str = "leaver"
    time_limit: float | None = 0.2

    async def request(self, message: m.Request) -> m.Response:
        """Leaves."""
        if isinstance(message, m.StartGameSession):
            return m.GameSessionStarted(message.bgs_id)
        raise AnalystGoneError


async def test_an_analyst_that_leaves_fails_its_sessions(host: BgsHost) -> None:
    bgs = host.open(Use.BOT_MOVE, Leaver(), "g", "b", config())
    await bgs.closed()
    assert bgs.failure is not None
    assert bgs.failure.code is FailureCode.BOT_DISCONNECTED


async def test_a_session_at_rest_fails_when_its_analyst_is_lost(pool: EnginePool, host: BgsHost) -> None:
    own = analyst(pool, "lost")
    bgs = host.open(Use.BOT_MOVE, own, "g", "b", config())
    await at_rest(bgs, Line())
    host.lose(own)
    await bgs.closed()
    assert bgs.failure is not None
    assert bgs.failure.code is FailureCode.BOT_DISCONNECTED


async def test_entries_are_shown_for_the_line_asked_for_only(pool: EnginePool, host: BgsHost) -> None:
    bgs = host.open(Use.BOT_MOVE, analyst(pool, "lines"), "g", "b", config())
    bgs.follow(line("Cb3", "---", "Ma2"))
    entries = await at_rest(bgs, line("Cb3", "---", "Ma2"))
    assert bgs.entries_for(line("Cb3", "---")) == entries[:3]
    assert bgs.entries_for(line("Cb3", "Mc2", "Ma2")) == entries[:2]
    finished = Line(("Cb3", "---", "Ma2", "Ca2"), -1.0)
    assert bgs.entries_for(finished) == (*entries, Entry(4, -1.0, ""))
