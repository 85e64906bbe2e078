"""The one pump for every WebSocket: frames to a session, its effects to the peer.

A session is pure and knows no socket; what it asks for beyond sending and closing is carried out by the route
that drives it. Frames are written at once while the peer reads, and kept in its outbox while it does not: nobody waits
for a slow peer.
"""

import asyncio
import json
import logging
from collections import Counter
from collections.abc import AsyncIterable, AsyncIterator, Awaitable, Callable, Coroutine, Hashable, Sequence
from contextlib import suppress
from typing import Any, Final

from fastapi.responses import JSONResponse
from starlette.websockets import WebSocket, WebSocketDisconnect

from protocols.session import (
    POLICY_VIOLATION,
    Close,
    Effect,
    Event,
    Log,
    Send,
    Session,
    is_oversize,
)
from server.domain.errors import ApiError, Code
from server.domain.pace import PaceLimits
from server.ports import TRANSPORT, OverrunError, Transport
from server.routes.outbox import Outbox
from server.services.pace import Pace

log = logging.getLogger(__name__)

GOING_AWAY: Final = 1001
TOO_BIG: Final = 1009
TRY_AGAIN_LATER: Final = 1013

QUEUE_LIMIT = 256
"""Frames that may wait for a peer."""

CLOSE_SECONDS = 5.0
"""How long a peer that does not read is given to take its close frame."""

RETRY = json.dumps({"retryAfterMs": 1000})
"""The reason of a close with 1013."""

Do = Callable[[Effect], Awaitable[Sequence[Event]]]
"""Carries out an effect of the session's own protocol.

The events that follow from it are told to the session.
"""


class _PlainAsgi:
    """The transport where the web server offers none: every frame goes through ASGI. Fits ``ports.Transport``."""

    ping_timeout: float | None = None

    def try_send(self, text: str) -> bool:
        """Writes nothing."""
        return False

    def is_gone(self) -> bool:
        """It is not known."""
        return False

    def lag_ms(self) -> int:
        """It is not known."""
        return 0

    async def ping(self) -> None:
        """Nothing can be sent."""


class Socket:
    """One accepted connection. Frames go out in the order in which they are sent; after ``close`` none is taken."""

    def __init__(self, websocket: WebSocket, limits: PaceLimits) -> None:
        """``limits``: of the messages that the peer sends."""
        self.path = websocket.scope["route"].path
        """The address with names in the place of ids."""
        self.is_slow = False
        """Whether it is closed because its peer reads too slowly."""
        self.outbox = Outbox(QUEUE_LIMIT)
        """Frames that the connection does not take yet."""
        self.pace = Pace(limits)
        self._websocket = websocket
        self._transport: Transport = websocket.scope.get("extensions", {}).get(TRANSPORT, _PlainAsgi())
        self._is_idle = True
        """Whether the connection has taken every frame and is open for more."""
        self._closing: Close | None = None
        self._wanted = asyncio.Event()
        """Set when there is something to send."""
        self._drained = asyncio.Event()
        self._drained.set()
        self._overrun = asyncio.Event()

    def is_gone(self) -> bool:
        """Whether it is known that the peer has gone, though messages of its may still be unread."""
        return self._transport.is_gone()

    def lag_ms(self) -> int:
        """Half the round-trip time to the peer in milliseconds; 0 where the server does not tell."""
        return self._transport.lag_ms()

    def set_ping_timeout(self, seconds: float) -> None:
        """How long the peer may take to answer a ping, where the server lets us say."""
        self._transport.ping_timeout = seconds

    def send(self, text: str, key: Hashable = None) -> None:
        """Sends a frame at once, or keeps it in the outbox while the peer does not read.

        When that is full the connection is given up with 1013.
        """
        if not (self._is_idle and self._transport.try_send(text)):
            self._keep(text, key)

    async def drain(self) -> None:
        """Returns once the connection has taken every frame, which it does while its peer reads."""
        await self._drained.wait()

    def close(self, code: int, reason: str = "") -> None:
        """Closes after what is queued."""
        if self._closing is None:
            self._closing = Close(code, reason)
            self._is_idle = False
            self._wanted.set()
            asyncio.get_running_loop().call_later(CLOSE_SECONDS, self._overrun.set)

    async def is_alive(self, seconds: float) -> bool:
        """Whether the peer answers a ping within ``seconds``; True where no ping can be sent."""
        try:
            async with asyncio.timeout(seconds):
                await self._transport.ping()
        except TimeoutError:
            return False
        return True

    def give_up(self) -> None:
        """Closes with 1013 without sending what is queued."""
        log.info("a socket reads too slowly and is closed")
        self.is_slow = True
        self._closing = Close(TRY_AGAIN_LATER, RETRY)
        self._is_idle = False
        self._overrun.set()

    async def frames(self) -> AsyncIterator[str | bytes]:
        """The peer's frames until it is gone. Of a peer that sends too many nothing is read for a while."""
        while True:
            message = await self._websocket.receive()
            if message["type"] == "websocket.disconnect":
                return
            if not await self.pace.keep():
                self.close(POLICY_VIOLATION, "Too many messages")
            if self._closing is None:
                text = message.get("text")
                yield text if text is not None else message["bytes"]

    async def serve(self, *work: Coroutine[Any, Any, None]) -> None:
        """Runs ``work`` until a part of it ends, the peer is gone or the connection is closed."""
        sender = asyncio.ensure_future(self._send_all())
        overrun = asyncio.ensure_future(self._overrun.wait())
        workers = [asyncio.ensure_future(part) for part in work]
        tasks = [sender, overrun, *workers]
        try:
            done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
            if self._closing is not None and not sender.done():
                await asyncio.wait([sender, overrun], return_when=asyncio.FIRST_COMPLETED)
        finally:
            await _cancel(tasks)
        if self._overrun.is_set():
            await self._say_goodbye()
        for task in done:
            _raise_defect(task)

    def _keep(self, text: str, key: Hashable) -> None:
        if self._closing is not None:
            return
        try:
            self.outbox.put(text, key)
        except OverrunError:
            self.give_up()
        else:
            self._is_idle = False
            self._drained.clear()
            self._wanted.set()

    async def _send_all(self) -> None:
        """Sends what is queued, until the connection is closed or the peer is gone."""
        while True:
            await self._wanted.wait()
            self._wanted.clear()
            while (text := self.outbox.take()) is not None:
                await self._websocket.send_text(text)
            if self._closing is not None:
                await self._websocket.close(self._closing.code, self._closing.reason)
                return
            self._is_idle = True
            self._drained.set()

    async def _say_goodbye(self) -> None:
        with suppress(TimeoutError, RuntimeError, WebSocketDisconnect):
            await asyncio.wait_for(self._websocket.close(TRY_AGAIN_LATER, RETRY), CLOSE_SECONDS)


