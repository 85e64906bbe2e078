"""How long a game waits for a disconnected player."""

from dataclasses import replace

import pytest

from protocols.values import Seat, SeatKind, TimeControl
from server.domain import commands as c
from server.domain import events as e
from server.domain.absence import GracePeriods, due
from server.domain.decide import decide
from server.domain.event_codec import read_event
from server.domain.fold import apply, fold
from server.domain.game import GameState

GRACE = GracePeriods(early=10_000, untimed=120_000)
HUMANS = (Seat(SeatKind.HUMAN), Seat(SeatKind.HUMAN))


def game(moves: int, control: TimeControl | None = None) -> GameState:
    """A game in which every move was made at time 0."""
    created = e.Created("toy-draw", "standard", {"seats": 2, "first": 8}, {"seed": 5}, HUMANS, 0, control)
    state = fold("g", [e.Recorded(1, 0, created)])
    assert state is not None
    for ply in range(moves):
        for event in decide(state, c.Move(ply % 2, "take"), 0).events:
            state = apply("g", state, e.Recorded(state.version + 1, 0, event))
    return state


@pytest.mark.parametrize(
    ("moves", "control", "seat", "expected"),
    [
        (2, None, 0, 121_000),
        (2, TimeControl(60, 0), 0, None),
        (0, None, 0, 11_000),
        (1, None, 0, 11_000),
        (1, TimeControl(60, 0), 0, 11_000),
        (1, TimeControl(60, 0), 1, 11_000),
        (1, TimeControl(5, 0), 1, 5_000),
        (0, TimeControl(5, 0), 0, 11_000),
        (0, TimeControl(5, 0, starts_at_once=True), 0, 5_000),
    ],
)
def test_how_long_a_game_waits(
    moves: int, control: TimeControl | None, seat: int, expected: int | None
) -> None:
    assert due(game(moves, control), seat, 1_000, GRACE) == expected


def test_a_finished_game_waits_for_nobody() -> None:
    state = game(2)
    for event in decide(state, c.Leave(0), 0).events:
        state = apply("g", state, e.Recorded(state.version + 1, 0, event))
    assert due(state, 0, 0, GRACE) is None
    assert due(state, 1, 0, GRACE) is None


def test_an_open_game_waits_only_for_its_host() -> None:
    seats = (Seat(SeatKind.OPEN), Seat(SeatKind.HUMAN))
    created = e.Created("toy-draw", "standard", {"seats": 2, "first": 8}, {"seed": 5}, seats, host=1)
    for ends_with_host, expected in ((False, None), (True, 1_000 + GRACE.open)):
        state = apply("g", None, e.Recorded(1, 0, replace(created, ends_with_host=ends_with_host)))
        assert [due(state, seat, 1_000, GRACE) for seat in (0, 1)] == [None, expected]


def test_a_seat_becomes_remote_once() -> None:
    state = game(2, TimeControl(60, 0))
    (event,) = decide(state, c.GoRemote(1, "one"), 5_000).events
    after = apply("g", state, e.Recorded(state.version + 1, 5_000, event))
    assert after.seats == (HUMANS[0], replace(HUMANS[1], missed_by="one"))
    assert after.clock is not None
    assert state.clock is not None
    assert after.clock.all_left(9_000) == state.clock.all_left(9_000)
    assert decide(after, c.GoRemote(1, "other"), 6_000).events == ()


def test_old_logs_name_every_server_that_tracked_a_player() -> None:
    """As written before leases: at each start of a server, and when the player came back; with the clocks."""
    state = game(2, TimeControl(60, 0))
    for at, members in (
        (5_000, {"seat": 1, "missed_by": "one", "clocks": [55_000, 60_000]}),
        (6_000, {"seat": 1, "missed_by": "two", "is_here": False, "clocks": [54_500, 60_000]}),
    ):
        state = apply("g", state, e.Recorded(state.version + 1, at, read_event("WentRemote", members)))
    assert state.seats == (HUMANS[0], replace(HUMANS[1], missed_by="two"))
    assert state.clock is not None
    assert (state.clock.remaining, state.clock.since) == ((54_500, 60_000), 6_000)


def test_absences_are_not_tracked_after_the_end() -> None:
    state = game(2)
    for event in decide(state, c.Leave(0), 0).events:
        state = apply("g", state, e.Recorded(state.version + 1, 0, event))
    assert decide(state, c.GoRemote(1, "one"), 0).events == ()
