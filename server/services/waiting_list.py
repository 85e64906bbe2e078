"""The list of games that anyone can join, kept in memory while their hosts are connected. Pure; used by ``lobby``."""

from dataclasses import dataclass

from protocols.values import Attendance, Listed

HOST_AWAY_MS = 120_000
"""How long a game is offered after its host disconnected: long enough to reload a page or change networks."""


@dataclass(frozen=True, slots=True)
class WaitingGame:
    """A game that waits for a player. ``away_since``: when its host disconnected; None: the host is connected.

    ``was_here``: its host has been connected to this server since the game was first listed.
    """

    game: Listed
    attendance: Attendance
    away_since: int | None
    was_here: bool = False

    @property
    def can_be_joined(self) -> bool:
        """Whether players on this server can join: a host waiting over UHP meets only players on its own server."""
        return self.was_here or not self.game.has_remote


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
        is_here = game.host in attendance.here
        if is_here:
            away_since = None
        elif away_since is None:
            away_since = now
        was_here = is_here or (known is not None and known.was_here)
        self._games[game.game_id] = WaitingGame(game, attendance, away_since, was_here)

    def drop(self, game_id: str) -> None:
        """Removes a game, if it is in the list."""
        self._games.pop(game_id, None)

    def present(self, now: int) -> list[WaitingGame]:
        """Returns the games that can be joined and whose host is or was recently connected, longest waiting first.

        Also removes games whose host has been away for too long.
        """
        oldest = now - HOST_AWAY_MS
        self._games = {
            name: one
            for name, one in self._games.items()
            if one.away_since is None or one.away_since >= oldest
        }
        joinable = [one for one in self._games.values() if one.can_be_joined]
        return sorted(joinable, key=lambda one: one.game.created_at)
