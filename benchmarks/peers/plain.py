"""The limit of the machine: prepared WebSocket frames written to all connections without any framework.

Implements just enough HTTP for the clients of ``crowd``. Whatever arrives on ``/say`` causes one frame to be written to
all connections of ``/hear``. Prints its address.

    python -m benchmarks.peers.plain
"""

import asyncio
import base64
import hashlib
from typing import cast

import uvloop

GUID = b"258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
"""The string that a server appends to a client's key (RFC 6455, 1.3)."""

HISTORY = b'{"type":"eval-history","entries":[]}'
UPDATE = b'{"type":"eval-update","ply":40,"evaluation":0.25,"bestMove":"---"}'

hearers: list[asyncio.Transport] = []


class Connection(asyncio.Protocol):
    """One connection: an upgrade, then either a receiver or a sender."""

    def __init__(self) -> None:
        self._request = b""
        self._speaks = False

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Waits for the request."""
        self._transport = cast("asyncio.Transport", transport)

    def data_received(self, data: bytes) -> None:
        """Writes one frame to all receivers for each frame of a sender."""
        if self._speaks:
            frame = _frame(UPDATE)
            for hearer in hearers:
                hearer.write(frame)
        elif not self._request.endswith(b"\r\n\r\n"):
            self._request += data
            if self._request.endswith(b"\r\n\r\n"):
                self._open()

    def _open(self) -> None:
        lines = self._request.split(b"\r\n")
        key = next(line for line in lines if line.lower().startswith(b"sec-websocket-key:"))
        digest = hashlib.sha1(key.partition(b":")[2].strip() + GUID).digest()  # noqa: S324 - the protocol's choice
        accepted = b"Sec-WebSocket-Accept: " + base64.b64encode(digest)
        head = (b"HTTP/1.1 101 Switching Protocols", b"Upgrade: websocket", b"Connection: Upgrade", accepted)
        self._transport.write(b"\r\n".join((*head, b"", b"")))
        self._speaks = lines[0].split()[1] == b"/say"
        if not self._speaks:
            self._transport.write(_frame(HISTORY))
            hearers.append(self._transport)


def _frame(text: bytes) -> bytes:
    """Returns a server's frame with a text of at most 125 bytes."""
    return bytes((0x81, len(text))) + text


async def main() -> None:
    """Serves until the process is stopped."""
    server = await asyncio.get_running_loop().create_server(Connection, "127.0.0.1", 0, backlog=1024)
    print(f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}", flush=True)
    await asyncio.Event().wait()


if __name__ == "__main__":
    uvloop.run(main())
