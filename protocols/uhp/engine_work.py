"""The work that an engine's session asks its driver for, and what the driver tells it in return.

A session has at most one piece of work under way. Every piece ends in exactly one of ``Found``, ``Counted`` and
``WorkFailed``, also when the session has asked to stop it.
"""

import re
from dataclasses import dataclass

from engines import Position
from protocols.session import Effect, Event

MAX_DEPTH = 200
"""Plies. A deeper wish means as much."""

MAX_MILLISECONDS = 2**31 - 1
"""Twenty-four days. A longer wish means as much."""

_TIME = re.compile(r"(\d{1,4}):([0-5]?\d):([0-5]?\d(?:\.\d{1,7})?)", re.ASCII)
"""The protocol knows whole seconds; some viewers send a fraction."""

_DEPTH = re.compile(r"0*([1-9]\d*)", re.ASCII)


class BadLimit(ValueError):
    """No limit of a search; the text is one sentence."""


@dataclass(frozen=True, slots=True)
class SearchLimit:
    """How long a search may go on: milliseconds from when it was asked for, or plies. Exactly one is given."""

    milliseconds: int | None = None
    depth: int | None = None


@dataclass(frozen=True, slots=True)
class FindMove(Effect):
    """Find the best move. ``threads`` at most, tables of ``hash_mb`` MiB; ``seed`` repeats an earlier answer."""

    position: Position
    limit: SearchLimit
    threads: int
    hash_mb: int
    seed: int


@dataclass(frozen=True, slots=True)
class CountLeaves(Effect):
    """Count the leaves of the tree of moves, ``depth`` plies deep."""

    position: Position
    depth: int
    threads: int


@dataclass(frozen=True, slots=True)
class StopWork(Effect):
    """End what is under way soon: a search with its best move so far, a count with ``WorkFailed``."""


@dataclass(frozen=True, slots=True)
class Quit(Effect):
    """End the process with this status, after everything sent so far."""

    status: int


@dataclass(frozen=True, slots=True)
class Found(Event):
    """The search is over; ``move`` is canonical."""

    move: str


@dataclass(frozen=True, slots=True)
class Counted(Event):
    """The count is done."""

    leaves: int


@dataclass(frozen=True, slots=True)
class WorkFailed(Event):
    """The work came to nothing; ``text`` says why, in one sentence."""

    text: str


@dataclass(frozen=True, slots=True)
class Interrupted(Event):
    """The user wants an end of what is under way, or of the process where nothing is."""


def read_limit(words: tuple[str, ...], overhead_ms: int) -> SearchLimit:
    """The limit that ``time hh:mm:ss`` or ``depth N`` means; of a time ``overhead_ms`` are kept back. BadLimit."""
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
