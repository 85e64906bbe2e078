"""Access to seats of Hive games: by token, or by taking an open seat."""

from dataclasses import dataclass, field

from protocols.uhp.game_string import GAME
from server.domain.errors import ApiError
from server.domain.game import GameState
from server.services.games import Games


class NoSeatError(Exception):
    """No seat is available; the text is sent after ``err``."""


@dataclass(frozen=True, slots=True)
class SeatAccess:
    """A seat, with the token that gives access to it."""

    game_id: str
    seat: int
    token: str = field(repr=False)


async def seat_by_token(games: Games, token: str, game_id: str | None) -> SeatAccess:
    """The seat of this token, in the given game or in any. Raises NoSeatError."""
    try:
        if game_id is None:
            game_id = await games.game_of(token)
        seat = None if game_id is None else await games.seat_of(game_id, token)
        if game_id is None or seat is None:
            raise NoSeatError("the token opens no seat")
        check_game(await games.get(game_id))
    except ApiError as refusal:
        raise NoSeatError(_said(refusal)) from None
    return SeatAccess(game_id, seat, token)


async def take_seat(games: Games, game_id: str, seat: int | None, name: str | None) -> SeatAccess:
    """Takes an open seat of a game: the given one, or the first. Raises NoSeatError."""
    try:
        check_game(await games.get(game_id))
        joined = await games.join(game_id, seat=seat, name=name, missed_by=games.server)
    except ApiError as refusal:
        raise NoSeatError(_said(refusal)) from None
    return SeatAccess(game_id, joined.seat, joined.token)


async def find_game(games: Games, game_id: str | None) -> GameState:
    """The game with this id. Raises NoSeatError."""
    if game_id is None:
        raise NoSeatError("name the game: game=<id>")
    try:
        state = await games.get(game_id)
    except ApiError as refusal:
        raise NoSeatError(_said(refusal)) from None
    check_game(state)
    return state


def check_game(state: GameState) -> None:
    """Raises NoSeatError unless the game is Hive."""
    if state.game != GAME:
        raise NoSeatError(f"game {state.id} is not Hive")


def _said(refusal: ApiError) -> str:
    return refusal.text.rstrip(".")
