"""Decides whether a bot client may attach under its id, which somebody else may be using now or own since long ago.

Attachments of one id are decided one after the other, since a decision asks the store and perhaps the connected client.
What the ids mean is said in ``domain.client_ids``.
"""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from weakref import WeakValueDictionary

from protocols.bgs import messages as m
from protocols.bgs.attach import AttachError, RejectionCode, is_official
from server.domain.client_ids import ClientId, Grant, Proof, Wish, grant, proof_of
from server.domain.errors import ApiError
from server.domain.tokens import new_token
from server.ports import BotClient, ClientIdStore


class ClientIds:
    """The ids of bot clients. ``now`` is in milliseconds since the epoch."""

    def __init__(self, store: ClientIdStore, now: Callable[[], int]) -> None:
        self._store = store
        self._now = now
        self._locks: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()

    @asynccontextmanager
    async def deciding(self, client_id: str) -> AsyncIterator[None]:
        """Nobody else attaches with this id meanwhile."""
        lock = self._locks.setdefault(client_id, asyncio.Lock())
        async with lock:
            yield

    async def grant(self, attach: m.Attach, connected: BotClient | None, *, is_awaited: bool) -> Grant:
        """Gives the id of ``attach`` to its client, durably; AttachError.

        ``connected`` is the client that uses the id now. It keeps the id while it answers pings, unless the secret is
        its own or it is not official and the new one is. ``is_awaited`` as in ``domain.client_ids.grant``.
        """
        wish = Wish(attach.client_id, attach.resume_secret, any(is_official(bot) for bot in attach.bots))
        try:
            known = await self._store.client_id(wish.client_id)
            _check_official(wish, known)
            await _check_free(wish, known, connected)
            given = grant(wish, known, new_token(), self._now(), is_awaited=is_awaited)
            if given.stored is not None:
                await self._store.keep_client_id(given.stored)
        except ApiError as refusal:
            raise AttachError(RejectionCode.INTERNAL_ERROR, refusal.text) from None
        return given


def _check_official(wish: Wish, known: ClientId | None) -> None:
    if known is not None and known.is_official and not wish.is_official:
        text = f"clientId {wish.client_id!r} is that of official bots: attach with their officialToken"
        raise AttachError(RejectionCode.INVALID_OFFICIAL_TOKEN, text)


async def _check_free(wish: Wish, known: ClientId | None, connected: BotClient | None) -> None:
    if connected is None or proof_of(known, wish.secret) is not Proof.NOTHING:
        return
    is_outranked = wish.is_official and not (known is not None and known.is_official)
    if not is_outranked and await connected.is_alive():
        text = (
            f"clientId {wish.client_id!r} is connected: its resumeSecret is needed to replace that connection"
        )
        raise AttachError(RejectionCode.TOO_MANY_CLIENTS, text)
