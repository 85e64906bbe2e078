"""The accepted WebSockets.

Frames are written at once if the peer reads, and otherwise kept in its outbox, so that a slow peer delays no one.
"""

import asyncio
import json
import logging
from collections import Counter
from collections.abc import AsyncIterator, Coroutine, Hashable
from contextlib import suppress
from functools import cached_property
from typing import Any, Final

from fastapi.responses import JSONResponse
from starlette.websockets import WebSocket, WebSocketDisconnect

from protocols.session import POLICY_VIOLATION, Close, FrameLost, is_oversize
from server.domain.errors import ApiError, Code, out_of_service
from server.domain.token_bucket import MessageLimits
from server.routes.client_origin import Clients
from server.routes.sockets.outbox import Outbox
from server.services.cluster.bus import OverrunError
from server.services.cluster.out_of_service import OutOfService
from server.services.error_body import error_body
from server.services.message_rate import MessageRate
from server.web.web_socket import TRANSPORT, WebSocketConnection

log = logging.getLogger(__name__)

GOING_AWAY: Final = 1001
TOO_BIG: Final = 1009
TRY_AGAIN_LATER: Final = 1013

QUEUE_LIMIT = 256
"""The most frames that may wait for one peer."""

CLOSE_SECONDS = 5.0
"""How long a peer that does not read has to accept its close frame."""

RETRY = json.dumps({"retryAfterMs": 1000})
"""The reason of a close with 1013."""


class Socket:
    """One accepted connection. Implements ``ports.connection.Connection``. Frames after ``close`` are dropped."""

    def __init__(self, websocket: WebSocket, limits: MessageLimits, address: str | None) -> None:
        """``limits`` apply to the messages that the peer sends; others to what clients of its ``address`` do."""
        self.address = address
        self.path = websocket.scope["route"].path
        """The path of the route, with parameter names in place of ids."""
        self.is_slow = False
        """Whether it was closed because its peer reads too slowly."""
        self.outbox = Outbox(QUEUE_LIMIT)
        """Frames that the connection does not accept yet."""
        self._pace = MessageRate(limits)
        self._websocket = websocket
        self._transport: WebSocketConnection | None = websocket.scope.get("extensions", {}).get(TRANSPORT)
        self._is_idle = True
        """Whether all frames have been written and the connection accepts more."""
        self._closing: Close | None = None
        self._is_served = False
        self._sender: asyncio.Task[None] | None = None
        """Sends what is queued; there is none while there is nothing to send."""
        self._drained: asyncio.Event | None = None
        """Set when all frames have been written; None while there are none to write."""
        loop = asyncio.get_running_loop()
        self._sent: asyncio.Future[None] = loop.create_future()
        """Done once everything has been sent and the connection is closed, or the peer has disconnected."""
        self._overrun: asyncio.Future[None] = loop.create_future()
        """Done once the peer has had too long to read."""

    @cached_property
    def frames(self) -> AsyncIterator[str | FrameLost]:
        """The peer's frames. Made when it is read: with one that never begins, reference counting frees no socket."""
        return self._frames()

    @property
    def is_throttled(self) -> bool:
        """Whether messages of the peer had to wait, because it sent too many."""
        return self._pace.has_delayed

    def lag_ms(self) -> int:
        """Half the round-trip time to the peer in milliseconds; 0 if the server does not measure it."""
        return 0 if self._transport is None else self._transport.lag_ms()

    def send(self, text: str, key: Hashable = None) -> None:
        """Sends a frame at once, or keeps it in the outbox while the peer does not read.

        If the outbox is full, the connection is closed with 1013.
        """
        if not self._is_idle or self._transport is None or not self._transport.try_send(text):
            self._keep(text, key)

    async def drain(self) -> None:
        """Waits until all frames have been written, which happens as long as the peer reads."""
        if self._drained is not None:
            await self._drained.wait()

    def close(self, code: int, reason: str = "") -> None:
        """Closes the connection after sending the queued frames."""
        if self._closing is None:
            self._closing = Close(code, reason)
            self._is_idle = False
            self._start_sending()
            asyncio.get_running_loop().call_later(CLOSE_SECONDS, _finish, self._overrun)

    async def is_alive(self, seconds: float) -> bool:
        """Whether the peer answers a ping within ``seconds``; True if no ping can be sent."""
        if self._transport is None:
            return True
        try:
            async with asyncio.timeout(seconds):
                await self._transport.ping()
        except TimeoutError:
            return False
        return True

    def abort(self) -> None:
        """Ends the connection at once: its peer reads no more, not even a close frame."""
        if self._transport is not None:
            self._transport.abort()

    def give_up(self) -> None:
        """Closes with 1013 without sending the queued frames."""
        log.info("closing a socket whose peer reads too slowly")
        self.is_slow = True
        self._closing = Close(TRY_AGAIN_LATER, RETRY)
        self._is_idle = False
        _finish(self._overrun)

    def give_back(self) -> None:
        """Does not count the last message towards the limit."""
        self._pace.give_back()

    async def messages(self) -> AsyncIterator[str | bytes]:
        """The peer's messages until it disconnects. Reading pauses if the peer sends too many."""
        while True:
            message = await self._websocket.receive()
            if message["type"] == "websocket.disconnect":
                return
            if not await self._pace.keep():
                self.close(POLICY_VIOLATION, "Too many messages")
            if self._closing is None:
                text = message.get("text")
                yield text if text is not None else message["bytes"]

    async def _frames(self) -> AsyncIterator[str | FrameLost]:
        """The peer's messages as frames, each one only once the peer has read the answers to those before."""
        async for message in self.messages():
            if isinstance(message, bytes):
                self.close(POLICY_VIOLATION, "text frames only")
            elif is_oversize(message):
                self.close(TOO_BIG, "a message has at most 65536 characters")
            else:
                yield message
                await self.drain()

    async def serve(self, work: Coroutine[Any, Any, None]) -> None:
        """Runs ``work`` until it ends, the peer disconnects or the connection is closed."""
        self._is_served = True
        if not self._is_idle:
            self._start_sending()
        working = asyncio.ensure_future(work)
        try:
            done, _ = await asyncio.wait(
                [self._sent, self._overrun, working], return_when=asyncio.FIRST_COMPLETED
            )
            if self._closing is not None and not self._sent.done():
                await asyncio.wait([self._sent, self._overrun], return_when=asyncio.FIRST_COMPLETED)
        finally:
            self._is_served = False  # Others may still send to it, until they know that it is gone.
            tasks = [task for task in (working, self._sender) if task is not None]
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            if self._sent.done():
                self._sent.exception()  # Otherwise the event loop would log it.
        if self._overrun.done():
            await self._say_goodbye()
        for ended in done:
            _raise_defect(ended)

    def _keep(self, text: str, key: Hashable) -> None:
        if self._closing is not None:
            return
        try:
            self.outbox.put(text, key)
        except OverrunError:
            self.give_up()
        else:
            self._is_idle = False
            self._drained = self._drained or asyncio.Event()
            self._start_sending()

    def _start_sending(self) -> None:
        if self._is_served and self._sender is None:
            self._sender = asyncio.ensure_future(self._send_all())

    async def _send_all(self) -> None:
        """Sends the queued frames, and closes the connection if that is wanted."""
        try:
            while (text := self.outbox.take()) is not None:
                await self._websocket.send_text(text)
            if self._closing is not None:
                await self._websocket.close(self._closing.code, self._closing.reason)
                _finish(self._sent)
                return
        except WebSocketDisconnect:
            _finish(self._sent)
            return
        except Exception as error:  # serve() raises it.
            self._sent.set_exception(error)
            return
        self._is_idle, self._sender = True, None
        drained, self._drained = self._drained, None
        if drained is not None:
            drained.set()

    async def _say_goodbye(self) -> None:
        with suppress(TimeoutError, RuntimeError, WebSocketDisconnect):
            async with asyncio.timeout(CLOSE_SECONDS):
                await self._websocket.close(TRY_AGAIN_LATER, RETRY)


