"""``/api/games``: creating, joining, reading and playing games over HTTP.

The services decide; this module only reads requests and writes answers.
"""

from functools import partial
from typing import Annotated, Any, Literal

from fastapi import Depends, Path, Query, Request, Response
from fastapi.responses import JSONResponse
from fastapi.security import HTTPAuthorizationCredentials, HTTPBearer
from starlette.requests import HTTPConnection

from engines import RuleError
from protocols.dialects import dialect_of
from protocols.play.position import position_json
from protocols.values import ClaimKind, OfferKind, Visibility
from server.domain.errors import ApiError, Code
from server.domain.game import GameState
from server.domain.public_table import past_table, table_of
from server.ports.store import PageQuery
from server.routes import common_models as models
from server.routes import game_answers, game_models
from server.routes.api_router import api_router
from server.routes.dialects import CreateBody
from server.routes.services import Services, TheAddress, TheServices
from server.services.error_body import error_body

PAGE = 50
"""Games on one page of a list."""

router, moves, reads = (api_router("/api/games", "games") for _ in range(3))
"""``moves`` and ``reads`` contain the most frequent operations, which have a fast path: see ``direct``."""

MAX_GAME_ID = 64
MAX_STAGED = 200
"""The longest ``staged``, in characters."""

GameId = Annotated[str, Path(max_length=MAX_GAME_ID)]


class _BearerToken(HTTPBearer):
    """The token in the header ``Authorization``; None without this header. ApiError if it is no bearer token."""

    def __init__(self) -> None:
        super().__init__(auto_error=False, scheme_name="HTTPBearer")

    async def __call__(self, request: HTTPConnection) -> HTTPAuthorizationCredentials | None:
        found = await super().__call__(request)
        if found is None and "authorization" in request.headers:
            raise ApiError(Code.NO_TOKEN, "Send a token as Authorization: Bearer <token>.")
        return found


Bearer = Annotated[HTTPAuthorizationCredentials | None, Depends(_BearerToken())]

OPTIONAL_TOKEN: dict[str, Any] = {"security": [{}]}
"""Added to the documentation of an operation that needs no header ``Authorization``."""

WAITING: dict[int | str, dict[str, Any]] = {
    202: {"model": models.OfferBody, "description": "The other players have to answer"}
}
"""The other answer of an operation that makes an offer."""

_STATUS = {"live": "playing", "open": "open", "finished": "finished"}


async def seat_of(services: Services, game_id: str, token: str) -> int:
    """The seat that a token gives access to; ApiError ``not-your-seat``."""
    seat = await services.games.seat_of(game_id, token)
    if seat is None:
        raise ApiError(Code.NOT_YOUR_SEAT, "The token opens no seat of this game.")
    return seat


async def _token_seat(services: TheServices, game_id: GameId, bearer: Bearer) -> int:
    """The seat of the request's token."""
    if bearer is None:
        raise ApiError(Code.NO_TOKEN, "Send the seat's token: Authorization: Bearer <token>.")
    return await seat_of(services, game_id, bearer.credentials)


OwnSeat = Annotated[int, Depends(_token_seat)]


def links_of(services: Services, request: Request) -> game_answers.Links:
    """The addresses of pages as this client reaches them."""
    return game_answers.Links(services.clients.base_url(request))


async def _links(request: Request, services: TheServices) -> game_answers.Links:
    return links_of(services, request)


TheLinks = Annotated[game_answers.Links, Depends(_links)]


# ---- opening, joining, reading -------------------------------------------------------------------


@router.post("", status_code=201, response_model=game_models.CreatedBody, response_model_exclude_unset=True)
async def create(body: CreateBody, services: TheServices, links: TheLinks, address: TheAddress) -> Any:  # noqa: ANN401 - checked by the model
    """Creates a game."""
    opened = await services.lobby_quota.create(body.new_game(), address)
    return game_answers.created_body(table_of(opened.state, services.games.now()), opened.tokens, links)


