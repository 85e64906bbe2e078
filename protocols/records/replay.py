"""Plays a record through the rules of its game, to validate its moves and its result."""

from collections.abc import Sequence
from itertools import count

from engines import BadConfig, Outcome, Position, RuleError, games, known_members, late_move
from protocols.records.record import UNKNOWN, BadStart, Reading, RecordError, check_length, refused_move
from protocols.values import LeaveReason, Record, Result, is_move, parts_of

DRAW_AGREEMENT = "draw-agreement"
"""A reason of results that the rules do not decide; the others are those of ``LeaveReason``, and ``UNKNOWN``."""


def replay(reading: Reading) -> Position:
    """The position after all moves, with a canonical history.

    Raises RecordError: BadStart, BadMove, or for too many moves.
    """
    record = reading.record
    check_length(record.moves)
    position = start_of(record)
    _check_clocks(record, position.seats)
    for index, move in zip(count(), record.moves):
        movers = position.to_act
        try:
            position.play(move)
        except RuleError as refusal:
            place = reading.places[index] if reading.places else ""
            raise refused_move(index, move, refusal, place, position.ply) from None
        for seat in record.late[index] if record.late else ():
            _check_late(seat, movers, index, position)
    return position


def _check_clocks(record: Record, seats: int) -> None:
    """Raises RecordError unless each move has a clock for each seat, or no move has any."""
    for index, clocks in enumerate(record.clocks or ()):
        if len(clocks) != seats:
            raise RecordError(f"move {index + 1} has {len(clocks)} clocks, but the game has {seats} seats")


def _check_late(seat: int, movers: Sequence[int], index: int, position: Position) -> None:
    """Raises RecordError unless the last entry, number ``index``, has the game's late move for ``seat``."""
    entry = position.history[-1]
    parts = dict(zip(movers, parts_of(entry, len(movers)), strict=True)) if is_move(entry) else {}
    made = late_move(position.game)
    if made is None or parts.get(seat) != made:
        raise RecordError(f"move {index + 1} ({entry[:40]}): seat {seat} did not make a late move")


def start_of(record: Record) -> Position:
    """The start position. The record's seats are used if the config has no number of seats. Raises BadStart."""
    if record.game not in [game.name for game in games()]:
        raise BadStart(f"there is no game called {record.game[:40]!r}", is_game=True)
    defaults = known_members(record.game, {"seats": len(record.seats)}) if record.seats else {}
    try:
        position = Position(record.game, record.variant or None, {**defaults, **record.config})
    except BadConfig as refusal:
        raise BadStart(str(refusal)) from None
    if record.seats and position.seats != len(record.seats):
        raise BadStart(f"this game has {position.seats} seats, the record {len(record.seats)}")
    return position


def result_of(record: Record, position: Position) -> Result | None:
    """The result of the game that ended in ``position``; None if it has none.

    A result by the rules takes precedence, and the record must not contradict it; otherwise the record's result counts.
    Raises RecordError.
    """
    outcome = position.outcome
    if outcome is not None:
        return _decided(record.result, outcome)
    if record.result is not None:
        _check_off_the_board(record.result, position.seats)
    return record.result


def _decided(stated: Result | None, outcome: Outcome) -> Result:
    decided = Result.by_rules(outcome)
    if stated is None:
        return decided
    agrees = (
        sorted(stated.winners) == sorted(decided.winners)
        and stated.reason in (decided.reason, UNKNOWN)
        and stated.scores in (decided.scores, None)
    )
    if not agrees:
        raise RecordError(f"the record says {_shown(stated)}, the rules say {_shown(decided)}")
    return decided


def _check_off_the_board(stated: Result, seats: int) -> None:
    """Raises RecordError if the result can only follow from the rules."""
    winners = set(stated.winners)
    if not winners <= set(range(seats)) or len(winners) < len(stated.winners):
        raise RecordError(f"the record says {_shown(stated)}, but the seats are 0 to {seats - 1}")
    if len(winners) == seats:
        raise RecordError(f"the record says {_shown(stated)}, but not every seat can win")
    may_draw = (DRAW_AGREEMENT, LeaveReason.DISCONNECT, UNKNOWN)
    reasons = (UNKNOWN, *(LeaveReason if len(winners) == 1 else may_draw if not winners else ()))
    if stated.reason not in reasons or stated.scores is not None:
        raise RecordError(f"the record says {_shown(stated)}, but by the rules the game is not over")


def _shown(result: Result) -> str:
    winners = " and ".join(f"seat {seat}" for seat in result.winners)
    ending = f"{winners} won by {result.reason[:40]}" if winners else f"a draw by {result.reason[:40]}"
    return ending if result.scores is None else f"{ending} with {list(result.scores)}"
