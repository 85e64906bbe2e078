"""How the bridge reaches a seat: by which handshake, when it reconnects, and when it gives up.

Times are milliseconds of one clock, always passed in.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from protocols.reconnecting import Pauses
from protocols.uhp.bridge.effects import Dial
from protocols.uhp.bridge.options import ANY, BridgeOptions

_ROLE: Final[Mapping[str, str]] = {"role": "seat", "clock": "1", "secret": "1"}
_SECRETS: Final = {"resume", "token"}
"""Handshake parameters that give access to a seat we already have."""

FIRST_PAUSE_MS, LONGEST_PAUSE_MS = 1_000, 30_000
"""Pauses between attempts to connect: doubled after each failure, up to a maximum."""

UNTIMED_GRACE_MS = 120_000
"""How long a server waits for a disconnected seat in a game without clocks."""


@dataclass(slots=True)
class Outage:
    """A lost connection; the game is lost at ``deadline``."""

    deadline: int
    _pauses: Pauses = field(default_factory=lambda: Pauses(FIRST_PAUSE_MS, LONGEST_PAUSE_MS))

    def next_pause(self, now: int) -> int | None:
        """How long to wait before the next attempt; None if the deadline has passed."""
        if now >= self.deadline:
            return None
        return min(round(self._pauses.next()), self.deadline - now)


def outage(now: int, clock_left_ms: int | None) -> Outage:
    """An outage that starts ``now``, with this much time left for the side to move (None: no clock)."""
    return Outage(now + (UNTIMED_GRACE_MS if clock_left_ms is None else clock_left_ms))


class Link:
    """The way to a seat: to a new one as configured, to the first one by ``place``, and back to any of them.

    ``words`` are added to the handshake parameters from the options. ``is_kept``: the place is that of an earlier
    bridge at the same server.
    """

    def __init__(
        self,
        options: BridgeOptions,
        words: Mapping[str, str],
        place: Mapping[str, str],
        *,
        is_kept: bool = False,
    ) -> None:
        self._options = options
        self._words = words
        self._place = place
        self._kept_at = options.server if is_kept else None
        self.resume: str | None = None
        """The value for resuming the seat, as sent by the server."""

    @property
    def is_taken_up(self) -> bool:
        """Whether the seat is ours before we connect, so that its game may be in progress."""
        return self.resume is not None or not _SECRETS.isdisjoint(self._place)

    @property
    def is_kept(self) -> bool:
        """Whether we connect to the seat of an earlier bridge."""
        return self._kept_at is not None

    @property
    def is_elsewhere(self) -> bool:
        """Whether the seat of an earlier bridge is at another server than the one that is set now."""
        return self._kept_at is not None and self._kept_at != self._options.server

    def forget(self) -> None:
        """The next seat is a new one."""
        self._place, self.resume, self._kept_at = {}, None, None

    def dial(self, game_type: str | None, pause_ms: int = 0) -> Dial:
        """Connects to the current seat, or for a game of this type."""
        return Dial(self._options.server, {**_ROLE, **self._seat(game_type)}, pause_ms)

    def _seat(self, game_type: str | None) -> Mapping[str, str]:
        if self.resume is not None:
            return {"resume": self.resume}
        if "resume" in self._place:
            return self._place
        color = ANY.lower() if self._place else self._options.color  # A game that is named has its open seat.
        wanted = {"type": game_type or "", "color": color, "tc": self._options.time_control}
        return {**wanted, **self._words, **self._place}
