"""When players were last connected, as far as this is recent."""

from collections import OrderedDict
from collections.abc import Callable

from server.ports.store import Player


class Departures:
    """The players who have left within the last ``remembered_ms``; earlier ones are forgotten.

    ``now`` returns milliseconds since the epoch. Whoever left before this server started counts as seen at its start.
    """

    def __init__(self, remembered_ms: int, now: Callable[[], int]) -> None:
        self.remembered_ms = remembered_ms
        self._now = now
        self._started = now()
        self._left: OrderedDict[Player, int] = OrderedDict()
        """The first to leave is first."""

    def note(self, player: Player) -> None:
        """Notes that the player has just left, or made a request without a lasting connection."""
        now = self._now()
        self._left[player] = now
        self._left.move_to_end(player)
        while next(iter(self._left.values())) < now - self.remembered_ms:
            self._left.popitem(last=False)

    def last_seen(self, player: Player) -> int:
        """When a player who is not connected now was last connected; any time before if it is long ago."""
        return self._left.get(player, self._started)

    def __len__(self) -> int:
        """The number of players remembered."""
        return len(self._left)
