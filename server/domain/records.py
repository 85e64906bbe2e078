"""Converts games to records and records to the events of a log. All file formats share this one form of a record.

Pure. Records must have been checked against the rules by ``protocols.records.replay``.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from engines import Position
from protocols.values import FORFEIT, LeaveReason, Record, Result, Seat, SeatKind, Visibility, is_move
from server.domain import events as e
from server.domain.game import GameState
from server.domain.public_table import table_of


@dataclass(frozen=True, slots=True)
class Stamp:
    """When an entry of the history was made, the clocks after it, and the seats that were late.

    ``parts``: when the parts of a simultaneous entry arrived, in turn order.
    """

    at_ms: int
    clocks: e.Clocks
    late: tuple[int, ...] = ()
    parts: tuple[int, ...] = ()


# ---- export --------------------------------------------------------------------------------------


def record_of(state: GameState, log: Sequence[e.Recorded]) -> Record:
    """Returns the public record of a game, live or finished; ``log`` are the events that led to ``state``."""
    table = table_of(state, state.updated_at)
    imported, control = state.imported, state.time_control
    stamps = _stamps(log)[: len(state.moves)]
    times = tuple(stamp.at_ms for stamp in stamps) if imported is None else imported.times
    parts = tuple(stamp.parts for stamp in stamps) if imported is None else imported.part_times or ()
    clocks = tuple(stamp.clocks for stamp in stamps if stamp.clocks is not None)
    late = tuple(stamp.late for stamp in stamps)
    return Record(
        game=state.game,
        variant=state.variant,
        config=table.config,
        seats=tuple(replace(seat, appearance=None, missed_by=None) for seat in state.seats),
        moves=state.moves,
        result=table.result,
        time_control=control and replace(control, starts_at_once=False),
        created_at=state.created_at if imported is None else imported.played_at,
        times=None if times is None else times[: len(state.moves)],
        clocks=clocks if state.clock is not None and len(clocks) == len(stamps) else None,
        late=late if any(late) else None,
        part_times=parts[: len(state.moves)] if any(parts) else None,
    )


def _stamps(log: Sequence[e.Recorded]) -> list[Stamp]:
    """One per entry of the history, possibly followed by one for the last seat that left, which has no entry."""
    stamps: list[Stamp] = []
    sealed: dict[int, tuple[int, bool]] = {}
    for recorded in log:
        match recorded.event:
            case e.Sealed(seat=seat, is_late=is_late):
                sealed[seat] = recorded.at_ms, is_late
            case e.Moved():
                stamps.append(_stamp(recorded.at_ms, recorded.event, sealed))
                sealed.clear()
            case e.MovesImported():
                stamps += _imported_stamps(recorded.at_ms, recorded.event)
            case e.Left(clocks=clocks):
                stamps.append(Stamp(recorded.at_ms, clocks))
                sealed.clear()
            case e.TookBack(to_ply=to_ply):
                del stamps[_entries(log, recorded.seq, to_ply) :]
                sealed.clear()
    return stamps


def _stamp(at_ms: int, moved: e.Moved, sealed: Mapping[int, tuple[int, bool]]) -> Stamp:
    """``sealed``: when the parts before the last one arrived, and whether they were late, by seat."""
    times = {seat: arrived for seat, (arrived, _) in sealed.items()}
    for seat in (moved.seat, *moved.late):
        times.setdefault(seat, at_ms)
    late = {seat for seat, (_, is_late) in sealed.items() if is_late}
    parts = tuple(times[seat] for seat in sorted(times)) if len(times) > 1 else ()
    return Stamp(at_ms, moved.clocks, tuple(sorted({*late, *moved.late})), parts)


def _imported_stamps(at_ms: int, imported: e.MovesImported) -> list[Stamp]:
    count = len(imported.moves)
    clocks, late = imported.clocks or (None,) * count, imported.late or ((),) * count
    return [Stamp(at_ms, *one) for one in zip(clocks, late, strict=True)]


def _entries(log: Sequence[e.Recorded], until: int, ply: int) -> int:
    """The number of history entries after ``ply`` moves. Forfeits are entries too, and are never taken back."""
    gone = sum(isinstance(recorded.event, e.Left) for recorded in log[: until - 1])
    return ply + gone


# ---- import --------------------------------------------------------------------------------------


def log_of(
    record: Record,
    start: Position,
    position: Position,
    result: Result | None,
    visibility: Visibility = Visibility.PUBLIC,
) -> tuple[e.Event, ...]:
    """Returns the events of an imported game, given its record, first and last position, and result."""
    created = e.Created(
        game=start.game,
        variant=start.variant,
        config=start.config,
        secret=start.secret,
        seats=_seats(record, start),
        host=0,
        time_control=record.time_control,
        visibility=visibility,
    )
    return (created, *_moves(record, position.history), _imported(record, position, result))


def _seats(record: Record, start: Position) -> tuple[Seat, ...]:
    """Open seats become players without a name, since they can no longer be taken."""
    return tuple(
        Seat(SeatKind.BOT, seat.name, seat.bot_id)
        if seat.kind is SeatKind.BOT
        else Seat(SeatKind.HUMAN, seat.name)
        for seat in record.seats or (Seat(SeatKind.HUMAN),) * start.seats
    )


def _moves(record: Record, entries: Sequence[str]) -> list[e.Event]:
    """The events of the history: consecutive moves are one."""
    clocks: Sequence[e.Clocks] = record.clocks or (None,) * len(entries)
    late = record.late or ((),) * len(entries)
    events: list[e.Event] = []
    for are_moves, run in groupby(zip(entries, clocks, late, strict=True), key=lambda one: is_move(one[0])):
        if are_moves:
            moves, left, seats = zip(*run, strict=True)
            events.append(
                e.MovesImported(moves, left if record.clocks else None, seats if record.late else None)
            )
        else:
            events += [
                e.Left(int(entry.removeprefix(FORFEIT)), LeaveReason.RESIGNATION, left)
                for entry, left, _ in run
            ]
    return events


def _imported(record: Record, position: Position, result: Result | None) -> e.Imported:
    stated = result if position.outcome is None else None
    return e.Imported(
        winners=None if stated is None else stated.winners,
        reason=None if stated is None else stated.reason,
        note=None if stated is None else stated.note,
        played_at=record.created_at,
        times=record.times,
        part_times=record.part_times,
        elos=tuple(one.elo for one in record.seats) or None,
        has_clocks=record.clocks is not None,
    )
