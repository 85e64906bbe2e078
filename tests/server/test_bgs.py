"""Hosted sessions with the real pool: invariants under any order of moves, limits, ends, analysts."""

import asyncio
from collections.abc import AsyncIterator, Iterator, Sequence
from dataclasses import dataclass, replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engines import Evaluation, Position
from engines.pool import EnginePool, Limits
from protocols.bgs.config import Setup
from protocols.bgs.effects import RefusalError
from protocols.bgs.messages import EvaluationLimits
from protocols.values import ClockReading, Entry, FailureCode, GameLine
from server.analysts.pool_analyst import PoolAnalyst, SearchSettings
from server.domain.errors import ApiError
from server.ports.analysts import AnalystGoneError
from server.services.bots.bgs import Bgs, BgsHost
from server.services.bots.session_slots import Use
from tests.server.services import host_of

START = Position("wallwars", "standard", {"boardWidth": 3, "boardHeight": 3})
SEARCHES = SearchSettings(Limits(samples=20), lines=1)
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


def analyst(pool: EnginePool, name: str) -> PoolAnalyst:
    return PoolAnalyst(pool, SEARCHES, analyst_id=name)


def setup(limits: EvaluationLimits | None = None) -> Setup:
    return Setup("wallwars", "standard", START.config, limits or EvaluationLimits())


def line(*moves: str) -> GameLine:
    position = START.copy()
    position.play(*moves)
    outcome = position.outcome
    return GameLine(tuple(position.history), None if outcome is None else Evaluation.of_outcome(outcome))


async def at_rest(bgs: Bgs, wanted: GameLine) -> tuple[Entry, ...]:
    changed = asyncio.Event()
    bgs.listeners.add(changed.set)
    async with asyncio.timeout(60):
        while not bgs.is_complete(wanted):
            assert bgs.failure is None
            changed.clear()
            await changed.wait()
    bgs.listeners.remove(changed.set)
    return bgs.entries_for(wanted)


async def fresh(pool: EnginePool, wanted: GameLine) -> tuple[Entry, ...]:
    """Returns the entries of a new session that is evaluated at every ply of the same moves."""
    host = host_of(1)
    bgs = host.open(Use.BOT_MOVE, analyst(pool, "fresh"), "f", "b", setup())
    bgs.follow(wanted)
    entries = await at_rest(bgs, wanted)
    bgs.end()
    await bgs.closed()
    return entries


@given(plies=st.lists(st.tuples(st.integers(0, 4), st.integers(0, 3), st.booleans()), min_size=1, max_size=6))
def test_a_resting_history_equals_that_of_a_fresh_session(
    pool: EnginePool, plies: list[tuple[int, int, bool]]
) -> None:
    """A step: take back a number of moves, play a number of moves, and possibly wait."""

    async def run() -> None:
        host = host_of(1)
        bgs = host.open(Use.BOT_MOVE, analyst(pool, "law"), "g", "b", setup())
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
        assert list(map(told, entries)) == list(map(told, await fresh(pool, wanted)))
        bgs.end()
        await bgs.closed()
        assert len(host) == 0

    asyncio.run(run())


def told(entry: Entry) -> tuple[object, ...]:
    """Returns all members of an entry."""
    found = entry.evaluation
    lines = [(one.move, one.visits, one.value, one.pv) for one in found.lines]
    return entry.ply, replace(found, lines=()), lines


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


async def test_the_total_number_of_sessions_is_limited(pool: EnginePool, host: BgsHost) -> None:
    bots = [analyst(pool, name) for name in "ab"]
    opened = [host.open(Use.EVAL_BAR, bots[index % 2], f"g{index}", "b", setup()) for index in range(8)]
    with pytest.raises(ApiError, match="The engine is busy") as refusal:
        host.open(Use.EVAL_BAR, bots[0], "g8", "b", setup())
    assert (refusal.value.status, refusal.value.limit, refusal.value.retry_after_ms) == (503, 8, 5000)
    opened[0].end()
    await opened[0].closed()
    host.open(Use.EVAL_BAR, bots[0], "g8", "b", setup())


