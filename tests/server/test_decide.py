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
from server.domain.clock import CREDIT_MS, ClockMode
from server.domain.decide import decide
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


# ---- moves ---------------------------------------------------------------------------------------


def test_moves_are_refused_until_the_last_seat_is_taken() -> None:
    table = draw(HUMAN, OPEN)
    assert table.refused(c.Move(0, "take")).code is Code.NOT_STARTED
    assert public_position(table.state, 0)["status"] == "open"
    table.do(c.Join(name="Eve"))
    assert (table.state.status, table.state.seats[1].name) == (Status.PLAYING, "Eve")
    assert table.refused(c.Join()).code is Code.SEAT_TAKEN
    assert table.refused(c.Join(7)).code is Code.BAD_SEATS


def test_the_order_of_the_checks_of_a_move() -> None:
    table = draw(HUMAN, HUMAN)
    stale = table.refused(c.Move(1, "nonsense", expected_ply=3))
    assert (stale.code, stale.ply, stale.status) == (Code.STALE_PLY, 0, 409)
    assert stale.table == table_of(table.state, 0)
    assert table.refused(c.Move(1, "nonsense")).code is Code.NOT_YOUR_TURN
    assert table.refused(c.Move(0, "nonsense")).code is Code.ILLEGAL_MOVE
    assert table.refused(c.Move(0, "x" * 5000)).code is Code.ILLEGAL_MOVE
    table.do(c.Leave(0))
    assert table.refused(c.Move(1, "nonsense", expected_ply=3)).code is Code.FINISHED


def test_a_sealed_move_is_hidden_until_the_other_arrives() -> None:
    table = goofspiel()
    before = public_position(table.state, 0)
    table.do(c.Move(1, "4"))
    sealed = {"toAct": [0], "pending": [0], "legal": {"0": ["1", "2", "3", "4"]}}
    assert public_position(table.state, 0) == {**before, **sealed}
    assert table.refused(c.Move(1, "3")).code is Code.ALREADY_MOVED
    table.do(c.Move(0, "2"))
    assert table.state.moves == ("2/4",)
    assert table.state.to_act == (0, 1)


def test_a_hidden_order_appears_in_tails_and_the_seed_only_at_the_end() -> None:
    table = draw(HUMAN, HUMAN)
    assert table.refused(c.Move(0, "take +9")).code is Code.ILLEGAL_MOVE
    table.do(c.Move(0, "take"))
    assert table.state.moves == ("take +9",)
    assert "seed" not in str(public_position(table.state, 0))


# ---- takebacks and draws -------------------------------------------------------------------------


def test_a_takeback_needs_every_other_human_and_repeats_the_same_draws() -> None:
    table = draw(HUMAN, HUMAN, HUMAN)
    for seat in range(3):
        table.do(c.Move(seat, "take"))
    played = table.state.moves
    table.do(c.Propose(0, OfferKind.TAKEBACK, 1))
    table.do(c.Propose(0, OfferKind.TAKEBACK, 1))
    assert len(table.log) == 5
    table.do(c.Propose(1, OfferKind.TAKEBACK))
    assert table.state.ply == 3, "the same call, without a ply, agrees"
    table.do(c.Accept(2, OfferKind.TAKEBACK))
    assert (table.state.ply, table.state.offer, table.state.moves) == (1, None, played[:1])
    table.do(c.Move(1, "take"))
    assert table.state.moves == played[:2]


def test_a_takeback_without_a_ply_goes_back_to_the_players_own_move() -> None:
    table = draw(HUMAN, BOT)
    table.do(c.Move(0, "take"))
    table.do(c.Move(1, "take"))
    table.do(c.Propose(0, OfferKind.TAKEBACK))
    assert table.state.ply == 0
    assert table.refused(c.Propose(0, OfferKind.TAKEBACK)).code is Code.BAD_TAKEBACK
    assert table.refused(c.Propose(0, OfferKind.TAKEBACK, 5)).code is Code.BAD_TAKEBACK


