"""``/api/positions``: the position after any list of moves. Stateless: nothing is stored, and no game is needed.

For pages and tools that explore lines outside of games.
"""

from collections.abc import Awaitable
from typing import Annotated, Any

from pydantic import Field, ValidationError

from engines import RuleError
from protocols.play.position import loose_position_json
from server.domain.errors import ApiError, Code
from server.routes import common_models as models
from server.routes.api_router import api_router
from server.routes.direct import Plain
from server.routes.services import TheServices
from server.services.games.replay import replay

router = api_router("/api/positions", "positions")


class PositionRequest(models.RequestBody):
    """A start and moves; ``staged`` is the beginning of a further move.

    ``deal``: a seed with which moves draw what they do not tell, where the order is hidden.
    """

    game: str
    variant: str | None = None
    config: dict[str, Any] = Field(default_factory=dict)
    moves: list[str] = Field(default_factory=list)
    staged: str = Field(default="", max_length=200)
    deal: Annotated[models.Whole, Field(ge=0, lt=2**53)] | None = None


class PositionAnswer(models.Body):
    """The position."""

    position: models.PositionBody


@router.post("", response_model=PositionAnswer, response_model_exclude_unset=True)
async def position_after(body: PositionRequest, services: TheServices) -> Any:  # noqa: ANN401 - checked by the model
    """The position after the moves."""
    return await services.host.admission.work.run(_position, body)


def _position(body: PositionRequest) -> dict[str, Any]:
    """May take long: there may be many moves, and large boards."""
    position = replay(body.game, body.variant, body.config, body.moves, deal=body.deal)
    try:
        return {"position": loose_position_json(position, body.staged)}
    except RuleError as refusal:
        raise ApiError(Code.ILLEGAL_MOVE, str(refusal), field="staged") from None


def plain(request: Plain) -> Awaitable[Any] | None:
    """Answers a plain request like ``position_after``."""
    try:
        return position_after(PositionRequest.model_validate_json(request.body), request.services)
    except ValidationError:
        return None
