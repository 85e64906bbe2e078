"""Access to seats of Hive games: by token, or by taking an open seat."""

from dataclasses import dataclass, field

from protocols.uhp.game_string import GAME
from server.domain.errors import ApiError, Code
from server.domain.game import GameState
from server.services.games.games import Games


class NoSeatError(ApiError):
    """No seat is available. Like every ApiError of a command, its text is sent after ``err``."""

    def __init__(self, text: str) -> None:
        super().__init__(Code.NOT_YOUR_SEAT, text)


@dataclass(frozen=True, slots=True)
class SeatAccess:
    """A seat, with the token that gives access to it."""

    game_id: str
    seat: int
    token: str = field(repr=False)


async def seat_by_token(games: Games, token: str, game_id: str | None) -> SeatAccess:
    """The seat of this token, in the given game or in any. Raises ApiError."""
    if game_id is None:
        game_id = await games.game_of(token)
    seat = None if game_id is None else await games.seat_of(game_id, token)
    if game_id is None or seat is None:
        raise NoSeatError("the token opens no seat")
    await find_game(games, game_id)
    return SeatAccess(game_id, seat, token)


async def take_seat(games: Games, game_id: str, seat: int | None, name: str | None) -> SeatAccess:
    """Takes an open seat of a game: the given one, or the first. Raises ApiError."""
    await find_game(games, game_id)
    joined = await games.join(game_id, seat=seat, name=name, missed_by=games.leases.server)
    return SeatAccess(game_id, joined.seat, joined.token)


async def find_game(games: Games, game_id: str | None) -> GameState:
    """The game of Hive with this id. Raises ApiError."""
    if game_id is None:
        raise NoSeatError("name the game: game=<id>")
    state = await games.get(game_id)
    if state.game != GAME:
        raise NoSeatError(f"game {state.id} is not Hive")
    return state
