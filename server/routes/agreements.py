"""Requests before and after play: ready, abort and rematch."""

from typing import Annotated, Any

from fastapi import Depends, Response

from protocols.play.position import position_json
from protocols.values import OfferKind
from server.domain.errors import ApiError, Code
from server.domain.game import GameState
from server.domain.public_table import table_of
from server.domain.rematch import seat_after
from server.routes import common_models as models
from server.routes import game_answers
from server.routes.api_router import api_router
from server.routes.game_models import MatchBody
from server.routes.games import OPTIONAL_TOKEN, WAITING, Bearer, GameId, OwnSeat, TheLinks, seat_of
from server.routes.services import Services, TheAddress, TheServices

router = api_router("/api/games", "games")


async def _body_seat(
    services: TheServices, game_id: GameId, bearer: Bearer, body: models.TokenBody | None = None
) -> int:
    """The seat of the token in the body, where some clients send it, or of the bearer token."""
    token = bearer.credentials if bearer else body.token if body else None
    if token is None:
        raise ApiError(
            Code.NO_TOKEN, "Send the seat's token, in the body or as Authorization: Bearer <token>."
        )
    return await seat_of(services, game_id, token)


BodySeat = Annotated[int, Depends(_body_seat)]

_MATCH: dict[str, Any] = {
    "response_model": MatchBody,
    "response_model_exclude_unset": True,
    "openapi_extra": OPTIONAL_TOKEN,
}


@router.post("/{game_id}/ready", **_MATCH)
async def ready(services: TheServices, game_id: GameId, seat: BodySeat) -> Any:  # noqa: ANN401 - checked by the model
    """Reports that the player is present. Changes nothing in the game: a player who has a seat is always ready."""
    state = await services.games.latest(game_id)
    services.claims.seen(game_id, seat)
    if not state.is_live:
        raise ApiError(Code.FINISHED, "The game is over.")
    return _match(services, state)


@router.post("/{game_id}/abort", **_MATCH)
async def abort(services: TheServices, game_id: GameId, seat: BodySeat) -> Any:  # noqa: ANN401 - checked by the model
    """Aborts the game, unless a move has been played."""
    return _match(services, await services.games.abort(game_id, seat))


def _match(services: Services, state: GameState) -> dict[str, Any]:
    return game_answers.match_body(
        table_of(state, services.games.now()), services.presence.attendance(state.id)
    )


@router.post(
    "/{game_id}/rematch",
    response_model=models.RematchBody | models.OfferBody,
    response_model_exclude_unset=True,
    responses=WAITING,
)
async def rematch(
    services: TheServices,
    links: TheLinks,
    address: TheAddress,
    response: Response,
    game_id: GameId,
    seat: OwnSeat,
    bearer: Bearer,
    body: models.AgreeBody | None = None,
) -> Any:  # noqa: ANN401 - checked by the model
    """Asks all other human seats for a rematch, or accepts one. Bots accept at once."""
    act = services.games.accept_rematch if body is not None and body.accept else services.games.rematch
    state = await act(game_id, seat, address)
    if state.rematch is None or bearer is None:
        response.status_code = 202
        return {"offer": OfferKind.REMATCH.value}
    return game_answers.rematch_body(
        state.rematch, seat_after(seat, len(state.seats)), bearer.credentials, links
    )


@router.delete("/{game_id}/rematch", response_model=models.MovedBody, response_model_exclude_unset=True)
async def reject_rematch(services: TheServices, game_id: GameId, seat: OwnSeat) -> Any:  # noqa: ANN401 - checked by the model
    """Rejects a rematch, or withdraws one's own offer."""
    state = await services.games.reject(game_id, seat, OfferKind.REMATCH)
    return {"ply": state.ply, "position": position_json(table_of(state, services.games.now()))}
