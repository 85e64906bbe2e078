"""The server that a bot client under check connects to: it has the address of a real one, and no games."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import suppress
from http import HTTPStatus
from urllib.parse import urlsplit

from websockets.asyncio.server import Server, ServerConnection, serve
from websockets.exceptions import ConnectionClosed
from websockets.http11 import Request, Response

from programs.bot.config import SOCKET_PATH
from programs.check.connecting import ConnectingProcess, ending_of, first_connection
from programs.check.findings import WrongAnswer
from programs.check.sessions import BinaryFrame

ADDRESS = "127.0.0.1"
MAX_FRAME_BYTES = 1 << 20


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

    async def accept(self, seconds: float, process: ConnectingProcess | None) -> "ClientChannel":
        """Waits for a connection. Raises NoAnswer, or ProgramEnded if the client exits before."""
        try:
            return ClientChannel(await first_connection(self._accepted, seconds, process), process)
        except WrongAnswer as error:
            if not self.wrong_paths:
                raise
            raise type(error)(
                f"{error} It asked for {self.wrong_paths[-1]} instead of {SOCKET_PATH}."
            ) from None

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

    def __init__(self, connection: ServerConnection, process: ConnectingProcess | None) -> None:
        self.connection = connection
        self.process = process

    async def lines(self) -> AsyncIterator[str]:
        """Its frames."""
        with suppress(ConnectionClosed):
            async for frame in self.connection:
                yield (
                    frame if isinstance(frame, str) else BinaryFrame(f"a binary frame of {len(frame)} bytes")
                )

    async def send(self, message: str) -> None:
        """Sends a text frame."""
        with suppress(ConnectionClosed):
            await self.connection.send(message)

    async def ending(self) -> str:
        """How the process has exited, or how the connection was closed."""
        code, reason = self.connection.close_code, self.connection.close_reason
        return (
            await ending_of(self.process)
            or f"it has closed its connection with {code} {reason or ''}".strip()
        )

    async def close(self) -> None:
        """Ends the process and the connection."""
        if self.process is not None:
            await self.process.close()
        await self.connection.close()
