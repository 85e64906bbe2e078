"""Security headers of HTTP responses. ``routes`` and ``web`` add them to every response but 101."""

from collections.abc import Sequence

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

RAW = b"".join(b"%s: %s\r\n" % header for header in (*HEADERS, NO_PAGE))
"""The headers of a response that is not a page, as sent."""


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
