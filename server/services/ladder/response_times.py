"""How long bots thought in their latest games, read from the logs, each of which is read once."""

from collections import OrderedDict
from collections.abc import Mapping, Sequence
from typing import Final, Protocol

from server.domain.events import Recorded
from server.domain.ladder.players import bot_of
from server.domain.ladder.results import RatedResult
from server.domain.ladder.thinking import ThinkingTime, Thought, thinking_time, thoughts
from server.services.heavy_work import HeavyWork

LATEST: Final = 20
"""In how many games."""

MOST_KEPT: Final = 5000
"""Of how many games the times are kept, about 10 KiB each for a long one."""

BySeat = Mapping[int, Sequence[Thought]]


class LogStore(Protocol):
    """The part of the store that has the logs."""

    async def events(self, game_id: str, *, after: int = 0, until: int | None = None) -> list[Recorded]:
        """See ``ports.store.Store``."""
        ...


class ResponseTimes:
    """The times of the games that were asked about last."""

    def __init__(self, store: LogStore, work: HeavyWork) -> None:
        self._store = store
        self._work = work
        self._kept: OrderedDict[str, BySeat] = OrderedDict()

    async def of(self, bot: str, results: Sequence[RatedResult]) -> ThinkingTime | None:
        """Returns how long a bot thought in the latest of its ``results``, newest first. Raises ApiError."""
        games: list[tuple[str, Sequence[Thought]]] = []
        for result in results[:LATEST]:
            own = next(seat for seat, player in enumerate(result.players) if bot_of(player) == bot)
            games.append((result.game_id, (await self._in_game(result.game_id)).get(own, ())))
        return thinking_time(games)

    async def _in_game(self, game_id: str) -> BySeat:
        """The times in a game that is over; none if it has been deleted."""
        found = self._kept.get(game_id)
        if found is None:
            self._work.check()
            log = await self._store.events(game_id)
            found = self._kept[game_id] = await self._work.run(thoughts, log)
            if len(self._kept) > MOST_KEPT:
                self._kept.popitem(last=False)
        self._kept.move_to_end(game_id)
        return found
