"""The lists under ``/api/games``: live, past and waiting games.

Added before ``games``, which would take these names for a game's id. Without ``?ext=1`` they show games with a dialect,
including those between friends; with it, games of every kind except those.
"""

from typing import Annotated, Any

from fastapi import Query, Response
from fastapi.routing import APIRoute
from pydantic_core import to_json

from protocols.dialects import games_with_dialect
from protocols.jsontext import JsonDict
from protocols.play import lists
from protocols.table_json import snapshot_json
from protocols.values import Listed, Visibility
from server.ports.store import PageQuery, PastFilter
from server.routes import list_models
from server.routes.api_router import api_router
from server.routes.services import TheServices
from server.services.games.finished_games import FinishedPage, finished_page

router = api_router("/api/games", "lists")

EXT = "1"
"""``?ext=1``: games of every kind, with the members of our other answers."""


@router.get("/live", response_model=list_models.LiveGames)
async def live(services: TheServices, ext: str | None = None) -> Response:
    """The live games. Their entries were encoded when they changed, for the feed."""
    contents = services.lobby.contents
    entries = contents.extended if ext == EXT else contents.plain
    return Response(f'{{"games":{entries}}}', media_type="application/json")


@router.get("/past", response_model=list_models.PastGames)
async def past(services: TheServices, parameters: Annotated[list_models.PastParameters, Query()]) -> Response:
    """Finished games, the latest first. Not validated against the model, as that would take long; a test does."""
    page = FinishedPage([], has_more=False)
    if not parameters.needs_rating:
        page = await finished_page(services.games, _finished_query(parameters))
    shown = [_shown(lists.past_json(game), game, parameters.ext) for game in page.games]
    number = {"page": parameters.page} if parameters.cursor is None else {}
    following = {"cursor": page.games[-1].game_id} if page.has_more else {}
    body = {
        "games": shown,
        **number,
        "pageSize": parameters.page_size,
        "hasMore": page.has_more,
        **following,
    }
    return Response(to_json(body), media_type="application/json")


def _finished_query(parameters: list_models.PastParameters) -> PageQuery:
    wanted = PastFilter(
        variant=parameters.variant,
        preset=parameters.time_control,
        is_rated=None if parameters.rated is None else parameters.rated == "yes",
        board=parameters.board_size,
        players=tuple(name for name in (parameters.player1, parameters.player2) if name is not None),
    )
    return PageQuery(
        visibility=(Visibility.PUBLIC,) if parameters.ext == EXT else (Visibility.PUBLIC, Visibility.SITE),
        limit=parameters.page_size,
        games=None if parameters.ext == EXT else games_with_dialect(),
        created=parameters.created,
        after=parameters.cursor,
        skip=parameters.skip,
        past=None if wanted == PastFilter() else wanted,
    )


@router.get("/matchmaking", response_model=list_models.WaitingGames, response_model_exclude_unset=True)
async def matchmaking(services: TheServices, ext: str | None = None) -> Any:  # noqa: ANN401 - checked by the model
    """The games that anyone can join."""
    waiting = services.lobby.waiting()
    return {
        "games": [
            _shown(snapshot_json(one.game, one.attendance), one.game, ext)
            for one in waiting
            if lists.is_shown(one.game, with_extensions=ext == EXT)
        ]
    }


@router.get("/showcase", response_model=list_models.Showcase)
async def showcase() -> Any:  # noqa: ANN401 - checked by the model
    """An empty list: this server has no showcase."""
    return {"games": []}


def _shown(entry: JsonDict, game: Listed, ext: str | None) -> JsonDict:
    return lists.extended(entry, game) if ext == EXT else entry


PATHS = frozenset(route.path for route in router.routes if isinstance(route, APIRoute))
"""The paths of all lists."""
