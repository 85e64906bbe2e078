"""The logs of imported games: short ones today, with an event for each move in older databases."""

from collections.abc import Iterator
from dataclasses import replace

import pytest

from engines import Position
from protocols.records.record import Reading
from protocols.records.replay import replay, result_of, start_of
from protocols.values import Record, Result, Seat, SeatKind, TimeControl
from server.domain.events import Event, Moved, MovesImported, Recorded, length
from server.domain.fold import fold
from server.domain.game import GameState
from server.domain.records import log_of, record_of

PEOPLE = (Seat(SeatKind.HUMAN, "Ada"), Seat(SeatKind.HUMAN, "Bo"))
TURNS = ("STAY/STAY",) * 3
RECORDS = {
    "without clocks": Record("wallwars", "standard", {}, PEOPLE, ("---",) * 40),
    "with clocks": Record(
        "wallwars",
        "standard",
        {},
        PEOPLE,
        ("---",) * 4,
        time_control=TimeControl(60, 1),
        clocks=((60_000, 60_000), (60_000, 59_000), (58_000, 59_000), (58_000, 57_500)),
    ),
    "with late moves": Record("pyrat", "tiny", {"seed": 3}, PEOPLE, TURNS, late=((), (0, 1), ())),
    "with forfeits": Record(
        "carcassonne",
        "standard",
        {"seats": 4, "seed": 1},
        (*PEOPLE, *PEOPLE),
        ("!1", "!2"),
    ),
    "without moves": Record("hive", "Base", {}, PEOPLE, (), Result((0,), "resignation")),
}


def events_of(record: Record) -> tuple[Event, ...]:
    position = replay(Reading(record))
    return log_of(record, start_of(record), position, result_of(record, position))


def older(events: tuple[Event, ...]) -> Iterator[Event]:
    """The events of the same game as older versions wrote them."""
    for event in events:
        if not isinstance(event, MovesImported):
            yield event
            continue
        for ply, move in enumerate(event.moves):
            clocks = None if event.clocks is None else event.clocks[ply]
            yield Moved(ply % 2, move, clocks=clocks, late=() if event.late is None else event.late[ply])


def state_of(log: list[Recorded]) -> GameState:
    state = fold("game", log)
    assert state is not None
    return state


def shown(state: GameState, position: Position) -> GameState:
    """The state with this position, without what the number of its events changes: version, and forgiven lag."""
    clock = state.clock and replace(state.clock, quotas=())
    return replace(state, version=0, clock=clock, position=position)


def numbered(events: Iterator[Event] | tuple[Event, ...]) -> list[Recorded]:
    return [Recorded(seq, 5, event) for seq, event in enumerate(events, start=1)]


@pytest.mark.parametrize("name", RECORDS)
def test_old_and_new_logs_are_the_same_game(name: str) -> None:
    record = RECORDS[name]
    new, old = numbered(events_of(record)), numbered(older(events_of(record)))
    assert record_of(state_of(new), new) == record_of(state_of(old), old)
    assert state_of(new).moves == record.moves
    position = state_of(new).position
    assert position.history == state_of(old).position.history
    assert shown(state_of(new), position) == shown(state_of(old), position)


def test_a_long_game_is_a_short_log() -> None:
    """Thousands of rows would keep the moves of other games waiting."""
    position = Position("wallwars")
    position.play(*("---",) * 10_000)
    record = Record("wallwars", position.variant, {}, PEOPLE, tuple(position.history))
    assert len(events_of(record)) == 3


def test_the_length_of_a_log_counts_the_moves_of_a_record() -> None:
    """Who decides by it what may take long sees a long game."""
    assert length(events_of(RECORDS["without clocks"])) == 42
