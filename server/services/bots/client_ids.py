"""Decides whether a bot client may attach under an id that another client may own or be using.

Attachments with the same id are decided one at a time, since a decision reads the store and may ping the connected
client. The rules are in ``domain.client_ids``.
"""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from weakref import WeakValueDictionary

from protocols.bgs import messages as bgs
from protocols.bgs.attach import AttachError, RejectionCode, is_official
from server.domain.client_ids import ClientId, Grant, IdClaim, Proof, grant, proof_of
from server.domain.tokens import new_token
from server.ports.store import ClientIdStore
from server.services.bots.bot_registry import AttachedClient


class ClientIds:
    """The ids of bot clients. ``now`` returns milliseconds since the epoch."""

    def __init__(
        self, store: ClientIdStore, now: Callable[[], int], is_alive: Callable[[str], Awaitable[bool]]
    ) -> None:
        """``is_alive`` returns whether another server is."""
        self._store = store
        self._is_server_alive = is_alive
        self._now = now
        self._locks: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()

    @asynccontextmanager
    async def deciding(self, client_id: str) -> AsyncIterator[None]:
        """Prevents other clients from attaching with this id for the duration of the context."""
        lock = self._locks.setdefault(client_id, asyncio.Lock())
        async with lock:
            yield

    async def is_guest(self, attach: bgs.Attach) -> bool:
        """Whether the client shows no secret of its id, so that it may never have attached before."""
        known = None if attach.resume_secret is None else await self._store.client_id(attach.client_id)
        return proof_of(known, attach.resume_secret) is Proof.NOTHING

    async def grant(
        self,
        attach: bgs.Attach,
        connected: AttachedClient | None,
        has_games: Callable[[], Awaitable[bool]],
        new_secret: str | None = None,
    ) -> Grant:
        """Grants the id of ``attach`` to its client and stores this durably. Raises AttachError or ApiError.

        ``connected`` is the client that uses the id now. It keeps the id as long as it answers pings, or is attached to
        another server that is alive, and so sends it pings; unless the new client has its secret, or is official while
        the id is not. ``has_games`` returns whether games of the id are running; it is asked only where it matters,
        since it searches all games of bots. ``new_secret``: the secret of an id that is new; None: a random one.
        """
        claim = IdClaim(attach.client_id, attach.resume_secret, any(is_official(bot) for bot in attach.bots))
        known = await self._store.client_id(claim.client_id)
        _check_official(claim, known)
        await self._check_free(claim, known, connected)
        is_resumed = known is None or not known.is_used or proof_of(known, claim.secret) is not Proof.NOTHING
        is_awaited = not is_resumed and await has_games()
        secret = new_secret if new_secret is not None and known is None else new_token()
        given = grant(claim, known, secret, self._now(), is_awaited=is_awaited)
        if given.stored is not None:
            await self._store.keep_client_id(given.stored)
        return given

    async def _check_free(
        self, claim: IdClaim, known: ClientId | None, connected: AttachedClient | None
    ) -> None:
        if connected is None or proof_of(known, claim.secret) is not Proof.NOTHING:
            return
        is_outranked = claim.is_official and not (known is not None and known.is_official)
        if not is_outranked and await self._is_connected(connected):
            text = f"clientId {claim.client_id!r} is connected: its resumeSecret is needed to replace that connection"
            raise AttachError(RejectionCode.TOO_MANY_CLIENTS, text)

    async def _is_connected(self, known: AttachedClient) -> bool:
        return await (
            self._is_server_alive(known.server) if known.client is None else known.client.is_alive()
        )


def _check_official(claim: IdClaim, known: ClientId | None) -> None:
    if known is not None and known.is_official and not claim.is_official:
        text = f"clientId {claim.client_id!r} is that of official bots: attach with their officialToken"
        raise AttachError(RejectionCode.INVALID_OFFICIAL_TOKEN, text)
