"""Work that an engine session requests from its driver, and the driver's reports.

A session has at most one piece of work at a time. Each one ends with exactly one of ``Found``, ``Counted`` and
``WorkFailed``, even if the session asked to stop it.
"""

import re
from dataclasses import dataclass

from engines import Position
from protocols.session import Effect, Event

MAX_DEPTH = 200
"""Plies. Greater requested depths are reduced to this."""

MAX_MILLISECONDS = 2**31 - 1
"""24 days. Longer requested times are reduced to this."""

_TIME = re.compile(r"(\d{1,4}):([0-5]?\d):([0-5]?\d(?:\.\d{1,7})?)", re.ASCII)
"""The protocol has whole seconds; some viewers send fractions."""

_DEPTH = re.compile(r"0*([1-9]\d*)", re.ASCII)


class BadLimit(ValueError):
    """Not a search limit; the text is one sentence."""


@dataclass(frozen=True, slots=True)
class SearchLimit:
    """Milliseconds from the request, or a depth in plies. Exactly one is given."""

    milliseconds: int | None = None
    depth: int | None = None


@dataclass(frozen=True, slots=True)
class FindMove(Effect):
    """Find the best move with up to ``threads`` threads and ``hash_mb`` MiB of tables; ``seed`` makes it repeatable."""

    position: Position
    limit: SearchLimit
    threads: int
    hash_mb: int
    seed: int


@dataclass(frozen=True, slots=True)
class CountLeaves(Effect):
    """Count the leaves of the game tree at ``depth`` plies."""

    position: Position
    depth: int
    threads: int


@dataclass(frozen=True, slots=True)
class StopWork(Effect):
    """End the current work soon: a search with its best move so far, a count with ``WorkFailed``."""


@dataclass(frozen=True, slots=True)
class Quit(Effect):
    """End the process with this status after writing all output."""

    status: int


@dataclass(frozen=True, slots=True)
class Found(Event):
    """The search has ended; ``move`` is canonical."""

    move: str


@dataclass(frozen=True, slots=True)
class Counted(Event):
    """The count has ended."""

    leaves: int


@dataclass(frozen=True, slots=True)
class WorkFailed(Event):
    """The work failed; ``text`` gives the reason in one sentence."""

    text: str


@dataclass(frozen=True, slots=True)
class Interrupted(Event):
    """The user asked to stop the current work, or the process if there is none."""


def read_limit(words: tuple[str, ...], overhead_ms: int) -> SearchLimit:
    """Reads ``time hh:mm:ss``, from which ``overhead_ms`` is subtracted, or ``depth N``. Raises BadLimit."""
    match words:
        case (kind, value) if kind.lower() == "time":
            return SearchLimit(milliseconds=max(1, _milliseconds(value) - overhead_ms))
        case (kind, value) if kind.lower() == "depth":
            return SearchLimit(depth=_plies(value))
        case _:
            raise BadLimit("Give a limit: time hh:mm:ss or depth N.")


def _milliseconds(text: str) -> int:
    found = _TIME.fullmatch(text)
    if found is None:
        raise BadLimit("A time is written hh:mm:ss.")
    minutes = int(found[1]) * 60 + int(found[2])
    return min(minutes * 60_000 + int(float(found[3]) * 1000), MAX_MILLISECONDS)


def _plies(text: str) -> int:
    found = _DEPTH.fullmatch(text)
    if found is None:
        raise BadLimit("A depth is a whole number of plies, at least 1.")
    return min(int(found[1][:9]), MAX_DEPTH)
