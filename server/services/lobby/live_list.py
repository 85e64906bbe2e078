"""The list of live games, kept in memory, and the changes to send to its followers.

Pure: takes and returns values. Used by ``lobby``.
"""

from collections import OrderedDict
from collections.abc import Callable

from protocols.play.lobby import LiveGame, LobbyContents, RemovedGame

LobbyChange = LiveGame | RemovedGame
"""A change that followers of the list are sent."""


class LiveList:
    """At most ``limit`` games; beyond that, the one not updated for the longest time is removed.

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

    def put(self, live: LiveGame) -> list[LobbyChange]:
        """Adds or updates a game; ignores a state older than the listed one."""
        known = self._games.get(live.game_id)
        if known is not None and known.game.updated_at > live.game.updated_at:
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

    def _make_room(self) -> list[LobbyChange]:
        if len(self._games) <= self._limit:
            return []
        return self.drop(next(iter(self._games)))
