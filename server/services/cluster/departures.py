"""When players were last connected, as far as this is recent."""

from collections import OrderedDict
from collections.abc import Callable
from time import monotonic

from server.ports.store import Player


class Departures:
    """The players who have left within the last ``seconds``; earlier ones are forgotten.

    ``clock`` returns seconds. Players who left before this server started count as seen at its start.
    """

    def __init__(self, seconds: float, clock: Callable[[], float] = monotonic) -> None:
        self.seconds = seconds
        self._clock = clock
        self._started = clock()
        self._left: OrderedDict[Player, float] = OrderedDict()
        """The first to leave is first."""

    def note(self, player: Player) -> None:
        """Notes that the player has just left, or made a request without a lasting connection."""
        now = self._clock()
        self._left[player] = now
        self._left.move_to_end(player)
        while next(iter(self._left.values())) < now - self.seconds:
            self._left.popitem(last=False)

    def seconds_since(self, player: Player) -> float:
        """How long a player has been away who is not connected now; at least ``seconds`` is exact enough."""
        return self._clock() - self._left.get(player, self._started)

    def __len__(self) -> int:
        """The number of players remembered."""
        return len(self._left)
