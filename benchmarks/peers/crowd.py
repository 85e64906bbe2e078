"""Many clients of a WebSocket in one process, which only count what they are sent.

Every client opens a WebSocket and says ``FIRST``. When all have had a frame with ``READY`` in it, ``ready`` is printed;
after that two moments (of the machine's monotonic clock) for each round, that is, one more frame for every client: when
its first frame came, and when its last.

    python -m benchmarks.peers.crowd HOST PORT PATH COUNT READY FIRST
"""

import asyncio
import os
import struct
import sys
import time
from functools import partial
from typing import cast

import uvloop

LONG, LONGER = 126, 127
"""Lengths in a frame's second byte that stand for one in the next 2 or 8 bytes."""


class Crowd:
    """Counts the frames of all clients."""

    def __init__(self, size: int) -> None:
        self._size = size
        self._ready = 0
        self._frames = 0
        self._began = 0.0

    def take_ready(self) -> None:
        """A client has been told everything that there was."""
        self._ready += 1
        if self._ready == self._size:
            print("ready", flush=True)

    def take(self, frames: int) -> None:
        """A client has had this many further frames."""
        before, self._frames = self._frames, self._frames + frames
        if before % self._size == 0:
            self._began = time.monotonic()
        if before // self._size < self._frames // self._size:
            print(self._began, time.monotonic(), flush=True)


class Client(asyncio.Protocol):
    """One connection: the handshakes, then frames, of which the unmasked short ones of a server are understood."""

    def __init__(self, crowd: Crowd, request: bytes, ready: bytes, first: bytes) -> None:
        self._crowd = crowd
        self._request = request
        self._ready = ready
        self._first = first
        self._rest = b""
        self._is_open = False
        self._is_ready = False

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Asks for a WebSocket."""
        self._transport = cast("asyncio.Transport", transport)
        self._transport.write(self._request)

    def data_received(self, data: bytes) -> None:
        """Counts the whole frames in what has come."""
        data = self._rest + data
        if not self._is_open:
            data = self._opened(data)
        at, frames = 0, 0
        while (end := _frame_end(data, at)) <= len(data):
            if self._is_ready:
                frames += 1
            elif self._ready in data[at:end]:
                self._is_ready = True
                self._crowd.take_ready()
            at = end
        self._rest = data[at:]
        if frames:
            self._crowd.take(frames)

    def _opened(self, data: bytes) -> bytes:
        head, blank, rest = data.partition(b"\r\n\r\n")
        if not blank:
            return data
        if b" 101 " not in head:
            raise SystemExit(f"no socket: {head.decode()}")
        self._is_open = True
        if self._first:
            self._transport.write(_masked(self._first))
        return rest


def _frame_end(data: bytes, at: int) -> int:
    """Where the frame that begins at ``at`` ends; past the end of ``data`` when it is not all there."""
    if len(data) < at + 2:
        return len(data) + 1
    length = data[at + 1]
    if length < LONG:
        return at + 2 + length
    size = 2 if length == LONG else 8
    return at + 2 + size + int.from_bytes(data[at + 2 : at + 2 + size], "big")


def _masked(text: bytes) -> bytes:
    """A client's text frame; the mask of zeros leaves the text as it is."""
    return struct.pack("!BBH", 0x81, 0x80 | LONG, len(text)) + bytes(4) + text


async def main(host: str, port: str, path: str, size: str, ready: str, first: str) -> None:
    """Connects everybody, and counts until the process is ended."""
    crowd, loop = Crowd(int(size)), asyncio.get_running_loop()
    for _ in range(int(size)):
        key = os.urandom(12).hex()[:22] + "=="
        lines = (
            f"GET {path} HTTP/1.1",
            f"Host: {host}:{port}",
            "Connection: Upgrade",
            "Upgrade: websocket",
            "Sec-WebSocket-Version: 13",
            f"Sec-WebSocket-Key: {key}",
        )
        request = "\r\n".join((*lines, "", "")).encode()
        client = partial(Client, crowd, request, ready.encode(), first.encode())
        await loop.create_connection(client, host, int(port))
    await asyncio.Event().wait()


if __name__ == "__main__":
    uvloop.run(main(*sys.argv[1:]))
