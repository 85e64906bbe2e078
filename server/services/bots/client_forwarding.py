"""Bot clients of other servers: requests are forwarded to the server that a client is connected to.

Each server announces its clients. The others add them to their registries, so that every server can open games against
every bot, ask it for moves and show its evaluations. If a server stops or dies, or messages to or from it were missed,
the games of its clients wait until the clients are announced again.
"""

import asyncio
import logging
from contextlib import suppress
from itertools import count

from pydantic import TypeAdapter

from protocols.bgs import messages as m
from protocols.bgs.codec import decode_from_server, decode_request, decode_response, encode
from protocols.bgs.config import Setup
from server.ports.analysts import AnalystGoneError, ConnectedClient
from server.services.bots.bot_clients import BotClients
from server.services.bots.bot_registry import CLIENTS, AttachedBots, BotRegistry
from server.services.bots.remote_session import RemoteSession
from server.services.cluster.announcements import AnnouncementChange, Announcements
from server.services.cluster.bus import Bus
from server.services.cluster.leases import LEASES, LeasesCounted, ServersDeparted
from server.services.cluster.server_messages import (
    SERVERS,
    AnnouncementsWanted,
    ClientAnswer,
    ClientCall,
    ClientCallCancelled,
    ResultForClient,
)
from server.services.cluster.topic_reader import TopicReader
from server.services.tasks import Tasks

log = logging.getLogger(__name__)

PING = ""
PING_SECONDS = 3.0
"""How long the answer to a forwarded ping may take; longer than the client's server waits for it."""

_ATTACHED = TypeAdapter(AttachedBots)


class ForwardedClient:
    """A client that is connected to ``server``. Implements ``ports.analysts.AttachedClient``.

    ``time_limit``: seconds for one answer.
    """

    def __init__(
        self,
        forwarding: "ClientForwarding",
        server: str,
        client_id: str,
        attached: AttachedBots,
        time_limit: float,
    ) -> None:
        self.server = server
        self.since = attached.since
        self._forwarding = forwarding
        self._id = client_id
        self._names = {bot.bot_id: bot.name for bot in attached.bots}
        self._time_limit = time_limit

    @property
    def id(self) -> str:
        """The client's id."""
        return self._id

    @property
    def time_limit(self) -> float:
        """Seconds for one answer."""
        return self._time_limit

    @property
    def is_reachable(self) -> bool:
        """Whether messages travel between the servers now."""
        return self._forwarding.is_connected

    def session(self, session_id: str, bot_id: str, setup: Setup) -> RemoteSession:
        """A session of one of the client's bots."""
        return RemoteSession(self._request, session_id, bot_id, self._names.get(bot_id, bot_id), setup)

    async def _request(self, message: m.Request) -> m.Response:
        answer = await self._forwarding.call(self, encode(message))
        if answer is None:
            raise AnalystGoneError
        return decode_response(answer)

    def tell_result(self, result: m.GameResult) -> None:
        """Sends the client the result of a game of one of its bots, if it subscribed to results."""
        self._forwarding.tell_result(self, result)

    async def is_alive(self) -> bool:
        """Whether the client answers a ping in time."""
        with suppress(TimeoutError):
            async with asyncio.timeout(PING_SECONDS):
                return await self._forwarding.call(self, PING) is not None
        return False


