"""Ownership of bot clients' ids: what is stored of an id, and what a secret proves.

Ids are public and there are no accounts, so an id belongs to the client that attached with it first, which proves this
with the resume secret it was given. Another client may use the id as a guest, with its own secret, while the owner is
not connected, but cannot take it over. Only hashes are stored.
"""

import hmac
from dataclasses import dataclass, field, replace
from enum import Enum, auto

from server.domain.tokens import hash_token


@dataclass(frozen=True, slots=True)
class ClientId:
    """One id. ``owner`` and ``guest`` are hashes of secrets; the guest is the last client without the owner's secret.

    ``is_used``: the owner's or a guest's secret has been used to resume. ``is_official``: a client with an official
    bot has attached under the id. ``seen_at`` is the time of the last attachment, in milliseconds since the epoch.
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
    """Returns what ``secret`` proves for an id with the stored record ``known``."""
    if known is None or secret is None:
        return Proof.NOTHING
    digest = hash_token(secret)
    if hmac.compare_digest(known.owner, digest):
        return Proof.OWNER
    if known.guest is not None and hmac.compare_digest(known.guest, digest):
        return Proof.GUEST
    return Proof.NOTHING


@dataclass(frozen=True, slots=True)
class IdClaim:
    """A client's claim to an id. ``is_official``: it has presented the token of official bots."""

    client_id: str
    secret: str | None = field(default=None, repr=False)
    is_official: bool = False


@dataclass(frozen=True, slots=True)
class Grant:
    """The id is granted to the client.

    ``stored`` is the id's new record and ``secret`` the client's resume secret from now on; both are None if nothing is
    to be stored. ``inherits``: games of the id that have been waiting since a restart continue with this client.
    ``is_owner``: the id is the client's, as it was the first one with it.
    """

    stored: ClientId | None
    secret: str | None = field(repr=False)
    inherits: bool = True
    is_owner: bool = False


def grant(claim: IdClaim, known: ClientId | None, new_secret: str, now: int, *, is_awaited: bool) -> Grant:
    """Decides what the client of ``claim`` is granted. ``new_secret`` is for a client that proves nothing.

    A client may have chosen ``new_secret`` itself; it has it then, as if it had resumed with it.

    ``is_awaited``: games of the id have been waiting for its client since a restart. If a secret of the id has ever
    been used, they do not continue with a client that proves nothing. Such a client gets no secret either, because it
    would replace that of the client the games are waiting for.
    """
    if known is None:
        stored = ClientId(
            claim.client_id,
            hash_token(new_secret),
            now,
            is_used=claim.secret == new_secret,
            is_official=claim.is_official,
        )
        return Grant(stored, new_secret, is_owner=True)
    seen = replace(known, seen_at=now, is_official=known.is_official or claim.is_official)
    match proof_of(known, claim.secret):
        case Proof.OWNER:
            return Grant(replace(seen, is_used=True, guest=None), claim.secret, is_owner=True)
        case Proof.GUEST:
            return Grant(replace(seen, is_used=True), claim.secret)
        case Proof.NOTHING:
            if is_awaited and known.is_used and not claim.is_official:
                return Grant(None, None, inherits=False)
            return Grant(replace(seen, guest=hash_token(new_secret)), new_secret)
