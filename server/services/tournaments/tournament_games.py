"""The games of tournaments: the request for each, and what its end is worth."""

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from engines import Position
from engines.tournament_table import place_points
from protocols.values import LeaveReason, Seat, SeatKind, Status, TimeControl
from server.domain.bots import ListedBot
from server.domain.events import Left
from server.domain.game import TOURNAMENT, GameState
from server.domain.ladder.results import is_server_to_blame, places_of
from server.domain.tokens import new_game_id
from server.domain.tournaments.decide import Lots
from server.domain.tournaments.events import GameScored, TournamentSettings
from server.domain.tournaments.state import TournamentEntrant, TournamentGame, TournamentState
from server.ports.store import TokenHash
from server.services.games.game_factory import NewGame
from server.services.ladder.openings import OPENING_BITS, hides_order, ladder_config, opening_moves
from server.services.ladder.scheduler import TIME_A_MOVE


@dataclass(frozen=True, slots=True)
class TournamentGameRequest:
    """The game to create, its opening, the tokens of the people in it, and who forfeits it before it begins."""

    game: NewGame
    opening: tuple[str, ...]
    tokens: tuple[TokenHash, ...]
    left: tuple[Left, ...]


def lots_for(settings: TournamentSettings) -> Lots:
    """What the rounds of a tournament draw."""
    is_shared = not hides_order(settings.game, settings.variant)
    return Lots(new_game_id, lambda: secrets.randbits(OPENING_BITS), is_shared)


def start_request(settings: TournamentSettings) -> NewGame:
    """A game like those of the tournament, between people."""
    return NewGame(
        game=settings.game,
        variant=settings.variant,
        seats=(Seat(SeatKind.HUMAN),) * settings.seats,
        config=settings.config,
        time_control=settings.time_control,
    )


def usual_start(settings: TournamentSettings) -> Position:
    """The start of the games, but for their openings."""
    config = {**ladder_config(settings.game, 0, settings.seats), **settings.config}
    return Position(settings.game, settings.variant, config)


def game_request(
    state: TournamentState,
    game: TournamentGame,
    bots: Mapping[int, ListedBot],
    missing: Mapping[int, str],
) -> TournamentGameRequest:
    """The request for a game. ``bots``: those that play in it, by their numbers as players.

    ``missing``: the players who forfeit it before it begins, each with the reason, which is the note of its seat.
    """
    settings, opening = state.settings, game.plan.opening
    config, moves = _opened(settings, opening)
    entrants = [state.entrants[player] for player in game.plan.seats]
    request = NewGame(
        game=settings.game,
        variant=settings.variant,
        seats=tuple(map(_seat, entrants)),
        config=config,
        time_control=_clock(settings.time_control, bots),
        match_type=TOURNAMENT,
        tournament=state.id,
    )
    tokens = [TokenHash(one.digest, seat) for seat, one in enumerate(entrants) if one.bot_id is None]
    left = [
        Left(seat, LeaveReason.RESIGNATION, note=missing[player])
        for seat, player in enumerate(game.plan.seats)
        if player in missing
    ]
    return TournamentGameRequest(request, moves, tuple(tokens), tuple(left))


def opening_plies(settings: TournamentSettings, game: TournamentGame) -> int:
    """The number of moves of a game's opening."""
    return len(_opened(settings, game.plan.opening)[1])


def _opened(settings: TournamentSettings, opening: int) -> tuple[dict[str, Any], tuple[str, ...]]:
    """The configuration of a game with this opening, and its moves."""
    config = {**ladder_config(settings.game, opening, settings.seats), **settings.config}
    return config, tuple(opening_moves(Position(settings.game, settings.variant, config), opening))


def _clock(wanted: TimeControl, bots: Mapping[int, ListedBot]) -> TimeControl:
    """A bot that knows no clock has time for every move, as on the ladder, and so has its opponent."""
    return wanted if all(bot.is_timed for bot in bots.values()) else TIME_A_MOVE


def _seat(entrant: TournamentEntrant) -> Seat:
    kind = SeatKind.HUMAN if entrant.bot_id is None else SeatKind.BOT
    return Seat(kind, name=entrant.name, bot_id=entrant.bot_id)


def seat_of_first_move(game: GameState, made: int) -> int | None:
    """The seat that is to make its first move, after ``made`` moves of the players; None if all have made one.

    Where the seats act together, the first turn has the first moves of all; of those to make it, bots come last.
    """
    firsts = 1 if len(game.position.to_act) > 1 else len(game.still_in)
    if made >= firsts:
        return None
    return min(game.to_act, key=lambda seat: (game.seats[seat].kind is SeatKind.BOT, seat), default=None)


def first_moves_due(game: GameState, made: int) -> int:
    """How many players have had their time for a first move, after ``made`` moves: some have lost on time instead."""
    return made + sum(one.reason is LeaveReason.TIMEOUT for one in game.left)


def scored(number: int, place: int, game: GameState) -> GameScored:
    """What a game that is over is worth: ``place`` in the round with this number.

    A game that the server could not go on with is a draw, as is one without a result.
    """
    result = game.result
    reason = "aborted" if result is None else result.reason
    note = None if result is None else result.note
    places: Sequence[int] = (1,) * len(game.seats)
    if game.status is Status.FINISHED and result is not None and not is_server_to_blame(game, result):
        places = places_of(game, result)
    return GameScored(number, place, place_points(places), reason, note)
