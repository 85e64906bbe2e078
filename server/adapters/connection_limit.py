"""A limit on the open connections of one client address, on all ports together."""

import logging
from collections.abc import Callable, Sequence

from server.domain.client_address import Network, client_address, is_within
from server.domain.errors import ApiError
from server.services.address_limits import AddressLimit

log = logging.getLogger(__name__)


class ConnectionLimit:
    """Counts the open connections of each client address.

    Connections of trusted proxies are not limited, as each carries many clients, and neither are those of this machine.
    """

    def __init__(self, most: int, trusted: Sequence[Network] = ()) -> None:
        """``most`` per address; 0 for any number."""
        self._limit = AddressLimit(most, "connections")
        self._trusted = trusted
        self._reported: set[str] = set()
        """Addresses whose refusals are in the log, until they have no connection any more."""

    def open(self, peer: str | None) -> Callable[[], None]:
        """Counts one more connection; the result closes it. ApiError where the address has as many as it may."""
        address = None if is_within(peer, self._trusted) else client_address(peer, (), ())
        try:
            self._limit.take(address)
        except ApiError as refusal:
            if address is not None and address not in self._reported:
                self._reported.add(address)
                log.warning("connections of %s are refused: %s", address, refusal.text)
            raise

        def close() -> None:
            self._limit.give_back(address)
            if address is not None and not self._limit.has(address):
                self._reported.discard(address)

        return close
