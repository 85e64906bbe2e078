"""What the attackers of ``benchmarks.attacks`` use: requests, sockets and bytes from addresses of their choice.

Nothing here raises when the server refuses; ``answers`` counts what it said. Runs in a process of its own.
"""

import asyncio
import base64
import itertools
import json
import os
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from typing import Any

import httpx
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake, InvalidMessage, InvalidStatus

Json = dict[str, Any]
Act = Callable[[], Awaitable[None]]
NumberedAct = Callable[[int], Awaitable[None]]

AGAIN_SECONDS = 0.05
"""The pause before a refused attacker connects again."""
MOST_AT_ONCE = 256
"""The most actions of an attacker that wait for an answer at the same time."""
PAUSE_SECONDS = 0.01
"""The pause between the pieces of an endless request. Without any, a server that only reads is busy all the time."""
LOOK_BYTES = 65_536
MASK = bytes(4)


@dataclass(frozen=True, slots=True)
class Target:
    """A server, and the games of others on it."""

    host: str
    port: int
    uhp_port: int
    games: tuple[str, ...]


def address_of(number: int) -> str:
    """The attacker's address with this number."""
    return f"198.18.{number // 250}.{number % 250 + 1}"


class Attacker:
    """The client of one attack. ``begin`` returns when the attack may begin, after its preparations."""

    def __init__(self, target: Target, begin: Act) -> None:
        self.target = target
        self.begin = begin
        self.answers: Counter[str] = Counter()
        """How often the server gave each answer: a status, the code of a closed socket, or an error."""
        limits = httpx.Limits(max_connections=MOST_AT_ONCE)
        self._http = httpx.AsyncClient(
            base_url=f"http://{target.host}:{target.port}", timeout=30, limits=limits
        )

    async def close(self) -> None:
        """Closes the connections of requests."""
        await self._http.aclose()

    # ---- requests --------------------------------------------------------------------------------

    async def prepared(self, path: str, body: Json, address: int) -> Json:
        """The answer to a request before the attack, which must succeed."""
        answer = await self._http.post(path, json=body, headers=_forwarded(address))
        found: Json = answer.raise_for_status().json()
        return found

    async def get(self, path: str, address: int = 1) -> None:
        """Reads an address."""
        await self._request("GET", path, None, address)

    async def post(self, path: str, body: Json, address: int = 1) -> Json:
        """Posts JSON; returns the answer, empty if it is no success."""
        return await self._request("POST", path, body, address)

    async def _request(self, method: str, path: str, body: Json | None, address: int) -> Json:
        try:
            answer = await self._http.request(method, path, json=body, headers=_forwarded(address))
        except httpx.TransportError as error:
            self.answers[type(error).__name__] += 1
            return {}
        self.answers[str(answer.status_code)] += 1
        found: Json = answer.json() if answer.is_success else {}
        return found

    # ---- sockets ---------------------------------------------------------------------------------

    @asynccontextmanager
    async def socket(self, path: str, address: int = 1) -> AsyncIterator[ClientConnection | None]:
        """A WebSocket, or None if it was refused. The end of the connection in the context only counts."""
        socket = await self.open_socket(path, address)
        if socket is None:
            yield None
            return
        try:
            with suppress(ConnectionClosed, TimeoutError):
                yield socket
        finally:
            if socket.close_code is not None:
                self.answers[f"closed {socket.close_code}"] += 1
            socket.transport.abort()
            await socket.wait_closed()

    async def open_socket(self, path: str, address: int) -> ClientConnection | None:
        """A WebSocket that stays open, or None if it was refused."""
        url = f"ws://{self.target.host}:{self.target.port}{path}"
        headers = _forwarded(address)
        try:
            socket = await connect(
                url, additional_headers=headers, compression=None, ping_interval=None, max_size=None
            )
        except InvalidStatus as refused:
            self.answers[str(refused.response.status_code)] += 1
            return None
        except (OSError, TimeoutError, EOFError, InvalidHandshake, InvalidMessage) as error:
            self.answers[type(error).__name__] += 1
            return None
        self.answers["101"] += 1
        return socket

    # ---- bytes -----------------------------------------------------------------------------------

    def head(self, first: str, address: int, *lines: str) -> bytes:
        """The head of a request, without the blank line."""
        host = f"Host: {self.target.host}:{self.target.port}"
        return "\r\n".join((first, host, f"X-Forwarded-For: {address_of(address)}", *lines, "")).encode()

    def upgrade(self, path: str, address: int) -> bytes:
        """The request for a WebSocket."""
        key = base64.b64encode(os.urandom(16)).decode()
        lines = ("Connection: Upgrade", "Upgrade: websocket", "Sec-WebSocket-Version: 13")
        return self.head(f"GET {path} HTTP/1.1", address, *lines, f"Sec-WebSocket-Key: {key}") + b"\r\n"

    async def send_without_end(
        self, first: bytes, piece: bytes, pause: float = PAUSE_SECONDS, port: int = 0
    ) -> None:
        """Sends ``first`` and then always ``piece``, until the server closes the connection."""
        try:
            reader, writer = await asyncio.open_connection(self.target.host, port or self.target.port)
        except OSError as error:
            self.answers[type(error).__name__] += 1
            await asyncio.sleep(AGAIN_SECONDS)
            return
        answer = asyncio.ensure_future(_first_line(reader))
        try:
            with suppress(OSError):
                writer.write(first)
                while not writer.is_closing() and not reader.at_eof():
                    writer.write(piece)
                    await writer.drain()
                    await asyncio.sleep(pause)
            self.answers[await answer] += 1
        finally:
            answer.cancel()
            await cut(writer)
        await asyncio.sleep(AGAIN_SECONDS)

    # ---- repeating -------------------------------------------------------------------------------

    async def every(self, seconds: float, act: NumberedAct) -> None:
        """Starts an action at this interval for ever, whether or not the earlier ones have ended; it gets a number."""
        running, loop = set[asyncio.Task[None]](), asyncio.get_running_loop()
        due = loop.time()
        async with asyncio.TaskGroup() as group:
            for number in itertools.count():
                if len(running) < MOST_AT_ONCE:
                    task = group.create_task(_acted(act, number))
                    running.add(task)
                    task.add_done_callback(running.discard)
                due = max(due + seconds, loop.time() - 1)
                await asyncio.sleep(max(0.0, due - loop.time()))

    async def at_once(self, count: int, act: NumberedAct) -> None:
        """Repeats ``count`` actions for ever, each again when it has ended; it gets its number."""

        async def repeat(number: int) -> None:
            while True:
                await act(number)
                await asyncio.sleep(0)

        await asyncio.gather(*(repeat(number) for number in range(count)))


async def cut(writer: asyncio.StreamWriter) -> None:
    """Ends a connection at once."""
    writer.transport.abort()
    with suppress(OSError):
        await writer.wait_closed()


def control_frame(opcode: int, text: bytes = b"") -> bytes:
    """A client's short frame, with a mask of zeros."""
    return bytes((0x80 | opcode, 0x80 | len(text))) + MASK + text


def _forwarded(address: int) -> dict[str, str]:
    return {"X-Forwarded-For": address_of(address)}


async def _acted(act: NumberedAct, number: int) -> None:
    await act(number)


async def _first_line(reader: asyncio.StreamReader) -> str:
    """The status in the first line of an answer, or ``cut`` if there is none; reads to the end."""
    line = b""
    with suppress(OSError, ValueError):
        line = await reader.readline()
        while await reader.read(LOOK_BYTES):
            pass
    text = line.decode(errors="replace").strip()
    return text.split(" ")[1] if text.startswith("HTTP/") else text[:40] or "cut"


def text_of(frame: Json) -> str:
    """A frame as text."""
    return json.dumps(frame, separators=(",", ":"))
