"""``GET /api/oembed``: how other people's pages show a link to a game or its analysis (https://oembed.com)."""

from dataclasses import dataclass
from html import escape
from typing import Annotated, Any, Literal
from urllib.parse import parse_qs, quote, unquote, urlencode, urlsplit

from fastapi import Query, Request

from server.domain.errors import ApiError, Code
from server.routes.api_router import api_router
from server.routes.common_models import Body
from server.routes.games import MAX_GAME_ID
from server.routes.services import TheServices
from server.routes.sharing.document import CARD
from server.routes.sharing.previews import SITE, game_preview

router = api_router("/api", "sharing")

SIZES = {"game": (600, 680), "analysis": (600, 800)}
"""The usual size of a frame in pixels."""

CACHE_SECONDS = 86_400
"""How long a site may keep an answer: the frame shows the game as it is then."""

MAX_URL = 2048
MAX_DIGITS = 6


class OEmbedBody(Body, alias_generator=None):
    """A frame for a link, as the standard names its members."""

    type: Literal["rich"]
    version: Literal["1.0"]
    title: str
    provider_name: str
    provider_url: str
    cache_age: int
    html: str
    width: int
    height: int
    thumbnail_url: str
    thumbnail_width: int
    thumbnail_height: int


@dataclass(frozen=True, slots=True)
class _Link:
    """A link to one of our pages."""

    kind: Literal["game", "analysis"]
    game_id: str
    ply: int | None


Url = Annotated[str, Query(max_length=MAX_URL)]
Pixels = Annotated[int | None, Query(ge=1, le=100_000)]
Format = Annotated[str, Query(alias="format", max_length=64, json_schema_extra={"enum": ["json"]})]


@router.get("/oembed", response_model=OEmbedBody)
async def oembed(
    services: TheServices,
    request: Request,
    url: Url,
    maxwidth: Pixels = None,
    maxheight: Pixels = None,
    wanted: Format = "json",
) -> Any:  # noqa: ANN401 - checked by the model
    """A frame for the ``url`` of a game or its analysis, at most so large, in pixels."""
    if wanted != "json":
        raise ApiError(Code.NOT_IMPLEMENTED, "There is no other format than json.", field="format")
    base = services.clients.base_url(request)
    link = link_of(url, base)
    if link is None:
        raise ApiError(Code.NOT_FOUND, "This is no link to a game or an analysis here.", field="url")
    services.work.check()
    preview = await services.work.paid(game_preview(services, f"/{link.kind}", link.game_id))
    usual = SIZES[link.kind]
    width, height = min(usual[0], maxwidth or usual[0]), min(usual[1], maxheight or usual[1])
    game = quote(link.game_id, safe="")
    return {
        "type": "rich",
        "version": "1.0",
        "title": preview.title,
        "provider_name": SITE,
        "provider_url": base,
        "cache_age": CACHE_SECONDS,
        "html": _frame(f"{base}embed/{link.kind}/{game}", link.ply, preview.title, width, height),
        "width": width,
        "height": height,
        "thumbnail_url": f"{base}api/games/{game}/card.png",
        "thumbnail_width": CARD[0],
        "thumbnail_height": CARD[1],
    }


def _frame(address: str, ply: int | None, title: str, width: int, height: int) -> str:
    source = address if ply is None else f"{address}?{urlencode({'ply': ply})}"
    return (
        f'<iframe src="{escape(source)}" width="{width}" height="{height}" title="{escape(title)}" '
        'style="border: 0; max-width: 100%" loading="lazy"></iframe>'
    )


def link_of(url: str, base: str) -> _Link | None:
    """The link that ``url`` is; None if it is no address of a game at ``base``, or no address."""
    try:
        parts, own = urlsplit(url), urlsplit(base)
        is_ours = parts.scheme in ("http", "https") and parts.netloc.lower() == own.netloc.lower()
    except ValueError:
        return None
    match unquote(parts.path).strip("/").split("/"):
        case ["game" | "analysis" as kind, game] if is_ours and _is_game_id(game):
            return _Link("game" if kind == "game" else "analysis", game, _ply_in(parts.query))
    return None


def _is_game_id(text: str) -> bool:
    """Whether a game may have this id. Not every database can look for NUL."""
    return 0 < len(text) <= MAX_GAME_ID and "\0" not in text


def _ply_in(query: str) -> int | None:
    text = parse_qs(query, max_num_fields=MAX_URL).get("ply", [""])[-1]
    is_number = text.isascii() and text.isdecimal() and len(text) <= MAX_DIGITS
    return int(text) if is_number else None
