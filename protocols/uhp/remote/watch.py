"""Role ``watch``: shows a spectator the game's GameStrings and its end. Driven by ``server.services.uhp``."""

from protocols.session import Effect, Event, FrameLost, LocalError, Send
from protocols.uhp.lines import ERROR
from protocols.uhp.remote import effects as ef
from protocols.uhp.remote.game_lines import is_news, shown_to_end
from protocols.values import Table


class WatchSession:
    """One spectator. ``with_clock``: GameStrings come with the clocks."""

    def __init__(self, *, with_clock: bool = False) -> None:
        self._with_clock = with_clock
        self._table: Table | None = None
        """The game as last shown."""

    def start(self) -> list[Effect]:
        """Called when the connection is open."""
        return [ef.Follow()]

    def receive(self, frame: str) -> list[Effect]:
        """Handles one line: ``info`` keeps the connection alive, anything else is refused."""
        return [] if frame.strip().lower() in ("", "info") else [Send(f"{ERROR} you are watching")]

    def notify(self, event: Event) -> list[Effect]:
        """Handles one event from the driver."""
        match event:
            case ef.TableChanged(table=table):
                return self._show(table)
            case FrameLost(text=text):
                return [Send(f"{ERROR} {text}")]
            case _:
                raise LocalError("WATCH", event)

    def _show(self, table: Table) -> list[Effect]:
        before = self._table
        if not is_news(before, table):
            return []
        self._table = table
        return shown_to_end(before, table, with_clock=self._with_clock)
