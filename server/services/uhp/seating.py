"""A seat of a game of Hive: by its token, by taking an open one, or by looking for an opponent."""

from dataclasses import dataclass, field

from protocols.uhp.game_string import GAME
from server.domain.errors import ApiError
from server.domain.game import GameState
from server.services.games import Games


class NoSeat(Exception):
    """There is no seat to be had; the text goes behind ``err``."""


@dataclass(frozen=True, slots=True)
class Seating:
    """A seat, and the token that opens it."""

    game_id: str
    seat: int
    token: str = field(repr=False)


async def seat_by_token(games: Games, token: str, game_id: str | None) -> Seating:
    """The seat that the token opens, in this game or in whichever it opens one. NoSeat."""
    try:
        if game_id is None:
            game_id = await games.game_of(token)
        seat = None if game_id is None else await games.seat_of(game_id, token)
        if game_id is None or seat is None:
            raise NoSeat("the token opens no seat")
        check_game(await games.get(game_id))
    except ApiError as refusal:
        raise NoSeat(_said(refusal)) from None
    return Seating(game_id, seat, token)


async def take_seat(games: Games, game_id: str, seat: int | None, name: str | None) -> Seating:
    """An open seat of a game, this one or the first. NoSeat."""
    try:
        check_game(await games.get(game_id))
        joined = await games.join(game_id, seat=seat, name=name, missed_by=games.server)
    except ApiError as refusal:
        raise NoSeat(_said(refusal)) from None
    return Seating(game_id, joined.seat, joined.token)


async def find_game(games: Games, game_id: str | None) -> GameState:
    """The game to look at. NoSeat."""
    if game_id is None:
        raise NoSeat("name the game: game=<id>")
    try:
        state = await games.get(game_id)
    except ApiError as refusal:
        raise NoSeat(_said(refusal)) from None
    check_game(state)
    return state


def check_game(state: GameState) -> None:
    """UHP is for Hive; NoSeat."""
    if state.game != GAME:
        raise NoSeat(f"game {state.id} is not Hive")


def _said(refusal: ApiError) -> str:
    return refusal.text.rstrip(".")
