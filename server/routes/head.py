"""``HEAD`` is answered wherever ``GET`` is, with the same headers and without a body."""

from starlette.types import ASGIApp, Message, Receive, Scope, Send


class HeadAsGet:
    """ASGI middleware: asks the application for ``GET`` and keeps the body back."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Hands on; of a stream the first part is awaited and no more, since the client is told that this is all."""
        if scope["type"] != "http" or scope["method"] != "HEAD":
            await self._app(scope, receive, send)
            return
        is_answered = False

        async def send_without_body(message: Message) -> None:
            nonlocal is_answered
            if message["type"] == "http.response.start":
                await send(message)
            elif not is_answered:
                is_answered = True
                await send({"type": "http.response.body"})

        async def receive_until_answered() -> Message:
            return {"type": "http.disconnect"} if is_answered else await receive()

        await self._app({**scope, "method": "GET"}, receive_until_answered, send_without_body)
