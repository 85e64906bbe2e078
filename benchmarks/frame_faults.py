"""A WebSocket proxy that duplicates, reorders and cuts messages in both directions, for ``benchmarks.frames``."""

import asyncio
import random
from collections import Counter
from contextlib import suppress
from enum import Enum
from typing import Self

from websockets.asyncio.client import ClientConnection, connect
from websockets.asyncio.server import Server, ServerConnection, serve
from websockets.exceptions import ConnectionClosed, WebSocketException

Connection = ClientConnection | ServerConnection

HOLD_SECONDS = 0.05
"""How long a message that is to be overtaken is kept if none follows."""


class Fault(Enum):
    """What happens to a message, with its probability."""

    NONE = "passed unchanged", 0.0
    DUPLICATE = "duplicated", 0.02
    OVERTAKE = "overtaken by the next", 0.02
    CUT = "cut off somewhere", 0.005
    BREAK = "lost with its connection", 0.001

    def __init__(self, text: str, probability: float) -> None:
        self.text = text
        self.probability = probability


class FrameProxy:
    """Passes on the messages of any number of connections to the server at ``url`` (``ws://``), with faults."""

    def __init__(self, url: str, rng: random.Random) -> None:
        self._url = url
        self._rng = rng
        self._server: Server | None = None
        self.counts: Counter[Fault] = Counter()
        """The messages of both directions, by what happened to them."""
        self.url = ""

    async def __aenter__(self) -> Self:
        self._server = await serve(
            self._serve, "127.0.0.1", 0, compression=None, max_size=None, ping_interval=None
        )
        self.url = f"ws://127.0.0.1:{self._server.sockets[0].getsockname()[1]}"
        return self

    async def __aexit__(self, *_: object) -> None:
        if self._server is not None:
            self._server.close()
            await self._server.wait_closed()

    async def _serve(self, client: ServerConnection) -> None:
        """Ends with an error if the server refuses the connection; the client is then closed with 1011."""
        path = "" if client.request is None else client.request.path
        with suppress(OSError, WebSocketException):
            async with connect(
                self._url + path, compression=None, max_size=None, ping_interval=None
            ) as server:
                pipes = [
                    asyncio.ensure_future(self._pass(*ends)) for ends in ((client, server), (server, client))
                ]
                try:
                    await asyncio.wait(pipes, return_when=asyncio.FIRST_COMPLETED)
                finally:
                    for pipe in pipes:
                        pipe.cancel()
                    await asyncio.gather(*pipes, return_exceptions=True)

    async def _pass(self, source: Connection, target: Connection) -> None:
        held: str | bytes | None = None
        with suppress(ConnectionClosed):
            while True:
                message = await _next(source, None if held is None else HOLD_SECONDS)
                fault = Fault.NONE if message is None else self._fault()
                if fault is Fault.BREAK:
                    for end in (source, target):
                        end.transport.abort()
                    return
                if fault is Fault.OVERTAKE and held is None:
                    held = message
                    continue
                if message is not None:
                    for text in self._changed(message, fault):
                        await target.send(text)
                if held is not None:
                    await target.send(held)
                    held = None
        await target.close(source.close_code or 1000, source.close_reason or "")

    def _fault(self) -> Fault:
        [fault] = self._rng.choices(tuple(Fault), _WEIGHTS)
        self.counts[fault] += 1
        return fault

    def _changed(self, message: str | bytes, fault: Fault) -> list[str | bytes]:
        match fault:
            case Fault.DUPLICATE:
                return [message, message]
            case Fault.CUT:
                return [message[: self._rng.randrange(len(message))]] if message else [message]
            case _:
                return [message]


_WEIGHTS = [fault.probability or 1 - sum(one.probability for one in Fault) for fault in Fault]


async def _next(source: Connection, seconds: float | None) -> str | bytes | None:
    """The next message; None if there is none for so long. ConnectionClosed."""
    with suppress(TimeoutError):
        async with asyncio.timeout(seconds):
            return await source.recv()
    return None
