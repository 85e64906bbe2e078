"""Adds the security headers to every response of the application, whatever its status."""

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from server.domain.security_headers import POLICY, headers_beside


class SecurityHeaders:
    """ASGI middleware that adds the headers."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Passes the request on and adds the headers to its response."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = message["headers"]
                policy = next((value for name, value in headers if name == POLICY), None)
                message["headers"] = [*headers, *headers_beside(policy)]
            await send(message)

        await self._app(scope, receive, send_with_headers)
