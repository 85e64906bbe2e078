"""``/api/games``: opening, joining, reading and playing games over HTTP.

The services decide; here is only the wire.
"""

from typing import Annotated, Any, Literal

from fastapi import APIRouter, Depends, Path, Query, Request, Response
from fastapi.responses import JSONResponse
from fastapi.security import HTTPAuthorizationCredentials, HTTPBearer

from engines import RuleError
from protocols.play import site
from protocols.play.position import position_json
from server.domain.clock import TimeControl
from server.domain.errors import ApiError, Code
from server.domain.events import Assistance, OfferKind, Visibility
from server.domain.game import MATCHMAKING, PRIVATE, GameState
from server.domain.public import past_table, public_position, table_of
from server.domain.seats import SeatKind
from server.ports import ListingQuery
from server.routes import bodies
from server.routes import models as m
from server.routes import site_models as s
from server.routes.house import House, TheAddress, TheHouse
from server.services.opening import NewGame, NewSeat

PAGE = 50
"""Games on one page of a list."""

_COMMON: dict[str, Any] = {
    "prefix": "/api/games",
    "tags": ["games"],
    "responses": {"4XX": {"model": m.ErrorBody}, "5XX": {"model": m.ErrorBody}},
}
router, moves, reads = APIRouter(**_COMMON), APIRouter(**_COMMON), APIRouter(**_COMMON)
"""``moves`` and ``reads`` are the operations that are asked for most: see ``direct``."""

MAX_GAME_ID = 64
MAX_STAGED = 200
"""Characters of what may be asked for."""

GameId = Annotated[str, Path(max_length=MAX_GAME_ID)]
Bearer = Annotated[HTTPAuthorizationCredentials | None, Depends(HTTPBearer(auto_error=False))]

_STATUS = {"live": "playing", "open": "open", "finished": "finished"}


async def seat_of(house: House, game_id: str, token: str) -> int:
    """The seat that a token opens; ApiError ``not-your-seat``."""
    seat = await house.games.seat_of(game_id, token)
    if seat is None:
        raise ApiError(Code.NOT_YOUR_SEAT, "The token opens no seat of this game.")
    return seat


async def _token_seat(house: TheHouse, game_id: GameId, bearer: Bearer) -> int:
    """The seat of the request's token."""
    if bearer is None:
        raise ApiError(Code.NO_TOKEN, "Send the seat's token: Authorization: Bearer <token>.")
    return await seat_of(house, game_id, bearer.credentials)


OwnSeat = Annotated[int, Depends(_token_seat)]


def links_of(house: House, request: Request) -> bodies.Links:
    """The addresses of pages as this client sees them."""
    return bodies.Links(house.clients.base_url(request))


async def _links(request: Request, house: TheHouse) -> bodies.Links:
    return links_of(house, request)


TheLinks = Annotated[bodies.Links, Depends(_links)]


# ---- opening, joining, reading -------------------------------------------------------------------


@router.post("", status_code=201, response_model=s.CreatedBody, response_model_exclude_unset=True)
async def create(body: s.CreateBody, house: TheHouse, links: TheLinks, address: TheAddress) -> Any:  # noqa: ANN401 - checked by the model
    """Opens a game. A body with ``matchType`` is the Wallwars site's."""
    wish = _site_wish(body) if isinstance(body, s.SiteGameBody) else _wish(body)
    opened = await house.lobby_quota.create(wish, address)
    return bodies.created_body(table_of(opened.state, house.games.now()), opened.tokens, links)


def _wish(body: m.NewGameBody) -> NewGame:
    control = body.time_control
    return NewGame(
        game=body.game,
        variant=body.variant,
        config=body.config,
        seats=tuple(NewSeat(SeatKind(seat.kind), seat.bot, seat.name) for seat in body.seats),
        time_control=None
        if control is None
        else TimeControl(
            control.initial_seconds, control.increment_seconds, control.preset, control.starts_at_once
        ),
        is_rated=body.rated,
        match_type=MATCHMAKING if body.listed else PRIVATE,
        assistance=_assistance(body.assistance),
    )


def _site_wish(body: s.SiteGameBody) -> NewGame:
    config, control = body.config, body.config.time_control
    host = 0 if body.host_is_player1 else 1
    seats = [NewSeat(SeatKind.OPEN), NewSeat(SeatKind.OPEN)]
    seats[host] = NewSeat(SeatKind.HUMAN, name=body.host_display_name, appearance=body.host_appearance)
    return NewGame(
        game=site.GAME,
        variant=config.variant,
        config={"boardWidth": config.board_width, "boardHeight": config.board_height},
        seats=tuple(seats),
        time_control=TimeControl(control.initial_seconds, control.increment_seconds, control.preset),
        is_rated=config.rated,
        host=host,
        match_type=body.match_type,
        assistance=_assistance(body.assistance),
        visibility=Visibility.PUBLIC if body.match_type == MATCHMAKING else Visibility.SITE,
    )


def _assistance(wish: m.AssistanceName | None) -> Assistance | None:
    return None if wish is None else Assistance(wish)


@router.get("", response_model=m.GameList, response_model_exclude_unset=True)
async def listed(
    house: TheHouse,
    status: Literal["live", "open", "finished"] | None = None,
    game: str | None = None,
    cursor: Annotated[str | None, Query(max_length=64)] = None,
) -> Any:  # noqa: ANN401 - checked by the model
    """Lists games that everybody may find, newest first, a page at a time."""
    query = ListingQuery(
        status and _STATUS[status], game, visibility=(Visibility.PUBLIC,), after=cursor, limit=PAGE + 1
    )
    found = await house.games.listings(query)
    out: dict[str, Any] = {"games": [bodies.listed_body(listing) for listing in found[:PAGE]]}
    return out if len(found) <= PAGE else {**out, "cursor": found[PAGE - 1].game_id}


