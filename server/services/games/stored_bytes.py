"""What clients may add to the database: so much per address and day, and no imports once the disk is nearly full."""

import shutil
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from server.domain.account import Allowance
from server.domain.errors import ApiError, Code
from server.domain.event_codec import write_event_text
from server.domain.events import Event
from server.services.address_accounts import AddressAccounts
from server.services.payer import payer

DAY_SECONDS = 86_400
RETRY_MS = 60_000


class StoredBytes:
    """The quotas of new games and imports."""

    def __init__(
        self,
        most_per_day: float = 0.0,
        reserve: int = 0,
        folder: Path | None = None,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        """``most_per_day``: bytes per client address; 0: no limit. ``reserve``: bytes that imports leave free.

        ``folder``: that of the database; None if it is not on this machine.
        """
        self.accounts = daily_bytes(most_per_day, now)
        self._reserve = reserve
        self._folder = folder

    def check(self) -> None:
        """ApiError ``too-many-requests`` if the client that ``payer`` names has stored too much."""
        self.accounts.check(payer.get())

    def check_import(self) -> None:
        """The same, or ApiError ``unavailable`` if the disk has little room left, which is for the moves of games."""
        self.check()
        if self._folder is not None and shutil.disk_usage(self._folder).free < self._reserve:
            text = "The server's disk is nearly full: games cannot be imported now."
            raise ApiError(Code.UNAVAILABLE, text, retry_after_ms=RETRY_MS)

    def charge(self, size: int) -> None:
        """Counts bytes that were stored for the client that ``payer`` names."""
        self.accounts.charge(payer.get(), size)


def daily_bytes(most: float, now: Callable[[], float] = time.monotonic) -> AddressAccounts:
    """Accounts of what each address may add to the database in a day, in bytes; 0: no limit."""
    return AddressAccounts(Allowance(most / DAY_SECONDS, most), "of the database today", now)


def stored_size(events: Sequence[Event]) -> int:
    """Returns how many bytes events take in the database, roughly. May take long for a long game."""
    return sum(len(write_event_text(event)[1]) for event in events)
