"""The Wallwars site's lists under ``/api/games``: live, past and waiting games.

They come before ``games``, where the same words would be taken for a game's id. With ``?ext=1`` they show games of
every kind, except those between friends, which the site's own clients see.
"""

from typing import Annotated, Any

from fastapi import APIRouter, Query, Response

from protocols.jsontext import JsonDict
from protocols.play import lists, site
from protocols.play.table import Listed
from server.routes import list_models as lm
from server.routes import models as m
from server.routes.house import TheHouse
from server.services.past import PastQuery, past_page

router = APIRouter(
    prefix="/api/games",
    tags=["lists"],
    responses={"4XX": {"model": m.ErrorBody}, "5XX": {"model": m.ErrorBody}},
)

EXT = "1"
"""``?ext=1``: games of every kind, with the members of our other answers."""


@router.get("/live", response_model=lm.LiveGames)
async def live(house: TheHouse, ext: str | None = None) -> Response:
    """The games that are being played. The entries were written when they changed, for the feed."""
    gallery = house.lobby.gallery
    entries = gallery.extended if ext == EXT else gallery.plain
    return Response(f'{{"games":{entries}}}', media_type="application/json")


@router.get("/past", response_model=lm.PastGames, response_model_exclude_unset=True)
async def past(house: TheHouse, wish: Annotated[lm.PastWish, Query()]) -> Any:  # noqa: ANN401 - checked by the model
    """Finished games, the latest first."""
    page = await past_page(house.games, _past_query(wish))
    shown = [_shown(lists.past_json(game), game, wish.ext) for game in page.games]
    return {"games": shown, "page": wish.page, "pageSize": wish.page_size, "hasMore": page.has_more}


def _past_query(wish: lm.PastWish) -> PastQuery:
    return PastQuery(
        page=wish.page,
        page_size=wish.page_size,
        visibility=("public",) if wish.ext == EXT else ("public", "site"),
        game=None if wish.ext == EXT else site.GAME,
        variant=wish.variant,
        preset=wish.time_control,
        board=wish.board_size,
        created=wish.created,
        names=tuple(name for name in (wish.player1, wish.player2) if name is not None),
        needs_rating=wish.rated == "yes" or wish.min_elo is not None or wish.max_elo is not None,
    )


@router.get("/matchmaking", response_model=lm.WaitingGames, response_model_exclude_unset=True)
async def matchmaking(house: TheHouse, ext: str | None = None) -> Any:  # noqa: ANN401 - checked by the model
    """The games that anybody can join."""
    waiting = house.lobby.waiting()
    return {
        "games": [
            _shown(site.snapshot_json(one.game, one.attendance), one.game, ext)
            for one in waiting
            if ext == EXT or one.game.game == site.GAME
        ]
    }


@router.get("/showcase", response_model=lm.Showcase)
async def showcase() -> Any:  # noqa: ANN401 - checked by the model
    """Nothing: there is no showcase here."""
    return {"games": []}


def _shown(entry: JsonDict, game: Listed, ext: str | None) -> JsonDict:
    return lists.extended(entry, game) if ext == EXT else entry
