"""What an attack costs the machine itself: a server that reads everything, and answers as little as possible.

It answers every HTTP request with the same JSON, and every move on a WebSocket at once. Bodies, other messages and all
lines over TCP are read and dropped, without any limit. Prints its address, and that of the second port for lines.

    python -m benchmarks.peers.sink
"""

import asyncio
import base64
import hashlib
import json
from typing import cast

import uvloop

from benchmarks.peers.plain import GUID

BODY = b'{"gameId":"sink","analysisId":"sink","seats":[{"token":"sink"},{"token":"sink"}]}'
ANSWER = b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: %d\r\n\r\n%s" % (
    len(BODY),
    BODY,
)
HEAD_END = b"\r\n\r\n"
CHUNKS_END = b"0\r\n\r\n"
LONGEST_HEAD = 65_536
"""What is kept of a head."""
CLOSE = 8
LONG = {126: 2, 127: 8}
"""How many bytes of the length follow these values of a frame's second byte."""


class Sink(asyncio.Protocol):
    """One HTTP connection or WebSocket."""

    def __init__(self) -> None:
        self._data = b""
        self._unread = 0
        """How much of the body is still to come."""
        self._is_chunked = False
        self._is_socket = False

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Waits for a request."""
        self._transport = cast("asyncio.Transport", transport)

    def data_received(self, data: bytes) -> None:
        """Reads requests or frames."""
        self._data += data
        read = self._read_frame if self._is_socket else self._read_request
        while read():
            read = self._read_frame if self._is_socket else self._read_request

    def _read_request(self) -> bool:
        """Reads the next part of a request; returns whether more may be there."""
        if self._unread:
            dropped = min(self._unread, len(self._data))
            self._unread -= dropped
            self._data = self._data[dropped:]
            return self._unread == 0 and self._answer()
        if self._is_chunked:
            self._is_chunked = not self._data.endswith(CHUNKS_END)
            self._data = self._data[-len(CHUNKS_END) :] if self._is_chunked else b""
            return not self._is_chunked and self._answer()
        head, end, rest = self._data.partition(HEAD_END)
        if not end:
            self._data = self._data[:LONGEST_HEAD]
            return False
        self._data = rest
        return self._begin(head)

    def _begin(self, head: bytes) -> bool:
        lines = (line.partition(b":") for line in head.lower().split(b"\r\n")[1:])
        names = {name: value.strip() for name, _, value in lines}
        if b"sec-websocket-key" in names:
            lower = head.lower().index(b"sec-websocket-key:") + len(b"sec-websocket-key:")
            self._upgrade(head[lower:].partition(b"\r\n")[0].strip())
            return True
        self._unread = int(names.get(b"content-length", b"0"))
        self._is_chunked = b"transfer-encoding" in names
        return bool(self._unread or self._is_chunked) or self._answer()

    def _answer(self) -> bool:
        self._transport.write(ANSWER)
        return bool(self._data)

    def _upgrade(self, key: bytes) -> None:
        accepted = b"Sec-WebSocket-Accept: " + base64.b64encode(hashlib.sha1(key + GUID).digest())  # noqa: S324
        head = (b"HTTP/1.1 101 Switching Protocols", b"Upgrade: websocket", b"Connection: Upgrade", accepted)
        self._transport.write(b"\r\n".join((*head, b"", b"")) + _frame('{"type":"state"}'))
        self._is_socket = True

    def _read_frame(self) -> bool:
        """Reads the next frame; returns whether more may be there."""
        if len(self._data) < 2:
            return False
        opcode, length = self._data[0] & 0x0F, self._data[1] & 0x7F
        start = 2 + LONG.get(length, 0)
        if start > 2:
            length = int.from_bytes(self._data[2:start], "big")
        mask, start = self._data[start : start + 4], start + 4
        if len(self._data) < start + length:
            return False
        text, self._data = self._data[start : start + length], self._data[start + length :]
        if opcode == 1:
            self._take(bytes(byte ^ mask[at % 4] for at, byte in enumerate(text[:1000])))
        elif opcode == CLOSE:
            self._transport.close()
        return True

    def _take(self, text: bytes) -> None:
        if b"submit-move" in text:
            message_id = json.loads(text)["clientMsgId"]
            self._transport.write(_frame(json.dumps({"type": "move-taken", "clientMsgId": message_id})))


class LineSink(asyncio.Protocol):
    """One connection for lines, which are dropped."""

    def data_received(self, data: bytes) -> None:
        """Drops the bytes."""


def _frame(text: str) -> bytes:
    """Returns a server's frame with a text of at most 125 bytes."""
    return bytes((0x81, len(text))) + text.encode()


async def main() -> None:
    """Serves until the process is stopped."""
    loop = asyncio.get_running_loop()
    http = await loop.create_server(Sink, "127.0.0.1", 0, backlog=2048)
    lines = await loop.create_server(LineSink, "127.0.0.1", 0, backlog=2048)
    print(f"http://127.0.0.1:{http.sockets[0].getsockname()[1]}", flush=True)
    print(f"UHP is at 127.0.0.1:{lines.sockets[0].getsockname()[1]}", flush=True)
    await asyncio.Event().wait()


if __name__ == "__main__":
    uvloop.run(main())
