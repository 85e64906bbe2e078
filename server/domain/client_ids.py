"""Who a bot client's id belongs to: what is stored of it, and what a secret proves.

Ids are public and there are no accounts, so an id belongs to whoever attached with it first and can show the resume
secret that it was given. Somebody else may use the id while its owner is not connected, as a guest with a secret of its
own, but cannot take it from the owner. Only hashes are kept.
"""

import hmac
from dataclasses import dataclass, field, replace
from enum import Enum, auto

from server.domain.tokens import hash_token


@dataclass(frozen=True, slots=True)
class ClientId:
    """One id. ``owner`` and ``guest`` are hashes of secrets; the guest is whoever attached last without the owner's.

    ``is_used``: the owner's secret, or a guest's, has been used to resume. ``is_official``: a client with an official
    bot has attached under the id. ``seen_at`` is the last attachment, in milliseconds since the epoch.
    """

    client_id: str
    owner: str
    seen_at: int
    guest: str | None = None
    is_used: bool = False
    is_official: bool = False


class Proof(Enum):
    """What the secret of an attachment proves."""

    NOTHING = auto()
    OWNER = auto()
    GUEST = auto()


def proof_of(known: ClientId | None, secret: str | None) -> Proof:
    """What ``secret`` proves for an id of which ``known`` is stored."""
    if known is None or secret is None:
        return Proof.NOTHING
    digest = hash_token(secret)
    if hmac.compare_digest(known.owner, digest):
        return Proof.OWNER
    if known.guest is not None and hmac.compare_digest(known.guest, digest):
        return Proof.GUEST
    return Proof.NOTHING


@dataclass(frozen=True, slots=True)
class Wish:
    """An attachment that asks for an id. ``is_official``: it has shown the token of official bots."""

    client_id: str
    secret: str | None = field(default=None, repr=False)
    is_official: bool = False


@dataclass(frozen=True, slots=True)
class Grant:
    """The id is given to the client of a wish.

    ``stored`` is what is to be kept of the id, ``secret`` what the client resumes with from now on; both are None for
    a client that leaves no trace. ``inherits``: the games of the id that wait since a restart go on with it.
    """

    stored: ClientId | None
    secret: str | None = field(repr=False)
    inherits: bool = True


def grant(wish: Wish, known: ClientId | None, new_secret: str, now: int, *, is_awaited: bool) -> Grant:
    """What the client of ``wish`` gets. ``new_secret`` is for one that proves nothing.

    ``is_awaited``: games of the id wait for its client since a restart. Once a secret of the id has been used they do
    not go on with a stranger, who gets no secret then: it would count for that of the client that they wait for.
    """
    if known is None:
        stored = ClientId(wish.client_id, hash_token(new_secret), now, is_official=wish.is_official)
        return Grant(stored, new_secret)
    seen = replace(known, seen_at=now, is_official=known.is_official or wish.is_official)
    match proof_of(known, wish.secret):
        case Proof.OWNER:
            return Grant(replace(seen, is_used=True, guest=None), wish.secret)
        case Proof.GUEST:
            return Grant(replace(seen, is_used=True), wish.secret)
        case Proof.NOTHING:
            if is_awaited and known.is_used and not wish.is_official:
                return Grant(None, None, inherits=False)
            return Grant(replace(seen, guest=hash_token(new_secret)), new_secret)
