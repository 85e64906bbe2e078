"""``/api/variations``: reads records with variations, and writes trees of variations as text. Stateless."""

from typing import Annotated, Any, Literal

from fastapi import Response
from pydantic import Field

from protocols.records.formats import AUTO
from protocols.records.record import MAX_BYTES
from protocols.records.written_move import LONGEST_COMMENT
from protocols.variations.tree import MOST_MOVES
from protocols.variations.tree_list import to_list
from server.routes import common_models as models
from server.routes.api_router import api_router
from server.routes.services import TheServices
from server.services.games.variations import read_tree, written_tree

router = api_router("/api/variations", "positions")

Comment = Annotated[str, Field(max_length=LONGEST_COMMENT)]


class VariationText(models.RequestBody):
    """A record as text. With format ``auto``, it is recognised by its content."""

    format: models.Name = AUTO
    text: Annotated[str, Field(max_length=MAX_BYTES)]


class VariationMove(models.RequestBody):
    """A move of a tree. ``after``: which move of the list it follows, counted from 1; 0: the start."""

    after: models.Whole
    move: Annotated[str, Field(max_length=200)]
    comment: Comment | None = None
    glyph: Literal["!!", "!", "!?", "?!", "?", "??"] | None = None


class VariationTree(models.RequestBody):
    """A tree: of the moves that follow the same one, the first in the list is the main one."""

    game: str
    variant: str | None = None
    config: dict[str, Any] = Field(default_factory=dict)
    comment: Comment | None = None
    moves: Annotated[list[VariationMove], Field(max_length=MOST_MOVES)] = Field(default_factory=list)


class VariationAnswer(VariationTree):
    """The tree in a record. ``notes``: what in the record was ignored, assumed or left out."""

    notes: list[str]


class VariationWriting(VariationTree):
    """A tree to write in a format: one of the game's ``variationFormats`` in ``GET /api/rules``."""

    format: models.Name


@router.post("", response_model=VariationAnswer, response_model_exclude_unset=True)
async def read(body: VariationText, services: TheServices) -> Any:  # noqa: ANN401 - checked by the model
    """The moves of a record, with its variations if its format has them."""
    return await services.host.admission.work.run(_read, body)


def _read(body: VariationText) -> dict[str, Any]:
    reading = read_tree(body.text, body.format)
    return {**to_list(reading.tree), "notes": list(reading.notes)}


@router.post("/text", response_class=Response)
async def write(body: VariationWriting, services: TheServices) -> Response:
    """A tree of variations as text."""
    text = await services.host.admission.work.run(_written, body)
    return Response(text, media_type="text/plain")


def _written(body: VariationWriting) -> str:
    moves = [move.model_dump() for move in body.moves]
    return written_tree(body.format, (body.game, body.variant, body.config), body.comment or "", moves)
