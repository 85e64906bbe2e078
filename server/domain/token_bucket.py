"""Limits the rate of a client's messages by a token bucket, and how long it may exceed it. Callers pass the time."""

import math
from dataclasses import dataclass, replace


@dataclass(frozen=True, slots=True)
class MessageLimits:
    """At most ``per_second`` messages (0: no limit), and up to ``burst`` at once after a pause.

    A client is disconnected once its messages have been delayed for ``patience`` seconds, less the time in which none
    was: short breaks, also those of a busy server, only postpone it.
    """

    per_second: float = 50.0
    burst: int = 500
    patience: float = 10.0

    def without_end(self) -> "MessageLimits":
        """Returns the same limits for clients that are delayed but never disconnected."""
        return replace(self, patience=math.inf)


class TokenBucket:
    """The messages of one client. ``now`` is in seconds of any monotonic clock."""

    def __init__(self, limits: MessageLimits, now: float) -> None:
        self._limits = limits
        self._tokens = float(limits.burst)
        self._refilled_at = now
        self._due_at = now
        """When the last message may be handled."""
        self._delayed = 0.0
        """Seconds of delay up to ``_due_at``, less the seconds without."""

    def take(self, now: float) -> float:
        """Counts a message and returns in how many seconds it may be handled; 0 while there are tokens."""
        if self._limits.per_second == 0:
            return 0.0
        self._refill(now)
        self._tokens -= 1
        wait = self.wait(now)
        self._delayed = max(0.0, self._delayed - max(0.0, now - self._due_at))
        self._delayed += max(0.0, now + wait - max(now, self._due_at))
        self._due_at = now + wait
        return wait

    def wait(self, now: float) -> float:
        """Returns the seconds until all messages counted so far may have been handled."""
        self._refill(now)
        return max(0.0, -self._tokens / self._limits.per_second) if self._limits.per_second else 0.0

    def give_back(self) -> None:
        """Takes back the count of the last message."""
        self._tokens += 1

    def is_exhausted(self, now: float) -> bool:
        """Whether the client has been delayed for ``patience`` by now."""
        return self._delayed - max(0.0, self._due_at - now) >= self._limits.patience

    def _refill(self, now: float) -> None:
        earned = (now - self._refilled_at) * self._limits.per_second
        self._tokens, self._refilled_at = min(self._limits.burst, self._tokens + earned), now
