"""Laws of the domain, on two toy games.

Sealed simultaneous moves, and a hidden order with two or three seats.
"""

from collections.abc import Callable
from dataclasses import fields, replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engines import Position
from protocols.play.position import position_json
from protocols.values import MAX_NOTE, LeaveReason, OfferKind, Seat, SeatKind, Status, TimeControl
from server.domain import commands as c
from server.domain.clocks.clock import ClockMode
from server.domain.decide import MAX_EVENTS_FOR_OFFERS, Decision, decide
from server.domain.errors import ApiError, Code
from server.domain.event_codec import read_event, write_event
from server.domain.events import Created, Recorded, Sealed
from server.domain.fold import apply, fold
from server.domain.game import GameState
from server.domain.public_table import table_of

HUMAN, BOT, OPEN = Seat(SeatKind.HUMAN), Seat(SeatKind.BOT, bot_id="b"), Seat(SeatKind.OPEN)


class Table:
    """A game under test: its log and state, changed by commands at given times."""

    def __init__(self, created: Created) -> None:
        self.log = [Recorded(1, 0, created)]
        self.state = apply("g", None, self.log[0])

    def do(self, command: c.Command, now: int = 0) -> GameState:
        decision = decide(self.state, command, now)
        for event in decision.events:
            recorded = Recorded(self.state.version + 1, now, event)
            self.state = apply("g", self.state, recorded, decision.position)
            self.log.append(recorded)
        return self.state

    def refused(self, command: c.Command, now: int = 0) -> ApiError:
        with pytest.raises(ApiError) as refusal:
            decide(self.state, command, now)
        return refusal.value


def draw(*seats: Seat, seed: int = 5, control: TimeControl | None = None) -> Table:
    config = {"seats": len(seats), "first": 8}
    return Table(Created("toy-draw", "standard", config, {"seed": seed}, seats, 0, control))


def goofspiel(control: TimeControl | None = None) -> Table:
    return Table(Created("toy-goofspiel", "standard", {"cards": 4}, {}, (HUMAN, HUMAN), 0, control))


def maze(control: TimeControl | None = None) -> Table:
    """A game of PyRat on an open board of 5x3 cells: seat 0 starts at 0,0, seat 1 at 4,2."""
    config = {
        "width": 5,
        "height": 3,
        "walls": [],
        "mud": [],
        "cheese": [[2, 1], [4, 0], [0, 2]],
        "maxTurns": 9,
    }
    start = Position("pyrat", "tiny", config)
    return Table(Created("pyrat", "tiny", start.config, {}, (HUMAN, HUMAN), 0, control))


def public_position(state: GameState, now: int) -> dict[str, Any]:
    return position_json(table_of(state, now))


def stored(log: list[Recorded]) -> list[Recorded]:
    return [replace(one, event=read_event(*write_event(one.event))) for one in log]


# ---- laws over random play -----------------------------------------------------------------------

WORDS = st.sampled_from(
    ["take", "give", "take double", "give double", "1", "2", "3", "4", "", "x", "!1", "take +3", "UP", "LEFT"]
)


def commands(seats: int) -> st.SearchStrategy[c.Command]:
    seat, kind = st.integers(0, seats - 1), st.sampled_from(list(OfferKind))
    ply = st.none() | st.integers(-1, 4)
    return st.one_of(
        st.builds(c.Move, seat, WORDS, ply, st.none() | st.sampled_from(["a", "b"])),
        st.builds(c.Move, seat, WORDS),
        st.builds(c.Propose, seat, kind, ply),
        st.builds(c.Accept, seat, kind),
        st.builds(c.Reject, seat, kind),
        st.builds(c.Propose, seat, st.just(OfferKind.REMATCH), st.none(), st.just("next")),
        st.builds(c.AddTime, seat, st.integers(-1, 700)),
        st.builds(c.SetClock, seat, st.sampled_from(list(ClockMode)), st.none() | st.integers(0, 700)),
        st.builds(c.Abort, seat),
        st.builds(c.Withdraw, seat, st.integers(1, 2)),
        st.builds(c.Leave, seat, st.just(LeaveReason.RESIGNATION)),
        st.builds(c.Join, ply),
        st.just(c.Expire()),
    )


TABLES: dict[str, Callable[[], Table]] = {
    "draw 2": lambda: draw(HUMAN, HUMAN),
    "draw 3": lambda: draw(HUMAN, OPEN, HUMAN),
    "draw bot": lambda: draw(HUMAN, BOT, HUMAN, control=TimeControl(2, 1)),
    "together": goofspiel,
    "together timed": lambda: goofspiel(TimeControl(2, 1)),
    "together late": lambda: maze(TimeControl(0, 0, move_ms=500)),
}


