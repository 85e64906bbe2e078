"""``GET /api/games/{id}/record`` and ``POST /api/games/import``: records of games, out and in."""

from typing import Annotated, Any

from fastapi import APIRouter, Path, Query, Response
from pydantic import Field
from pydantic.alias_generators import to_camel

from protocols.play.position import position_json, seats_json
from protocols.records.formats import AUTO
from protocols.records.record import MAX_BYTES
from server.domain.public import table_of
from server.routes import models as m
from server.routes.house import TheHouse

router = APIRouter(
    prefix="/api/games",
    tags=["records"],
    responses={"4XX": {"model": m.ErrorBody}, "5XX": {"model": m.ErrorBody}},
)


class ImportBody(m.Body):
    """A record as text. ``format`` auto: whichever it looks like."""

    format: m.Name = AUTO
    text: Annotated[str, Field(max_length=MAX_BYTES)]


class ImportedBody(m.Body):
    """The new game. ``notes``: what in the record was passed over or assumed."""

    game_id: str
    game: str
    variant: str
    config: dict[str, Any]
    assistance: m.AssistanceName
    seats: list[m.SeatBody]
    position: m.PositionBody
    notes: list[str]


@router.get("/{game_id}/record", response_class=Response)
async def record(
    house: TheHouse,
    game_id: Annotated[str, Path(max_length=64)],
    name: Annotated[str, Query(alias="format", max_length=64)] = "json",
) -> Response:
    """The record of a game. ``X-Lossy`` names what the format does not keep of it."""
    written = await house.records.export(game_id, name)
    headers = {"X-Lossy": ", ".join(map(to_camel, written.lost))} if written.lost else {}
    return Response(written.text, headers=headers, media_type=written.media_type)


@router.post("/import", status_code=201, response_model=ImportedBody, response_model_exclude_unset=True)
async def take_in(body: ImportBody, house: TheHouse) -> Any:  # noqa: ANN401 - checked by the model
    """Keeps a game that was played elsewhere."""
    taken = await house.records.take_in(body.format, body.text)
    table = table_of(taken.state, house.games.now())
    return {
        "gameId": table.game_id,
        "game": table.game,
        "variant": table.variant,
        "config": dict(table.config),
        "assistance": table.assistance,
        "seats": seats_json(table),
        "position": position_json(table),
        "notes": list(taken.notes),
    }