def test_a_move_can_require_the_moves_before_it() -> None:
    table = draw(HUMAN, BOT)
    table.do(c.Move(0, "take"))
    seen = table.state.moves
    table.do(c.Propose(0, OfferKind.TAKEBACK))
    table.do(c.Move(0, "give"))
    assert table.refused(c.Move(1, "take", 1, None, seen)).code is Code.STALE_PLY
    table.do(c.Move(1, "take", 1, None, table.state.moves))
    assert table.state.ply == 2


def test_a_move_withdraws_an_offer_and_so_does_a_rejection() -> None:
    table = draw(HUMAN, HUMAN)
    table.do(c.Propose(1, OfferKind.DRAW))
    table.do(c.Move(0, "take"))
    assert table.state.offer is None
    table.do(c.Propose(1, OfferKind.DRAW))
    table.do(c.Reject(0, OfferKind.DRAW))
    assert table.refused(c.Accept(0, OfferKind.DRAW)).code is Code.NO_OFFER
    assert table.refused(c.Reject(0, OfferKind.TAKEBACK)).code is Code.NO_OFFER


def test_a_draw_needs_all_players_and_bots_never_agree() -> None:
    table = draw(HUMAN, HUMAN)
    table.do(c.Propose(0, OfferKind.DRAW))
    assert table.refused(c.Accept(0, OfferKind.DRAW)).code is Code.NO_OFFER
    table.do(c.Propose(1, OfferKind.DRAW))
    assert table.state.result is not None
    assert (table.state.result.winners, table.state.result.reason) == ((), "draw-agreement")
    with_bot = draw(HUMAN, BOT)
    with_bot.do(c.Propose(0, OfferKind.DRAW))
    assert (with_bot.state.offer, with_bot.state.status) == (None, Status.PLAYING)


# ---- leaving and clocks --------------------------------------------------------------------------


def test_a_seat_that_leaves_is_skipped_and_the_last_one_wins() -> None:
    table = draw(HUMAN, HUMAN, HUMAN)
    table.do(c.Move(0, "take"))
    table.do(c.Leave(1))
    assert table.state.moves[-1] == "!1"
    assert table.state.to_act == (2,)
    assert table.refused(c.Leave(1)).code is Code.FINISHED
    assert table.refused(c.Propose(0, OfferKind.TAKEBACK, 0)).code is Code.BAD_TAKEBACK
    table.do(c.Leave(0))
    assert table.state.result is not None
    assert (table.state.result.winners, table.state.result.reason) == ((2,), "resignation")
    assert table.state.moves[-1] == "!1"


def test_a_clock_starts_with_the_first_move_and_adds_the_increment() -> None:
    table = draw(HUMAN, HUMAN, control=TimeControl(10, 2))
    table.do(c.Move(0, "take"), now=60_000)
    assert public_position(table.state, 63_000)["clocks"] == [10_000, 7_000]
    table.do(c.Move(1, "take"), now=63_000)
    assert public_position(table.state, 64_000)["clocks"] == [9_000, 9_000]


@pytest.mark.parametrize(("left", "late"), [(101, False), (100, True), (1, True)])
def test_a_move_with_a_tenth_of_a_second_left_is_too_late(left: int, *, late: bool) -> None:
    table = draw(HUMAN, HUMAN, control=TimeControl(10, 0))
    table.do(c.Move(0, "take"))
    table.do(c.Move(1, "take"), now=10_000 - left)
    assert (table.state.status is Status.FINISHED) == late
    if table.state.result is not None:
        assert (table.state.result.winners, table.state.result.reason) == ((0,), "timeout")


def test_time_runs_out_without_a_move() -> None:
    table = draw(HUMAN, HUMAN, control=TimeControl(10, 0))
    table.do(c.Move(0, "take"), now=1_000)
    assert table.state.clock is not None
    assert table.state.clock.deadline == 11_000
    assert decide(table.state, c.Expire(), 11_000 + CREDIT_MS - 1).events == ()
    table.do(c.Expire(), now=11_000 + CREDIT_MS)
    assert table.state.result is not None
    assert table.state.result.winners == (0,)


