"""Limits the length of request bodies, by their declared length and while they are being read."""

from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from server.domain.errors import ApiError, Code
from server.routes.errors import answer, body_limit


class BodyLimit:
    """ASGI middleware that limits request bodies; see ``errors.body_limit``."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Rejects a request with 413, or passes it on."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        limit = body_limit(scope["path"])
        if is_too_long(scope):
            refused = answer(ApiError(Code.TOO_LARGE, f"A body has at most {limit} bytes.", limit=limit))
            await refused(scope, receive, send)
            return
        await self._app(scope, _counting(receive, limit), send)


def is_too_long(scope: Scope) -> bool:
    """Whether a request declares a body that is too long, or no proper length. Without any, it has to be counted."""
    length = dict(scope["headers"]).get(b"content-length", b"0")
    return not length.isdigit() or int(length) > body_limit(scope["path"])


def _counting(receive: Receive, limit: int) -> Receive:
    read = 0

    async def counted() -> Message:
        nonlocal read
        message = await receive()
        read += len(message.get("body", b""))
        if read > limit:
            raise HTTPException(413)
        return message

    return counted