def _finish(future: asyncio.Future[None]) -> None:
    if not future.done():
        future.set_result(None)


def _raise_defect(task: "asyncio.Future[Any]") -> None:
    """Raises the exception of a task, unless the peer just disconnected."""
    error = None if task.cancelled() else task.exception()
    if error is not None and not isinstance(error, WebSocketDisconnect):
        raise error


class OpenSockets:
    """All sockets of the server, so that they can be closed when it stops."""

    def __init__(self, limits: MessageLimits, clients: Clients, out_of_service: OutOfService) -> None:
        """``limits`` apply to the messages that each client sends; ``clients`` finds its address."""
        self.limits = limits
        self._clients = clients
        self._out_of_service = out_of_service
        self._open: set[Socket] = set()
        self._is_stopping = False
        self.slow = 0
        """Sockets closed because their peers read too slowly."""
        self.throttled = 0
        """Ended sockets whose peers sent faster than they may."""

    def count_by_path(self) -> Counter[str]:
        """The number of open sockets by path."""
        return Counter(socket.path for socket in self._open)

    async def accept(self, websocket: WebSocket, kind: type[Socket] = Socket) -> Socket | None:
        """The accepted connection; None if it was refused with an HTTP answer."""
        if self._is_stopping:
            await deny(websocket, ApiError(Code.UNAVAILABLE, "The server is stopping.", retry_after_ms=1000))
            return None
        if self._out_of_service.is_out:
            await deny(websocket, out_of_service())
            return None
        address = self._clients.address(websocket)
        await websocket.accept()
        websocket.scope["headers"].clear()  # They would be kept as long as the connection.
        return kind(websocket, self.limits, address)

    async def serve(self, socket: Socket, work: Coroutine[Any, Any, None]) -> None:
        """Runs a socket, which ``stop`` closes."""
        self._open.add(socket)
        if self._is_stopping or self._out_of_service.is_out:  # It was accepted before.
            socket.close(GOING_AWAY, "reconnect")
        try:
            await socket.serve(work)
        finally:
            self._open.discard(socket)
            self.slow += socket.is_slow
            self.throttled += socket.is_throttled

    def close_all(self) -> None:
        """Closes every socket with 1001."""
        for socket in tuple(self._open):
            socket.close(GOING_AWAY, "reconnect")

    async def stop(self) -> None:
        """Closes every socket, and waits up to two seconds until they are closed."""
        self._is_stopping = True
        self.close_all()
        for _ in range(20):
            if not self._open:
                return
            await asyncio.sleep(0.1)


async def deny(websocket: WebSocket, refusal: ApiError) -> None:
    """Answers the handshake with an HTTP error instead of opening the socket."""
    await websocket.send_denial_response(JSONResponse(error_body(refusal), refusal.status))