@pytest.mark.parametrize("name", TABLES)
@given(data=st.data())
def test_the_fold_of_the_stored_events_is_the_state(name: str, data: st.DataObject) -> None:
    table, now = TABLES[name](), 0
    wishes = st.tuples(st.integers(0, 700), commands(len(table.state.seats)))
    for wait, command in data.draw(st.lists(wishes, max_size=25)):
        now, before, version = now + wait, table.state, table.state.version
        try:
            table.do(command, now)
        except ApiError:
            assert table.state is before
        assert table.state.version == len(table.log) >= version
        assert_sound(table.state, now)
    again = fold("g", stored(table.log))
    assert again is not None
    assert comparable(again) == comparable(table.state)
    assert public_position(again, now) == public_position(table.state, now)


def assert_sound(state: GameState, now: int) -> None:
    body = public_position(state, now)
    assert body["history"] == list(state.moves)
    assert len([move for move in state.moves if not move.startswith("!")]) == state.ply
    assert set(state.pending).isdisjoint(state.to_act)
    assert (state.result is not None) == (state.status is Status.FINISHED)
    if state.clock is not None:
        assert all(left >= 0 for left in state.clock.remaining)


def comparable(state: GameState) -> dict[str, Any]:
    names = [field.name for field in fields(GameState) if field.name != "position"]
    position = state.position
    return {
        **{name: getattr(state, name) for name in names},
        "position": (position.write(), position.key, position.ply, position.to_act, position.view()),
    }


PLAYED = {
    "wallwars": Created("wallwars", "standard", {"boardWidth": 4, "boardHeight": 4}, {}, (HUMAN, HUMAN), 0),
    "hive": Created("hive", "Base+MLP", {}, {}, (HUMAN, HUMAN), 0),
    "draw": Created("toy-draw", "standard", {"seats": 3, "first": 8}, {"seed": 5}, (HUMAN, HUMAN, HUMAN), 0),
    "together": Created("toy-goofspiel", "standard", {"cards": 6}, {}, (HUMAN, HUMAN), 0),
}


@pytest.mark.parametrize("name", PLAYED)
@given(data=st.data())
def test_the_position_of_a_decision_matches_its_events(name: str, data: st.DataObject) -> None:
    state = apply("g", None, Recorded(1, 0, PLAYED[name]))
    for _ in range(data.draw(st.integers(1, 12))):
        if not state.to_act:
            break
        seat = data.draw(st.sampled_from(state.to_act))
        decision = decide(state, c.Move(seat, data.draw(st.sampled_from(state.position.legal(seat)))), 0)
        (event,) = decision.events
        recorded, before = Recorded(state.version + 1, 0, event), comparable(state)
        assert (decision.position is None) == isinstance(event, Sealed)
        folded = apply("g", state, recorded)
        assert comparable(state) == before
        state = apply("g", state, recorded, decision.position)
        assert comparable(state) == comparable(folded)
        assert state.position.legal() == folded.position.legal()


# ---- takebacks and draws -------------------------------------------------------------------------


def test_a_move_can_require_the_moves_before_it() -> None:
    table = draw(HUMAN, BOT)
    table.do(c.Move(0, "take"))
    seen = table.state.moves
    table.do(c.Propose(0, OfferKind.TAKEBACK))
    table.do(c.Move(0, "give"))
    assert table.refused(c.Move(1, "take", 1, None, seen)).code is Code.STALE_PLY
    table.do(c.Move(1, "take", 1, None, table.state.moves))
    assert table.state.ply == 2


# ---- leaving and clocks --------------------------------------------------------------------------


def test_notes_contain_only_printable_characters() -> None:
    table = draw(HUMAN, HUMAN)
    table.do(c.Leave(1, note="\x1b[31mbye\x00 für\u202e immer"))
    assert table.state.result is not None
    assert table.state.result.note == "?[31mbye? für? immer"


def test_an_outage_is_not_charged() -> None:
    table = draw(HUMAN, HUMAN, control=TimeControl(10, 0))
    table.do(c.Move(0, "take"), now=0)
    table.do(c.Propose(0, OfferKind.DRAW), now=3_000)
    assert table.state.clock is not None
    resumed = table.state.clock.resumed(table.state.updated_at, 1_000_000)
    assert resumed.left(1, 1_000_000) == 7_000


def test_a_long_note_is_cut() -> None:
    table = draw(HUMAN, HUMAN)
    table.do(c.Leave(0, LeaveReason.PROTOCOL, "so long " * 100))
    assert table.state.result is not None
    assert table.state.result.note == ("so long " * 100)[:MAX_NOTE]


def test_clock_commands_cannot_fill_a_log() -> None:
    table = draw(HUMAN, HUMAN, control=TimeControl(10, 2, starts_at_once=True))
    stands, runs = c.SetClock(0, ClockMode.STANDS), c.SetClock(0, ClockMode.RUNS)
    while table.state.version <= MAX_EVENTS_FOR_OFFERS:
        table.do(stands if table.state.version % 2 else runs)
    assert public_position(table.state, 1_000)["running"] == [0]
    assert decide(table.state, stands, 0) == decide(table.state, runs, 0) == Decision(())