@router.get("", response_model=models.GameList, response_model_exclude_unset=True)
async def listed(
    services: TheServices,
    status: Literal["live", "open", "finished"] | None = None,
    game: str | None = None,
    cursor: Annotated[str | None, Query(max_length=64)] = None,
) -> Any:  # noqa: ANN401 - checked by the model
    """Lists public games, newest first, a page at a time."""
    query = PageQuery(
        visibility=(Visibility.PUBLIC,),
        limit=PAGE + 1,
        status=status and _STATUS[status],
        games=None if game is None else (game,),
        after=cursor,
    )
    found = await services.games.page(query)
    out: dict[str, Any] = {"games": [game_answers.listed_body(listing) for listing in found[:PAGE]]}
    return out if len(found) <= PAGE else {**out, "cursor": found[PAGE - 1].game_id}


@reads.get(
    "/{game_id}",
    response_model=game_models.GameBody,
    response_model_exclude_unset=True,
    openapi_extra=OPTIONAL_TOKEN,
)
async def read(
    services: TheServices,
    links: TheLinks,
    game_id: GameId,
    bearer: Bearer,
    token: str | None = None,
    staged: Annotated[str, Query(max_length=MAX_STAGED)] = "",
    ply: Annotated[int | None, Query(ge=0)] = None,
) -> Any:  # noqa: ANN401 - checked by the model
    """A game. ``staged`` is the beginning of a move; ``legal`` then contains its continuations.

    ``ply``: ``position`` is the one after so many moves; everything else is current.
    """
    try:
        state = await services.games.latest(game_id)
    except ApiError as refusal:
        if refusal.code is not Code.NOT_FOUND:
            raise
        return JSONResponse({**error_body(refusal), "kind": "not-found"}, refusal.status)
    token = token if bearer is None else bearer.credentials
    seat = None if token is None else await services.games.seat_of(game_id, token)
    if token is not None and seat is None:
        raise ApiError(Code.NO_TOKEN, "The token opens no seat of this game.")
    table = table_of(state, services.games.now())
    shown = table if ply is None else past_table(state, ply, services.games.now())
    try:
        position = position_json(shown, staged, seat)
    except RuleError as refusal:
        raise ApiError(Code.ILLEGAL_MOVE, str(refusal), field="staged") from None
    body = game_answers.game_body(table, position, seat, token, services.presence.attendance(game_id), links)
    if seat is None:
        return body
    services.claims.seen(game_id, seat)
    claimable_at = services.claims.claimable_at(state, seat)
    return body if claimable_at is None else {**body, "claimableAt": claimable_at}


@router.post("/{game_id}/join", response_model=game_models.JoinedBody, response_model_exclude_unset=True)
async def join(
    services: TheServices, links: TheLinks, game_id: GameId, body: models.JoinBody | None = None
) -> Any:  # noqa: ANN401 - checked by the model
    """Takes an open seat. If none is open and the game has a dialect, the client becomes a spectator."""
    requested = body or models.JoinBody()
    seat, token = None, None
    try:
        joined = await services.games.join(
            game_id,
            seat=requested.seat,
            name=requested.name or requested.display_name or None,
            appearance=requested.appearance,
        )
        state, seat, token = joined.state, joined.seat, joined.token
    except ApiError as refusal:
        state = await services.games.latest(game_id)
        is_full = refusal.code is Code.SEAT_TAKEN and requested.seat is None
        if not is_full or dialect_of(state.game) is None:
            raise
    table = table_of(state, services.games.now())
    return game_answers.joined_body(table, seat, token, services.presence.attendance(game_id), links)


# ---- playing -------------------------------------------------------------------------------------


