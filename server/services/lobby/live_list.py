"""The list of live games, kept in memory, and the changes to send to its followers.

Pure: takes and returns values. Used by ``lobby``, which says how many games it has at most.
"""

from collections import OrderedDict
from collections.abc import Callable

from protocols.play.lobby import LiveGame, LobbyContents, RemovedGame

STILL_MS = 60_000
"""How long a game must not have changed to make room for another one."""

LobbyChange = LiveGame | RemovedGame
"""A change that followers of the list are sent."""


class LiveList:
    """At most ``limit`` games; beyond that, a game takes the place of one that has not changed for ``STILL_MS``.

    Methods that change the list return the changes for its followers.
    """

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._games: OrderedDict[str, LiveGame] = OrderedDict()
        self._contents: LobbyContents | None = None

    @property
    def contents(self) -> LobbyContents:
        """All live games, the latest move first."""
        if self._contents is None:
            by_move = sorted(self._games.values(), key=lambda live: live.game.last_move_at, reverse=True)
            self._contents = LobbyContents(tuple(by_move))
        return self._contents

    def find(self, game_id: str) -> LiveGame | None:
        """Returns a game as listed; None if it is not in the list."""
        return self._games.get(game_id)

    def takes(self, game_id: str, now: int) -> bool:
        """Whether the list has this game, or room for one that changes at the time ``now``."""
        return game_id in self._games or len(self._games) < self._limit or self._oldest <= now - STILL_MS

    def put(self, live: LiveGame) -> list[LobbyChange]:
        """Adds or updates a game; ignores one for which there is no room, and a state older than the listed one."""
        known = self._games.get(live.game_id)
        if known is not None and known.game.updated_at > live.game.updated_at:
            return []
        if not self.takes(live.game_id, live.game.updated_at):
            return []
        self._games[live.game_id] = live
        self._games.move_to_end(live.game_id)
        self._contents = None
        changes: list[LobbyChange] = [] if known is not None and known.shows_what(live) else [live]
        return changes + self._make_room()

    def drop(self, game_id: str) -> list[LobbyChange]:
        """Removes a game, if it is in the list."""
        gone = self._games.pop(game_id, None)
        if gone is None:
            return []
        self._contents = None
        return [RemovedGame(gone.game)]

    def sweep(self, oldest: int, is_attended: Callable[[str], bool]) -> list[LobbyChange]:
        """Removes the games that have not changed since ``oldest`` and have no open connections."""
        still = [name for name, live in self._games.items() if live.game.updated_at < oldest]
        return [changes for name in still if not is_attended(name) for changes in self.drop(name)]

    @property
    def _oldest(self) -> int:
        """When the game changed that has not changed for the longest time."""
        return next(iter(self._games.values())).game.updated_at

    def _make_room(self) -> list[LobbyChange]:
        if len(self._games) <= self._limit:
            return []
        return self.drop(next(iter(self._games)))
