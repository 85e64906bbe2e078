"""The lines of an engine that has connected, as a session: they answer an ``AskedEngine``.

Both kinds of connections of engines use it: for one game (``engine_role``), and on the ladder (``bot_client``).
"""

from collections.abc import Callable, Sequence

from drivers.asked_engine import AskedEngine
from protocols.session import Close, Effect, Event, Log, Send
from protocols.uhp.answers import EngineFailed
from protocols.uhp.lines import MAX_LINE_BYTES, Line, LineTooLong
from protocols.uhp.remote.effects import NORMAL
from server.ports.connection import Connection


class EngineLines:
    """One connection. ``on_failure`` is called when the engine has failed without being asked."""

    def __init__(
        self, connection: Connection, on_failure: Callable[[EngineFailed], Sequence[Effect]]
    ) -> None:
        self.engine = AskedEngine(self._send)
        self._connection = connection
        self._on_failure = on_failure

    def notify(self, event: Event) -> list[Effect]:
        """Handles the only event: a line that was lost."""
        return self.receive(LineTooLong(MAX_LINE_BYTES))

    def receive(self, frame: Line) -> list[Effect]:
        """Handles a line of the engine. Answers do not count against its limit."""
        if self.engine.is_asked:
            self._connection.give_back()
        self.engine.receive(frame)
        failure = self.engine.failure
        return [] if failure is None else [*self._on_failure(failure)]

    async def _send(self, line: str) -> None:
        self._connection.send(line)


def refused(why: str) -> list[Effect]:
    """The last lines to an engine that plays no game."""
    return [Log(why), Send(f"err {why}"), Close(NORMAL, "refused")]
