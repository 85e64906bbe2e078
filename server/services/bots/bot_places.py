"""The places for attached clients without an official bot: who gets one, and who gives way.

A client that has attached before comes first: it shows the secret of its id. If all places are taken, it gets that of
a guest that plays no game. A guest gets one only from a guest that has played nothing for ``IDLE_SECONDS``.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Final

from protocols.bgs.attach import AttachError, RejectionCode
from server.domain.account import Allowance
from server.domain.errors import ApiError
from server.ports.analysts import ConnectedClient
from server.services.address_accounts import AddressAccounts
from server.services.address_limit import AddressLimit

IDLE_SECONDS: Final = 600.0

ATTACHMENTS: Final = Allowance(per_second=0.5, most=30.0)
"""How often the clients of one address may attach: each time, their id is stored."""

TRY_AGAIN_LATER: Final = 1013
"""The close code of a client that has given way."""

GIVES_WAY: Final = "another client needs the place; attach again later"
AGAIN: Final = "try again in a minute"


@dataclass(slots=True)
class _Place:
    client: ConnectedClient
    is_guest: bool
    since: float
    """When the client attached, or was last seen in a game, in seconds of a monotonic clock."""


class BotPlaces:
    """The places of one server."""

    def __init__(
        self,
        most: int,
        of_address: AddressLimit,
        now: Callable[[], float],
        plays: Callable[[ConnectedClient], bool],
    ) -> None:
        """``most``: 0 for no limit. ``plays`` returns whether a bot of the client is in a running game."""
        self._most = most
        self._of_address = of_address
        self._now = now
        self._plays = plays
        self._taken: list[_Place] = []
        self._attached = AddressAccounts(ATTACHMENTS, "of the attachments in a short time", now)

    def check_rate(self, client: ConnectedClient) -> None:
        """AttachError if the clients of its address attach too often, be it to guess a secret."""
        with _refusing():
            self._attached.check(client.address)

    def make_room(self, client: ConnectedClient, *, is_guest: bool) -> None:
        """Makes sure that a place is free for a client; AttachError otherwise."""
        with _refusing():
            self._of_address.check(client.address)
        if not 0 < self._most <= len(self._taken):
            return
        idle = self._longest_idle(0.0 if not is_guest else IDLE_SECONDS)
        if idle is None:
            text = f"{self._most} bot clients are connected already; {AGAIN}"
            raise AttachError(RejectionCode.TOO_MANY_CLIENTS, text)
        idle.client.dismiss(TRY_AGAIN_LATER, GIVES_WAY)

    def take(self, client: ConnectedClient, *, is_guest: bool) -> None:
        """Gives a place to a client."""
        self._of_address.add(client.address)
        self._attached.charge(client.address, 1.0)
        self._taken.append(_Place(client, is_guest, self._now()))

    def has(self, client: ConnectedClient | None) -> bool:
        """Whether a client has one of these places."""
        return any(place.client is client for place in self._taken)

    def leave(self, client: ConnectedClient) -> None:
        """Frees the place of a client, if it has one."""
        kept = [place for place in self._taken if place.client is not client]
        if len(kept) < len(self._taken):
            self._of_address.give_back(client.address)
        self._taken = kept

    def _longest_idle(self, seconds: float) -> _Place | None:
        """The guest that has been idle longest, and for that long at least."""
        now = self._now()
        for place in self._taken:
            if place.is_guest and self._plays(place.client):
                place.since = now
        idle = [place for place in self._taken if place.is_guest and not self._plays(place.client)]
        found = min(idle, key=lambda place: place.since, default=None)
        return None if found is None or now - found.since < seconds else found


@contextmanager
def _refusing() -> Iterator[None]:
    try:
        yield
    except ApiError as refusal:
        text = f"{refusal.text} {AGAIN.capitalize()}."
        raise AttachError(RejectionCode.TOO_MANY_CLIENTS, text) from None
