"""``/api/positions``: the position after any list of moves. Stateless: nothing is kept, and no game is needed.

For pages and tools that look at lines which nobody has played.
"""

import asyncio
from collections.abc import Awaitable
from typing import Any

from fastapi import APIRouter
from pydantic import Field, ValidationError

from engines import RuleError
from protocols.play.position import loose_position_json
from server.domain.errors import ApiError, Code
from server.routes import models as m
from server.routes.direct import Plain
from server.services.replay import replay

router = APIRouter(
    prefix="/api/positions",
    tags=["positions"],
    responses={"4XX": {"model": m.ErrorBody}, "5XX": {"model": m.ErrorBody}},
)


class PositionWish(m.Body):
    """A start and moves; ``staged``: the beginning of a further move."""

    game: str
    variant: str | None = None
    config: dict[str, Any] = Field(default_factory=dict)
    moves: list[str] = Field(default_factory=list)
    staged: str = Field(default="", max_length=200)


class PositionAnswer(m.Body):
    """The position."""

    position: m.PositionBody


@router.post("", response_model=PositionAnswer, response_model_exclude_unset=True)
async def position_after(wish: PositionWish) -> Any:  # noqa: ANN401 - checked by the model
    """The position after the moves. Many take their time: meanwhile others go on."""
    position = await asyncio.to_thread(replay, wish.game, wish.variant, wish.config, wish.moves)
    try:
        return {"position": loose_position_json(position, wish.staged)}
    except RuleError as refusal:
        raise ApiError(Code.ILLEGAL_MOVE, str(refusal), field="staged") from None


def plain(request: Plain) -> Awaitable[Any] | None:
    """``position_after`` for a plain request."""
    try:
        return position_after(PositionWish.model_validate_json(request.body))
    except ValidationError:
        return None
