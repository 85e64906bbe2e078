"""Aborting a game, adding time, and rematches: rules of the domain."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocols.values import OfferKind, Seat, Status, TimeControl
from server.domain import commands as c
from server.domain.decide import MAX_EVENTS_FOR_OFFERS
from server.domain.errors import Code
from server.domain.event_codec import read_event
from server.domain.events import Recorded
from server.domain.fold import fold
from server.domain.game import GameState
from server.domain.rematch import moved_up, seat_after
from tests.server.test_decide import BOT, HUMAN, OPEN, Table, draw, goofspiel

REMATCH = OfferKind.REMATCH


def left(state: GameState) -> tuple[int, ...]:
    assert state.clock is not None
    return state.clock.remaining


def over(*seats: Seat) -> Table:
    """A game that all players but the last have left."""
    table = draw(*seats)
    for seat in range(len(seats) - 1):
        table.do(c.Leave(seat))
    return table


# ---- aborting ------------------------------------------------------------------------------------


@pytest.mark.parametrize("seat", [0, 1])
def test_a_game_can_be_aborted_before_the_first_move(seat: int) -> None:
    table = draw(HUMAN, HUMAN)
    table.do(c.Abort(seat))
    assert (table.state.status, table.state.result, table.state.to_act) == (Status.ABORTED, None, ())
    assert table.refused(c.Move(0, "take")).code is Code.FINISHED
    assert table.refused(c.Abort(0)).code is Code.NOT_ABORTABLE
    assert table.refused(c.Propose(0, REMATCH)).code is Code.NO_REMATCH


def test_an_aborted_game_cannot_be_joined() -> None:
    table = draw(HUMAN, OPEN)
    table.do(c.Abort(0))
    assert table.refused(c.Join()).code is Code.FINISHED


def test_a_game_that_has_begun_cannot_be_aborted() -> None:
    moved = draw(HUMAN, HUMAN)
    moved.do(c.Move(0, "take"))
    sealed = goofspiel()
    sealed.do(c.Move(1, "4"))
    gone = draw(HUMAN, HUMAN, HUMAN)
    gone.do(c.Leave(2))
    for table in (moved, sealed, gone):
        assert table.refused(c.Abort(0)).code is Code.NOT_ABORTABLE


# ---- adding time ---------------------------------------------------------------------------------


def test_time_is_added_for_every_other_remaining_seat() -> None:
    table = draw(HUMAN, HUMAN, HUMAN, control=TimeControl(10, 0))
    table.do(c.Leave(1))
    table.do(c.AddTime(0, 30))
    assert left(table.state) == (10_000, 10_000, 40_000)


def test_a_running_clock_continues_with_the_added_time() -> None:
    table = draw(HUMAN, HUMAN, control=TimeControl(10, 0))
    table.do(c.Move(0, "take"), now=0)
    table.do(c.AddTime(0, 5), now=4_000)
    assert table.state.clock is not None
    assert table.state.clock.all_left(5_000) == (10_000, 10_000)
    assert table.state.clock.deadline == 15_000


def test_added_time_is_limited_and_needs_time_left() -> None:
    table = draw(HUMAN, HUMAN, control=TimeControl(10, 0))
    for seconds in (0, 601):
        refusal = table.refused(c.AddTime(0, seconds))
        assert (refusal.code, refusal.limit) == (Code.BAD_SECONDS, 600)
    table.do(c.Move(0, "take"), now=0)
    assert table.refused(c.AddTime(0, 5), now=10_000).code is Code.FINISHED
    assert draw(HUMAN, HUMAN).refused(c.AddTime(0, 5)).code is Code.NO_CLOCK


def test_no_time_is_added_to_a_time_for_each_move() -> None:
    refusal = draw(HUMAN, HUMAN, control=TimeControl(0, 0, move_ms=10_000)).refused(c.AddTime(0, 5))
    assert (refusal.code, "each move" in str(refusal)) == (Code.NO_CLOCK, True)


@given(
    st.lists(st.tuples(st.integers(0, 1), st.integers(1, 600)), max_size=20), st.sampled_from([10, 86_000])
)
def test_adding_time_never_reduces_a_clock(gifts: list[tuple[int, int]], initial: int) -> None:
    table = draw(HUMAN, HUMAN, control=TimeControl(initial, 0))
    for seat, seconds in gifts:
        before = left(table.state)
        table.do(c.AddTime(seat, seconds))
        after = left(table.state)
        assert after[seat] == before[seat]
        assert before[1 - seat] <= after[1 - seat] <= 86_400_000


# ---- rematches -----------------------------------------------------------------------------------


def test_a_rematch_needs_every_other_human_even_those_who_left() -> None:
    table = over(HUMAN, HUMAN, HUMAN)
    table.do(c.Propose(2, REMATCH, None, "n"))
    table.do(c.Propose(2, REMATCH, None, "n"))
    table.do(c.Accept(0, REMATCH, "n"))
    assert (table.state.rematch, table.state.offer is None) == (None, False)
    table.do(c.Propose(1, REMATCH, None, "new"))
    assert (table.state.rematch, table.state.offer) == ("new", None)
    for command in (c.Propose(0, REMATCH), c.Accept(0, REMATCH), c.Reject(0, REMATCH)):
        assert table.refused(command).code is Code.REMATCH_DECIDED


def test_a_bot_agrees_immediately() -> None:
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


def test_a_live_game_has_no_rematch() -> None:
    assert draw(HUMAN, HUMAN).refused(c.Propose(0, REMATCH)).code is Code.NO_REMATCH


@given(st.integers(2, 5))
def test_both_seat_rotations_agree(seats: int) -> None:
    players = tuple(range(seats))
    after = moved_up(players)
    assert [after[seat_after(player, seats)] for player in players] == list(players)
    assert all(seat_after(player, seats) != player for player in players)


# ---- storage -------------------------------------------------------------------------------------


def test_a_log_without_rematch_members_can_be_folded() -> None:
    seats = [{"kind": "human", "name": "Ada"}, {"kind": "bot", "bot_id": "plyhouse:easy"}]
    created = {"game": "toy-draw", "variant": "standard", "config": {"seats": 2, "first": 8},
               "secret": {"seed": 5}, "seats": seats, "host": 0}  # fmt: skip
    moved = {"seat": 0, "move": "take +9", "message_id": "m"}
    events = [read_event("Created", created), read_event("Moved", moved), read_event("DrawAgreed", {})]
    state = fold("g", [Recorded(seq, seq, event) for seq, event in enumerate(events, start=1)])
    assert state is not None
    assert (state.status, state.score, state.rematch, state.wish) == (Status.FINISHED, (0.5, 0.5), None, None)


# ---- limits --------------------------------------------------------------------------------------


def test_the_number_of_offers_is_limited_and_the_game_continues() -> None:
    table = draw(HUMAN, HUMAN, control=TimeControl(60, 0))
    table.do(c.Propose(0, OfferKind.DRAW))
    table.state = replace(table.state, version=MAX_EVENTS_FOR_OFFERS)
    for more in (c.Propose(1, OfferKind.TAKEBACK), c.AddTime(0, 1)):
        refusal = table.refused(more)
        assert (refusal.code, refusal.limit) == (Code.OVER_LIMIT, MAX_EVENTS_FOR_OFFERS)
    table.do(c.Reject(1, OfferKind.DRAW))
    assert table.do(c.Move(0, "take")).ply == 1
    table.do(c.Leave(0))
    assert table.refused(c.Propose(0, REMATCH)).code is Code.OVER_LIMIT
