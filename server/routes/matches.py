"""``/api/games/{id}``: what players settle around a game: ready, abort and rematch."""

from typing import Annotated, Any

from fastapi import APIRouter, Depends, Response

from server.domain.errors import ApiError, Code
from server.domain.events import OfferKind
from server.domain.game import GameState
from server.domain.public import public_position, table_of
from server.domain.rematch import seat_after
from server.routes import bodies
from server.routes import models as m
from server.routes import site_models as s
from server.routes.games import Bearer, GameId, OwnSeat, TheLinks, seat_of
from server.routes.house import House, TheAddress, TheHouse

router = APIRouter(
    prefix="/api/games",
    tags=["games"],
    responses={"4XX": {"model": m.ErrorBody}, "5XX": {"model": m.ErrorBody}},
)


async def _body_seat(
    house: TheHouse, game_id: GameId, bearer: Bearer, body: s.TokenBody | None = None
) -> int:
    """The seat of the token in the body, where the Wallwars site's clients have it, or of the request's."""
    token = bearer.credentials if bearer else body.token if body else None
    if token is None:
        raise ApiError(
            Code.NO_TOKEN, "Send the seat's token, in the body or as Authorization: Bearer <token>."
        )
    return await seat_of(house, game_id, token)


BodySeat = Annotated[int, Depends(_body_seat)]

_MATCH: dict[str, Any] = {"response_model": s.MatchBody, "response_model_exclude_unset": True}


@router.post("/{game_id}/ready", **_MATCH)
async def ready(house: TheHouse, game_id: GameId, seat: BodySeat) -> Any:  # noqa: ANN401 - checked by the model
    """Says that the player is there. A player who has a seat is ready: nothing changes."""
    state = await house.games.get(game_id)
    if not state.is_live:
        raise ApiError(Code.FINISHED, "The game is over.")
    return _match(house, state)


@router.post("/{game_id}/abort", **_MATCH)
async def abort(house: TheHouse, game_id: GameId, seat: BodySeat) -> Any:  # noqa: ANN401 - checked by the model
    """Calls the game off, as long as nobody has moved."""
    return _match(house, await house.games.abort(game_id, seat))


def _match(house: House, state: GameState) -> dict[str, Any]:
    return bodies.match_body(table_of(state, house.games.now()), house.presence.attendance(state.id))


@router.post(
    "/{game_id}/rematch", response_model=m.RematchBody | m.OfferBody, response_model_exclude_unset=True
)
async def rematch(
    house: TheHouse,
    links: TheLinks,
    address: TheAddress,
    response: Response,
    game_id: GameId,
    seat: OwnSeat,
    bearer: Bearer,
) -> Any:  # noqa: ANN401 - checked by the model
    """Asks every other human seat for a rematch, or agrees to one. Bots agree at once."""
    state = await house.games.rematch(game_id, seat, address)
    if state.rematch is None or bearer is None:
        response.status_code = 202
        return {"offer": OfferKind.REMATCH.value}
    return bodies.rematch_body(state.rematch, seat_after(seat, len(state.seats)), bearer.credentials, links)


@router.delete("/{game_id}/rematch", response_model=m.MovedBody, response_model_exclude_unset=True)
async def reject_rematch(house: TheHouse, game_id: GameId, seat: OwnSeat) -> Any:  # noqa: ANN401 - checked by the model
    """Rejects a rematch, or withdraws the own offer."""
    state = await house.games.reject(game_id, seat, OfferKind.REMATCH)
    return {"ply": state.ply, "position": public_position(state, house.games.now())}
