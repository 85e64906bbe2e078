"""The result of reading a record, and the errors of invalid ones.

Formats are modules of this package, listed in ``formats``. The moves of a ``Record`` are unchecked until ``replay``
has played them.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from engines import RuleError
from protocols.values import Record, is_move

MAX_PLIES = 10_000
"""Maximum number of moves of a record."""

MAX_BYTES = 524_288
"""Maximum size of a record in bytes of UTF-8: enough for that many moves with their times and clocks."""

MAX_REASON = 200
"""Maximum length of a refusal by the rules, which may quote the move."""

UNKNOWN = "unknown"
"""The reason of a result if the record does not state it."""


class RecordError(ValueError):
    """The text is not a valid record; ``str(error)`` is one sentence, naming the line if known.

    ``limit`` is the limit that was exceeded, if any.
    """

    def __init__(self, text: str, *, limit: int | None = None) -> None:
        super().__init__(text)
        self.limit = limit


class BadMove(RecordError):
    """The rules refuse a move after ``ply`` moves.

    ``legal`` is the record of the moves before it, if they were needed to read the text; otherwise None.
    """

    def __init__(self, text: str, ply: int, legal: "Reading | None" = None) -> None:
        super().__init__(text)
        self.ply = ply
        self.legal = legal


def check_length(moves: Sequence[str]) -> None:
    """Raises RecordError if there are too many moves."""
    if len(moves) > MAX_PLIES:
        raise RecordError(f"a record has at most {MAX_PLIES} moves, not {len(moves)}", limit=MAX_PLIES)


def refused_move(index: int, move: str, refusal: RuleError, place: str, ply: int) -> BadMove:
    """An error about the move at ``index``, of limited length whatever the move."""
    where = f"{place}, " if place else ""
    return BadMove(f"{where}move {index + 1} ({move[:40]}): {str(refusal)[:MAX_REASON]}", ply)


class BadStart(RecordError):
    """An invalid game or configuration; ``is_game``: the game is unknown."""

    def __init__(self, text: str, *, is_game: bool = False) -> None:
        super().__init__(text)
        self.is_game = is_game


@dataclass(frozen=True, slots=True)
class Reading:
    """A record that was read.

    ``notes`` are sentences for the sender of the text: what was ignored or assumed. ``places`` are the places of the
    moves ("line 9") for error messages; empty if that would not help.
    """

    record: Record
    notes: tuple[str, ...] = ()
    places: tuple[str, ...] = field(default=())


def first_plies(reading: Reading, plies: int) -> Reading:
    """The record up to this number of moves, without its result, with a note."""
    record = reading.record
    entries = [index for index, move in enumerate(record.moves) if is_move(move)]
    end = entries[plies] if plies < len(entries) else len(record.moves)
    start = replace(
        record,
        moves=record.moves[:end],
        times=record.times and record.times[:end],
        clocks=record.clocks and record.clocks[:end],
        late=record.late and record.late[:end],
        part_times=record.part_times and record.part_times[:end],
        result=None,
    )
    return Reading(start, (*reading.notes, f"Only the first {plies} plies were read."), reading.places[:end])
