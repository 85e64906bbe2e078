"""Reads the changes of all games: those of this process whole, those of other processes as rows of lists."""

from collections.abc import Awaitable, Callable
from typing import TypeVar

from server.ports.store import Listing
from server.services.cluster.bus import Bus, everything
from server.services.cluster.changes import ALL_GAMES, Change, RemoteChanges, RemoteChangesMissed
from server.services.cluster.topic_reader import TopicReader

T = TypeVar("T")
Handle = Callable[[T], Awaitable[None]]


class GamesReader:
    """The changes for one service. ``wants`` and ``wants_row`` return whether it needs a change, or a row."""

    def __init__(
        self,
        bus: Bus,
        wants: Callable[[Change], bool] = everything,
        wants_row: Callable[[Listing], bool] = everything,
    ) -> None:
        self._wants = wants
        self._wants_row = wants_row
        self._reader = TopicReader(bus, ALL_GAMES, self._concerns)

    async def follow(
        self, take: Handle[Change], take_row: Handle[Listing], read_again: Callable[[], Awaitable[None]]
    ) -> None:
        """Handles changes endlessly; ``read_again`` is called after some may have been missed. As ``TopicReader``."""

        async def handle(message: Change | RemoteChanges | RemoteChangesMissed) -> None:
            match message:
                case Change():
                    await take(message)
                case RemoteChanges(listings=rows):
                    for row in filter(self._wants_row, rows):
                        await take_row(row)
                case RemoteChangesMissed():
                    await read_again()

        await self._reader.follow(handle, read_again)

    def _concerns(self, message: object) -> bool:
        match message:
            case Change():
                return self._wants(message)
            case RemoteChanges(listings=rows):
                return any(map(self._wants_row, rows))
            case _:
                return True