@moves.post(
    "/{game_id}/moves",
    response_model=models.MovedBody | models.PendingBody,
    response_model_exclude_unset=True,
)
async def move(services: TheServices, game_id: GameId, seat: OwnSeat, body: models.MoveBody) -> Any:  # noqa: ANN401 - checked by the model
    """Plays a move, or a seat's part of a simultaneous move."""
    ack = await services.games.move(
        game_id,
        seat,
        body.move,
        expected_ply=body.expected_ply,
        client_msg_id=body.client_msg_id,
        lag_ms=partial(services.lags.round_trip_ms, (game_id, seat)),
    )
    if ack.pending:
        return {"ply": ack.ply, "pending": list(ack.pending)}
    return {"ply": ack.ply, "position": position_json(ack.table)}


def _moved(state: GameState, now: int) -> dict[str, Any]:
    return {"ply": state.ply, "position": position_json(table_of(state, now))}


def _after(services: Services, state: GameState, kind: OfferKind, response: Response) -> dict[str, Any]:
    """202 for an offer that waits for an answer; otherwise the position."""
    if state.offer is not None and state.offer.kind is kind:
        response.status_code = 202
        return {"offer": kind.value}
    return _moved(state, services.games.now())


_OFFER: dict[str, Any] = {
    "response_model": models.MovedBody | models.OfferBody,
    "response_model_exclude_unset": True,
    "responses": WAITING,
}


@router.post("/{game_id}/takeback", **_OFFER)
async def take_back(
    services: TheServices,
    response: Response,
    game_id: GameId,
    seat: OwnSeat,
    body: models.TakebackBody | None = None,
) -> Any:  # noqa: ANN401 - checked by the model
    """Asks all other human seats for a takeback, or accepts one."""
    if body is not None and body.accept:
        state = await services.games.accept(game_id, seat, OfferKind.TAKEBACK)
    else:
        state = await services.games.propose(game_id, seat, OfferKind.TAKEBACK, body.to_ply if body else None)
    return _after(services, state, OfferKind.TAKEBACK, response)


@router.delete("/{game_id}/takeback", response_model=models.MovedBody, response_model_exclude_unset=True)
async def reject_takeback(services: TheServices, game_id: GameId, seat: OwnSeat) -> Any:  # noqa: ANN401 - checked by the model
    """Rejects a takeback, or withdraws one's own request."""
    state = await services.games.reject(game_id, seat, OfferKind.TAKEBACK)
    return _moved(state, services.games.now())


@router.post("/{game_id}/draw", **_OFFER)
async def draw(
    services: TheServices,
    response: Response,
    game_id: GameId,
    seat: OwnSeat,
    body: models.AgreeBody | None = None,
) -> Any:  # noqa: ANN401 - checked by the model
    """Offers a draw to all other human seats, or accepts one. Bots do not accept."""
    act = services.games.accept if body is not None and body.accept else services.games.propose
    state = await act(game_id, seat, OfferKind.DRAW)
    return _after(services, state, OfferKind.DRAW, response)


@router.delete("/{game_id}/draw", response_model=models.MovedBody, response_model_exclude_unset=True)
async def reject_draw(services: TheServices, game_id: GameId, seat: OwnSeat) -> Any:  # noqa: ANN401 - checked by the model
    """Rejects a draw offer, or withdraws one's own."""
    return _moved(await services.games.reject(game_id, seat, OfferKind.DRAW), services.games.now())


@router.post("/{game_id}/claim", response_model=models.MovedBody, response_model_exclude_unset=True)
async def claim(services: TheServices, game_id: GameId, seat: OwnSeat, body: models.ClaimBody) -> Any:  # noqa: ANN401 - checked by the model
    """Claims the win or a draw, as the player to move has been away for too long."""
    return _moved(await services.claims.claim(game_id, seat, ClaimKind(body.kind)), services.games.now())


@router.post("/{game_id}/resign", response_model=models.MovedBody, response_model_exclude_unset=True)
async def resign(services: TheServices, game_id: GameId, seat: OwnSeat) -> Any:  # noqa: ANN401 - checked by the model
    """Resigns."""
    return _moved(await services.games.resign(game_id, seat), services.games.now())
