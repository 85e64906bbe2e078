"""``/api/explorer``: what was played from a position, how often, and with what results."""

import json
from collections.abc import Mapping
from typing import Annotated, Any

from fastapi import Query
from fastapi.exceptions import RequestValidationError
from pydantic import ValidationError

from engines import Position
from engines.explorer.places import DEPTH, Place, Places, moves_by_name
from engines.explorer.tally import OpeningTally
from server.domain.errors import ApiError, Code
from server.domain.explored import EVERYBODY, depth_for, filed, who_is
from server.ports.explorer import Explored
from server.routes import common_models as models
from server.routes import game_answers
from server.routes.api_router import api_router
from server.routes.explorer.bodies import MOST_WHO, ExplorerAnswer, ExplorerRequest, Source
from server.routes.services import Services, TheServices
from server.services.games.replay import replay

router = api_router("/api/explorer", "explorer")

MOST_MOVES = 20
"""The most moves of an answer, those of most games."""

Json = dict[str, Any]


@router.post("", response_model=ExplorerAnswer, response_model_exclude_unset=True)
async def explore(body: ExplorerRequest, services: TheServices) -> Any:  # noqa: ANN401 - checked by the model
    """What was played from the position after the moves. For positions too long for an address."""
    position = await services.work.run(_position, body)
    if body.source == "engine":
        return await _of_engine(position, services)
    return await _of_server(position, body.by, services)


@router.get("", response_model=ExplorerAnswer, response_model_exclude_unset=True)
async def explored(
    services: TheServices,
    game: str,
    variant: Annotated[models.VariantName | None, Query()] = None,
    config: Annotated[str, Query(max_length=models.MAX_TEXT, description="A JSON object.")] = "{}",
    moves: Annotated[list[str] | None, Query(description="One parameter for each move.")] = None,
    source: Source = "server",
    by: Annotated[str | None, Query(min_length=1, max_length=MOST_WHO)] = None,
) -> Any:  # noqa: ANN401 - checked by the model
    """What was played from the position after the moves."""
    given = {"game": game, "variant": variant, "moves": moves or [], "source": source, "by": by}
    try:
        body = ExplorerRequest(**given, config=_object(config))
    except ValidationError as error:
        raise RequestValidationError(error.errors()) from None
    return await explore(body, services)


def _object(text: str) -> Json:
    try:
        read = json.loads(text)
    except (ValueError, RecursionError):
        read = None
    if not isinstance(read, dict):
        raise ApiError(Code.MALFORMED, "config: This is not a JSON object.", field="config")
    return read


def _position(body: ExplorerRequest) -> Position:
    """May take long: there may be many moves, and large boards."""
    return replay(body.game, body.variant, body.config, body.moves)


async def _of_engine(position: Position, services: Services) -> Json:
    found, made = await services.shipped_openings.at(position)
    most = sorted(found.moves.items(), key=lambda item: (-item[1].games, item[0]))[:MOST_MOVES]
    seen = await services.work.run(moves_by_name, position, [name for name, _ in most])
    return {
        **_head(position, "engine", None, DEPTH if made is None else made["depth"]),
        **_tally_json(found.total),
        "moves": [
            {"move": seen[name], "gameId": None, **_tally_json(tally)} for name, tally in most if name in seen
        ],
        "latest": [],
        "made": None if made is None else dict(made),
    }


async def _of_server(position: Position, by: str | None, services: Services) -> Json:
    who = EVERYBODY if by is None else who_is(by)
    none = OpeningTally.none(position)
    found = Explored(none, (), ())
    depth = depth_for(who)
    if _is_counted(position, depth):
        place = await services.work.run(_place, position, who)
        found = await services.explorer.explored(place, none, MOST_MOVES)
    seen = await services.work.run(moves_by_name, position, [one.name for one in found.moves])
    return {
        **_head(position, "server", by, depth),
        **_tally_json(found.total),
        "moves": [
            {"move": seen[one.name], "gameId": one.latest, **_tally_json(one.tally)}
            for one in found.moves
            if one.name in seen
        ],
        "latest": [game_answers.listed_body(listing) for listing in found.games],
        "made": None,
    }


def _place(position: Position, who: str) -> Place:
    return filed(Places(position).of(position), who)


def _is_counted(position: Position, depth: int) -> bool:
    """Whether games are counted so far. After a seat has left, the others play another game."""
    return position.ply < depth and len(position.history) == position.ply


def _head(position: Position, source: Source, by: str | None, depth: int) -> Json:
    return {"source": source, "by": by, "ply": position.ply, "depth": depth}


def _tally_json(tally: OpeningTally) -> Mapping[str, Any]:
    points = tally.mean_points
    return {
        "games": tally.games,
        "draws": tally.draws,
        "wins": list(tally.won),
        "points": None if points is None else [round(one, 2) for one in points],
    }
