"""Large answers are compressed, except those that hold a secret.

An answer that holds a secret next to what somebody else has chosen tells of it by its compressed length (BREACH).
Tokens are in the answers to ``POST`` and in those that repeat the token of their request; the others are public.
Files of the page are compressed when they are built.
"""

import asyncio
import zlib
from urllib.parse import unquote_to_bytes

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

SMALLEST = 16_384
"""Bytes; less is sent about as fast as it is compressed. Most positions are shorter."""

LARGEST_AT_ONCE = 32_768
"""Bytes that are compressed between two turns of the event loop, in about a millisecond; more is left to a thread."""

LEVEL = 4
GZIP_BITS = zlib.MAX_WBITS | 16


class Compression:
    """ASGI middleware: compresses what was made in one piece, in JSON or as text, for clients that take gzip."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Hands on, and looks at the answer if it may be compressed."""
        if scope["type"] != "http" or not _may_compress(scope):
            await self._app(scope, receive, send)
            return
        start: Message | None = None

        async def send_compressed(message: Message) -> None:
            nonlocal start
            if message["type"] == "http.response.start":
                start = message
                return
            if start is not None:
                opening, start = start, None
                if not message.get("more_body", False):
                    message = await _compressed(opening, message)
                await send(opening)
            await send(message)

        await self._app(scope, receive, send_compressed)


def takes_encoding(request: Headers, name: str) -> bool:
    """Whether the client takes answers in this encoding."""
    for offered in request.get("accept-encoding", "").split(","):
        encoding, _, quality = offered.partition(";")
        if encoding.strip().lower() == name:
            return quality.replace(" ", "") not in ("q=0", "q=0.0", "q=0.00", "q=0.000")
    return False


def _may_compress(scope: Scope) -> bool:
    if scope["method"] != "GET" or b"token" in unquote_to_bytes(scope["query_string"]):
        return False
    headers = dict(scope["headers"])
    return b"gzip" in headers.get(b"accept-encoding", b"") and b"authorization" not in headers


async def _compressed(opening: Message, message: Message) -> Message:
    """The whole body, compressed if that is worth it; ``opening`` says so then."""
    body, headers = message.get("body", b""), MutableHeaders(raw=opening["headers"])
    if len(body) < SMALLEST or "content-encoding" in headers or not _is_text(headers.get("content-type", "")):
        return message
    headers.add_vary_header("Accept-Encoding")
    headers["content-encoding"] = "gzip"
    compressed = await asyncio.to_thread(_gzip, body) if len(body) > LARGEST_AT_ONCE else _gzip(body)
    headers["content-length"] = str(len(compressed))
    return {**message, "body": compressed}


def _is_text(kind: str) -> bool:
    return kind.startswith(("application/json", "text/"))


def _gzip(body: bytes) -> bytes:
    packer = zlib.compressobj(LEVEL, zlib.DEFLATED, GZIP_BITS)
    return packer.compress(body) + packer.flush()
