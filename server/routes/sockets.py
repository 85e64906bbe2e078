"""The one pump for every WebSocket: frames to a session, its effects to the peer.

A session is pure and knows no socket; what it asks for beyond sending and closing is carried out by the route
that drives it. Nobody slow hurts anybody else: whose queue is full is closed with 1013 and may come back, and where
news can wait a patient pump lets them, so that there is no queue.
"""

import asyncio
import json
import logging
from collections import Counter
from collections.abc import AsyncIterable, AsyncIterator, Awaitable, Callable, Coroutine, Sequence
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

log = logging.getLogger(__name__)

GOING_AWAY: Final = 1001
TOO_BIG: Final = 1009
TRY_AGAIN_LATER: Final = 1013

QUEUE_LIMIT = 256
"""Frames that may wait for a peer in its queue."""

CLOSE_SECONDS = 5.0
"""How long a peer that does not read is given to take its close frame."""

RETRY = json.dumps({"retryAfterMs": 1000})
"""The reason of a close with 1013."""

PING: Final = "plyhouse.ping"
"""The extension of a socket's scope by which the server that runs us pings its peer: a coroutine function that returns
when the peer has answered."""

Do = Callable[[Effect], Awaitable[Sequence[Event]]]
"""Carries out an effect of the session's own protocol.

The events that follow from it are told to the session.
"""


class Socket:
    """One accepted connection. Frames of one sender go out in order; after ``close`` nothing more does."""

    def __init__(self, websocket: WebSocket) -> None:
        self.path = websocket.scope["route"].path
        """The address with names in the place of ids."""
        self.is_slow = False
        """Whether it is closed because its peer reads too slowly."""
        self._websocket = websocket
        self._out: asyncio.Queue[Send | Close] = asyncio.Queue()
        self._turn = asyncio.Lock()
        """Who holds it writes to the connection."""
        self._overrun = asyncio.Event()
        self._is_closing = False

    async def deliver(self, text: str) -> None:
        """Sends a frame; returns once the connection has taken it, which it does while its peer reads.

        Nothing is sent to a peer that has gone: ``frames`` ends then.
        """
        async with self._turn:
            if not self._is_closing:
                with suppress(WebSocketDisconnect):
                    await self._websocket.send_text(text)

    def send(self, text: str) -> None:
        """Queues a frame. When too many are waiting the connection is given up with 1013."""
        if self._is_closing:
            return
        if self._out.qsize() >= QUEUE_LIMIT:
            self.give_up()
            return
        self._out.put_nowait(Send(text))

    def close(self, code: int, reason: str = "") -> None:
        """Closes after what is queued."""
        if not self._is_closing:
            self._is_closing = True
            self._out.put_nowait(Close(code, reason))
            asyncio.get_running_loop().call_later(CLOSE_SECONDS, self._overrun.set)

    async def is_alive(self, seconds: float) -> bool:
        """Whether the peer answers a ping within ``seconds``; True where no ping can be sent."""
        ping = self._websocket.scope.get("extensions", {}).get(PING)
        if ping is None:
            return True
        try:
            async with asyncio.timeout(seconds):
                await ping()
        except TimeoutError:
            return False
        return True

    def give_up(self) -> None:
        """Closes with 1013 without sending what is queued."""
        log.info("a socket reads too slowly and is closed")
        self.is_slow = True
        self._is_closing = True
        self._overrun.set()

    async def frames(self) -> AsyncIterator[str | bytes]:
        """The peer's frames until it is gone."""
        while True:
            message = await self._websocket.receive()
            if message["type"] == "websocket.disconnect":
                return
            if self._is_closing:
                continue
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
            if self._is_closing and not sender.done():
                await asyncio.wait([sender, overrun], return_when=asyncio.FIRST_COMPLETED)
        finally:
            await _cancel(tasks)
        if self._overrun.is_set():
            await self._say_goodbye()
        for task in done:
            _raise_defect(task)

    async def _send_all(self) -> None:
        while True:
            effect = await self._out.get()
            async with self._turn:
                match effect:
                    case Send(text=text):
                        await self._websocket.send_text(text)
                    case Close(code=code, reason=reason):
                        await self._websocket.close(code, reason)
                        return

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

    def __init__(self) -> None:
        self._open: set[Socket] = set()
        self._is_stopping = False
        self.slow = 0
        """Sockets closed because their peers read too slowly."""

    def count_by_path(self) -> Counter[str]:
        """How many are open at each address."""
        return Counter(socket.path for socket in self._open)

    async def accept(self, websocket: WebSocket) -> Socket | None:
        """The accepted connection, or None when it was refused with an HTTP answer."""
        if self._is_stopping:
            await deny(websocket, ApiError(Code.UNAVAILABLE, "The server is stopping.", retry_after_ms=1000))
            return None
        await websocket.accept()
        return Socket(websocket)

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

    async def receive_all(self, read: Callable[[str | bytes], list[Effect]] | None = None) -> None:
        """Feeds the peer's frames to the session.

        ``read`` decides about unusable ones, which otherwise are fatal.
        """
        take = read or self._strict
        async for frame in self._socket.frames():
            await self.carry_out(take(frame))

    async def notify_all(self, events: AsyncIterable[Event]) -> None:
        """Feeds events to the session."""
        async for event in events:
            await self.carry_out(self._session.notify(event))

    async def carry_out(self, effects: Sequence[Effect]) -> None:
        """Carries out effects in their order, and what follows from them."""
        for effect in effects:
            match effect:
                case Send(text=text):
                    await self._send(text)
                case Close(code=code, reason=reason):
                    self._socket.close(code, reason)
                case Log(text=text):
                    log.info("%s", text)
                case _:
                    for event in await self._do(effect):
                        await self.carry_out(self._session.notify(event))

    async def _send(self, text: str) -> None:
        self._socket.send(text)

    def _strict(self, frame: str | bytes) -> list[Effect]:
        if isinstance(frame, bytes):
            return [Close(POLICY_VIOLATION, "text frames only")]
        if is_oversize(frame):
            return [Close(TOO_BIG, "a message has at most 65536 characters")]
        return self._session.receive(frame)


class PatientPump(Pump):
    """A pump for news of which the latest counts: it asks for the next when the peer has taken the last."""

    async def _send(self, text: str) -> None:
        await self._socket.deliver(text)
