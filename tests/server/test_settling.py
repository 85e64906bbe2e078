"""Limits of given time and offers, the order of seats in a rematch, and logs without rematches."""

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from protocols.values import OfferKind, Status, TimeControl
from server.domain import commands as c
from server.domain.decide import MAX_EVENTS_FOR_OFFERS
from server.domain.errors import Code
from server.domain.event_codec import read_event
from server.domain.events import Recorded
from server.domain.fold import fold
from server.domain.game import GameState
from server.domain.rematch import moved_up, seat_after
from tests.server.test_decide import HUMAN, draw

REMATCH = OfferKind.REMATCH


def left(state: GameState) -> tuple[int, ...]:
    assert state.clock is not None
    return state.clock.remaining


# ---- adding time ---------------------------------------------------------------------------------


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
