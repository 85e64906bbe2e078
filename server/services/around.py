"""What bots and evaluations work with, and how long they wait for others. Put together by ``server.thinking``."""

from collections.abc import Callable
from dataclasses import dataclass

from server.services.bgs import BgsHost
from server.services.games import Games
from server.services.presence import Presence
from server.services.roster import Roster


@dataclass(frozen=True, slots=True)
class Patience:
    """How long to wait, in seconds.

    ``rejoin``: for a bot's client after a restart of the server. ``arrival``: for a human player's socket
    before an attached bot that has the first move is asked all the same. ``pool_idle`` and ``attached_idle``:
    for the next move before a session is ended, to be rebuilt when that move comes.
    """

    rejoin: float = 90.0
    arrival: float = 3.0
    pool_idle: float = 600.0
    attached_idle: float = 86_400.0


@dataclass(frozen=True, slots=True)
class Around:
    """What every one of them works with. ``now`` is in seconds."""

    games: Games
    roster: Roster
    host: BgsHost
    presence: Presence
    patience: Patience
    now: Callable[[], float]
