"""What one client address may have at once: a count of each thing that is limited. Part of ``services.admission``."""

from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from server.domain.errors import ApiError, Code

RETRY_MS = 5000
"""When to ask again after a refusal."""

GAME_SECONDS = 3600.0
"""How long an unfinished game counts for the address that opened it: most games against bots are never finished."""


class AddressLimit:
    """So many of one thing for each client address at once; 0: any number. Nobody's address is None: no limit."""

    def __init__(self, most: int, what: str) -> None:
        self._most = most
        self._what = what
        self._counts: Counter[str] = Counter()
        self.refused = 0
        """Refusals since the start."""

    def check(self, address: str | None) -> None:
        """ApiError ``too-many-requests`` when the address has as many as it may."""
        if address is not None and 0 < self._most <= self._counts[address]:
            self.refused += 1
            text = f"At most {self._most} {self._what} at once from one address."
            raise ApiError(Code.TOO_MANY_REQUESTS, text, limit=self._most, retry_after_ms=RETRY_MS)

    def has(self, address: str) -> bool:
        """Whether the address has any."""
        return address in self._counts

    def take(self, address: str | None) -> None:
        """One more; ApiError as from ``check``."""
        self.check(address)
        self.add(address)

    def add(self, address: str | None) -> None:
        """One more, whatever the limit."""
        if address is not None:
            self._counts[address] += 1

    def give_back(self, address: str | None) -> None:
        """One less."""
        if address is not None:
            self._counts[address] -= 1
            if self._counts[address] <= 0:
                del self._counts[address]

    @contextmanager
    def holding(self, address: str | None) -> Iterator[None]:
        """One more for as long as this lasts; ApiError as from ``check``."""
        self.take(address)
        try:
            yield
        finally:
            self.give_back(address)


class OpenedGames:
    """The unfinished games that each address has opened in the last ``GAME_SECONDS``."""

    def __init__(self, most: int, now: Callable[[], float]) -> None:
        self._limit = AddressLimit(most, "unfinished games")
        self._now = now
        self._opened: dict[str, tuple[str, float]] = {}
        """Address and time by game, the oldest first."""

    @property
    def refused(self) -> int:
        """Refusals since the start."""
        return self._limit.refused

    @contextmanager
    def opening(self, address: str | None) -> Iterator[Callable[[str], None]]:
        """The address opens a game and then tells its id; ApiError ``too-many-requests`` when it has too many."""
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
        """The game is over."""
        address, _ = self._opened.pop(game_id, (None, 0.0))
        self._limit.give_back(address)

    def _forget_old(self) -> None:
        oldest = self._now() - GAME_SECONDS
        while self._opened:
            game_id, (_, opened_at) = next(iter(self._opened.items()))
            if opened_at >= oldest:
                return
            self.end(game_id)
