"""What players settle around a game: calling it off, giving time, and a rematch. Laws of the domain."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.domain import commands as c
from server.domain.clock import TimeControl
from server.domain.decide import MAX_BARGAINED
from server.domain.errors import Code
from server.domain.event_codec import read_event
from server.domain.events import OfferKind, Recorded
from server.domain.fold import fold
from server.domain.game import GameState, Status
from server.domain.rematch import moved_up, seat_after
from server.domain.seats import Seat
from tests.server.test_decide import BOT, HUMAN, OPEN, Table, draw, goofspiel

REMATCH = OfferKind.REMATCH


def left(state: GameState) -> tuple[int, ...]:
    assert state.clock is not None
    return state.clock.remaining


def over(*seats: Seat) -> Table:
    """A game that everybody but the last has left."""
    table = draw(*seats)
    for seat in range(len(seats) - 1):
        table.do(c.Leave(seat))
    return table


# ---- calling off ---------------------------------------------------------------------------------


@pytest.mark.parametrize("seat", [0, 1])
def test_a_game_is_called_off_before_anybody_has_moved(seat: int) -> None:
    table = draw(HUMAN, HUMAN)
    table.do(c.Abort(seat))
    assert (table.state.status, table.state.result, table.state.to_act) == (Status.ABORTED, None, ())
    assert table.refused(c.Move(0, "take")).code is Code.FINISHED
    assert table.refused(c.Abort(0)).code is Code.NOT_ABORTABLE
    assert table.refused(c.Propose(0, REMATCH)).code is Code.NO_REMATCH


def test_nobody_joins_a_game_that_was_called_off() -> None:
    table = draw(HUMAN, OPEN)
    table.do(c.Abort(0))
    assert table.refused(c.Join()).code is Code.FINISHED


def test_a_game_that_has_begun_is_not_called_off() -> None:
    moved = draw(HUMAN, HUMAN)
    moved.do(c.Move(0, "take"))
    sealed = goofspiel()
    sealed.do(c.Move(1, "4"))
    gone = draw(HUMAN, HUMAN, HUMAN)
    gone.do(c.Leave(2))
    for table in (moved, sealed, gone):
        assert table.refused(c.Abort(0)).code is Code.NOT_ABORTABLE


# ---- giving time ---------------------------------------------------------------------------------


def test_time_goes_to_every_other_seat_that_is_still_in() -> None:
    table = draw(HUMAN, HUMAN, HUMAN, control=TimeControl(10, 0))
    table.do(c.Leave(1))
    table.do(c.GiveTime(0, 30))
    assert left(table.state) == (10_000, 10_000, 40_000)


def test_a_running_clock_runs_on_with_what_was_given() -> None:
    table = draw(HUMAN, HUMAN, control=TimeControl(10, 0))
    table.do(c.Move(0, "take"), now=0)
    table.do(c.GiveTime(0, 5), now=4_000)
    assert table.state.clock is not None
    assert table.state.clock.all_left(5_000) == (10_000, 10_000)
    assert table.state.clock.deadline == 15_000


def test_time_is_given_in_small_portions_to_those_who_have_some_left() -> None:
    table = draw(HUMAN, HUMAN, control=TimeControl(10, 0))
    for seconds in (0, 601):
        refusal = table.refused(c.GiveTime(0, seconds))
        assert (refusal.code, refusal.limit) == (Code.BAD_SECONDS, 600)
    table.do(c.Move(0, "take"), now=0)
    assert table.refused(c.GiveTime(0, 5), now=10_000).code is Code.FINISHED
    assert draw(HUMAN, HUMAN).refused(c.GiveTime(0, 5)).code is Code.NO_CLOCK


@given(
    st.lists(st.tuples(st.integers(0, 1), st.integers(1, 600)), max_size=20), st.sampled_from([10, 86_000])
)
def test_a_gift_takes_nothing_from_anybody(gifts: list[tuple[int, int]], initial: int) -> None:
    table = draw(HUMAN, HUMAN, control=TimeControl(initial, 0))
    for seat, seconds in gifts:
        before = left(table.state)
        table.do(c.GiveTime(seat, seconds))
        after = left(table.state)
        assert after[seat] == before[seat]
        assert before[1 - seat] <= after[1 - seat] <= 86_400_000


# ---- rematches -----------------------------------------------------------------------------------


def test_a_rematch_waits_for_every_other_human_also_those_who_left() -> None:
    table = over(HUMAN, HUMAN, HUMAN)
    table.do(c.Propose(2, REMATCH, None, "n"))
    table.do(c.Propose(2, REMATCH, None, "n"))
    table.do(c.Accept(0, REMATCH, "n"))
    assert (table.state.rematch, table.state.offer is None) == (None, False)
    table.do(c.Propose(1, REMATCH, None, "new"))
    assert (table.state.rematch, table.state.offer) == ("new", None)
    for command in (c.Propose(0, REMATCH), c.Accept(0, REMATCH), c.Reject(0, REMATCH)):
        assert table.refused(command).code is Code.REMATCH_DECIDED


def test_a_bot_agrees_at_once() -> None:
    table = over(HUMAN, BOT)
    table.do(c.Propose(0, REMATCH, None, "new"))
    assert table.state.rematch == "new"


def test_a_rejected_rematch_may_be_offered_again() -> None:
    table = over(HUMAN, HUMAN)
    assert table.refused(c.Accept(0, REMATCH)).code is Code.NO_OFFER
    table.do(c.Propose(0, REMATCH))
    assert table.refused(c.Accept(0, REMATCH)).code is Code.NO_OFFER
    table.do(c.Reject(1, REMATCH))
    assert table.state.offer is None
    assert table.refused(c.Reject(1, REMATCH)).code is Code.NO_OFFER
    table.do(c.Propose(1, REMATCH))
    table.do(c.Accept(0, REMATCH, "new"))
    assert table.state.rematch == "new"


def test_there_is_no_rematch_of_a_running_game() -> None:
    assert draw(HUMAN, HUMAN).refused(c.Propose(0, REMATCH)).code is Code.NO_REMATCH


@given(st.integers(2, 5))
def test_whoever_sat_at_a_seat_sits_where_the_seats_say(seats: int) -> None:
    players = tuple(range(seats))
    after = moved_up(players)
    assert [after[seat_after(player, seats)] for player in players] == list(players)
    assert all(seat_after(player, seats) != player for player in players)


# ---- storage -------------------------------------------------------------------------------------


def test_a_log_from_before_there_were_rematches_folds() -> None:
    seats = [{"kind": "human", "name": "Ada"}, {"kind": "bot", "bot_id": "plyhouse:easy"}]
    created = {"game": "toy-draw", "variant": "standard", "config": {"seats": 2, "first": 8},
               "secret": {"seed": 5}, "seats": seats, "host": 0}  # fmt: skip
    moved = {"seat": 0, "move": "take +9", "message_id": "m"}
    events = [read_event("Created", created), read_event("Moved", moved), read_event("DrawAgreed", {})]
    state = fold("g", [Recorded(seq, seq, event) for seq, event in enumerate(events, start=1)])
    assert state is not None
    assert (state.status, state.score, state.rematch, state.wish) == (Status.FINISHED, (0.5, 0.5), None, None)


# ---- without end ---------------------------------------------------------------------------------


def test_offers_and_gifts_come_to_an_end_and_the_game_goes_on() -> None:
    table = draw(HUMAN, HUMAN, control=TimeControl(60, 0))
    table.do(c.Propose(0, OfferKind.DRAW))
    table.state = replace(table.state, version=MAX_BARGAINED)
    for more in (c.Propose(1, OfferKind.TAKEBACK), c.GiveTime(0, 1)):
        refusal = table.refused(more)
        assert (refusal.code, refusal.limit) == (Code.OVER_LIMIT, MAX_BARGAINED)
    table.do(c.Reject(1, OfferKind.DRAW))
    assert table.do(c.Move(0, "take")).ply == 1
    table.do(c.Leave(0))
    assert table.refused(c.Propose(0, REMATCH)).code is Code.OVER_LIMIT
