"""How long bots and evaluations wait for others."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class WaitTimes:
    """How long to wait, in seconds.

    ``rejoin``: for a bot's client that has lost its server (the setting ``bot_rejoin_seconds``). ``arrival``: for a
    human player to connect, before an attached bot that has the first move is asked anyway. ``pool_idle`` and
    ``attached_idle``: for the next move, before a session is ended; it is rebuilt when that move comes.
    """

    rejoin: float = 90.0
    arrival: float = 3.0
    pool_idle: float = 600.0
    attached_idle: float = 86_400.0