async def test_equal_ids_of_two_analysts_are_two_sessions(pool: EnginePool, host: BgsHost) -> None:
    one, other = (host.open(Use.BOT_MOVE, analyst(pool, name), "same", "b", setup()) for name in ("x", "y"))
    one.follow(line("Cb3"))
    other.follow(line("Ma2", "---"))
    assert len(await at_rest(one, line("Cb3"))) == 2
    assert len(await at_rest(other, line("Ma2", "---"))) == 3
    with pytest.raises(ValueError, match="still running"):
        host.open(Use.BOT_MOVE, one.analyst, "same", "b", setup())


async def test_a_full_pool_refuses_with_the_protocols_text(host: BgsHost) -> None:
    pool = EnginePool(threads=1, sessions=1)
    try:
        first = host.open(Use.BOT_MOVE, analyst(pool, "p"), "1", "b", setup())
        await at_rest(first, GameLine())
        second = host.open(Use.BOT_MOVE, analyst(pool, "p2"), "2", "b", setup())
        await second.closed()
        assert second.failure is not None
        assert second.failure.reason == "Maximum session limit reached (1)"
    finally:
        pool.stop()


async def test_ending_cancels_a_long_search_immediately(pool: EnginePool, host: BgsHost) -> None:
    sessions = len(pool)
    bgs = host.open(
        Use.BOT_MOVE, analyst(pool, "long"), "g", "b", setup(EvaluationLimits(samples=1_000_000_000))
    )
    await asyncio.sleep(0.05)
    assert len(pool) == sessions + 1
    bgs.end()
    async with asyncio.timeout(60):
        await bgs.closed()
    assert (bgs.failure, len(pool)) == (None, sessions)


async def test_a_session_reports_all_results_of_its_search(pool: EnginePool) -> None:
    session = analyst(pool, "detail").session("g", "b", setup())
    await session.open()
    first = await session.evaluate()
    again = await session.evaluate()
    await session.close()
    assert (first.lines[0].move, first.source) == (first.best_move, "native")
    assert first.inherited < first.samples == again.inherited < again.samples


async def test_the_pool_refuses_what_cannot_be_played_or_opened(pool: EnginePool) -> None:
    own = analyst(pool, "refuses")
    session = own.session("g", "b", setup())
    await session.open()
    with pytest.raises(RefusalError, match="Failed to apply move"):
        await session.advance("Ca9")
    assert (await session.evaluate()).best_move
    await session.close()
    await session.close()
    start = Position("toy-goofspiel")
    unknown = own.session("h", "b", Setup(start.game, start.variant, start.config, EvaluationLimits()))
    with pytest.raises(RefusalError, match="no default search"):
        await unknown.open()


async def test_an_evaluation_that_is_given_up_leaves_the_session_usable(pool: EnginePool) -> None:
    session = analyst(pool, "cancels").session("g", "b", setup(EvaluationLimits(samples=1_000_000_000)))
    await session.open()
    for _ in range(2):
        evaluating = asyncio.ensure_future(session.evaluate())
        await asyncio.sleep(0.01)
        evaluating.cancel()
        with pytest.raises(asyncio.CancelledError):
            await evaluating
        await session.advance("---")
    await session.close()


@dataclass
class Leaver:
    """An analyst who opens a session and then leaves when asked for anything."""

    id: str = "leaver"
    time_limit: float | None = 0.2
    most_sessions: int | None = None

    def session(self, session_id: str, bot_id: str, setup: Setup) -> "Leaver":
        """Returns itself."""
        return self

    async def open(self) -> None:
        """Succeeds."""

    async def advance(self, move: str) -> None:
        """Disconnects."""
        raise AnalystGoneError

    async def evaluate(self, clock: ClockReading | None = None, following: Sequence[str] = ()) -> Evaluation:
        """Disconnects."""
        raise AnalystGoneError

    async def close(self) -> None:
        """Disconnects."""
        raise AnalystGoneError


