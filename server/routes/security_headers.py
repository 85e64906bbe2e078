"""Headers by which browsers limit what an answer of this server can do: on every answer that a route or file gives."""

from collections.abc import Sequence

from starlette.types import ASGIApp, Message, Receive, Scope, Send

POLICY = b"content-security-policy"

HEADERS = (
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
    (b"x-frame-options", b"DENY"),
)
"""A page's address may hold a seat's token, so no other site is told it. ``X-Frame-Options`` is for browsers that do
not know the policy's ``frame-ancestors``, which has the exceptions."""

NO_PAGE = (POLICY, b"default-src 'none'; frame-ancestors 'none'")
"""The policy of whatever brings none of its own: it is no page, and nothing in it runs or loads."""


def page_policy(embedders: Sequence[str]) -> str:
    """The policy of the page: it loads from this server alone, and only pages of these origins may frame it.

    Boards set ``style`` attributes, so those are allowed; ``<style>`` and ``<script>`` in the page are not.
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
        """Hands on, and adds to the answer what is missing."""
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
