"""One analysis: a game replayed through a session of our own pool, and what it found in each position."""

import asyncio
from collections.abc import AsyncGenerator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import chain

from engines import Line as Candidate
from engines import Position
from protocols.bgs.effects import Entry
from server.domain.accuracy import PlayedMove, Summary, summarise
from server.domain.tokens import new_token
from server.ports import PoolAnalyst
from server.services.audience import Audience
from server.services.bgs import BgsHost, Line, Listeners
from server.services.session_places import Use
from server.services.study import Study

RULES = "rules"
"""The source of a finished position's value."""

LOOK_SECONDS = 60.0
"""How long a look at the result counts as watching, unless told otherwise."""


class Progress(StrEnum):
    """Where an analysis stands."""

    RUNNING = "running"
    DONE = "done"
    CANCELLED = "cancelled"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class Studied:
    """What was found about the position after ``ply`` moves.

    ``values`` has one member per seat, ``to_act`` are the seats to move, and the values of ``lines`` are the
    mover's. ``played`` is the move that led here, once for each seat that made it. ``inherited`` of the
    ``samples`` were left by the searches of earlier positions. ``is_cut``: there are fewer of them than were asked for,
    because the memory of the search was used up.
    """

    entry: Entry
    values: tuple[float, ...]
    to_act: tuple[int, ...]
    played: tuple[PlayedMove, ...]
    lines: Sequence[Candidate]
    samples: int
    inherited: int
    source: str
    is_cut: bool


class Analysis:
    """One study under way, or its result. ``listeners`` are told of every new position and of the end.

    Whoever waits for it reads ``ready()``; when the ``audience`` has gone it is cancelled. Nobody can guess the ``id``.
    """

    def __init__(
        self, study: Study, host: BgsHost, analyst: PoolAnalyst, look_seconds: float = LOOK_SECONDS
    ) -> None:
        """Opens the session; ApiError when none is free."""
        self.id = new_token()
        self.study = study
        self._analyst = analyst
        use, first = Use.ANALYSIS, study.from_ply
        self._bgs = host.open(use, analyst, self.id, analyst.id, study.config, first_ply=first)
        self.listeners = Listeners()
        self.audience = Audience(self.cancel, host.admission.analyses, look_seconds)
        self.progress = Progress.RUNNING
        self.error: str | None = None
        self.retry_after_ms: int | None = None
        """When it may be asked for again, if it was cancelled for a reason that passes."""
        self._found: list[Studied] = []
        self._at = start_of(study.position)

    @property
    def found(self) -> tuple[Studied, ...]:
        """The positions, as far as they are ready."""
        return tuple(self._found)

    @property
    def summary(self) -> tuple[Summary, ...]:
        """How each seat played between the positions, as far as they are ready."""
        moves = chain.from_iterable(one.played for one in self.found[1:])
        return summarise(self.study.position.seats, moves)

    def cancel(self, *, retry_after_ms: int | None = None) -> None:
        """Stops within one batch."""
        if self.progress is Progress.RUNNING:
            self.retry_after_ms = retry_after_ms
            self._finish(Progress.CANCELLED)

    def fail(self, why: str) -> None:
        """Ends the analysis for a reason that is not its asker's."""
        if self.progress is Progress.RUNNING:
            self.error = why
            self._finish(Progress.FAILED)

    async def run(self) -> None:
        """Analyses."""
        bgs, line = self._bgs, self.study.line
        changed = asyncio.Event()
        bgs.listeners.add(changed.set)
        bgs.follow(line)
        await asyncio.to_thread(self._at.play, *line.moves[: self.study.from_ply])
        while self.progress is Progress.RUNNING:
            changed.clear()
            self._collect(line)
            if bgs.failure is not None:
                self.fail(bgs.failure.reason)
            elif bgs.is_complete(line):
                self._finish(Progress.DONE)
            else:
                await changed.wait()
        await bgs.closed()

    async def ready(self, shown: int = 0) -> AsyncGenerator[Studied, None]:
        """The positions in order, each as soon as it is ready, until the end; without the first ``shown``."""
        changed = asyncio.Event()
        self.listeners.add(changed.set)
        try:
            with self.audience.reading():
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

    def _collect(self, line: Line) -> None:
        for entry in self._bgs.entries_for(line)[len(self._found) :]:
            self._found.append(self._studied(entry))
        self.listeners.tell()

    def _studied(self, entry: Entry) -> Studied:
        """The next position; entries come in order and without a gap."""
        detail = self._analyst.detail(self.id, entry.ply)
        outcome = self.study.position.outcome
        values = entry.values or (entry.evaluation, -entry.evaluation)
        if detail is None and outcome is not None:
            values = tuple(outcome.values)
        played = self._played(values)
        return Studied(
            entry,
            values,
            to_act=tuple(self._at.to_act),
            played=played,
            lines=() if detail is None else detail.lines,
            samples=entry.samples or 0,
            inherited=0 if detail is None else detail.inherited,
            source=entry.source or RULES,
            is_cut=detail is not None and detail.is_cut,
        )

    def _played(self, after: Sequence[float]) -> tuple[PlayedMove, ...]:
        """Plays the next move, which led to a position of these values, and says how it was for its movers."""
        if not self._found:
            return ()
        before, movers = self._found[-1], self._at.to_act
        move = self.study.position.history[before.entry.ply]
        self._at.play(move)
        is_best = move == before.entry.best_move
        return tuple(PlayedMove(seat, before.values[seat], after[seat], is_best) for seat in movers)

    def _finish(self, progress: Progress) -> None:
        self.progress = progress
        self.audience.close()
        self._bgs.end()
        self.listeners.tell()


def start_of(position: Position) -> Position:
    """The start of the game that led to a position."""
    return Position(position.game, position.variant, position.config)