class Thinker(Leaver):
    """Opens sessions at once, and evaluates when told to."""

    time_limit = 0.05

    def __init__(self) -> None:
        self.clocks: list[ClockReading | None] = []
        self.is_thinking, self.may_answer = asyncio.Event(), asyncio.Event()

    def session(self, session_id: str, bot_id: str, setup: Setup) -> "Thinker":
        """Itself."""
        return self

    async def advance(self, move: str) -> None:
        """Succeeds."""

    async def evaluate(self, clock: ClockReading | None = None, following: Sequence[str] = ()) -> Evaluation:
        """Answers without a clock at once, else when told to."""
        self.clocks.append(clock)
        if clock is not None:
            self.is_thinking.set()
            await self.may_answer.wait()
        return Evaluation((0.0, 0.0), "---")

    async def close(self) -> None:
        """Succeeds."""


CLOCK = ClockReading(60_000, 1000)


async def test_a_request_with_a_clock_may_take_as_long_as_the_clock(host: BgsHost) -> None:
    thinker = Thinker()
    wanted = line("Cb3")
    bgs = host.open(
        Use.BOT_MOVE, thinker, "g", "b", setup(), read_clock=lambda asked: CLOCK if asked == wanted else None
    )
    bgs.follow(wanted)
    async with asyncio.timeout(60):
        await thinker.is_thinking.wait()
    await asyncio.sleep(4 * thinker.time_limit)
    assert bgs.failure is None
    thinker.may_answer.set()
    await at_rest(bgs, wanted)
    assert thinker.clocks == [None, CLOCK]


@pytest.mark.parametrize("change", ["takeback", "end"])
async def test_an_answer_that_is_not_needed_any_more_has_the_usual_time(host: BgsHost, change: str) -> None:
    thinker = Thinker()
    bgs = host.open(Use.BOT_MOVE, thinker, "g", "b", setup(), read_clock=lambda _: CLOCK)
    async with asyncio.timeout(60):
        await thinker.is_thinking.wait()
        if change == "end":
            bgs.end()
        else:
            bgs.follow(line("Cb3"))
        await bgs.closed()
    assert (bgs.failure is None) is (change == "end")


async def test_the_pool_searches_within_its_share_of_the_clock(pool: EnginePool, host: BgsHost) -> None:
    endless = setup(EvaluationLimits(samples=1_000_000_000))
    clock = ClockReading(1000)
    bgs = host.open(Use.BOT_MOVE, analyst(pool, "short"), "g", "b", endless, read_clock=lambda _: clock)
    await at_rest(bgs, GameLine())
    bgs.end()
    await bgs.closed()


async def test_sessions_of_a_disconnected_analyst_fail(host: BgsHost) -> None:
    bgs = host.open(Use.BOT_MOVE, Leaver(), "g", "b", setup())
    await bgs.closed()
    assert bgs.failure is not None
    assert bgs.failure.code is FailureCode.BOT_DISCONNECTED


async def test_a_session_at_rest_fails_when_its_analyst_is_lost(pool: EnginePool, host: BgsHost) -> None:
    own = analyst(pool, "lost")
    bgs = host.open(Use.BOT_MOVE, own, "g", "b", setup())
    await at_rest(bgs, GameLine())
    host.lose(own)
    await bgs.closed()
    assert bgs.failure is not None
    assert bgs.failure.code is FailureCode.BOT_DISCONNECTED


async def test_only_entries_of_the_requested_line_are_returned(pool: EnginePool, host: BgsHost) -> None:
    bgs = host.open(Use.BOT_MOVE, analyst(pool, "lines"), "g", "b", setup())
    bgs.follow(line("Cb3", "---", "Ma2"))
    entries = await at_rest(bgs, line("Cb3", "---", "Ma2"))
    assert bgs.entries_for(line("Cb3", "---")) == entries[:3]
    assert bgs.entries_for(line("Cb3", "Mc2", "Ma2")) == entries[:2]
    finished = GameLine(("Cb3", "---", "Ma2", "Ca2"), Evaluation((-1.0, 1.0)))
    assert bgs.entries_for(finished) == (*entries, Entry(4, Evaluation((-1.0, 1.0))))
