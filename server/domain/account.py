"""What one client may spend of a resource over time: an account that is refilled steadily. Callers pass the time."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Allowance:
    """``per_second`` of a resource, and up to ``most`` of it at once after a pause. ``per_second`` 0: no limit."""

    per_second: float
    most: float


class Account:
    """The balance of one client, which may be overdrawn: a cost is known only once it has been paid.

    ``now`` is in seconds of any monotonic clock.
    """

    def __init__(self, allowance: Allowance, now: float) -> None:
        self._allowance = allowance
        self._balance = allowance.most
        self._at = now

    def wait(self, now: float) -> float:
        """Returns in how many seconds the balance is positive again; 0 if it is now."""
        balance = self._refilled(now)
        return 0.0 if balance > 0 else max(-balance / self._allowance.per_second, 0.001)

    def charge(self, cost: float, now: float) -> None:
        """Takes ``cost`` from the balance."""
        self._balance, self._at = self._refilled(now) - cost, now

    def is_full(self, now: float) -> bool:
        """Whether the account is as good as a new one."""
        return self._refilled(now) >= self._allowance.most

    def _refilled(self, now: float) -> float:
        earned = (now - self._at) * self._allowance.per_second
        return min(self._allowance.most, self._balance + earned)
