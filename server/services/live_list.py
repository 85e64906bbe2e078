"""The games that are being played, kept in memory for lists, and what those who follow them have to be told.

Values in, values out: ``lobby`` drives both.
"""

from collections import OrderedDict
from collections.abc import Callable

from protocols.play.lobby import Gallery, GoneGame, LiveGame

News = LiveGame | GoneGame
"""What followers of the list are told."""


class LiveList:
    """At most ``limit`` games; the one that was heard of least lately makes room for another.

    Each change returns what followers are told of it.
    """

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._games: OrderedDict[str, LiveGame] = OrderedDict()
        self._gallery: Gallery | None = None

    @property
    def gallery(self) -> Gallery:
        """All of them, the latest move first."""
        if self._gallery is None:
            by_move = sorted(self._games.values(), key=lambda live: live.game.last_move_at, reverse=True)
            self._gallery = Gallery(tuple(by_move))
        return self._gallery

    def find(self, game_id: str) -> LiveGame | None:
        """The game as it is listed."""
        return self._games.get(game_id)

    def put(self, live: LiveGame) -> list[News]:
        """A game has begun or changed; what is older than what is known of it is passed over."""
        known = self._games.get(live.game_id)
        if known is not None and known.game.updated_at > live.game.updated_at:
            return []
        self._games[live.game_id] = live
        self._games.move_to_end(live.game_id)
        self._gallery = None
        news: list[News] = [] if known is not None and known.shows_what(live) else [live]
        return news + self._make_room()

    def drop(self, game_id: str) -> list[News]:
        """The game is not played any more."""
        gone = self._games.pop(game_id, None)
        if gone is None:
            return []
        self._gallery = None
        return [GoneGame(gone.game)]

    def sweep(self, oldest: int, is_attended: Callable[[str], bool]) -> list[News]:
        """Drops the games that have not changed since ``oldest`` and that nobody attends."""
        still = [name for name, live in self._games.items() if live.game.updated_at < oldest]
        return [news for name in still if not is_attended(name) for news in self.drop(name)]

    def _make_room(self) -> list[News]:
        if len(self._games) <= self._limit:
            return []
        return self.drop(next(iter(self._games)))
