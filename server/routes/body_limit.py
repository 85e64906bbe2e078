"""No request body is longer than the limit: told by its length, or while it is being read."""

from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from server.domain.errors import ApiError, Code
from server.routes.errors import MAX_BODY_BYTES, answer


class BodyLimit:
    """ASGI middleware."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Refuses with 413, or hands on."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        length = dict(scope["headers"]).get(b"content-length", b"0")
        if not length.isdigit() or int(length) > MAX_BODY_BYTES:
            text = f"A body has at most {MAX_BODY_BYTES} bytes."
            refused = answer(ApiError(Code.TOO_LARGE, text, limit=MAX_BODY_BYTES))
            await refused(scope, receive, send)
            return
        await self._app(scope, _counting(receive), send)


def _counting(receive: Receive) -> Receive:
    read = 0

    async def counted() -> Message:
        nonlocal read
        message = await receive()
        read += len(message.get("body", b""))
        if read > MAX_BODY_BYTES:
            raise HTTPException(413)
        return message

    return counted
