"""Many WebSocket clients in one process that only count the frames they receive.

Every client opens a WebSocket and sends ``FIRST``. Once all have received a frame that contains ``READY``, prints
``ready``. After that, prints a line for each round, that is, one more frame for every client: when the first and the
last of these frames arrived, by the machine's monotonic clock, and the length of the last one's text in bytes.

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
"""Values of a frame's second byte that mean that the length is in the next 2 or 8 bytes."""


class Crowd:
    """Counts the frames of all clients."""

    def __init__(self, size: int) -> None:
        self._size = size
        self._ready = 0
        self._frames = 0
        self._began = 0.0

    def take_ready(self) -> None:
        """Called when a client has received the frame with ``READY``."""
        self._ready += 1
        if self._ready == self._size:
            print("ready", flush=True)

    def take(self, frames: int, length: int) -> None:
        """Called when a client has received ``frames`` more frames, the last one with a text of ``length`` bytes."""
        before, self._frames = self._frames, self._frames + frames
        if before % self._size == 0:
            self._began = time.monotonic()
        if before // self._size < self._frames // self._size:
            print(self._began, time.monotonic(), length, flush=True)


class Client(asyncio.Protocol):
    """One connection: the handshake, then frames. Only a server's unmasked, unfragmented frames are supported."""

    def __init__(self, crowd: Crowd, request: bytes, ready: bytes, first: bytes) -> None:
        self._crowd = crowd
        self._request = request
        self._ready = ready
        self._first = first
        self._rest = b""
        self._is_open = False
        self._is_ready = False

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Requests a WebSocket."""
        self._transport = cast("asyncio.Transport", transport)
        self._transport.write(self._request)

    def data_received(self, data: bytes) -> None:
        """Counts the complete frames received."""
        data = self._rest + data
        if not self._is_open:
            data = self._opened(data)
        at, frames, length = 0, 0, 0
        while (end := _frame_end(data, at)) <= len(data):
            length = end - at - _header_length(data, at)
            if self._is_ready:
                frames += 1
            elif self._ready in data[at:end]:
                self._is_ready = True
                self._crowd.take_ready()
            at = end
        self._rest = data[at:]
        if frames:
            self._crowd.take(frames, length)

    def _opened(self, data: bytes) -> bytes:
        head, blank, rest = data.partition(b"\r\n\r\n")
        if not blank:
            return data
        if b" 101 " not in head:
            raise SystemExit(f"the handshake failed: {head.decode()}")
        self._is_open = True
        if self._first:
            self._transport.write(_masked(self._first))
        return rest


def _frame_end(data: bytes, at: int) -> int:
    """Returns the end of the frame that starts at ``at``; beyond the end of ``data`` if the frame is incomplete."""
    if len(data) < at + 2:
        return len(data) + 1
    length, begin = data[at + 1], at + _header_length(data, at)
    return begin + (length if length < LONG else int.from_bytes(data[at + 2 : begin], "big"))


def _header_length(data: bytes, at: int) -> int:
    """Returns the number of bytes before the text of the server's frame that starts at ``at``."""
    return {LONG: 4, LONGER: 10}.get(data[at + 1], 2)


def _masked(text: bytes) -> bytes:
    """Returns a client's text frame, with a mask of zeros, which leaves the text unchanged."""
    return struct.pack("!BBH", 0x81, 0x80 | LONG, len(text)) + bytes(4) + text


async def main(host: str, port: str, path: str, size: str, ready: str, first: str) -> None:
    """Connects all clients, and counts until the process is stopped."""
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