class ClientForwarding:
    """Calls clients of other servers, and passes calls of other servers to the clients connected here."""

    def __init__(
        self,
        bus: Bus,
        announcements: Announcements,
        registry: BotRegistry,
        clients: BotClients,
        time_limit: float,
    ) -> None:
        """``time_limit`` is in seconds."""
        self._bus = bus
        self._announcements = announcements
        self._registry = registry
        self._bot_clients = clients
        self._time_limit = time_limit
        self._server = announcements.server
        self._clients: dict[str, ForwardedClient] = {}
        self._numbers = count(1)
        self._waiting: dict[int, asyncio.Future[str | None]] = {}
        self._answering: dict[tuple[str, int], asyncio.Task[None]] = {}
        """The calls of other servers, by server and number."""
        self._tasks = Tasks()
        announcements.listen(CLIENTS, self._take_announcement)

    def start(self) -> None:
        """Starts to follow the other servers."""
        messages, leases = TopicReader(self._bus, SERVERS, self._concerns), TopicReader(self._bus, LEASES)
        self._tasks.start(messages.follow(self._take, self._reconnect))
        self._tasks.start(leases.follow(self._take_leases, self._reconnect))

    def stop(self) -> None:
        """Stops answering calls, since the server is stopping: the callers' games wait for the clients to return."""
        self._tasks.cancel()

    # ---- calls to clients of other servers -------------------------------------------------------

    @property
    def is_connected(self) -> bool:
        """Whether messages travel between the servers now."""
        return self._bus.state().trouble is None

    async def call(self, client: ForwardedClient, request: str) -> str | None:
        """Returns the client's answer; None if the client is not connected. Cancelling this discards the answer."""
        number = next(self._numbers)
        answer: asyncio.Future[str | None] = asyncio.get_running_loop().create_future()
        self._waiting[number] = answer
        call = ClientCall(self._server, client.server, number, client.id, request)
        await self._bus.publish(SERVERS, call)
        try:
            return await answer
        except asyncio.CancelledError:
            cancelled = ClientCallCancelled(self._server, client.server, number)
            self._tasks.start(self._bus.publish(SERVERS, cancelled))
            raise
        finally:
            del self._waiting[number]

    def tell_result(self, client: ForwardedClient, result: m.GameResult) -> None:
        """Sends a client the result of a game."""
        message = ResultForClient(self._server, client.server, client.id, encode(result))
        self._tasks.start(self._bus.publish(SERVERS, message))

    # ---- announcements ---------------------------------------------------------------------------

    async def _take_announcement(self, change: AnnouncementChange) -> None:
        known = self._clients.get(change.key)
        if change.value is not None:
            attached = _ATTACHED.validate_python(change.value)
            here = self._bot_clients.attached_at(change.key)
            if attached.since >= max(here, 0 if known is None else known.since):
                self._meet(change.server, change.key, attached)
        elif known is not None and known.server == change.server:
            del self._clients[change.key]
            if change.is_lost:
                log.info("bot client %s: its server has stopped", change.key)
                self._bot_clients.forget(change.key)
            else:
                self._bot_clients.lose_elsewhere(known)

    def _meet(self, server: str, client_id: str, attached: AttachedBots) -> None:
        client = ForwardedClient(self, server, client_id, attached, self._time_limit)
        self._clients[client_id] = client
        log.info("bot client %s attached to another server with %d bots", client_id, len(attached.bots))
        self._bot_clients.meet_elsewhere(client, attached)

    async def _reconnect(self, server: str | None = None) -> None:
        """Begins again with the clients of ``server``, or of all: calls or answers may have been lost."""
        for change in tuple(self._announcements.of_others(CLIENTS)):
            if server in (None, change.server):
                await self._take_announcement(change)

    # ---- messages of other servers ---------------------------------------------------------------

    def _concerns(self, message: object) -> bool:
        if isinstance(message, AnnouncementsWanted):
            return message.server != self._server
        kinds = ClientCall | ClientCallCancelled | ClientAnswer | ResultForClient
        return isinstance(message, kinds) and message.to == self._server

    async def _take(self, message: object) -> None:
        match message:
            case AnnouncementsWanted(server=server):
                self._cancel_calls_of({server})
                await self._reconnect(server)
            case ClientCall():
                self._take_call(message)
            case ClientCallCancelled(server=server, number=number):
                answering = self._answering.get((server, number))
                if answering is not None:
                    answering.cancel()
            case ClientAnswer(number=number, answer=answer):
                waiting = self._waiting.get(number)
                if waiting is not None and not waiting.done():
                    waiting.set_result(answer)
            case ResultForClient():
                self._pass_result(message)

    def _take_call(self, call: ClientCall) -> None:
        key = call.server, call.number
        task = self._answering[key] = self._tasks.start(self._answer(call))
        task.add_done_callback(lambda _: self._answering.pop(key, None))

    async def _answer(self, call: ClientCall) -> None:
        answer = await self._ask(call)
        await self._bus.publish(SERVERS, ClientAnswer(self._server, call.server, call.number, answer))

    async def _ask(self, call: ClientCall) -> str | None:
        client = self._registry.client_here(call.client_id)
        if client is None:
            return None
        if call.request == PING:
            return PING if await client.is_alive() else None
        try:
            return encode(await client.request(decode_request(call.request)))
        except AnalystGoneError:
            return None

    def _pass_result(self, message: ResultForClient) -> None:
        client, result = self._registry.client_here(message.client_id), decode_from_server(message.result)
        if client is not None and isinstance(result, m.GameResult):
            client.tell_result(result)

    # ---- servers that are gone -------------------------------------------------------------------

    async def _take_leases(self, message: object) -> None:
        match message:
            case ServersDeparted(servers=servers):
                self._cancel_calls_of({*servers})
                for server in servers:
                    self._end_bars_of(server)
                    await self._announcements.lose(server)
            case LeasesCounted():
                await self._announcements.repeat()

    def _end_bars_of(self, server: str) -> None:
        for client in self._registry.clients_here:
            self._tasks.start(self._end_bars_at(client, server))

    async def _end_bars_at(self, client: ConnectedClient, server: str) -> None:
        with suppress(AnalystGoneError, TimeoutError):
            async with asyncio.timeout(self._time_limit):
                await client.end_bars_of(server)

    def _cancel_calls_of(self, servers: set[str]) -> None:
        for (server, _), answering in tuple(self._answering.items()):
            if server in servers:
                answering.cancel()
