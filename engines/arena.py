"""Matches between players. ``arena_game`` is one game.

The statistics are in ``standings`` (scores), ``ratings`` (Elo) and ``sprt`` (sequential tests).

Each seed is played once for every rotation of the seats, so twice with seats swapped in games of two. These games
share a start: the hidden order drawn from the seed, or otherwise an opening of a few random plies, because
deterministic players would repeat the same game. With deterministic players and a sample limit, the same seed gives
the same results for any number of jobs, and whether or not the match was interrupted.

A match can have ``openings`` instead (``opening_suite``), and rules that end games early (``adjudication``).

A player that cannot continue raises ``Forfeit`` and leaves the game; the match continues.
"""

import random
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack, closing
from dataclasses import dataclass
from functools import partial
from typing import Any, Protocol, TypeVar

from engines import BadConfig, Position, games, known_members
from engines.adjudication import Adjudication
from engines.arena_game import PLY_LIMIT, ArenaGame, Fault, JudgingPlayer
from engines.bots import Player, random_move
from engines.executors.executor import LocalExecutor, TaskExecutor, in_order
from engines.inference import Model
from engines.opening_suite import Opening
from engines.pool.job import Limits
from engines.standings import Standing

MOST_PLIES = 200
"""Longer games are scored as draws, unless the rules have a ply limit of their own."""

OPENING_PLIES = 2
"""Random plies before the players take over, in games whose start does not vary with the seed."""

T = TypeVar("T")


class Contender(Protocol):
    """A participant of a match: a ``Bot`` or an external program."""

    @property
    def text(self) -> str:
        """The contender's name, as the user wrote it."""

    def player(self, position: Position, limits: Limits, seed: int, models: Sequence[Model]) -> Player:
        """Returns a player for one game that starts at ``position``."""


@dataclass(frozen=True)
class Match:
    """The settings of a match. Each game has as many seats as there are bots."""

    game: str
    bots: Sequence[Contender]
    games: int
    limits: Limits
    variant: str | None = None
    config: dict[str, Any] | None = None
    seed: int = 0
    opening_plies: int | None = None
    """Random plies before the bots take over. Default: 0 if the start varies with the seed, else ``OPENING_PLIES``."""
    models: Sequence[Model] = ()
    """The networks available to the bots."""
    openings: Sequence[Opening] = ()
    """The starts of the games, in this order. After the last one they are played again, each followed by
    ``OPENING_PLIES`` random plies, since deterministic bots would play the same games again."""
    adjudication: Adjudication | None = None


@dataclass(frozen=True)
class Played:
    """One finished game."""

    values: tuple[float, ...]
    """Result per bot, in the order of ``Match.bots``: +1, 0 (a draw or a shared win) or -1."""
    takes: tuple[int, ...]
    """Indices into ``Match.bots``: which bot played each seat."""
    position: Position
    """The final position."""
    reason: str
    """Why it ended: a reason from the rules or of an adjudication, ``ply-limit``, or the reason of a forfeit."""
    note: str
    """Describes what forfeiting players did; empty in other games."""
    seconds: float
    faults: tuple[Fault, ...] = ()
    """The forfeits, in order."""

    @property
    def moves(self) -> tuple[str, ...]:
        """All moves of the game."""
        return tuple(self.position.history)

    @property
    def places(self) -> tuple[int, ...]:
        """The place of each bot, 1 being the best. All are first in a game that has no outcome."""
        outcome = self.position.outcome
        return self._by_bot(outcome.places) if outcome else (1,) * len(self.takes)

    @property
    def scores(self) -> tuple[float, ...] | None:
        """The final points of each bot; None in a game without points or without an outcome."""
        outcome = self.position.outcome
        return self._by_bot(outcome.scores) if outcome and outcome.scores is not None else None

    def _by_bot(self, by_seat: Sequence[T]) -> tuple[T, ...]:
        return tuple(by_seat[self.takes.index(bot)] for bot in range(len(self.takes)))


def play_match(
    match: Match,
    jobs: int | TaskExecutor,
    on_game: Callable[[Played], None] | None = None,
    known: Mapping[int, Played] | None = None,
    is_decided: Callable[[], bool] = lambda: False,
) -> list[Played]:
    """Plays all games and returns them in order of their numbers.

    ``jobs``: how many at a time, one thread per search; or what plays them. Calls ``on_game`` for each game in that
    order, and then ``is_decided``, which may end the match: later games that have begun are then dropped, so that the
    result does not depend on ``jobs``. ``known``: games by number that are not played again.

    Raises RuleError or ModelError if a game cannot be set up.
    """
    known = known or {}
    with ExitStack() as stack:
        executor = stack.enter_context(LocalExecutor(jobs)) if isinstance(jobs, int) else jobs
        numbers = [number for number in range(match.games) if number not in known]
        games = stack.enter_context(closing(in_order(executor, partial(play_game, match), numbers)))
        played = []
        for number in range(match.games):
            played.append(known[number] if number in known else next(games))
            if on_game:
                on_game(played[-1])
            if is_decided():
                break
        return played