@reads.get("/{game_id}", response_model=s.GameBody, response_model_exclude_unset=True)
async def read(
    house: TheHouse,
    links: TheLinks,
    game_id: GameId,
    bearer: Bearer,
    token: str | None = None,
    staged: Annotated[str, Query(max_length=MAX_STAGED)] = "",
    ply: Annotated[int | None, Query(ge=0)] = None,
) -> Any:  # noqa: ANN401 - checked by the model
    """A game. ``staged``: the beginning of a move; then ``legal`` is what may follow it.

    ``ply``: then ``position`` is that after so many moves; everything else stays the present.
    """
    try:
        state = await house.games.get(game_id)
    except ApiError as refusal:
        if refusal.code is not Code.NOT_FOUND:
            raise
        return JSONResponse({**refusal.body(), "kind": "not-found"}, refusal.status)
    token = token if bearer is None else bearer.credentials
    seat = None if token is None else await house.games.seat_of(game_id, token)
    table = table_of(state, house.games.now())
    shown = table if ply is None else past_table(state, ply, house.games.now())
    try:
        position = position_json(shown, staged, seat)
    except RuleError as refusal:
        raise ApiError(Code.ILLEGAL_MOVE, str(refusal), field="staged") from None
    return bodies.game_body(table, position, seat, token, house.presence.attendance(game_id), links)


@router.post("/{game_id}/join", response_model=s.JoinedBody, response_model_exclude_unset=True)
async def join(house: TheHouse, links: TheLinks, game_id: GameId, body: m.JoinBody | None = None) -> Any:  # noqa: ANN401 - checked by the model
    """Takes an open seat. Where none is open, the Wallwars site's clients become spectators."""
    wish = body or m.JoinBody()
    try:
        joined = await house.games.join(
            game_id, seat=wish.seat, name=wish.name or wish.display_name, appearance=wish.appearance
        )
    except ApiError as refusal:
        state = await house.games.get(game_id)
        if refusal.code is not Code.SEAT_TAKEN or wish.seat is not None or state.game != site.GAME:
            raise
        table = table_of(state, house.games.now())
        return bodies.watching_body(table, house.presence.attendance(game_id), links)
    table = table_of(joined.state, house.games.now())
    return bodies.joined_body(table, joined.seat, joined.token, house.presence.attendance(game_id), links)


# ---- playing -------------------------------------------------------------------------------------


@moves.post("/{game_id}/moves", response_model=m.MovedBody | m.PendingBody, response_model_exclude_unset=True)
async def move(house: TheHouse, game_id: GameId, seat: OwnSeat, body: m.MoveBody) -> Any:  # noqa: ANN401 - checked by the model
    """Plays a move, or a seat's part of a simultaneous one."""
    ack = await house.games.move(
        game_id, seat, body.move, expected_ply=body.expected_ply, client_msg_id=body.client_msg_id
    )
    if ack.pending:
        return {"ply": ack.ply, "pending": list(ack.pending)}
    return {"ply": ack.ply, "position": position_json(ack.table)}


def _moved(state: GameState, now: int) -> dict[str, Any]:
    return {"ply": state.ply, "position": public_position(state, now)}


def _after(house: House, state: GameState, kind: OfferKind, response: Response) -> dict[str, Any]:
    """An offer that waits is 202; everything else shows the position."""
    if state.offer is not None and state.offer.kind is kind:
        response.status_code = 202
        return {"offer": kind.value}
    return _moved(state, house.games.now())


_OFFER: dict[str, Any] = {
    "response_model": m.MovedBody | m.OfferBody,
    "response_model_exclude_unset": True,
}


@router.post("/{game_id}/takeback", **_OFFER)
async def take_back(
    house: TheHouse, response: Response, game_id: GameId, seat: OwnSeat, body: m.TakebackBody | None = None
) -> Any:  # noqa: ANN401 - checked by the model
    """Asks every other human seat to take moves back, or agrees to that."""
    state = await house.games.propose(game_id, seat, OfferKind.TAKEBACK, body.to_ply if body else None)
    return _after(house, state, OfferKind.TAKEBACK, response)


@router.delete("/{game_id}/takeback", response_model=m.MovedBody, response_model_exclude_unset=True)
async def reject_takeback(house: TheHouse, game_id: GameId, seat: OwnSeat) -> Any:  # noqa: ANN401 - checked by the model
    """Rejects a takeback, or withdraws the own wish."""
    state = await house.games.reject(game_id, seat, OfferKind.TAKEBACK)
    return _moved(state, house.games.now())


@router.post("/{game_id}/draw", **_OFFER)
async def draw(house: TheHouse, response: Response, game_id: GameId, seat: OwnSeat) -> Any:  # noqa: ANN401 - checked by the model
    """Offers a draw to every other human seat, or agrees to one. Bots refuse."""
    state = await house.games.propose(game_id, seat, OfferKind.DRAW)
    return _after(house, state, OfferKind.DRAW, response)


@router.delete("/{game_id}/draw", response_model=m.MovedBody, response_model_exclude_unset=True)
async def reject_draw(house: TheHouse, game_id: GameId, seat: OwnSeat) -> Any:  # noqa: ANN401 - checked by the model
    """Rejects a draw, or withdraws the own offer."""
    return _moved(await house.games.reject(game_id, seat, OfferKind.DRAW), house.games.now())


@router.post("/{game_id}/resign", response_model=m.MovedBody, response_model_exclude_unset=True)
async def resign(house: TheHouse, game_id: GameId, seat: OwnSeat) -> Any:  # noqa: ANN401 - checked by the model
    """Resigns."""
    return _moved(await house.games.resign(game_id, seat), house.games.now())