async def _cancel(tasks: Sequence["asyncio.Future[Any]"]) -> None:
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)


def _raise_defect(task: "asyncio.Future[Any]") -> None:
    """A peer that is gone is no defect; anything else is."""
    error = None if task.cancelled() else task.exception()
    if error is not None and not isinstance(error, WebSocketDisconnect):
        raise error


class OpenSockets:
    """Every socket of the server, so that all can be told when it stops."""

    def __init__(self, limits: PaceLimits) -> None:
        """``limits``: of the messages that each client sends."""
        self.limits = limits
        self._open: set[Socket] = set()
        self._is_stopping = False
        self.slow = 0
        """Sockets closed because their peers read too slowly."""

    def count_by_path(self) -> Counter[str]:
        """How many are open at each address."""
        return Counter(socket.path for socket in self._open)

    async def accept(self, websocket: WebSocket, limits: PaceLimits | None = None) -> Socket | None:
        """The accepted connection, or None when it was refused with an HTTP answer.

        ``limits``: of its messages, where they are not those of all sockets.
        """
        if self._is_stopping:
            await deny(websocket, ApiError(Code.UNAVAILABLE, "The server is stopping.", retry_after_ms=1000))
            return None
        await websocket.accept()
        return Socket(websocket, limits or self.limits)

    async def serve(self, socket: Socket, *work: Coroutine[Any, Any, None]) -> None:
        """Runs a socket as one that is told when the server stops."""
        self._open.add(socket)
        try:
            await socket.serve(*work)
        finally:
            self._open.discard(socket)
            self.slow += socket.is_slow

    async def stop(self) -> None:
        """Closes every socket with 1001 and waits until they are closed, or for long enough."""
        self._is_stopping = True
        for socket in tuple(self._open):
            socket.close(GOING_AWAY, "reconnect")
        for _ in range(20):
            if not self._open:
                return
            await asyncio.sleep(0.1)


async def deny(websocket: WebSocket, refusal: ApiError) -> None:
    """Answers the handshake with an HTTP error instead of opening the socket."""
    await websocket.send_denial_response(JSONResponse(refusal.body(), refusal.status))


class Pump:
    """Drives a session over a socket."""

    def __init__(self, socket: Socket, session: Session, do: Do) -> None:
        self._socket = socket
        self._session = session
        self._do = do

    async def receive_all(self) -> None:
        """Feeds the peer's frames to the session. A peer that does not read its answers is not read either."""
        async for frame in self._socket.frames():
            await self._carry_out(self._receive(frame))
            await self._socket.drain()

    async def notify_all(self, events: AsyncIterable[Event]) -> None:
        """Feeds events to the session."""
        async for event in events:
            self.notify(event)
            await self._socket.drain()

    def notify(self, event: Event) -> None:
        """Tells the session of an event that it answers with nothing but frames."""
        for effect in self._session.notify(event):
            if not self._answer(effect):
                raise TypeError(f"{type(effect).__name__} is no answer to {type(event).__name__}")

    async def _carry_out(self, effects: Sequence[Effect]) -> None:
        """Carries out effects in their order, and what follows from them."""
        for effect in effects:
            if not self._answer(effect):
                for event in await self._do(effect):
                    await self._carry_out(self._session.notify(event))

    def _answer(self, effect: Effect) -> bool:
        """Carries out an effect that all sessions have in common; whether it was one."""
        match effect:
            case Send(text=text):
                self._socket.send(text)
            case Close(code=code, reason=reason):
                self._socket.close(code, reason)
            case Log(text=text):
                log.info("%s", text)
            case _:
                return False
        return True

    def _receive(self, frame: str | bytes) -> list[Effect]:
        if isinstance(frame, bytes):
            return [Close(POLICY_VIOLATION, "text frames only")]
        if is_oversize(frame):
            return [Close(TOO_BIG, "a message has at most 65536 characters")]
        return self._session.receive(frame)
