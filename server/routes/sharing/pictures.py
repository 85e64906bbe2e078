"""``/api/games/{id}/picture.svg``, ``/picture.png`` and ``/card.png``: pictures of games, drawn as the page draws them.

A card has the board with the players and the result beside it, in the size that services expect that show links.
"""

from typing import Annotated, Any, Final

from fastapi import Query, Request, Response
from pydantic import BaseModel, Field

from engines.pictures import CardTexts, Order, PlayerText, Theme, order_of
from engines.pictures.order import MAX_WIDTH, MIN_WIDTH, about_of
from protocols.values import Table
from server.domain.captions import caption_of
from server.domain.game import GameState
from server.domain.public_table import past_table, table_of
from server.routes.api_router import api_router
from server.routes.games import GameId
from server.routes.services import Services, TheServices

router = api_router("/api/games", "pictures")

PNG: Final = "image/png"
SVG: Final = "image/svg+xml"

KEPT_DAY = "public, max-age=86400"
"""For pictures of games that are over: they change only with the code that draws."""

ASK_AGAIN = "no-cache"

MAX_PLY = 10**6


class CardQuery(BaseModel, extra="forbid"):
    """Which position of a game is shown, and how. Without ``ply``, the current one."""

    ply: int | None = Field(default=None, ge=0, le=MAX_PLY)
    flipped: bool = False
    theme: Theme = "light"


class PictureQuery(CardQuery, extra="forbid"):
    """The same, and the width of the picture in pixels."""

    width: int = Field(default=600, ge=MIN_WIDTH, le=MAX_WIDTH)


def _documented(media_type: str) -> dict[int | str, dict[str, Any]]:
    schema = {"schema": {"type": "string", "format": "binary"}}
    return {
        200: {"content": {media_type: schema}},
        304: {"description": "The client has the picture already"},
    }


@router.get("/{game_id}/picture.png", response_class=Response, responses=_documented(PNG))
async def picture_png(
    services: TheServices, request: Request, game_id: GameId, query: Annotated[PictureQuery, Query()]
) -> Response:
    """The board as PNG."""
    return await _picture(services, request, game_id, query, PNG)


@router.get("/{game_id}/picture.svg", response_class=Response, responses=_documented(SVG))
async def picture_svg(
    services: TheServices, request: Request, game_id: GameId, query: Annotated[PictureQuery, Query()]
) -> Response:
    """The board as SVG."""
    return await _picture(services, request, game_id, query, SVG)


@router.get("/{game_id}/card.png", response_class=Response, responses=_documented(PNG))
async def card(
    services: TheServices, request: Request, game_id: GameId, query: Annotated[CardQuery, Query()]
) -> Response:
    """A picture of 1200x630 pixels with the board, the players and the result."""
    state = await services.games.latest(game_id)
    order = await services.work.run(_card, _table(state, query, services), query)
    return await _answer(services, request, order, PNG, is_over=not state.is_live)


async def _picture(
    services: Services, request: Request, game_id: str, query: PictureQuery, media_type: str
) -> Response:
    state = await services.games.latest(game_id)
    order = await services.work.run(_board, _table(state, query, services), query)
    return await _answer(services, request, order, media_type, is_over=not state.is_live)


def _table(state: GameState, query: CardQuery, services: Services) -> Table:
    now = services.games.now()
    return table_of(state, now) if query.ply is None else past_table(state, query.ply, now)


def _board(table: Table, query: PictureQuery) -> Order:
    return order_of(table.position, query.width, theme=query.theme, is_flipped=query.flipped)


def _card(table: Table, query: CardQuery) -> Order:
    caption = caption_of(table, about_of(table.game))
    points = caption.points or ("",) * len(caption.names)
    players = tuple(PlayerText(name, point) for name, point in zip(caption.names, points, strict=True))
    texts = CardTexts(caption.game, caption.variant, players, caption.status)
    return order_of(table.position, texts, theme=query.theme, is_flipped=query.flipped)


async def _answer(
    services: Services, request: Request, order: Order, media_type: str, *, is_over: bool
) -> Response:
    key = services.pictures.key_of(order, png=media_type == PNG)
    etag = f'"{key.text}"'
    headers = {"ETag": etag, "Cache-Control": KEPT_DAY if is_over else ASK_AGAIN}
    if etag in request.headers.get("if-none-match", ""):
        return Response(status_code=304, headers=headers)
    return Response(await services.pictures.draw(key), headers=headers, media_type=media_type)
