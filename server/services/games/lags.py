"""The lag of players: how long a round trip over their game sockets takes. For the sockets of this process."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from server.ports.store import Player

HalfTrip = Callable[[], int]
"""Measures the lag of a connection: half its round trip, in milliseconds."""


class Lags:
    """The open game sockets of players, by game and seat."""

    def __init__(self) -> None:
        self._lines: dict[Player, list[HalfTrip]] = {}

    @contextmanager
    def known(self, player: Player, line: HalfTrip) -> Iterator[None]:
        """Measures the player's lag with this connection for the duration of the context."""
        lines = self._lines.setdefault(player, [])
        lines.append(line)
        try:
            yield
        finally:
            lines.remove(line)
            if not lines:
                self._lines.pop(player, None)

    def round_trip_ms(self, player: Player) -> int:
        """The round trip over the best connection of a player, in milliseconds; 0 without one."""
        return 2 * min((line() for line in self._lines.get(player, ())), default=0)
