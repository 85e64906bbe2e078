"""Plays a record through the rules of its game: what it takes for its moves and its result to be believed."""

from itertools import count

from engines import BadConfig, Outcome, Position, RuleError, games
from protocols.play.table import Result
from protocols.records.record import (
    UNKNOWN,
    BadStart,
    Reading,
    Record,
    RecordError,
    check_length,
    refused_move,
)

WON_OFF_THE_BOARD = ("resignation", "timeout", "disconnect", "illegal-move", "protocol", "desync")
DRAW_AGREEMENT = "draw-agreement"
"""With the line above: how a game ends that no rules of play decide. ``UNKNOWN`` may hide any of them."""


def replay(reading: Reading) -> Position:
    """The position after all moves, its history canonical. RecordError: BadStart, BadMove or too many moves."""
    record = reading.record
    check_length(record.moves)
    position = start_of(record)
    for index, move in zip(count(), record.moves):
        try:
            position.play(move)
        except RuleError as refusal:
            place = reading.places[index] if reading.places else ""
            raise refused_move(index, move, refusal, place, position.ply) from None
    return position


def start_of(record: Record) -> Position:
    """The start; BadStart. The record says how many seats there are unless its config does."""
    if record.game not in [game.name for game in games()]:
        raise BadStart(f"there is no game called {record.game[:40]!r}", is_game=True)
    defaults = {"seats": len(record.seats)} if record.seats else {}
    try:
        position = Position(record.game, record.variant or None, {**defaults, **record.config})
    except BadConfig as refusal:
        raise BadStart(str(refusal)) from None
    if record.seats and position.seats != len(record.seats):
        raise BadStart(f"this game has {position.seats} seats, the record {len(record.seats)}")
    return position


def result_of(record: Record, position: Position) -> Result | None:
    """How the game ended, ``position`` being its last; None when it did not.

    What the rules decide counts, and the record must not contradict it; what they leave open the record tells.
    Raises RecordError.
    """
    outcome = position.outcome
    if outcome is not None:
        return _decided(record.result, outcome)
    if record.result is not None:
        _check_off_the_board(record.result, position.seats)
    return record.result


def _decided(stated: Result | None, outcome: Outcome) -> Result:
    scores = None if outcome.scores is None else tuple(outcome.scores)
    decided = Result(tuple(outcome.winners), outcome.reason, scores)
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
    """A result that the last position does not show must be of the kind that it cannot show."""
    winners = set(stated.winners)
    if not winners < set(range(seats)) or len(winners) < len(stated.winners):
        raise RecordError(f"the record says {_shown(stated)}, but the seats are 0 to {seats - 1}")
    allowed = {DRAW_AGREEMENT: 0, **dict.fromkeys(WON_OFF_THE_BOARD, 1), UNKNOWN: len(winners)}
    if allowed.get(stated.reason) != len(winners) or stated.scores is not None:
        raise RecordError(f"the record says {_shown(stated)}, but by the rules the game is not over")


def _shown(result: Result) -> str:
    winners = " and ".join(f"seat {seat}" for seat in result.winners)
    ending = f"{winners} won by {result.reason[:40]}" if winners else f"a draw by {result.reason[:40]}"
    return ending if result.scores is None else f"{ending} with {list(result.scores)}"
