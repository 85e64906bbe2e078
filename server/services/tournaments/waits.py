"""How long the games of tournaments that are due have waited for their players, and who loses one. No clock of its own.

Called by ``tournament_runner`` whenever it tries to start a game.
"""

from collections.abc import Collection, Mapping
from typing import Final

from server.domain.tournaments.acceptance import NO_SESSION, Hindrance

SESSION_WAITS: Final = 10
"""A bot without a free session is awaited so many times as long as one that is absent: others may use its sessions."""

_Player = tuple[str, int]
"""The tournament and the number of the player."""


class Waits:
    """Since when players are awaited. Times are seconds of any clock; ``seconds``: how long one is awaited."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._hindered: dict[_Player, float] = {}
        """Since when a player has not been able to play."""
        self._away: dict[_Player, float] = {}
        """Since when it has not been able to for another reason than that its sessions are in use."""

    def losers(
        self, tournament_id: str, players: Collection[int], hindered: Mapping[int, Hindrance], now: float
    ) -> list[int]:
        """The players of a game who have been awaited for too long, the one awaited longest first.

        Call ``forget`` once they have lost it.
        """
        for player in players:
            why, key = hindered.get(player), (tournament_id, player)
            _note(self._hindered, key, now, is_on=why is not None)
            _note(self._away, key, now, is_on=why not in (None, NO_SESSION))
        over = {player: left for player in hindered if (left := self._left(tournament_id, player, now)) <= 0}
        return sorted(over, key=lambda player: over[player])

    def forget(self, tournament_id: str, players: Collection[int]) -> None:
        """Lets the next game of each of these players wait anew."""
        for player in players:
            self._forget((tournament_id, player))

    def keep_only(self, ids: Collection[str]) -> None:
        """Forgets the players of all other tournaments."""
        for key in [key for key in self._hindered if key[0] not in ids]:
            self._forget(key)

    def _left(self, tournament_id: str, player: int, now: float) -> float:
        """How much longer a player who is hindered is awaited, in seconds."""
        key = tournament_id, player
        end = self._hindered[key] + self._seconds * SESSION_WAITS
        return min(end, self._away.get(key, end) + self._seconds) - now

    def _forget(self, key: _Player) -> None:
        self._hindered.pop(key, None)
        self._away.pop(key, None)


def _note(since: dict[_Player, float], key: _Player, now: float, *, is_on: bool) -> None:
    if is_on:
        since.setdefault(key, now)
    else:
        since.pop(key, None)
