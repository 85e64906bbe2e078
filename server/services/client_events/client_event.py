"""The events of a client: what happens to its bots and in their games. Times are milliseconds since the epoch."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from enum import StrEnum

from protocols.table_json import display_name
from protocols.values import Result, Seat, SeatKind, Status
from server.domain.game import GameState
from server.domain.ladder.results import ending_of, result_of
from server.domain.tournaments.state import TournamentGame, TournamentState
from server.services.bots.bot_registry import client_of


class Score(StrEnum):
    """What a game brought a seat."""

    WON = "won"
    DRAWN = "drawn"
    LOST = "lost"


@dataclass(frozen=True, slots=True)
class Opponent:
    """Another seat of a game. ``bot_id`` is None for people and programs."""

    seat: int
    name: str
    bot_id: str | None = None


@dataclass(frozen=True, slots=True)
class OwnGame:
    """A game of one of the client's bots, which has ``seat``.

    ``player``: the bot's version as the ladder rates it; None if the game is none of the ladder. ``opening`` has the
    moves that the server has played there.
    """

    game_id: str
    game: str
    variant: str
    bot_id: str
    seat: int
    opponents: tuple[Opponent, ...]
    player: str | None = None
    opening: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class BotAttached:
    """A bot is attached; ``is_on_ladder``: it plays rated games."""

    at: int
    bot_id: str
    name: str
    game: str
    version: str
    is_on_ladder: bool


@dataclass(frozen=True, slots=True)
class BotDetached:
    """A bot is attached no more."""

    at: int
    bot_id: str
    game: str


@dataclass(frozen=True, slots=True)
class GameStarted:
    """A game has begun."""

    at: int
    game: OwnGame


@dataclass(frozen=True, slots=True)
class GameFinished:
    """A game is over. ``result`` and ``score`` are None if it has no result.

    The reason and note of ``result`` are those with which the bot left the game; otherwise those of the game.
    ``counts``: whether the ladder counts it; ``is_error``: whether the bot has lost it by an error.
    """

    at: int
    game: OwnGame
    plies: int
    result: Result | None
    score: Score | None
    counts: bool
    is_error: bool


@dataclass(frozen=True, slots=True)
class GameForfeited:
    """A game of a tournament was lost by forfeit, by the bot or by its opponents, and is not played.

    ``round``: from 1. ``points``: those of the bot. ``reason`` and ``note`` as in ``GameScored``.
    """

    at: int
    tournament_id: str
    tournament: str
    round: int
    game: str
    variant: str
    bot_id: str
    seat: int
    opponents: tuple[Opponent, ...]
    points: float
    reason: str
    note: str | None


@dataclass(frozen=True, slots=True)
class LadderPaused:
    """A bot starts no rated games of a game and variant, for ``reason``."""

    at: int
    bot_id: str
    game: str
    variant: str
    reason: str


@dataclass(frozen=True, slots=True)
class LadderResumed:
    """A bot starts such games again."""

    at: int
    bot_id: str
    game: str
    variant: str


@dataclass(frozen=True, slots=True)
class StreamClosed:
    """The last event of a stream: the server ends it for ``reason``."""

    at: int
    reason: str


ClientEvent = (
    BotAttached
    | BotDetached
    | GameStarted
    | GameFinished
    | GameForfeited
    | LadderPaused
    | LadderResumed
    | StreamClosed
)


def own_games(client_id: str, state: GameState) -> list[OwnGame]:
    """Returns a game as each of the client's bots in it sees it."""
    seats = (
        (seat, taken.bot_id)
        for seat, taken in enumerate(state.seats)
        if taken.kind is SeatKind.BOT and taken.bot_id is not None
    )
    return [_own_game(state, seat, bot) for seat, bot in seats if client_of(bot) == client_id]


def _own_game(state: GameState, seat: int, bot_id: str) -> OwnGame:
    ladder = state.ladder
    return OwnGame(
        state.id,
        state.game,
        state.variant,
        bot_id,
        seat,
        tuple(_opponent(other, taken) for other, taken in enumerate(state.seats) if other != seat),
        None if ladder is None else ladder.players[seat],
        () if ladder is None else state.moves[: ladder.opening_plies],
    )


def _opponent(seat: int, taken: Seat) -> Opponent:
    return Opponent(seat, display_name(seat, taken), taken.bot_id)


def forfeited(
    client_id: str, state: TournamentState, games: Iterable[tuple[int, int]], at: int
) -> list[GameForfeited]:
    """Returns these games, by round and number in it, as each of the client's bots in them sees them."""
    return [
        event
        for number, place in games
        for event in _forfeited(client_id, state, number, state.rounds[number].games[place], at)
    ]


def _forfeited(
    client_id: str, state: TournamentState, number: int, game: TournamentGame, at: int
) -> Iterator[GameForfeited]:
    settings, players = state.settings, [state.entrants[player] for player in game.plan.seats]
    everybody = [Opponent(seat, one.name, one.bot_id) for seat, one in enumerate(players)]
    for seat, one in enumerate(players):
        if one.bot_id is not None and client_of(one.bot_id) == client_id:
            yield GameForfeited(
                at,
                state.id,
                settings.name,
                number + 1,
                settings.game,
                settings.variant,
                one.bot_id,
                seat,
                tuple(other for other in everybody if other.seat != seat),
                0.0 if game.points is None else game.points[seat],
                game.reason or "",
                game.note,
            )


def finished(game: OwnGame, state: GameState) -> GameFinished:
    """Returns the end of a game that is over."""
    rated = result_of(state)
    return GameFinished(
        state.updated_at,
        game,
        state.ply,
        _own_result(state, game.seat),
        _score(state, game.seat),
        counts=rated is not None and rated.places is not None,
        is_error=rated is not None and game.seat in rated.lost_by_error,
    )


def _own_result(state: GameState, seat: int) -> Result | None:
    result = state.result
    if result is None:
        return None
    reason, note = ending_of(seat, len(state.seats), state.left, result.reason, result.note)
    return replace(result, reason=reason, note=note)


def _score(state: GameState, seat: int) -> Score | None:
    result = state.result
    if state.status is not Status.FINISHED or result is None:
        return None
    if seat in result.winners:
        return Score.WON
    return Score.LOST if result.winners or seat in state.gone else Score.DRAWN
