"""One analysis: replays a game in a session of the engine pool and collects the evaluations of its positions."""

import asyncio
from collections.abc import AsyncGenerator
from dataclasses import dataclass
from enum import StrEnum
from itertools import chain

from engines import Evaluation
from engines.evaluation import NATIVE
from engines.loss_units import loss_unit
from protocols.values import Entry, GameLine, is_move
from server.domain.accuracy import PlayedMove, Summary, played_moves, summarise
from server.domain.tokens import new_token
from server.ports.analysts import Analyst
from server.services.bots.bgs import BgsHost, Listeners
from server.services.bots.session_slots import Use
from server.services.evaluation.analysis_plan import AnalysisPlan
from server.services.evaluation.analysis_viewers import AnalysisViewers

LOOK_SECONDS = 60.0
"""How long a client counts as a viewer after it has read the result, by default."""


USUAL_LINE = 6
"""Moves of a line of our engines."""


class Progress(StrEnum):
    """The status of an analysis."""

    RUNNING = "running"
    DONE = "done"
    CANCELLED = "cancelled"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class Studied:
    """The result for the position after ``ply`` moves.

    ``to_act`` are the seats to move. ``played`` is the move that led to the position, once for each seat that made it.
    Where a seat leaves, the evaluation is that of the position after it has left; ``played`` is not affected by that.
    """

    ply: int
    evaluation: Evaluation
    to_act: tuple[int, ...]
    played: tuple[PlayedMove, ...]


class Analysis:
    """A running or finished analysis. ``listeners`` are called for every new position and at the end.

    Clients that wait for results iterate over ``ready()``; without viewers (``audience``) the analysis is cancelled.
    The ``id`` cannot be guessed.
    """

    def __init__(
        self, plan: AnalysisPlan, host: BgsHost, analyst: Analyst, look_seconds: float = LOOK_SECONDS
    ) -> None:
        """Opens the session; ApiError if none is free."""
        self.id = new_token()
        self.plan = plan
        self._bgs = host.open(
            Use.ANALYSIS,
            analyst,
            self.id,
            analyst.id if plan.asked is None else plan.asked.bot.bot_id,
            plan.setup,
            first=plan.first,
            compares=True,
        )
        self.listeners = Listeners()
        self.audience = AnalysisViewers(self.cancel, host.admission.analyses, look_seconds)
        self.progress = Progress.RUNNING
        self.error: str | None = None
        self.retry_after_ms: int | None = None
        """When to ask again, if the analysis was cancelled for a temporary reason."""
        self.lines = 0
        """The size of the results so far, in lines: nearly all its memory consists of them."""
        self._found: list[Studied] = []
        self._collected = 0
        """Entries of the session processed so far."""
        self._last: Studied | None = None
        """The result for the last of them. It is not in ``_found`` if a seat leaves in that position."""
        self._at = plan.start.copy()

    @property
    def found(self) -> tuple[Studied, ...]:
        """The results so far, in order."""
        return tuple(self._found)

    @property
    def summary(self) -> tuple[Summary, ...]:
        """How well each seat played, judging by the results so far."""
        moves = chain.from_iterable(one.played for one in self.found[1:])
        return summarise(self.plan.position.seats, moves)

    def answers(self, plan: AnalysisPlan) -> bool:
        """Whether it has, or will have, the results of an equal plan. Another client may have taken the bot's id."""
        is_same = plan.asked is None or (
            self.plan.asked is not None and self.plan.asked.client is plan.asked.client
        )
        return is_same and self.progress in (Progress.RUNNING, Progress.DONE)

    def cancel(self, *, retry_after_ms: int | None = None) -> None:
        """Cancels the analysis; its search stops within one batch."""
        if self.progress is Progress.RUNNING:
            self.retry_after_ms = retry_after_ms
            self._finish(Progress.CANCELLED)

    def fail(self, why: str) -> None:
        """Ends the analysis with an error."""
        if self.progress is Progress.RUNNING:
            self.error = why
            self._finish(Progress.FAILED)

    async def run(self) -> None:
        """Runs the analysis to its end."""
        bgs, line = self._bgs, self.plan.line
        changed = asyncio.Event()
        bgs.listeners.add(changed.set)
        bgs.follow(line)
        await asyncio.to_thread(self._at.play, *line.moves[: self.plan.first])
        while self.progress is Progress.RUNNING:
            changed.clear()
            self._collect(line)
            if bgs.failure is not None:
                self.fail(self._why(bgs.failure.reason))
            elif bgs.is_complete(line):
                self._finish(Progress.DONE)
            else:
                await changed.wait()
        await bgs.closed()

    async def ready(self, shown: int = 0) -> AsyncGenerator[Studied, None]:
        """Yields the results in order as they become ready, without the first ``shown``, until the analysis ends."""
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

    def _why(self, reason: str) -> str:
        """The reason for which a session failed, with the name of the bot if one was asked."""
        asked = self.plan.asked
        return reason if asked is None else reason.replace("the analyst", asked.bot.name, 1)

    def _collect(self, line: GameLine) -> None:
        """Adds new entries, which arrive in order and without gaps."""
        history = line.moves[self.plan.first :]
        for entry in self._bgs.entries_for(line)[self._collected :]:
            at = self._collected
            self._collected += 1
            self._last = self._studied(entry, history[at - 1] if at else None)
            if at == len(history) or is_move(history[at]):
                self._found.append(self._last)
                self.lines += _size(entry.evaluation)
        self.listeners.tell()

    def _studied(self, entry: Entry, after: str | None) -> Studied:
        """The result for a position, given its entry and the entry of the history that led to it."""
        if after is None or self._last is None:
            return Studied(entry.ply, entry.evaluation, tuple(self._at.to_act), ())
        if is_move(after):
            played = self._played(after, self._last.evaluation, entry.evaluation)
        else:
            self._at.play(after)
            played = self._last.played
        return Studied(entry.ply, entry.evaluation, tuple(self._at.to_act), played)

    def _played(self, move: str, before: Evaluation, after: Evaluation) -> tuple[PlayedMove, ...]:
        """Plays the next move; returns it for each mover, with the values before and after it."""
        movers, submitted = self._at.to_act, self._at.submitted(move)
        self._at.play(move)
        # A bot's name says nothing about what evaluates.
        unit = loss_unit(self._at, before.source if self.plan.asked is None else NATIVE)
        return played_moves(submitted, movers, before, after, unit)

    def _finish(self, progress: Progress) -> None:
        self.progress = progress
        self.audience.close()
        self._bgs.end()
        self.listeners.tell()


def _size(evaluation: Evaluation) -> int:
    """In lines of usual length; bots may tell longer ones, and policies. At least 1."""
    moves = sum(len(line.pv) for line in evaluation.lines) + sum(map(len, evaluation.policies or ()))
    return max(1, len(evaluation.lines), moves // USUAL_LINE)
