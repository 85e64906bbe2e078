"""Games as records, and records as games: between the events of a log and the one form that all formats share.

Pure. What a record says has been played through the rules before it comes here (``protocols.records.replay``).
"""

from collections.abc import Sequence

from engines import Position
from protocols.play.table import Control, Result
from protocols.records.record import Reading, Record
from protocols.records.record import Seat as Sitting
from protocols.records.replay import start_of
from server.domain import events as e
from server.domain.clock import TimeControl
from server.domain.game import GameState
from server.domain.public import table_of
from server.domain.seats import Seat, SeatKind

Stamp = tuple[int, e.Clocks]
"""When an entry of a history was made, and the clocks after it."""


# ---- out -----------------------------------------------------------------------------------------


def record_of(state: GameState, log: Sequence[e.Recorded]) -> Record:
    """The game, running or over, as everybody may know it; ``log`` are the events that led to ``state``."""
    table = table_of(state, state.updated_at)
    imported = state.imported
    stamps = _stamps(log)[: len(state.moves)]
    times = tuple(at for at, _ in stamps) if imported is None else imported.times
    clocks = tuple(left for _, left in stamps if left is not None)
    return Record(
        game=state.game,
        variant=state.variant,
        config=table.config,
        seats=tuple(_sitting(state, index) for index in range(len(state.seats))),
        moves=state.moves,
        result=table.result,
        time_control=table.control,
        created_at=state.created_at if imported is None else imported.played_at,
        times=None if times is None else times[: len(state.moves)],
        clocks=clocks if state.clock is not None and len(clocks) == len(stamps) else None,
    )


def _stamps(log: Sequence[e.Recorded]) -> list[Stamp]:
    """One per entry of the history. The last seat to leave adds none: whoever asks leaves that one out."""
    stamps: list[Stamp] = []
    for recorded in log:
        match recorded.event:
            case e.Moved(clocks=clocks) | e.Left(clocks=clocks):
                stamps.append((recorded.at_ms, clocks))
            case e.TookBack(to_ply=to_ply):
                del stamps[_entries(log, recorded.seq, to_ply) :]
    return stamps


def _entries(log: Sequence[e.Recorded], until: int, ply: int) -> int:
    """How many entries a history has after ``ply`` moves: nothing before a forfeit is ever taken back."""
    gone = sum(isinstance(recorded.event, e.Left) for recorded in log[: until - 1])
    return ply + gone


def _sitting(state: GameState, index: int) -> Sitting:
    seat, imported = state.seats[index], state.imported
    elo = None if imported is None or imported.elos is None else imported.elos[index]
    return Sitting(seat.kind.value, seat.name, seat.bot_id, elo)


# ---- in ------------------------------------------------------------------------------------------


def log_of(reading: Reading, position: Position, result: Result | None) -> tuple[e.Event, ...]:
    """The events of a game that was played elsewhere: its record, the position it leads to, and its result."""
    record = reading.record
    start = start_of(record)
    control = record.time_control
    created = e.Created(
        game=start.game,
        variant=start.variant,
        config=start.config,
        secret=start.secret,
        seats=_seats(record, start),
        host=0,
        time_control=None if control is None else _time_control(control),
        visibility=e.Visibility.PUBLIC,
    )
    return (created, *_moves(record, start, position), _told(record, position, result))


def _seats(record: Record, start: Position) -> tuple[Seat, ...]:
    """Nobody can take a seat any more, so an open one is somebody's whose name is not known."""
    sitting = record.seats or (Sitting(),) * start.seats
    return tuple(
        Seat(SeatKind.BOT, one.name, one.bot) if one.kind == SeatKind.BOT else Seat(SeatKind.HUMAN, one.name)
        for one in sitting
    )


def _time_control(control: Control) -> TimeControl:
    return TimeControl(control.initial_seconds, control.increment_seconds, control.preset)


def _moves(record: Record, start: Position, position: Position) -> list[e.Event]:
    at, entries = start.copy(), position.history
    clocks: Sequence[e.Clocks] = record.clocks or (None,) * len(entries)
    events: list[e.Event] = []
    for entry, left in zip(entries, clocks, strict=True):
        if entry.startswith("!"):
            events.append(e.Left(int(entry[1:]), e.LeaveReason.RESIGNATION, left))
        else:
            events.append(e.Moved(at.to_act[-1], entry, clocks=left))
        at.play(entry)
    return events


def _told(record: Record, position: Position, result: Result | None) -> e.Imported:
    told = result if position.outcome is None else None
    return e.Imported(
        winners=None if told is None else told.winners,
        reason=None if told is None else told.reason,
        note=None if told is None else told.note,
        played_at=record.created_at,
        times=record.times,
        elos=tuple(one.elo for one in record.seats) or None,
        has_clocks=record.clocks is not None,
    )
