"""The connection of one bot client as an analyst (``ports.BotClient``): requests go out on its socket.

Drives a ``BotConnection``: the socket's route feeds it frames and gives it a way out; the desk decides who
may attach and is told when the client is gone.
"""

import asyncio
import logging
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from protocols.bgs import messages as m
from protocols.bgs.attach import AttachError, AttachPolicy, RejectionCode
from protocols.bgs.bot_connection import (
    Answered,
    AttachAccepted,
    AttachRefused,
    AttachRequested,
    BotConnection,
    ConnectionState,
    Detached,
    Disconnected,
    Dismissed,
    GameOver,
    RequestTimedOut,
)
from protocols.session import Close, Effect, Log, Send
from server.ports import AnalystGoneError, BotClient

log = logging.getLogger(__name__)

PONG_SECONDS = 2.0
"""How soon a client must answer a ping to keep its id from a new connection."""


class Peer(Protocol):
    """The way out to the client."""

    def send(self, text: str) -> None:
        """Sends a text frame after those before it."""
        ...

    def close(self, code: int, reason: str = "") -> None:
        """Closes after everything sent so far."""
        ...

    async def is_alive(self, seconds: float) -> bool:
        """Whether the peer answers a ping within ``seconds``."""
        ...


class Desk(Protocol):
    """Where clients attach."""

    async def attach(self, attach: m.Attach, client: BotClient) -> str | None:
        """Takes the client in; the secret that it can resume with. AttachError."""
        ...

    def detach(self, client: BotClient) -> None:
        """The client is gone."""
        ...


@dataclass(frozen=True, slots=True)
class Terms:
    """What every client is told and held to. ``now`` is in milliseconds since the epoch."""

    policy: AttachPolicy
    server: m.ClientInfo
    time_limit: float
    now: Callable[[], int]


class RemoteAnalyst:
    """One client, from its first frame to its last."""

    def __init__(self, terms: Terms, desk: Desk, peer: Peer, address: str | None = None) -> None:
        self.address = address
        self._terms = terms
        self._desk = desk
        self._peer = peer
        self._connection = BotConnection(terms.policy)
        self._waiting: dict[str, asyncio.Future[m.Response]] = {}
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

    async def request(self, message: m.Request) -> m.Response:
        """The client's answer. AnalystGoneError. Cancelling it gives the answer up for good."""
        if self._connection.state is not ConnectionState.ATTACHED:
            raise AnalystGoneError
        answer: asyncio.Future[m.Response] = asyncio.get_running_loop().create_future()
        self._waiting[message.bgs_id] = answer
        self._perform(self._connection.request(message))
        try:
            return await answer
        except asyncio.CancelledError:
            if self._waiting.pop(message.bgs_id, None) is not None:
                self._perform(self._connection.notify(RequestTimedOut(message.bgs_id)))
            raise

    # ---- what the socket tells -------------------------------------------------------------------

    def receive(self, frame: str | bytes) -> bool:
        """Takes a frame of the client; whether it answers a request."""
        connection = self._connection
        effects = connection.receive_binary() if isinstance(frame, bytes) else connection.receive(frame)
        self._perform(effects)
        return any(isinstance(effect, Answered) for effect in effects)

    def disconnected(self) -> None:
        """The socket is gone."""
        if self._deciding is not None:
            self._deciding.cancel()
        self._perform(self._connection.notify(Disconnected()))

    def tell_result(self, result: m.GameResult) -> None:
        """Tells the client how a game of one of its bots has ended, if it wants to know."""
        if self._connection.state is ConnectionState.ATTACHED:
            self._perform(self._connection.notify(GameOver(result)))

    async def is_alive(self) -> bool:
        """Whether the client answers a ping within ``PONG_SECONDS``."""
        return await self._peer.is_alive(PONG_SECONDS)

    def dismiss(self, code: int, reason: str) -> None:
        """Closes the connection; the desk is told before this returns."""
        self._perform(self._connection.notify(Dismissed(code, reason)))

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
                case AttachRequested(attach=attach):
                    self._deciding = asyncio.ensure_future(self._decide(attach))
                case Answered(message=message):
                    self._answer(message)
                case Detached():
                    self._leave()
                case _:
                    raise TypeError(f"a bot connection asks for {type(effect).__name__}")

    async def _decide(self, attach: m.Attach) -> None:
        self._perform(self._connection.notify(await self._judged(attach)))

    async def _judged(self, attach: m.Attach) -> AttachAccepted | AttachRefused:
        try:
            secret = await self._desk.attach(attach, self)
        except AttachError as refusal:
            return AttachRefused(refusal.code, str(refusal))
        except Exception:
            log.exception("bot client %s cannot attach", attach.client_id)
            return AttachRefused(RejectionCode.INTERNAL_ERROR, "internal error of the server")
        return AttachAccepted(self._terms.server, self._terms.now(), secret)

    def _answer(self, message: m.Response) -> None:
        waiting = self._waiting.pop(message.bgs_id, None)
        if waiting is not None and not waiting.done():
            waiting.set_result(message)

    def _leave(self) -> None:
        waiting, self._waiting = self._waiting, {}
        for answer in waiting.values():
            if not answer.done():
                answer.set_exception(AnalystGoneError())
        self._desk.detach(self)
