"""Limits on what one client address may have at once. Part of ``services.bots.admission``."""

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager

from server.domain.client_address import SITE_FACTOR, names_of, site_of
from server.domain.errors import ApiError, Code

RETRY_MS = 5000
"""When to try again after a refusal."""


class AddressLimit:
    """Allows ``most`` concurrent uses of one kind per client address; 0: no limit. No limit applies to None either.

    The addresses of one IPv6 site have ``SITE_FACTOR`` times as many together.

    ``what`` names the uses in error messages, in the plural.
    """

    def __init__(self, most: int, what: str) -> None:
        self._most = most
        self._what = what
        self._counts: Counter[str] = Counter()
        self.refused = 0
        """The number of refusals since the start."""

    def check(self, address: str | None) -> None:
        """ApiError ``too-many-requests`` if the address has reached the limit."""
        if address is None or self._most == 0:
            return
        if self._most <= self._counts[address] or self._is_site_full(address):
            self.refused += 1
            text = f"At most {self._most} {self._what} at once from one address."
            raise ApiError(Code.TOO_MANY_REQUESTS, text, limit=self._most, retry_after_ms=RETRY_MS)

    def has(self, address: str) -> bool:
        """Whether the address has any uses."""
        return address in self._counts

    def take(self, address: str | None) -> None:
        """Adds a use; ApiError as from ``check``."""
        self.check(address)
        self.add(address)

    def add(self, address: str | None) -> None:
        """Adds a use regardless of the limit."""
        for name in names_of(address):
            self._counts[name] += 1

    def give_back(self, address: str | None) -> None:
        """Removes a use."""
        for name in names_of(address):
            self._counts[name] -= 1
            if self._counts[name] <= 0:
                del self._counts[name]

    def _is_site_full(self, address: str) -> bool:
        site = site_of(address)
        return site is not None and self._most * SITE_FACTOR <= self._counts[site]

    @contextmanager
    def holding(self, address: str | None) -> Iterator[None]:
        """Adds a use for the duration of the context; ApiError as from ``check``."""
        self.take(address)
        try:
            yield
        finally:
            self.give_back(address)
