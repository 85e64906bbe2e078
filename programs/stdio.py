"""Runs a protocol session on our stdin and stdout: lines and posted events go in, its effects are carried out in order.

Subclasses carry out the effects that belong to one protocol: ``uhp.stdio``, ``engine.stdio`` and ``pyrat.stdio``.
Long work has threads of its own and posts its result, so it delays neither reading nor other answers.
"""

from collections.abc import Callable, Coroutine
from typing import Any, Generic, Protocol, TypeVar

from programs.endpoints import StdioEndpoint
from protocols.session import Effect, Event, Log, Send
from protocols.uhp.engine_work import Quit
from protocols.uhp.lines import Line, LineTooLong

E = TypeVar("E", bound=Event)

Answering = Callable[[], Coroutine[Any, Any, int]]
"""Answers stdin on stdout, until the end of the input."""


class StdioSession(Protocol):
    """A session that answers the process that started us."""

    @property
    def is_busy(self) -> bool:
        """Whether a line is not answered yet."""
        ...

    def receive(self, frame: str, /) -> list[Effect]:
        """Handles one line."""
        ...

    def notify(self, event: Event, /) -> list[Effect]:
        """Handles one event."""
        ...


class StdioDriver(Generic[E]):
    """One session on our stdio; ``run`` returns the exit status. ``log`` is called with lines for the operator.

    Events of type ``E`` can be posted among its lines. ``most`` and ``errors`` as in ``LineSplitter``.
    """

    def __init__(
        self, session: StdioSession, log: Callable[[str], None], most: int, errors: str = "replace"
    ) -> None:
        self._session = session
        self._log = log
        self._most = most
        self._stdio = StdioEndpoint[E](most, errors)
        self._has_input_ended = False
        self._status: int | None = None

    async def run(self) -> int:
        """Runs until the session quits, or the input has ended and all is answered. Raises BrokenPipeError."""
        while self._status is None and (not self._has_input_ended or self._session.is_busy):
            await self._carry_out(self._take(await self._stdio.events.get()))
        return self._status or 0

    def _take(self, received: Line | E | None) -> list[Effect]:
        """Gives the session a line, an event, or the end of the input."""
        match received:
            case None:
                self._has_input_ended = True
                return []
            case str():
                return self._session.receive(received)
            case LineTooLong():
                return [Log(f"ignored a line of more than {self._most} bytes")]
        return self._session.notify(received)

    async def _carry_out(self, effects: list[Effect]) -> None:
        for effect in effects:
            match effect:
                case Send(text=text):
                    await self._stdio.send(text)
                case Log(text=text):
                    self._log(text)
                case Quit(status=status):
                    self._status = status
                case _:
                    await self._do(effect)

    async def _do(self, effect: Effect) -> None:
        """Carries out an effect of one protocol."""
        raise TypeError(f"{type(self._session).__name__} asks for {type(effect).__name__}")
