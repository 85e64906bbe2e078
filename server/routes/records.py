"""``GET /api/games/{id}/record`` and ``POST /api/games/import``: export and import of records."""

from typing import Annotated, Any

from fastapi import Path, Query, Request, Response
from pydantic import Field
from pydantic.alias_generators import to_camel

from protocols.records.formats import AUTO
from protocols.records.record import MAX_BYTES, MAX_PLIES
from protocols.values import Visibility
from server.domain.public_table import table_of
from server.routes import common_models as models
from server.routes import game_answers, game_models
from server.routes.api_router import api_router
from server.routes.services import TheServices

router = api_router("/api/games", "records")


class ImportBody(models.RequestBody):
    """A record as text. With format ``auto``, it is recognised by its content.

    ``plies``: only so many moves of it. ``listed``: whether lists show the game.
    """

    format: models.Name = AUTO
    text: Annotated[str, Field(max_length=MAX_BYTES)]
    plies: Annotated[int, Field(ge=0, le=MAX_PLIES)] | None = None
    listed: bool = True


class ImportedBody(game_models.CreatedBody, extra="ignore"):
    """The new game. ``notes``: what in the record was ignored or assumed."""

    notes: list[str]


@router.get("/{game_id}/record", response_class=Response)
async def record(
    services: TheServices,
    game_id: Annotated[str, Path(max_length=64)],
    name: Annotated[str, Query(alias="format", max_length=64)] = "json",
) -> Response:
    """The record of a game. ``X-Lossy`` names what the format cannot represent."""
    written = await services.records.export(game_id, name)
    headers = {"X-Lossy": ", ".join(map(to_camel, written.lost))} if written.lost else {}
    return Response(written.text, headers=headers, media_type=written.media_type)


@router.post("/import", status_code=201, response_model=ImportedBody, response_model_exclude_unset=True)
async def take_in(body: ImportBody, services: TheServices, request: Request) -> Any:  # noqa: ANN401 - checked by the model
    """Imports a game that was played elsewhere."""
    address = services.clients.address(request)
    visibility = Visibility.PUBLIC if body.listed else Visibility.UNLISTED
    taken = await services.records.take_in(body.format, body.text, address, body.plies, visibility)
    table = table_of(taken.state, services.games.now())
    return {**game_answers.game_json(table), "notes": list(taken.notes)}
