"""Counts the unfinished games that each client address has opened.

A game may end on another server, so ``OpenedGamesWatch`` follows all games. The ``games`` service owns both.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from protocols.values import Status
from server.domain.game import GameState
from server.ports.store import Listing, ListingQuery, Store
from server.services.address_limit import AddressLimit
from server.services.cluster.bus import Bus
from server.services.cluster.changes import Change
from server.services.cluster.games_reader import GamesReader
from server.services.tasks import Tasks

GAME_SECONDS = 3600.0
"""How long an unfinished game counts, since most games against bots are never finished."""

LIVE = (Status.OPEN, Status.PLAYING)


class OpenedGames:
    """The unfinished games that each address has opened in the last ``GAME_SECONDS``."""

    def __init__(self, most: int, now: Callable[[], float]) -> None:
        self._limit = AddressLimit(most, "unfinished games")
        self._now = now
        self._opened: dict[str, tuple[str, float]] = {}
        """Address and time by game id, the oldest first."""

    @property
    def ids(self) -> set[str]:
        """The ids of the games that count."""
        return set(self._opened)

    @property
    def refused(self) -> int:
        """The number of refusals since the start."""
        return self._limit.refused

    @contextmanager
    def opening(self, address: str | None) -> Iterator[Callable[[str], None]]:
        """Counts a game while it is being opened; the caller passes its id to the yielded function.

        ApiError ``too-many-requests`` if the address has too many games.
        """
        self._forget_old()
        self._limit.take(address)
        opened: list[str] = []
        try:
            yield opened.append
        finally:
            if address is not None and opened:
                self._opened[opened[0]] = address, self._now()
            else:
                self._limit.give_back(address)

    def end(self, game_id: str) -> None:
        """Stops counting a game."""
        address, _ = self._opened.pop(game_id, (None, 0.0))
        self._limit.give_back(address)

    def _forget_old(self) -> None:
        oldest = self._now() - GAME_SECONDS
        while self._opened:
            game_id, (_, opened_at) = next(iter(self._opened.items()))
            if opened_at >= oldest:
                return
            self.end(game_id)


class OpenedGamesWatch:
    """Removes games from ``opened`` as soon as this server learns that they are over."""

    def __init__(self, opened: OpenedGames, bus: Bus, store: Store) -> None:
        self._opened = opened
        self._bus = bus
        self._store = store
        self._tasks = Tasks()

    def start(self) -> None:
        """Starts to follow all games."""
        changes = GamesReader(self._bus, lambda change: not change.state.is_live, _is_over)
        self._tasks.start(changes.follow(self._take, self._take_row, self._read_again))

    async def stop(self) -> None:
        """Stops following."""
        await self._tasks.stop()

    def see(self, state: GameState) -> None:
        """Processes the state of a game that was read from the store."""
        if not state.is_live:
            self._opened.end(state.id)

    async def _take(self, change: Change) -> None:
        self.see(change.state)

    async def _take_row(self, row: Listing) -> None:
        self._opened.end(row.game_id)

    async def _read_again(self) -> None:
        """Removes the games that the store does not list as live."""
        opened = self._opened.ids
        if not opened:
            return
        for status in LIVE:
            listings = await self._store.listings(ListingQuery(status=status.value))
            opened -= {listing.game_id for listing in listings}
        for game_id in opened:
            self._opened.end(game_id)


def _is_over(row: Listing) -> bool:
    return row.status not in LIVE
