"""The connection of one bot client as an analyst (``ports.analysts.ConnectedClient``). Its sessions use BGS messages.

Drives a ``BotConnection``: the socket's route passes it frames and sends its own; ``BotClients`` decides which clients
may attach, and is notified when they disconnect.
"""

import asyncio
import logging
from collections.abc import Callable
from dataclasses import dataclass
from weakref import WeakValueDictionary

from protocols.bgs import bot_connection
from protocols.bgs import messages as bgs
from protocols.bgs.attach import AttachError, AttachPolicy, RejectionCode
from protocols.bgs.config import Setup
from protocols.session import Close, Effect, Log, Send
from server.domain.bots import BotProtocol
from server.domain.errors import ApiError
from server.ports.analysts import AnalystGoneError
from server.ports.connection import Connection
from server.services.bots.attached_session import AttachedSession
from server.services.bots.bot_clients import BotClients

log = logging.getLogger(__name__)

PONG_SECONDS = 2.0
"""The time limit for the ping by which a client keeps its id when another one tries to attach with it."""


@dataclass(frozen=True, slots=True)
class Terms:
    """The terms for all clients. ``time_limit`` is in seconds; ``now`` returns milliseconds since the epoch."""

    policy: AttachPolicy
    server: bgs.ClientInfo
    time_limit: float
    now: Callable[[], int]


class AttachedAnalyst:
    """The analyst behind one client connection."""

    protocol = BotProtocol.V3
    most_sessions = None

    def __init__(
        self, terms: Terms, clients: BotClients, peer: Connection, address: str | None = None
    ) -> None:
        self.address = address
        self._terms = terms
        self._clients = clients
        self._peer = peer
        self._connection = bot_connection.BotConnection(terms.policy)
        self._waiting: dict[str, asyncio.Future[bgs.Response]] = {}
        self._turns: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        self._deciding: asyncio.Task[None] | None = None

    @property
    def id(self) -> str:
        """The client's id; empty before it has attached."""
        attach = self._connection.attach
        return "" if attach is None else attach.client_id

    @property
    def time_limit(self) -> float:
        """Seconds for one answer."""
        return self._terms.time_limit

    def session(self, session_id: str, bot_id: str, setup: Setup) -> AttachedSession:
        """A session of one of the client's bots."""
        bots = () if self._connection.attach is None else self._connection.attach.bots
        bot = next((bot for bot in bots if bot.bot_id == bot_id), None)
        if bot is None:
            return AttachedSession(self.request, session_id, bot_id, bot_id, setup)
        return AttachedSession(self.request, session_id, bot_id, bot.name, setup, bot.retries)

    async def request(self, message: bgs.Request) -> bgs.Response:
        """Returns the client's response. Raises AnalystGoneError. Cancelling this discards the response.

        A worker is told that an evaluation is cancelled.
        """
        attach = self._connection.attach
        ask = self._ask_worker if attach is not None and attach.is_worker else self._ask
        return await ask(message)

    async def _ask_worker(self, message: bgs.Request) -> bgs.Response:
        """If this is cancelled, the next request of the session still waits for the answer."""
        asking = asyncio.ensure_future(self._ask(message))
        asking.add_done_callback(lambda asked: asked.cancelled() or asked.exception())
        try:
            return await asyncio.shield(asking)
        except asyncio.CancelledError:
            cancelling = self._connection.cancel(message)
            if cancelling is None:
                asking.cancel()
            else:
                self._perform(cancelling)
            raise

    async def _ask(self, message: bgs.Request) -> bgs.Response:
        """Waits for an earlier request of the same session, of which a worker may still send the answer."""
        async with self._turns.setdefault(message.bgs_id, asyncio.Lock()):
            if self._connection.state is not bot_connection.ConnectionState.ATTACHED:
                raise AnalystGoneError
            answer: asyncio.Future[bgs.Response] = asyncio.get_running_loop().create_future()
            self._waiting[message.bgs_id] = answer
            self._perform(self._connection.request(message))
            try:
                return await answer
            except asyncio.CancelledError:
                if self._waiting.pop(message.bgs_id, None) is not None:
                    self._perform(self._connection.notify(bot_connection.RequestTimedOut(message.bgs_id)))
                raise

    # ---- calls from the socket -------------------------------------------------------------------

    def receive(self, frame: str | bytes) -> bool:
        """Processes a frame of the client and returns whether it answered a request."""
        connection = self._connection
        effects = connection.receive_binary() if isinstance(frame, bytes) else connection.receive(frame)
        self._perform(effects)
        return any(isinstance(effect, bot_connection.Answered) for effect in effects)

    def disconnected(self) -> None:
        """Called when the socket has closed."""
        if self._deciding is not None:
            self._deciding.cancel()
        self._perform(self._connection.notify(bot_connection.Disconnected()))

    def tell_result(self, result: bgs.GameResult) -> None:
        """Sends the client the result of a game of one of its bots, if it subscribed to results."""
        if self._connection.state is bot_connection.ConnectionState.ATTACHED:
            self._perform(self._connection.notify(bot_connection.GameOver(result)))

    async def is_alive(self) -> bool:
        """Whether the client answers a ping within ``PONG_SECONDS``."""
        return await self._peer.is_alive(PONG_SECONDS)

    def dismiss(self, code: int, reason: str) -> None:
        """Closes the connection; ``bots`` is notified before this returns."""
        self._perform(self._connection.notify(bot_connection.Dismissed(code, reason)))

    # ---- effects ---------------------------------------------------------------------------------

    def _perform(self, effects: list[Effect]) -> None:
        for effect in effects:
            match effect:
                case Send(text=text):
                    self._peer.send(text)
                case Close(code=code, reason=reason):
                    self._peer.close(code, reason)
                case Log(text=text):
                    log.info("bot client %s: %s", self.id or "not attached", text)
                case bot_connection.AttachRequested(attach=attach):
                    self._deciding = asyncio.ensure_future(self._decide(attach))
                case bot_connection.Answered(message=message):
                    self._answer(message)
                case bot_connection.Detached():
                    self._leave()
                case _:
                    raise TypeError(f"unexpected effect of a bot connection: {type(effect).__name__}")

    async def _decide(self, attach: bgs.Attach) -> None:
        self._perform(self._connection.notify(await self._decision(attach)))

    async def _decision(
        self, attach: bgs.Attach
    ) -> bot_connection.AttachAccepted | bot_connection.AttachRefused:
        try:
            secret = await self._attach(attach)
        except AttachError as refusal:
            return bot_connection.AttachRefused(refusal.code, str(refusal))
        except ApiError as refusal:
            return bot_connection.AttachRefused(RejectionCode.INTERNAL_ERROR, refusal.text)
        except Exception:
            log.exception("error while attaching bot client %s", attach.client_id)
            return bot_connection.AttachRefused(RejectionCode.INTERNAL_ERROR, "internal error of the server")
        return bot_connection.AttachAccepted(self._terms.server, self._terms.now(), secret)

    async def _attach(self, attach: bgs.Attach) -> str | None:
        if attach.is_worker:
            self._clients.attach_worker(attach, self)
            return None
        return await self._clients.attach(attach, self)

    def _answer(self, message: bgs.Response) -> None:
        waiting = self._waiting.pop(message.bgs_id, None)
        if waiting is not None and not waiting.done():
            waiting.set_result(message)

    def _leave(self) -> None:
        waiting, self._waiting = self._waiting, {}
        for answer in waiting.values():
            if not answer.done():
                answer.set_exception(AnalystGoneError())
        self._clients.detach(self)
