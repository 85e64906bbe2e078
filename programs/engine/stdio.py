"""An engine that speaks JSON lines: requests from stdin, answers to stdout, searches by a backend."""

from collections.abc import Callable
from typing import Protocol

from programs.engine.pool_searches import Finished
from programs.stdio import StdioDriver
from protocols.bgs import engine
from protocols.session import Effect
from protocols.uhp.lines import Line


class Searches(Protocol):
    """The search backend of the sessions: the pool, or another engine."""

    def carry_out(self, effect: Effect) -> None:
        """Carries out an effect of engine sessions; an evaluation is only started."""


class EngineStdio(StdioDriver[Finished]):
    """The engine. ``searches`` creates the backend, given where to post results; ``log`` takes one line."""

    def __init__(
        self,
        sessions: engine.EngineSessions,
        searches: Callable[[Callable[[Finished], None]], Searches],
        log: Callable[[str], None],
    ) -> None:
        super().__init__(sessions, log, engine.MAX_LINE_BYTES, errors="surrogateescape")
        self._searches = searches(self._stdio.post)

    def _take(self, received: Line | Finished | None) -> list[Effect]:
        if isinstance(received, engine.Evaluated):
            found = received.evaluation
            self._log(
                f"{received.bgs_id}: {found.best_move or 'no move'} {found.values[0]:+.3f}"
                f" samples {found.samples} inherited {found.inherited} source {found.source}"
            )
        return super()._take(received)

    async def _do(self, effect: Effect) -> None:
        self._searches.carry_out(effect)
