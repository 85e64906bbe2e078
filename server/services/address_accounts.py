"""What the clients of each address may spend over time: processor time, or bytes in the database.

``address_limit`` limits what they may have at once.
"""

from collections.abc import Callable

from server.domain.account import Account, Allowance
from server.domain.client_address import SITE_FACTOR, names_of
from server.domain.errors import ApiError, Code

KEPT = 1000
"""With fewer accounts than this, full ones are kept too."""


class AddressAccounts:
    """An account for each client address and for each IPv6 site; there is none for None, and no limit without a rate.

    ``what`` names the resource in error messages.
    """

    def __init__(self, allowance: Allowance, what: str, now: Callable[[], float]) -> None:
        """``now`` returns seconds of a monotonic clock."""
        self._allowance = allowance
        self._of_sites = Allowance(allowance.per_second * SITE_FACTOR, allowance.most * SITE_FACTOR)
        self._what = what
        self._now = now
        self._accounts: dict[str, Account] = {}
        self._forget_at = KEPT
        """With how many accounts full ones are looked for: each time twice as many as were left."""
        self.refused = 0
        """The number of refusals since the start."""

    def check(self, address: str | None) -> None:
        """ApiError ``too-many-requests`` if the address has overdrawn its account."""
        wait = self.wait(address)
        if wait > 0:
            self.refused += 1
            text = f"Your address has used too much {self._what}."
            raise ApiError(Code.TOO_MANY_REQUESTS, text, retry_after_ms=int(wait * 1000) + 1)

    def wait(self, address: str | None) -> float:
        """Returns in how many seconds the account of the address is no longer overdrawn; 0 if it is not."""
        now = self._now()
        return max((account.wait(now) for account in self._known(address)), default=0.0)

    def charge(self, address: str | None, cost: float) -> None:
        """Takes ``cost`` from the account of the address, which may be overdrawn by that."""
        now = self._now()
        for account in self._known(address):
            account.charge(cost, now)

    def _known(self, address: str | None) -> list[Account]:
        if address is None or self._allowance.per_second == 0:
            return []
        self._forget_full()
        allowances = (self._allowance, self._of_sites)
        return [self._account(*named) for named in zip(names_of(address), allowances, strict=False)]

    def _account(self, name: str, allowance: Allowance) -> Account:
        account = self._accounts.get(name)
        if account is None:
            account = self._accounts[name] = Account(allowance, self._now())
        return account

    def _forget_full(self) -> None:
        if len(self._accounts) < self._forget_at:
            return
        now = self._now()
        kept = {name: account for name, account in self._accounts.items() if not account.is_full(now)}
        self._accounts, self._forget_at = kept, max(KEPT, 2 * len(kept))
