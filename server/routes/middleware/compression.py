"""Compresses large responses, except those that may contain a token.

The length of a compressed response can reveal a secret in it to somebody who controls other parts of it (BREACH).
Tokens occur only in responses to ``POST`` and to requests that carry one; all other responses are public. The page's
files are compressed at build time.
"""

import zlib
from urllib.parse import unquote_to_bytes

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from server.routes.services import work_of
from server.services.heavy_work import HeavyWork

SMALLEST = 16_384
"""Bytes. Compressing a smaller response takes about as long as sending it; most positions are smaller."""

LARGEST_AT_ONCE = 32_768
"""Bytes that are compressed on the event loop, in about a millisecond; larger responses are compressed in a thread."""

LEVEL = 4
GZIP_BITS = zlib.MAX_WBITS | 16


class Compression:
    """ASGI middleware: compresses JSON and text that is sent in one piece, for clients that accept gzip."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Passes the request on and compresses the response if that is allowed and worth it."""
        if scope["type"] != "http" or not may_compress(scope):
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
                    message = await _compressed(opening, message, work_of(scope))
                await send(opening)
            await send(message)

        await self._app(scope, receive, send_compressed)


def takes_encoding(request: Headers, name: str) -> bool:
    """Whether the client accepts this encoding."""
    for offered in request.get("accept-encoding", "").split(","):
        encoding, _, quality = offered.partition(";")
        if encoding.strip().lower() == name:
            return quality.replace(" ", "") not in ("q=0", "q=0.0", "q=0.00", "q=0.000")
    return False


def may_compress(scope: Scope) -> bool:
    """Whether a response to this request may be compressed: the client accepts it, and there is no token in it."""
    if scope["method"] != "GET" or b"token" in unquote_to_bytes(scope["query_string"]):
        return False
    headers = dict(scope["headers"])
    return b"gzip" in headers.get(b"accept-encoding", b"") and b"authorization" not in headers


async def _compressed(opening: Message, message: Message, work: HeavyWork) -> Message:
    """The body message, compressed if worthwhile; in that case the headers of ``opening`` are updated."""
    body, headers = message.get("body", b""), MutableHeaders(raw=opening["headers"])
    if len(body) < SMALLEST or "content-encoding" in headers or not _is_text(headers.get("content-type", "")):
        return message
    headers.add_vary_header("Accept-Encoding")
    headers["content-encoding"] = "gzip"
    compressed = await work.run_accepted(_gzip, body) if len(body) > LARGEST_AT_ONCE else _gzip(body)
    headers["content-length"] = str(len(compressed))
    return {**message, "body": compressed}


def _is_text(kind: str) -> bool:
    return kind.startswith(("application/json", "text/"))


def _gzip(body: bytes) -> bytes:
    packer = zlib.compressobj(LEVEL, zlib.DEFLATED, GZIP_BITS)
    return packer.compress(body) + packer.flush()