@pytest.mark.parametrize(
    ("made_at", "now", "left"),
    [(10_000, 10_000, [8_000, 1_000]), (9_000, 10_050, [8_000, 2_000]), (0, 10_050, [8_000, 10_000])],
)
def test_a_move_is_charged_up_to_when_it_was_made(made_at: int, now: int, left: list[int]) -> None:
    table = draw(HUMAN, HUMAN, control=TimeControl(10, 0))
    table.do(c.Move(0, "take"), now=1_000)
    table.do(c.Move(1, "take", made_at=made_at), now=now)
    assert public_position(table.state, now + 2_000)["clocks"] == left


def test_a_move_made_in_time_is_not_too_late() -> None:
    table = draw(HUMAN, HUMAN, control=TimeControl(10, 0))
    table.do(c.Move(0, "take"), now=0)
    table.do(c.Move(1, "take", made_at=9_999), now=10_090)
    assert table.state.ply == 2
    table.do(c.Move(0, "take", made_at=20_090), now=20_090)
    assert table.state.result is not None
    assert (table.state.result.winners, table.state.result.reason) == ((1,), "timeout")


def test_each_move_can_have_its_own_time() -> None:
    table = draw(HUMAN, HUMAN, control=TimeControl(0, 10))
    table.do(c.Move(0, "take"), now=60_000)
    table.do(c.Move(1, "take"), now=64_000)
    assert public_position(table.state, 65_000)["clocks"] == [9_000, 10_000]


def test_a_clock_can_start_before_the_first_move() -> None:
    table = draw(HUMAN, HUMAN, control=TimeControl(10, 0, starts_at_once=True))
    assert table.state.clock is not None
    assert table.state.clock.running == (0,)
    table.do(c.Expire(), now=10_000 + CREDIT_MS)
    assert table.state.result is not None
    assert table.state.result.winners == (1,)


@pytest.mark.parametrize("reason", [LeaveReason.ILLEGAL_MOVE, LeaveReason.PROTOCOL, LeaveReason.DESYNC])
def test_a_seat_can_be_made_to_leave(reason: LeaveReason) -> None:
    table = draw(HUMAN, HUMAN)
    table.do(c.Leave(0, reason, "so long " * 100))
    assert table.state.result is not None
    assert (table.state.result.winners, table.state.result.reason) == ((1,), reason.value)
    assert table.state.result.note == ("so long " * 100)[:MAX_NOTE]


def test_notes_contain_only_printable_characters() -> None:
    table = draw(HUMAN, HUMAN)
    table.do(c.Leave(1, note="\x1b[31mbye\x00 für\u202e immer"))
    assert table.state.result is not None
    assert table.state.result.note == "?[31mbye? für? immer"


@pytest.mark.parametrize(("moves", "status"), [(1, Status.ABORTED), (2, Status.FINISHED)])
def test_disconnecting_before_all_have_moved_aborts_the_game(moves: int, status: Status) -> None:
    table = draw(HUMAN, HUMAN)
    table.do(c.GoRemote(1, "one"))
    for seat in range(moves):
        table.do(c.Move(seat, "take"))
    table.do(c.StopWaiting(1))
    assert table.state.status is status
    assert decide(table.state, c.StopWaiting(1), 0).events == ()


def test_both_clocks_run_while_both_have_to_move() -> None:
    table = goofspiel(TimeControl(10, 0))
    table.do(c.Move(0, "1"), now=60_000)
    assert public_position(table.state, 61_000)["running"] == [1]
    table.do(c.Move(1, "1"), now=65_000)
    assert public_position(table.state, 65_000)["running"] == [0, 1]
    table.do(c.Move(1, "2"), now=66_000)
    shown = public_position(table.state, 68_000)
    assert (shown["clocks"], shown["running"]) == ([7_000, 4_000], [0])


def test_an_outage_is_not_charged() -> None:
    table = draw(HUMAN, HUMAN, control=TimeControl(10, 0))
    table.do(c.Move(0, "take"), now=0)
    table.do(c.Propose(0, OfferKind.DRAW), now=3_000)
    assert table.state.clock is not None
    resumed = table.state.clock.resumed(table.state.updated_at, 1_000_000)
    assert resumed.left(1, 1_000_000) == 7_000
