"""Manual clock control: rules of the domain, and the effect of a restart."""

import signal
from pathlib import Path

from protocols.values import OfferKind, Status, TimeControl
from server.domain import commands as c
from server.domain.clock import CREDIT_MS, ClockMode
from server.domain.decide import MAX_EVENTS_FOR_OFFERS, Decision, decide
from server.domain.fold import fold
from server.domain.public_table import table_of
from tests.server.serving import Served
from tests.server.test_decide import HUMAN, Table, draw, stored
from tests.server.test_uhp_engines import engines, say
from tests.server.uhp_clients import shown, tcp

STANDS = c.SetClock(0, ClockMode.STANDS)
RUNS = c.SetClock(0, ClockMode.RUNS)
TURN = c.SetClock(0, ClockMode.TURN)


def timed(seconds: int = 10, increment: int = 2) -> Table:
    """A game in which it is seat 0's turn and its clock is running."""
    return draw(HUMAN, HUMAN, control=TimeControl(seconds, increment, starts_at_once=True))


def public(table: Table, now: int) -> tuple[tuple[int, ...] | None, tuple[int, ...]]:
    """Returns the public clocks, and the seats whose clocks are running."""
    seen = table_of(table.state, now)
    return seen.clocks, seen.running


def test_a_stopped_clock_stands_until_it_is_started() -> None:
    table = timed()
    table.do(STANDS, now=1_000)
    assert public(table, 60_000) == ((9_000, 10_000), ())
    assert table.state.clock is not None
    assert table.state.clock.deadline is None
    assert decide(table.state, c.Expire(), 60_000).events == ()
    table.do(RUNS, now=60_000)
    assert public(table, 63_000) == ((6_000, 10_000), (0,))
    assert table.state.clock.deadline == 69_000


def test_it_stops_again_after_the_move() -> None:
    table = timed()
    table.do(STANDS)
    table.do(RUNS, now=1_000)
    table.do(c.Move(0, "take"), now=4_000)
    assert public(table, 5_000) == ((9_000, 9_000), (1,))
    table.do(c.Move(1, "take"), now=5_000)
    assert public(table, 90_000) == ((9_000, 11_000), ())
    again = fold("g", stored(table.log))
    assert again is not None
    assert again.clock == table.state.clock


def test_the_increment_is_added_to_a_stopped_clock() -> None:
    table = timed()
    table.do(STANDS)
    table.do(RUNS, now=1_000)
    table.do(c.SetClock(0, ClockMode.STANDS, made_at=3_000), now=3_050)
    assert public(table, 70_000) == ((8_000, 10_000), ())
    table.do(c.Move(0, "take"), now=70_000)
    assert public(table, 70_000) == ((10_000, 10_000), (1,))


def test_a_clock_no_longer_controlled_runs_in_its_turn() -> None:
    table = timed()
    table.do(STANDS)
    table.do(TURN, now=5_000)
    assert public(table, 6_000) == ((9_000, 10_000), (0,))


def test_controlling_one_clock_does_not_affect_the_others() -> None:
    table = timed()
    table.do(c.SetClock(1, ClockMode.STANDS, made_at=0), now=4_000)
    assert public(table, 5_000) == ((5_000, 10_000), (0,))


def test_a_clock_that_is_stopped_too_late_has_run_out() -> None:
    table = timed()
    table.do(STANDS)
    table.do(RUNS)
    table.do(c.SetClock(0, ClockMode.STANDS, made_at=10_000), now=10_000)
    assert table.state.status is Status.FINISHED
    assert table.state.result is not None
    assert (table.state.result.winners, table.state.result.reason) == ((1,), "timeout")


def test_a_controlled_clock_still_runs_out() -> None:
    table = timed()
    table.do(STANDS)
    table.do(RUNS, now=60_000)
    table.do(c.Expire(), now=70_000 + CREDIT_MS)
    assert table.state.status is Status.FINISHED


def test_a_takeback_starts_the_turn_again() -> None:
    table = timed()
    table.do(STANDS)
    table.do(c.Move(0, "take"))
    table.do(c.Move(1, "take"))
    table.do(RUNS)
    table.do(c.Propose(1, OfferKind.TAKEBACK, 0), now=3_000)
    table.do(c.Accept(0, OfferKind.TAKEBACK), now=3_000)
    assert public(table, 60_000)[1] == ()


def test_a_command_without_effect_stores_nothing() -> None:
    untimed = draw(HUMAN, HUMAN)
    assert untimed.do(STANDS) is untimed.state
    assert decide(untimed.state, STANDS, 0).events == ()
    later = draw(HUMAN, HUMAN, control=TimeControl(10, 0))
    later.do(STANDS)
    assert decide(later.state, STANDS, 0) == decide(later.state, RUNS, 0) == Decision(())
    later.do(c.Leave(1))
    assert decide(later.state, TURN, 0).events == ()


def test_clock_commands_cannot_fill_a_log() -> None:
    table = timed()
    while table.state.version <= MAX_EVENTS_FOR_OFFERS:
        table.do(STANDS if table.state.version % 2 else RUNS)
    assert public(table, 1_000)[1] == (0,)
    assert decide(table.state, STANDS, 0) == decide(table.state, RUNS, 0) == Decision(())


async def test_a_restart_ends_clock_control(tmp_path: Path) -> None:
    """A clock is stopped while its engine is checked; if the engine does not return after the restart, it runs."""
    control = {"initialSeconds": 60, "incrementSeconds": 0, "startsAtOnce": True}
    with Served(tmp_path, "--uhp-port", "0") as served:
        async with engines(served, tcp, timeControl=control) as (game_id, white, black):
            assert (await white.line()).startswith("bestmove")
            await say(white, "wA1", "ok")
            for peer in (white, black):
                assert await peer.line() == "play wA1"
            position = await shown(served, game_id)
            served.stop(signal.SIGKILL)
        served.start()
        assert (position["running"], (await shown(served, game_id))["running"]) == ([], [1])
