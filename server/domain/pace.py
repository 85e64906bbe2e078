"""How fast a client may send: a token bucket, and how long it may be held back. Pure: callers pass the time."""

import math
from dataclasses import dataclass, replace


@dataclass(frozen=True, slots=True)
class PaceLimits:
    """``per_second`` messages are taken, and ``burst`` at once after a pause; 0 a second: as many as come.

    A client that has to be held back for ``patience`` seconds on end is given up.
    """

    per_second: float = 50.0
    burst: int = 500
    patience: float = 10.0

    def without_end(self) -> "PaceLimits":
        """The same for clients that are only slowed down."""
        return replace(self, patience=math.inf)


class Throttle:
    """The messages of one client. ``now`` is in seconds of any clock that does not go back."""

    def __init__(self, limits: PaceLimits, now: float) -> None:
        self._limits = limits
        self._tokens = float(limits.burst)
        self._refilled_at = now
        self._held_since: float | None = None

    def take(self, now: float) -> float:
        """Counts a message; in how many seconds it may be handled, 0 as long as there are tokens."""
        if self._limits.per_second == 0:
            return 0.0
        self._refill(now)
        self._tokens -= 1
        if self._tokens >= 0:
            self._held_since = None
        elif self._held_since is None:
            self._held_since = now
        return self.wait(now)

    def wait(self, now: float) -> float:
        """In how many seconds the messages counted so far may all have been handled."""
        self._refill(now)
        return max(0.0, -self._tokens / self._limits.per_second) if self._limits.per_second else 0.0

    def give_back(self) -> None:
        """The last message does not count."""
        self._tokens += 1

    def is_exhausted(self, now: float) -> bool:
        """Whether the client has been held back for too long."""
        return self._held_since is not None and now - self._held_since >= self._limits.patience

    def _refill(self, now: float) -> None:
        earned = (now - self._refilled_at) * self._limits.per_second
        self._tokens, self._refilled_at = min(self._limits.burst, self._tokens + earned), now
