"""The server that a bot client under check connects to: it has the address of a real one, and no games."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import suppress
from http import HTTPStatus
from typing import Protocol
from urllib.parse import urlsplit

from websockets.asyncio.server import Server, ServerConnection, serve
from websockets.exceptions import ConnectionClosed
from websockets.http11 import Request, Response

from programs.bot.config import SOCKET_PATH
from programs.check.conversation import NoAnswer, ProgramEnded

ADDRESS = "127.0.0.1"
MAX_FRAME_BYTES = 1 << 20
CONNECT_SECONDS = 30.0
"""From the start of the client: some load a network or another runtime first."""

EXIT_SECONDS = 2.0


class ClientProcess(Protocol):
    """The client's process."""

    async def exited(self) -> None:
        """Waits until it has exited."""
        ...

    async def ending(self) -> str:
        """How it has exited."""
        ...

    async def close(self) -> None:
        """Ends it."""
        ...


class BotServer:
    """Accepts connections at the address of the bot socket."""

    def __init__(self) -> None:
        self._server: Server | None = None
        self._accepted: asyncio.Queue[ServerConnection] = asyncio.Queue()
        self.wrong_paths: list[str] = []
        """Where clients have tried to connect instead."""

    async def open(self, port: int = 0) -> None:
        """Begins to listen; port 0 is any free one. Raises OSError."""
        self._server = await serve(
            self._accept,
            ADDRESS,
            port,
            compression=None,
            max_size=MAX_FRAME_BYTES,
            ping_interval=None,
            process_request=self._check_path,
        )

    @property
    def url(self) -> str:
        """Its address, without a path."""
        if self._server is None:
            raise RuntimeError("the server does not listen")
        return f"ws://{ADDRESS}:{self._server.sockets[0].getsockname()[1]}"

    async def accept(self, seconds: float, process: ClientProcess | None) -> "ClientChannel":
        """Waits for a connection. Raises NoAnswer, or ProgramEnded if the client exits before."""
        accepting = asyncio.ensure_future(self._accepted.get())
        waiting: set[asyncio.Future[object]] = {accepting}
        if process is not None:
            waiting.add(asyncio.ensure_future(process.exited()))
        done, rest = await asyncio.wait(waiting, timeout=seconds, return_when=asyncio.FIRST_COMPLETED)
        for task in rest:
            task.cancel()
        if accepting in done:
            return ClientChannel(accepting.result(), process)
        elsewhere = f" It asked for {self.wrong_paths[0]} instead of {SOCKET_PATH}." if self.wrong_paths else ""
        if done and process is not None:
            raise ProgramEnded(f"The client has not connected; it has ended: {await process.ending()}.{elsewhere}")
        raise NoAnswer(f"The client has not connected within {seconds:g} s.{elsewhere}")

    async def close(self) -> None:
        """Closes all connections."""
        if self._server is not None:
            self._server.close()
            await self._server.wait_closed()

    async def _accept(self, connection: ServerConnection) -> None:
        self._accepted.put_nowait(connection)
        await connection.wait_closed()

    def _check_path(self, connection: ServerConnection, request: Request) -> Response | None:
        path = urlsplit(request.path).path
        if path == SOCKET_PATH:
            return None
        self.wrong_paths.append(path)
        return connection.respond(HTTPStatus.NOT_FOUND, f"The socket for bots is at {SOCKET_PATH}.\n")


class ClientChannel:
    """One connection of a client. Closing it also ends the client's process, if we have started one."""

    def __init__(self, connection: ServerConnection, process: ClientProcess | None) -> None:
        self.connection = connection
        self.process = process

    async def lines(self) -> AsyncIterator[str]:
        """Its frames."""
        with suppress(ConnectionClosed):
            async for frame in self.connection:
                yield frame if isinstance(frame, str) else f"a binary frame of {len(frame)} bytes"

    async def send(self, message: str) -> None:
        """Sends a text frame."""
        with suppress(ConnectionClosed):
            await self.connection.send(message)

    async def ending(self) -> str:
        """How the process has exited, or how the connection was closed."""
        if self.process is not None:
            with suppress(TimeoutError):
                async with asyncio.timeout(EXIT_SECONDS):
                    await self.process.exited()
                    return await self.process.ending()
        code, reason = self.connection.close_code, self.connection.close_reason
        return f"it has closed its connection with {code} {reason or ''}".strip()

    async def close(self) -> None:
        """Ends the process and the connection."""
        if self.process is not None:
            await self.process.close()
        await self.connection.close()
