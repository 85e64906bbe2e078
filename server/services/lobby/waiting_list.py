"""The list of games that anyone can join, kept in memory while their hosts are connected. Pure; used by ``lobby``."""

from dataclasses import dataclass

from protocols.values import Attendance, Listed

HOST_AWAY_MS = 120_000
"""How long a game is offered after its host disconnected: long enough to reload a page or change networks."""


@dataclass(frozen=True, slots=True)
class WaitingGame:
    """A game that waits for a player. ``away_since``: when its host disconnected; None: the host is connected."""

    game: Listed
    attendance: Attendance
    away_since: int | None


class WaitingList:
    """Games that wait, by id. Times are milliseconds since the epoch."""

    def __init__(self) -> None:
        self._games: dict[str, WaitingGame] = {}

    def find(self, game_id: str) -> Listed | None:
        """Returns a game; None if it is not in the list."""
        known = self._games.get(game_id)
        return None if known is None else known.game

    def put(self, game: Listed, attendance: Attendance, now: int) -> None:
        """Adds or updates a game. The host of a new one counts as having just been connected."""
        known = self._games.get(game.game_id)
        away_since = None if known is None else known.away_since
        if game.host in attendance.here:
            away_since = None
        elif away_since is None:
            away_since = now
        self._games[game.game_id] = WaitingGame(game, attendance, away_since)

    def drop(self, game_id: str) -> None:
        """Removes a game, if it is in the list."""
        self._games.pop(game_id, None)

    def present(self, now: int) -> list[WaitingGame]:
        """Returns the games whose host is or was recently connected, longest waiting first.

        Also removes games whose host has been away for too long.
        """
        oldest = now - HOST_AWAY_MS
        self._games = {
            name: one
            for name, one in self._games.items()
            if one.away_since is None or one.away_since >= oldest
        }
        return sorted(self._games.values(), key=lambda one: one.game.created_at)
