"""What a record holds, whatever it is written in: one played game as plain values, and what reading one gives.

The formats are beside this file, one each, and listed in ``formats``. Moves are text of the game's own notation
and unchecked until ``replay`` has played them. Seats are indices in turn order; times are milliseconds, moments
since the epoch.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from engines import RuleError
from protocols.play.table import Control, Result

MAX_PLIES = 10_000
"""The most moves of a record."""

MAX_BYTES = 524_288
"""The longest text of a record, in bytes of UTF-8: enough for so many moves with their times and clocks."""

MAX_REASON = 200
"""Characters of a refusal by the rules, which may repeat the move."""

UNKNOWN = "unknown"
"""The reason of a result whose reason the record does not tell."""


class RecordError(ValueError):
    """A text that is no record; ``str(error)`` is one sentence, with the line where that is known.

    ``limit`` is the limit that was passed.
    """

    def __init__(self, text: str, *, limit: int | None = None) -> None:
        super().__init__(text)
        self.limit = limit


class BadMove(RecordError):
    """A move that the rules refuse after ``ply`` moves."""

    def __init__(self, text: str, ply: int) -> None:
        super().__init__(text)
        self.ply = ply


def check_length(moves: Sequence[str]) -> None:
    """RecordError for more moves than a record may have."""
    if len(moves) > MAX_PLIES:
        raise RecordError(f"a record has at most {MAX_PLIES} moves, not {len(moves)}", limit=MAX_PLIES)


def refused_move(index: int, move: str, refusal: RuleError, place: str, ply: int) -> BadMove:
    """The refusal of the move at ``index`` of a record, in a sentence that no move can make too long."""
    where = f"{place}, " if place else ""
    return BadMove(f"{where}move {index + 1} ({move[:40]}): {str(refusal)[:MAX_REASON]}", ply)


class BadStart(RecordError):
    """A game or a configuration that nothing starts from; ``is_game``: there is no such game at all."""

    def __init__(self, text: str, *, is_game: bool = False) -> None:
        super().__init__(text)
        self.is_game = is_game


@dataclass(frozen=True, slots=True)
class Seat:
    """Who played a seat. ``kind`` is human, bot or open; ``bot`` the id under which a bot was listed."""

    kind: str = "human"
    name: str | None = None
    bot: str | None = None
    elo: int | None = None


@dataclass(frozen=True, slots=True)
class Record:
    """One game.

    ``config`` is the start, with its secret (a seed) where that is public. ``moves`` are the entries of the
    history: tails included, forfeits as ``!1``. ``result`` is None for a game that has none. ``times`` is when
    each entry was made, ``clocks`` what each seat had left after it; None where that is not known.
    """

    game: str
    variant: str
    config: Mapping[str, Any]
    seats: tuple[Seat, ...]
    moves: tuple[str, ...] = ()
    result: Result | None = None
    time_control: Control | None = None
    created_at: int | None = None
    times: tuple[int, ...] | None = None
    clocks: tuple[tuple[int, ...], ...] | None = None


@dataclass(frozen=True, slots=True)
class Reading:
    """A record as it was read.

    ``notes`` are sentences for whoever gave the text: what was passed over or assumed. ``places`` says where
    each move stands ("line 9"), for the sentences of refusals; empty where that would not help.
    """

    record: Record
    notes: tuple[str, ...] = ()
    places: tuple[str, ...] = field(default=())
