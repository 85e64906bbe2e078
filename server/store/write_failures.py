"""Logs failures to write to the database: one line when they begin, and one when they are over."""

import logging
from collections.abc import Callable
from time import monotonic

log = logging.getLogger(__name__)

QUIET_SECONDS = 5.0
"""Seconds without a failure after which the failures are over: a nearly full disk still accepts small writes."""


class WriteFailures:
    """Tracks the outcome of every write. ``now`` returns seconds."""

    def __init__(self, now: Callable[[], float] = monotonic) -> None:
        self._now = now
        self._failed_at: float | None = None
        """When the last write failed; None once the failures are over."""

    def failed(self, reason: str) -> None:
        """Records a failed write."""
        if self._failed_at is None:
            log.warning("the database cannot be written: %s. Moves and new games are refused.", reason)
        self._failed_at = self._now()

    def succeeded(self) -> None:
        """Records a durable write."""
        if self._failed_at is not None and self._now() - self._failed_at >= QUIET_SECONDS:
            log.info("the database can be written again")
            self._failed_at = None