def play_game(match: Match, number: int) -> Played:
    """Plays game ``number`` of a match of n bots.

    Bot (s + number) mod n plays seat s, and n successive games share one seed.
    """
    began = time.monotonic()
    position, takes = start_of(match, number), seats_of(match, number)
    _open(match, number, position)
    with ExitStack() as leaving:
        players = [leaving.enter_context(closing(_player(match, number, bot, position))) for bot in takes]
        game = ArenaGame(position, takes, players, match.adjudication)
        reason, note = game.play_out(most_plies(match.game))
    return _ended(position, takes, reason, note, time.monotonic() - began, tuple(game.faults))


def check_bots(match: Match) -> None:
    """Raises RuleError, ModelError or a bot's own error if one of them cannot play the first game of the match."""
    position = start_of(match, 0)
    _open(match, 0, position)
    for bot in range(len(match.bots)):
        _player(match, 0, bot, position).close()


def _player(match: Match, number: int, bot: int, position: Position) -> Player:
    """A new player. Raises BadConfig if the games of the match cannot be adjudicated with it."""
    contender, seed = match.bots[bot], seed_of(match, number) * len(match.bots) + bot
    player = contender.player(position, match.limits, seed, match.models)
    needs_scores = match.adjudication is not None and match.adjudication.needs_scores
    if needs_scores and not isinstance(player, JudgingPlayer):
        player.close()
        raise BadConfig(
            f"{contender.text} does not say how it judges a position: its games can be adjudicated by plies only"
        )
    return player


def replay_game(
    match: Match,
    number: int,
    moves: Sequence[str],
    reason: str,
    note: str,
    seconds: float,
    faults: Sequence[Fault] = (),
) -> Played:
    """Returns game ``number`` of a match from what was recorded when it was played. Raises RuleError."""
    position = start_of(match, number)
    position.play(*moves)
    return _ended(position, seats_of(match, number), reason, note, seconds, tuple(faults))


def start_of(match: Match, number: int) -> Position:
    """Returns the position of game ``number`` before its opening. Raises BadConfig."""
    seats = len(match.bots)
    if match.openings:
        config: Mapping[str, Any] = _opening(match, number).config
    else:
        drawn = known_members(match.game, {"seed": seed_of(match, number), "seats": seats})
        config = {**drawn, **(match.config or {})}
    position = Position(match.game, match.variant, config)
    if position.seats != seats:
        raise BadConfig(f"{match.game} has {position.seats} seats, not {seats}")
    return position


def seats_of(match: Match, number: int) -> tuple[int, ...]:
    """Returns which bot plays each seat in game ``number``: indices into ``Match.bots``."""
    seats = len(match.bots)
    return tuple((seat + number) % seats for seat in range(seats))


def seed_of(match: Match, number: int) -> int:
    """Returns the seed of game ``number``."""
    return match.seed + number // len(match.bots)


def _opening(match: Match, number: int) -> Opening:
    return match.openings[number // len(match.bots) % len(match.openings)]


def _ended(
    position: Position,
    takes: tuple[int, ...],
    reason: str,
    note: str,
    seconds: float,
    faults: tuple[Fault, ...],
) -> Played:
    by_seat = position.outcome.values if position.outcome else [0.0] * len(takes)
    values = tuple(by_seat[takes.index(bot)] for bot in range(len(takes)))
    return Played(values, takes, position, reason, note, seconds, faults)


def _random_plies(match: Match, number: int, position: Position) -> int:
    if match.openings:
        is_repeated = number // len(match.bots) >= len(match.openings)
        return OPENING_PLIES if is_repeated else 0
    if match.opening_plies is not None:
        return match.opening_plies
    return 0 if position.secret else OPENING_PLIES


def most_plies(game: str) -> int | None:
    """The ply limit of the arena for a game; None if the rules have their own (``ply-limit`` among their reasons)."""
    own = any(row.name == game and PLY_LIMIT in row.about.get("reasons", ()) for row in games())
    return None if own else MOST_PLIES


def _open(match: Match, number: int, position: Position) -> None:
    """Plays the opening of a game: that of the match, and random plies; other ones if they end the game."""
    if match.openings:
        position.play(*_opening(match, number).moves)
    start, plies = position.ply, _random_plies(match, number, position)
    for attempt in range(100):
        rng = random.Random(f"{seed_of(match, number)}/{attempt}")
        for _ in range(plies):
            if position.to_act:
                position.play("/".join(random_move(position, seat, rng) for seat in position.to_act))
        if position.to_act:
            return
        while position.ply > start:
            position.undo()


def standings(bots: Sequence[Contender], played: Sequence[Played]) -> list[Standing]:
    """Results in the order of the bots. Equal names are numbered."""
    return [
        Standing(
            name=name,
            wins=sum(game.values[index] > 0 for game in played),
            draws=sum(game.values[index] == 0 for game in played),
            losses=sum(game.values[index] < 0 for game in played),
            points=tuple(game.scores[index] for game in played if game.scores is not None),
        )
        for index, name in enumerate(names(bots))
    ]


def names(bots: Sequence[Contender]) -> list[str]:
    """Names of the bots for results: as written, with numbers appended to equal ones."""
    texts = [bot.text for bot in bots]
    return [
        f"{text}_{texts[: index + 1].count(text)}" if texts.count(text) > 1 else text
        for index, text in enumerate(texts)
    ]
