"""One analysis: a game replayed through a session of our own pool, and what it found in each position."""

import asyncio
import hashlib
import json
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from itertools import pairwise

from engines import Line as Candidate
from engines import Position
from protocols.bgs.config import Limits, Setup, write_config
from protocols.bgs.effects import Entry
from server.domain.accuracy import PlayedMove, Summary, summarise
from server.ports import PoolAnalyst
from server.services.bgs import Bgs, BgsHost, Line, Listeners

RULES = "rules"
"""The source of a finished position's value."""


class Progress(StrEnum):
    """Where an analysis stands."""

    RUNNING = "running"
    DONE = "done"
    CANCELLED = "cancelled"
    FAILED = "failed"


@dataclass(frozen=True)
class Study:
    """What is analysed, and how: plies ``from_ply`` to ``to_ply`` are shown, all up to there are searched.

    ``position`` is the last one, with all its moves; whoever holds a study does not play on in it.
    """

    position: Position
    samples: int
    multipv: int
    from_ply: int
    to_ply: int

    @cached_property
    def id(self) -> str:
        """Equal for equal studies, and for no others."""
        parts = [
            self.position.game,
            self.position.variant,
            self.position.config,
            self.position.history,
            [self.samples, self.multipv, self.from_ply, self.to_ply],
        ]
        text = json.dumps(parts, sort_keys=True, separators=(",", ":"))
        return hashlib.sha256(text.encode()).hexdigest()[:32]

    @property
    def line(self) -> Line:
        """The moves that are replayed."""
        history = tuple(self.position.history)
        outcome = self.position.outcome
        ends_game = outcome is not None and self.to_ply == self.position.ply
        return Line(history[: self.to_ply], outcome.values[0] if outcome is not None and ends_game else None)

    @property
    def config(self) -> dict[str, object]:
        """The session's config."""
        position = self.position
        limits = Limits(samples=self.samples)
        return write_config(Setup(position.game, position.variant, position.config, limits))


@dataclass(frozen=True, slots=True)
class Studied:
    """What was found about the position after ``ply`` moves.

    ``values`` has one member per seat; the values of ``lines`` are the mover's. ``inherited`` of the
    ``samples`` were left by the searches of earlier positions.
    """

    entry: Entry
    values: tuple[float, ...]
    lines: Sequence[Candidate]
    samples: int
    inherited: int
    source: str


class Analysis:
    """One study under way, or its result. ``listeners`` are told of every new position and of the end."""

    def __init__(self, study: Study) -> None:
        self.study = study
        self.listeners = Listeners()
        self.progress = Progress.RUNNING
        self.error: str | None = None
        self._found: list[Studied] = []
        self._bgs: Bgs | None = None

    @property
    def found(self) -> tuple[Studied, ...]:
        """The positions to be shown, as far as they are ready."""
        return tuple(one for one in self._found if one.entry.ply >= self.study.from_ply)

    @property
    def summary(self) -> tuple[Summary, ...]:
        """How each seat played, as far as the positions are ready."""
        return summarise(self.study.position.seats, _played(self.study.position, self.found))

    def cancel(self) -> None:
        """Stops within one batch."""
        if self.progress is Progress.RUNNING:
            self._finish(Progress.CANCELLED)

    def fail(self, why: str) -> None:
        """Ends the analysis for a reason that is not its asker's."""
        if self.progress is Progress.RUNNING:
            self.error = why
            self._finish(Progress.FAILED)

    async def run(self, host: BgsHost, analyst: PoolAnalyst) -> None:
        """Analyses. ApiError when no session is free."""
        bgs = host.open(analyst, self.study.id, analyst.id, self.study.config)
        self._bgs = bgs
        changed = asyncio.Event()
        bgs.listeners.add(changed.set)
        line = self.study.line
        bgs.follow(line)
        while self.progress is Progress.RUNNING:
            changed.clear()
            self._collect(bgs, analyst, line)
            if bgs.failure is not None:
                self.fail(bgs.failure.reason)
            elif bgs.is_complete(line):
                self._finish(Progress.DONE)
            else:
                await changed.wait()
        bgs.end()  # It may have been cancelled before it had a session to end.
        await bgs.closed()

    async def ready(self) -> AsyncIterator[Studied]:
        """The positions in order, each as soon as it is ready, until the end of the analysis."""
        changed = asyncio.Event()
        self.listeners.add(changed.set)
        shown = 0
        try:
            while True:
                changed.clear()
                is_last = self.progress is not Progress.RUNNING
                for one in self.found[shown:]:
                    shown += 1
                    yield one
                if is_last:
                    return
                await changed.wait()
        finally:
            self.listeners.remove(changed.set)

    def _collect(self, bgs: Bgs, analyst: PoolAnalyst, line: Line) -> None:
        entries = bgs.entries_for(line)
        for entry in entries[len(self._found) :]:
            self._found.append(_studied(entry, bgs, analyst, self.study.position))
        self.listeners.tell()

    def _finish(self, progress: Progress) -> None:
        self.progress = progress
        if self._bgs is not None:
            self._bgs.end()
        self.listeners.tell()


def _studied(entry: Entry, bgs: Bgs, analyst: PoolAnalyst, position: Position) -> Studied:
    detail = analyst.detail(bgs.id, entry.ply)
    outcome = position.outcome
    values = entry.values or (entry.evaluation, -entry.evaluation)
    if detail is None and outcome is not None:
        values = tuple(outcome.values)
    return Studied(
        entry,
        values,
        lines=() if detail is None else detail.lines,
        samples=entry.samples or 0,
        inherited=0 if detail is None else detail.inherited,
        source=entry.source or RULES,
    )


def _played(position: Position, found: Sequence[Studied]) -> list[PlayedMove]:
    """The moves between the positions that were found."""
    moves: list[PlayedMove] = []
    at, history = _start_of(position), position.history
    for before, after in pairwise(found):
        at.play(*history[at.ply : before.entry.ply])
        move = history[before.entry.ply]
        is_best = move == before.entry.best_move
        moves += [PlayedMove(seat, before.values[seat], after.values[seat], is_best) for seat in at.to_act]
    return moves


def _start_of(position: Position) -> Position:
    return Position(position.game, position.variant, position.config)
