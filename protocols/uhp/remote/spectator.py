"""The session of a spectator: sends the game's GameStrings and its end. Driven by ``server.services.uhp``."""

from protocols.session import Close, Effect, Event, LocalError, Send
from protocols.uhp.lines import ERROR
from protocols.uhp.remote.effects import NORMAL, LineLost, TableChanged
from protocols.uhp.remote.game_lines import ending, is_news, is_over, shown
from protocols.values import Table


class SpectatorSession:
    """One spectator. ``with_clock``: GameStrings are sent with the clocks."""

    def __init__(self, *, with_clock: bool = False) -> None:
        self._with_clock = with_clock
        self._table: Table | None = None

    def receive(self, frame: str) -> list[Effect]:
        """Handles one line: ``info`` keeps the connection alive, anything else is refused."""
        is_quiet = frame.strip().lower() in ("", "info")
        return [] if is_quiet else [Send(f"{ERROR} you are watching")]

    def notify(self, event: Event) -> list[Effect]:
        """Handles one event from the driver."""
        match event:
            case TableChanged(table=table):
                return self._take_table(table)
            case LineLost(text=text):
                return [Send(f"{ERROR} {text}")]
            case _:
                raise LocalError("WATCH", event)

    def _take_table(self, table: Table) -> list[Effect]:
        before = self._table
        if not is_news(before, table):
            return []
        self._table = table
        out: list[Effect] = [*map(Send, shown(before, table, with_clock=self._with_clock))]
        if is_over(table):
            out += [Send(f"end {ending(table)}"), Close(NORMAL, "game over")]
        return out
