"""Security headers: added to every response of a route or file, whatever its status."""

from collections.abc import Sequence

from starlette.types import ASGIApp, Message, Receive, Scope, Send

POLICY = b"content-security-policy"

HEADERS = (
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
    (b"x-frame-options", b"DENY"),
)
"""The address of a page may contain a seat's token, so it is never sent as a referrer. ``X-Frame-Options`` is for old
browsers; others follow ``frame-ancestors`` of the policy, which may list exceptions."""

NO_PAGE = (POLICY, b"default-src 'none'; frame-ancestors 'none'")
"""The policy of responses that set none: they are data, so nothing in them may run or load."""


def page_policy(embedders: Sequence[str]) -> str:
    """The policy of the page: it loads from this server only, and only pages of ``embedders`` may frame it.

    Boards set ``style`` attributes, so these are allowed; inline ``<style>`` and ``<script>`` are not.
    """
    ancestors = " ".join(embedders) if embedders else "'none'"
    return "; ".join(
        [
            "default-src 'none'",
            "script-src 'self'",
            "style-src 'self'",
            "style-src-attr 'unsafe-inline'",
            "img-src 'self' data:",
            "font-src 'self'",
            "connect-src 'self'",
            "manifest-src 'self'",
            "base-uri 'none'",
            "form-action 'self'",
            f"frame-ancestors {ancestors}",
        ]
    )


class SecurityHeaders:
    """ASGI middleware."""

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
                policy = () if any(name == POLICY for name, _ in headers) else (NO_PAGE,)
                message["headers"] = [*headers, *HEADERS, *policy]
            await send(message)

        await self._app(scope, receive, send_with_headers)
