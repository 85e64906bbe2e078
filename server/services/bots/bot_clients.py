"""The clients of attached bots: they attach and disconnect here, or at other servers, which announce it.

Workers attach here as well, but only to this server: ``workers`` has them.
``remote_analyst`` reports the clients of this server, ``client_forwarding`` those of the others. ``bot_seats`` plays
for their bots.
"""

import logging

from pydantic import TypeAdapter

from protocols.bgs import messages as m
from server.ports.analysts import AttachedClient, ConnectedClient
from server.services.bots.bot_context import BotContext
from server.services.bots.bot_registry import CLIENTS, REPLACED, AttachedBots
from server.services.bots.bot_seats import BotSeats
from server.services.bots.client_ids import ClientIds
from server.services.bots.workers import Workers
from server.services.tasks import Tasks

log = logging.getLogger(__name__)

_ATTACHED = TypeAdapter(AttachedBots)


class BotClients:
    """The attachment of clients."""

    def __init__(self, context: BotContext, seats: BotSeats, ids: ClientIds, workers: Workers) -> None:
        self._context = context
        self._seats = seats
        self._ids = ids
        self._workers = workers
        self._attached_at: dict[str, int] = {}
        """When the clients connected to this server attached, in milliseconds since the epoch, by id."""
        self._tasks = Tasks()

    async def stop(self) -> None:
        """Stops announcing."""
        await self._tasks.stop()

    # ---- clients of this server ------------------------------------------------------------------

    async def attach(self, attach: m.Attach, client: ConnectedClient) -> str | None:
        """Attaches a client and returns its resume secret, if it gets one. Raises AttachError."""
        if attach.is_worker:
            self._workers.add(attach, client)
            return None
        registry, name = self._context.registry, attach.client_id
        async with self._ids.deciding(name):
            registry.check(attach, client)
            is_awaited = await self._is_awaited(name)
            granted = await self._ids.grant(attach, registry.client(name), is_awaited=is_awaited)
            bots = registry.attach(attach, client)
        log.info("bot client %s attached with %d bots", name, len(attach.bots))
        self.forget(name)
        self._attached_at[name] = self._context.games.now()
        attached = AttachedBots(bots, self._attached_at[name], granted.inherits)
        await self._context.announcements.put(CLIENTS, name, _ATTACHED.dump_python(attached, mode="json"))
        if granted.inherits:
            self._seats.meet(name)
        return granted.secret

    async def _is_awaited(self, client_id: str) -> bool:
        """Whether games wait for a client: here or, if it was attached to a server that has stopped, elsewhere."""
        is_elsewhere = self._context.registry.client_here(client_id) is None
        leases = self._context.games.leases
        return self._seats.awaits(client_id) or (is_elsewhere and await leases.has_games_of(client_id))

    def detach(self, client: ConnectedClient) -> None:
        """Detaches a disconnected client: its sessions end, and its bots resign. No effect if it was replaced."""
        if self._workers.remove(client):
            return
        if not self._context.registry.detach(client) or self._seats.is_stopping:
            return
        self._attached_at.pop(client.id, None)
        log.info("bot client %s disconnected", client.id)
        self._withdraw(client)
        self._seats.lose(client)

    def attached_at(self, client_id: str) -> int:
        """When the client with this id attached to this server, in ms since the epoch; 0 if it is not attached."""
        is_here = self._context.registry.client_here(client_id) is not None
        return self._attached_at.get(client_id, 0) if is_here else 0

    def _withdraw(self, client: ConnectedClient) -> None:
        self._tasks.start(self._context.announcements.withdraw(CLIENTS, client.id))

    # ---- clients of other servers ----------------------------------------------------------------

    def meet_elsewhere(self, client: AttachedClient, attached: AttachedBots) -> None:
        """Called when a client has attached to another server. An older connection with its id is closed."""
        here = self._context.registry.client_here(client.id)
        if here is not None:
            self._context.registry.detach(here)
            self._withdraw(here)
            self._seats.miss(here)
            here.dismiss(REPLACED, "Replaced by new connection")
        self.forget(client.id)
        self._context.registry.put_elsewhere(client, attached.bots)
        if attached.inherits:
            self._seats.meet(client.id)

    def lose_elsewhere(self, client: AttachedClient) -> None:
        """Called when a client of another server has disconnected: its bots resign."""
        self._context.registry.drop_elsewhere(client.id)
        self._seats.lose(client)

    def forget(self, client_id: str) -> None:
        """Called when the server of a client has stopped or cannot be reached: its games wait for its return."""
        client = self._context.registry.drop_elsewhere(client_id)
        if client is not None:
            self._seats.miss(client)
