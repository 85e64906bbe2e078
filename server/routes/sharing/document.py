"""The document of the page, with the preview of its address in the head for programs that show links."""

import hashlib
import re
from dataclasses import dataclass
from html import escape
from pathlib import Path
from urllib.parse import urlencode

from starlette.responses import Response

from server.routes.sharing.previews import DASH, SITE, Preview

CARD = (1200, 630)
"""The size of a card in pixels, as ``engines.pictures`` draws it."""

_DESCRIPTION = re.compile(r'\s*<meta name="description"[^>]*>')
_TITLE = re.compile(r"<title>[^<]*</title>")


@dataclass(frozen=True, slots=True)
class _Template:
    """The built document, and the file's state when it was read."""

    text: str
    stamp: tuple[int, int]


class PageDocument:
    """The built document, read again when it changes."""

    def __init__(self, file: Path, headers: dict[str, str]) -> None:
        """``headers`` are sent with it."""
        self._file = file
        self._headers = headers
        self._template: _Template | None = None

    def answer(self, preview: Preview, base: str, path: str, matches: str = "") -> Response:
        """The document with a preview; 304 if the client's header ``If-None-Match`` names it.

        ``base`` is our public address, ending in a slash, and ``path`` the page's without one at its beginning.
        """
        text = _filled(self._read(), preview, base, path)
        content = text.encode()
        etag = f'"{hashlib.sha256(content).hexdigest()[:32]}"'
        headers = {**self._headers, "ETag": etag}
        if etag in matches:
            return Response(status_code=304, headers=headers)
        return Response(content, headers=headers, media_type="text/html")

    def _read(self) -> str:
        status = self._file.stat()
        stamp = (status.st_mtime_ns, status.st_size)
        if self._template is None or self._template.stamp != stamp:
            self._template = _Template(self._file.read_text(encoding="utf-8"), stamp)
        return self._template.text


def oembed_address(base: str, page: str) -> str:
    """The address of the oEmbed answer for a page."""
    return f"{base}api/oembed?{urlencode({'url': page, 'format': 'json'})}"


def _filled(document: str, preview: Preview, base: str, path: str) -> str:
    tags = "\n    ".join(_tags(preview, base, f"{base}{path}"))
    rest = _DESCRIPTION.sub("", document, count=1)
    return _TITLE.sub(lambda _: tags, rest, count=1)


def _tags(preview: Preview, base: str, address: str) -> list[str]:
    title = f"{preview.title} {DASH} {SITE}" if preview.names_tab else SITE
    picture = None if preview.picture is None else f"{base}{preview.picture}"
    named = {
        "og:site_name": SITE,
        "og:type": "website",
        "og:title": preview.title,
        "og:description": preview.sentence,
        "og:url": address,
        **_picture_tags(preview, picture),
    }
    twitter = {
        "twitter:card": "summary" if picture is None else "summary_large_image",
        "twitter:title": preview.title,
        "twitter:description": preview.sentence,
        **({} if picture is None else {"twitter:image": picture}),
    }
    tags = [
        f"<title>{escape(title)}</title>",
        f'<meta name="description" content="{escape(preview.sentence)}" />',
        f'<link rel="canonical" href="{escape(address)}" />',
        *(f'<meta property="{name}" content="{escape(text)}" />' for name, text in named.items()),
        *(f'<meta name="{name}" content="{escape(text)}" />' for name, text in twitter.items()),
    ]
    if not preview.is_embeddable:
        return tags
    href, name = escape(oembed_address(base, address)), escape(preview.title)
    return [*tags, f'<link rel="alternate" type="application/json+oembed" href="{href}" title="{name}" />']


def _picture_tags(preview: Preview, picture: str | None) -> dict[str, str]:
    if picture is None:
        return {}
    width, height = map(str, CARD)
    return {
        "og:image": picture,
        "og:image:type": "image/png",
        "og:image:width": width,
        "og:image:height": height,
        "og:image:alt": preview.title,
    }
