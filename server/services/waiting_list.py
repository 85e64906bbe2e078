"""The games that anybody can join, kept in memory as long as their hosts are there. Pure: ``lobby`` drives it."""

from dataclasses import dataclass

from protocols.play.table import Attendance, Listed

HOST_AWAY_MS = 120_000
"""How long a game is offered after its host was there last: long enough to reload a page or change networks."""


@dataclass(frozen=True, slots=True)
class Waiting:
    """A game that waits for a player. ``away_since``: when its host was there last; None: it is there."""

    game: Listed
    attendance: Attendance
    away_since: int | None


class WaitingList:
    """Games that wait, by id. Times are milliseconds since the epoch."""

    def __init__(self) -> None:
        self._games: dict[str, Waiting] = {}

    def find(self, game_id: str) -> Listed | None:
        """The game, if it waits."""
        known = self._games.get(game_id)
        return None if known is None else known.game

    def put(self, game: Listed, attendance: Attendance, now: int) -> None:
        """A game waits, or its players have come or gone. A new one's host counts as there just now."""
        known = self._games.get(game.game_id)
        away_since = None if known is None else known.away_since
        if game.host in attendance.here:
            away_since = None
        elif away_since is None:
            away_since = now
        self._games[game.game_id] = Waiting(game, attendance, away_since)

    def drop(self, game_id: str) -> None:
        """The game waits no more."""
        self._games.pop(game_id, None)

    def present(self, now: int) -> list[Waiting]:
        """Those whose host is there or was lately, the first to wait first. The others are forgotten."""
        oldest = now - HOST_AWAY_MS
        self._games = {
            name: one
            for name, one in self._games.items()
            if one.away_since is None or one.away_since >= oldest
        }
        return sorted(self._games.values(), key=lambda one: one.game.created_at)
