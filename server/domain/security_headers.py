"""Security headers of HTTP responses. ``routes`` and ``web`` add them to every response but 101."""

from collections.abc import Sequence

POLICY = b"content-security-policy"

NO_FRAME = (b"x-frame-options", b"DENY")
"""For old browsers; others follow ``frame-ancestors`` of the policy, which may list exceptions."""

HEADERS = ((b"x-content-type-options", b"nosniff"), (b"referrer-policy", b"no-referrer"), NO_FRAME)
"""The address of a page may contain a seat's token, so it is never sent as a referrer."""

NO_PAGE = (POLICY, b"default-src 'none'; frame-ancestors 'none'")
"""The policy of responses that set none: they are data, so nothing in them may run or load."""

RAW = b"".join(b"%s: %s\r\n" % header for header in (*HEADERS, NO_PAGE))
"""The headers of a response that is not a page, as sent."""


def headers_beside(policy: bytes | None) -> Sequence[tuple[bytes, bytes]]:
    """The headers that are added to a response with this policy; None: it has none."""
    if policy is None:
        return (*HEADERS, NO_PAGE)
    return (
        [header for header in HEADERS if header != NO_FRAME] if policy == FRAME_POLICY.encode() else HEADERS
    )


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


GUIDE_POLICY = "; ".join(
    [
        "default-src 'none'",
        "style-src 'self'",
        "img-src 'self'",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
    ]
)
"""The policy of pages that are only read."""

FRAME_POLICY = "; ".join(
    [
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "style-src-attr 'unsafe-inline'",
        "connect-src 'self'",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors *",
    ]
)
"""The policy of pages for the frames of anybody. They act for nobody: they know no token, and only show games."""
