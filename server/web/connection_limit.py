"""Limits on open connections, over all ports: per client address, and in total."""

import logging
from collections.abc import Callable, Sequence
from time import monotonic

from server.domain.account import Allowance
from server.domain.client_address import Network, client_address, is_within
from server.domain.errors import ApiError, Code
from server.services.address_accounts import AddressAccounts
from server.services.address_limit import AddressLimit

log = logging.getLogger(__name__)

RESERVED_FILES = 256
"""File descriptors that connections leave free: for the database, engines, Redis and local health checks."""

FOR_CHECKS = 64
"""Connections of proxies beyond the total, on which only health checks are answered; at most a quarter of the total."""

RETRY_MS = 5000
"""When to retry after a refusal because of the total, in milliseconds."""

BURST_SECONDS = 10.0
"""After a pause, an address may open as many connections at once as otherwise in this time."""

CALM = 0.9
"""The fraction of all connections below which a shortage is over."""


def connections_within(open_files: int) -> int:
    """How many connections to accept given the limit on open files: at least half of it; 0 means no limit."""
    return max(open_files - RESERVED_FILES, open_files // 2) if open_files > 0 else 0


class ConnectionLimit:
    """Counts open connections, in total and by client address.

    Connections of trusted proxies count towards the total only. Each carries many clients, so only their WebSockets
    count for an address, the one that the proxy reports. Connections from this machine are not limited, unless it is
    a trusted proxy.
    """

    def __init__(
        self, per_address: int, trusted: Sequence[Network] = (), total: int = 0, per_second: float = 0.0
    ) -> None:
        """``per_address`` and ``total``: 0 for no limit. ``per_second``: new ones per address; 0 for no limit."""
        self._addresses = AddressLimit(per_address, "connections")
        self._opened = AddressAccounts(
            Allowance(per_second, per_second * BURST_SECONDS), "of the connections in a short time", monotonic
        )
        self._total = _Total(total)
        self._most_for_checks = min(FOR_CHECKS, total // 4)
        self._for_checks = 0
        self._trusted = trusted
        self._reported: set[str] = set()
        """Addresses whose refusals have been logged and which still have connections."""
        self._silent: set[str | None] = set()
        """Trusted proxies that do not name their clients, each logged once."""
        self.on_refused: Callable[[str], object] = lambda _: None
        """Called for each refusal, with the limit that was reached: ``address`` or ``total``."""

    @property
    def count(self) -> int:
        """The number of open connections that count towards the total."""
        return self._total.open

    @property
    def total(self) -> int:
        """The most connections; 0: no limit."""
        return self._total.most

    def open(self, peer: str | None) -> Callable[[], None]:
        """Counts a new connection; calling the result closes it.

        ApiError ``too-many-requests`` at the limit of its address, ``unavailable`` at the limit of all clients.
        """
        is_proxy = self._is_proxy(peer)
        address = None if is_proxy else client_address(peer, (), ())
        if address is None and not is_proxy:
            return nothing
        self._take(address)
        try:
            self._total.take()
        except ApiError:
            self._give_back(address)
            self.on_refused("total")
            raise

        def close() -> None:
            self._give_back(address)
            self._total.give_back()

        return close

    def open_socket(self, peer: str | None, forwarded_for: Sequence[str]) -> Callable[[], None]:
        """Counts a WebSocket for the client behind a trusted proxy; calling the result closes it.

        ``forwarded_for``: the values of its ``X-Forwarded-For`` headers; without any, the client is unknown and only
        the limit in total applies. ApiError ``too-many-requests``.
        """
        if not self._is_proxy(peer):
            return nothing
        if not forwarded_for:
            if peer not in self._silent:
                self._silent.add(peer)
                log.warning(
                    "the proxy %s sends no X-Forwarded-For: its clients' sockets are not limited", peer
                )
            return nothing
        address = client_address(peer, forwarded_for, self._trusted)
        self._take(address)
        return lambda: self._give_back(address)

    def open_for_checks(self, peer: str | None) -> Callable[[], None] | None:
        """Counts a connection of a trusted proxy that ``open`` has refused, for health checks only.

        Calling the result closes it. None for other peers, and if too many of these are open.
        """
        if not self._is_proxy(peer) or self._for_checks >= self._most_for_checks:
            return None
        self._for_checks += 1

        def close() -> None:
            self._for_checks -= 1

        return close

    def _is_proxy(self, peer: str | None) -> bool:
        return is_within(peer, self._trusted)

    def _take(self, address: str | None) -> None:
        try:
            self._opened.check(address)
            self._addresses.take(address)
            self._opened.charge(address, 1.0)
        except ApiError as refusal:
            self.on_refused("address")
            if address is not None and address not in self._reported:
                self._reported.add(address)
                log.warning("refusing connections from %s: %s", address, refusal.text)
            raise

    def _give_back(self, address: str | None) -> None:
        self._addresses.give_back(address)
        if address is not None and not self._addresses.has(address):
            self._reported.discard(address)


class _Total:
    """The number of all connections. A shortage is logged once."""

    def __init__(self, most: int) -> None:
        self.most = most
        self.open = 0
        self._is_short = False

    def take(self) -> None:
        """Counts one more; ApiError ``unavailable`` at the limit."""
        if 0 < self.most <= self.open:
            if not self._is_short:
                self._is_short = True
                log.warning("all %d connections are in use: more are refused", self.most)
            text = "The server has as many connections as it can take."
            raise ApiError(Code.UNAVAILABLE, text, limit=self.most, retry_after_ms=RETRY_MS)
        self.open += 1

    def give_back(self) -> None:
        """Counts one less."""
        self.open -= 1
        if self._is_short and self.open < self.most * CALM:
            self._is_short = False
            log.info("connections are accepted again")


def nothing() -> None:
    """Does nothing, for a connection that is not counted."""
