"""An engine that speaks JSON lines: requests from stdin, answers to stdout, searches by a backend.

The searches have threads of their own. The event loop does everything else, in the order of events, so a long search
delays neither reading nor the answers of other sessions.
"""

from collections.abc import Callable
from typing import Protocol

from programs.endpoints import StdioEndpoint
from programs.engine.pool_searches import Finished, SearchEffect
from protocols.bgs import engine as en
from protocols.session import Effect, Log, Send
from protocols.uhp.lines import Line, LineTooLong


class Searches(Protocol):
    """The search backend of the sessions: the pool, or another engine."""

    def carry_out(self, effect: SearchEffect) -> None:
        """Carries out an effect; an evaluation is only started."""


class EngineStdio:
    """The engine. ``searches`` creates the backend, given where to post results; ``log`` takes one line."""

    def __init__(
        self,
        sessions: en.EngineSessions,
        searches: Callable[[Callable[[Finished], None]], Searches],
        log: Callable[[str], None],
    ) -> None:
        self._stdio = StdioEndpoint[Finished](en.MAX_LINE_BYTES, errors="surrogateescape")
        self._sessions = sessions
        self._searches = searches(self._stdio.post)
        self._log = log

    async def run(self) -> None:
        """Answers requests until the input ends and all of them are answered. Raises BrokenPipeError."""
        has_more = True
        while has_more or not self._sessions.is_idle:
            event = await self._stdio.events.get()
            has_more = has_more and event is not None
            await self._carry_out(self._take(event))

    def _take(self, event: Line | Finished | None) -> list[Effect]:
        match event:
            case en.Evaluated() | en.EvaluationFailed():
                self._report(event)
                return self._sessions.notify(event)
            case LineTooLong():
                self._log(f"ignored a line of more than {en.MAX_LINE_BYTES} bytes")
            case str() if _is_text(event):
                return self._sessions.receive(event) if event.strip() else []
            case str():
                self._log("ignored a line that is not UTF-8")
        return []

    def _report(self, finished: Finished) -> None:
        if isinstance(finished, en.Evaluated):
            found = finished.evaluation
            self._log(
                f"{finished.bgs_id}: {found.best_move or 'no move'} {found.values[0]:+.3f}"
                f" samples {found.samples} inherited {found.inherited} source {found.source}"
            )

    async def _carry_out(self, effects: list[Effect]) -> None:
        for effect in effects:
            match effect:
                case Send(text=text):
                    await self._stdio.send(text)
                case Log(text=text):
                    self._log(text)
                case (
                    en.SessionOpened() | en.Advance() | en.Evaluate() | en.CancelSearch() | en.SessionClosed()
                ):
                    self._searches.carry_out(effect)
                case _:
                    raise TypeError(f"an engine session asks for {type(effect).__name__}")


def _is_text(line: str) -> bool:
    try:
        line.encode()
    except UnicodeEncodeError:
        return False
    return True
