"""Looking on: the GameStrings of a game from the present one on, and its end. Driven by ``server.services.uhp``."""

from protocols.play.table import Table
from protocols.session import Close, Effect, Event, LocalError, Send
from protocols.uhp.lines import ERROR
from protocols.uhp.remote.showing import clock_line, ending, game_string, is_over, passed_by
from protocols.uhp.remote.words import NORMAL, Changed, LineLost


class WatchSession:
    """One spectator. ``with_clock``: GameStrings come with the clocks."""

    def __init__(self, *, with_clock: bool = False) -> None:
        self._with_clock = with_clock
        self._table: Table | None = None

    def receive(self, frame: str) -> list[Effect]:
        """Take one line of the spectator: ``info`` keeps the connection alive, anything else is refused."""
        is_quiet = frame.strip().lower() in ("", "info")
        return [] if is_quiet else [Send(f"{ERROR} you are watching")]

    def notify(self, event: Event) -> list[Effect]:
        """Take one event of the driver."""
        match event:
            case Changed(table=table):
                return self._take_table(table)
            case LineLost(text=text):
                return [Send(f"{ERROR} {text}")]
            case _:
                raise LocalError("WATCH", event)

    def _take_table(self, table: Table) -> list[Effect]:
        before = self._table
        if table.status == "open" or (before is not None and table.seq <= before.seq):
            return []
        self._table = table
        out: list[Effect] = []
        if before is None or (before.ply, before.status) != (table.ply, table.status):
            out = [line for moment in passed_by(before, table) for line in self._show(moment)]
        if is_over(table):
            out += [Send(f"end {ending(table)}"), Close(NORMAL, "game over")]
        return out

    def _show(self, moment: Table) -> list[Effect]:
        clock = clock_line(moment) if self._with_clock else None
        return [Send(line) for line in (clock, game_string(moment)) if line is not None]
