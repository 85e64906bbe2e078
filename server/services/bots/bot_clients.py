"""The clients of attached bots: they attach and disconnect here, or at other servers, which announce it.

Workers attach here as well, but only to this server: ``workers`` has them. ``attached_analyst`` and ``uhp.bot_client``
report the clients of this server. ``bot_seats`` plays for their bots, and ends games whose bots do not come back.
"""

import logging
from functools import partial

from pydantic import TypeAdapter

from protocols.bgs import messages as bgs
from protocols.bgs.attach import AttachError, RejectionCode, is_official
from server.ports.analysts import ConnectedClient, ConnectedWorker
from server.services.bots.bot_context import BotContext
from server.services.bots.bot_places import BotPlaces
from server.services.bots.bot_registry import CLIENTS, AttachedBots, AttachedClient, bots_of
from server.services.bots.bot_seats import BotSeats
from server.services.bots.client_ids import ClientIds
from server.services.bots.workers import Workers
from server.services.cluster.announcements import AnnouncementChange
from server.services.tasks import Tasks

log = logging.getLogger(__name__)

_TOLD = TypeAdapter(AttachedBots)

NOT_THE_OWNER = (
    "ladder: clientId {!r} belongs to the client that attached with it first: attach with its resumeSecret, or choose"
    " another clientId"
)
"""Ratings belong to one author, so a guest cannot play on the ladder under another client's id."""


class BotClients:
    """The attachment of clients."""

    def __init__(
        self,
        context: BotContext,
        seats: BotSeats,
        ids: ClientIds,
        workers: Workers,
        places: BotPlaces,
        ladder_places: BotPlaces,
    ) -> None:
        """``ladder_places``: those of clients with a bot on the ladder; ``places``: those of all others."""
        self._context = context
        self._registry = context.registry
        self._seats = seats
        self._ids = ids
        self._workers = workers
        self._places, self._ladder_places = places, ladder_places
        self._tasks = Tasks()
        context.announcements.listen(CLIENTS, self._take_announcement)

    async def stop(self) -> None:
        """Stops announcing."""
        await self._tasks.stop()

    # ---- clients of this server ------------------------------------------------------------------

    def attach_worker(self, attach: bgs.Attach, client: ConnectedWorker) -> None:
        """Attaches a worker."""
        self._workers.add(attach, client)

    async def attach(
        self, attach: bgs.Attach, client: ConnectedClient, new_secret: str | None = None
    ) -> str | None:
        """Attaches a client and returns its resume secret, if it gets one. Raises AttachError or ApiError.

        ``new_secret`` as in ``ClientIds.grant``.
        """
        name = attach.client_id
        async with self._ids.deciding(name):
            if not any(is_official(bot) for bot in attach.bots):
                await self._take_place(attach, client)
            try:
                told, secret = await self._attached(attach, client, new_secret)
            except BaseException:
                self._leave(client)
                raise
        count = len(attach.bots)
        log.info("bot client %s attached with %d %s", name, count, "bot" if count == 1 else "bots")
        await self._context.announcements.put(CLIENTS, name, _TOLD.dump_python(told, mode="json"))
        self._seats.review(name)
        return secret

    async def _take_place(self, attach: bgs.Attach, client: ConnectedClient) -> None:
        """Makes room for a client, unless it replaces its own connection. AttachError if there is none."""
        is_guest = await self._ids.is_guest(attach)
        places = self._ladder_places if _is_on_ladder(attach) else self._places
        places.check_rate(client)
        if not places.has(self._registry.client_here(attach.client_id)):
            places.make_room(client, is_guest=is_guest)
        places.take(client, is_guest=is_guest)

    def _leave(self, client: ConnectedClient) -> None:
        self._places.leave(client)
        self._ladder_places.leave(client)

    async def _attached(
        self, attach: bgs.Attach, client: ConnectedClient, new_secret: str | None
    ) -> tuple[AttachedBots, str | None]:
        """Attaches a client that has a place; returns its bots and its resume secret."""
        registry, games, name = self._registry, self._context.games, attach.client_id
        has_games = partial(self._has_games, name)
        granted = await self._ids.grant(attach, registry.client(name), has_games, new_secret)
        if _is_on_ladder(attach) and not granted.is_owner:
            raise AttachError(RejectionCode.INVALID_BOT_CONFIG, NOT_THE_OWNER.format(name))
        known = registry.client(name)  # Its server's clock may be ahead.
        since = games.now() if known is None else max(games.now(), known.told.since + 1)
        address = None if any(map(is_official, attach.bots)) else client.address
        bots = bots_of(attach, client.protocol)
        told = AttachedBots(bots, since, granted.inherits, granted.is_owner, address)
        registry.attach(name, AttachedClient(told, games.leases.server, client))
        return told, granted.secret

    async def _has_games(self, client_id: str) -> bool:
        return bool(await self._context.games.with_bots_of(client_id))

    def detach(self, client: ConnectedClient) -> None:
        """Detaches a disconnected client: its sessions end, and its bots resign unless a newer one has replaced it."""
        if self._workers.remove(client):
            return
        self._leave(client)
        is_gone = self._registry.detach(client)
        if self._seats.is_stopping:
            return
        self._context.host.lose(client)
        if is_gone:
            log.info("bot client %s disconnected", client.id)
            self._tasks.start(self._withdraw(client.id))
            self._seats.review(client.id)

    async def lose_all(self) -> None:
        """Detaches all clients, which have to attach to another server: the games of their bots wait for them."""
        for client_id in self._registry.ids_here:
            client = self._registry.client_here(client_id)
            if client is not None:
                self._leave(client)
                self._registry.detach(client, is_lost=True)
                self._context.host.lose(client)
                await self._withdraw(client_id)

    async def _withdraw(self, client_id: str) -> None:
        """Withdraws the announcement of a client, unless it has attached again."""
        if self._registry.client_here(client_id) is None:
            await self._context.announcements.withdraw(CLIENTS, client_id)

    # ---- clients of other servers ----------------------------------------------------------------

    async def _take_announcement(self, change: AnnouncementChange) -> None:
        """The newest connection of a client has its id: an older one, to this server, is closed."""
        name, known = change.key, self._registry.client(change.key)
        if change.value is not None:
            told = _TOLD.validate_python(change.value)
            if known is None or told.since >= known.told.since:
                log.info("bot client %s attached to another server with %d bots", name, len(told.bots))
                self._registry.attach(name, AttachedClient(told, change.server))
                await self._withdraw(name)
                if known is None:
                    self._seats.wake(name)
                else:  # It may not play all games of the earlier one.
                    self._seats.review(name, everywhere=True)
        elif self._registry.detach_elsewhere(name, change.server, is_lost=change.is_lost):
            log.info(
                "bot client %s %s", name, "is lost with its server" if change.is_lost else "disconnected"
            )
            self._seats.review(name, everywhere=True)


def _is_on_ladder(attach: bgs.Attach) -> bool:
    return any(bot.ladder is not None for bot in attach.bots)
