"""The games that anybody can join, kept in memory as long as their hosts are there. Pure: ``lobby`` drives it."""

from dataclasses import dataclass

from protocols.play.table import Attendance, Listed

HOST_AWAY_MS = 120_000
"""How long a game is offered after its host was there last: long enough to reload a page or change networks."""


@dataclass(frozen=True, slots=True)
class Waiting:
    """A game that waits for a player. ``away_since``: when its host was there last; None: it is there.

    ``was_here``: its host has been connected to this server since the game is known.
    """

    game: Listed
    attendance: Attendance
    away_since: int | None
    was_here: bool = False

    @property
    def can_be_joined(self) -> bool:
        """Whether players of this server can meet its host: one who waits over UHP meets those of its own server."""
        return self.was_here or not self.game.has_remote


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
        is_here = game.host in attendance.here
        if is_here:
            away_since = None
        elif away_since is None:
            away_since = now
        was_here = is_here or (known is not None and known.was_here)
        self._games[game.game_id] = Waiting(game, attendance, away_since, was_here)

    def drop(self, game_id: str) -> None:
        """The game waits no more."""
        self._games.pop(game_id, None)

    def present(self, now: int) -> list[Waiting]:
        """Those that can be joined, and whose host is there or was lately, the first to wait first.

        Games whose host was away for too long are forgotten.
        """
        oldest = now - HOST_AWAY_MS
        self._games = {
            name: one
            for name, one in self._games.items()
            if one.away_since is None or one.away_since >= oldest
        }
        joinable = [one for one in self._games.values() if one.can_be_joined]
        return sorted(joinable, key=lambda one: one.game.created_at)
