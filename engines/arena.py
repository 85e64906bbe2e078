"""Matches between players. The statistics are in ``standings`` (scores) and ``ratings`` (Elo).

Each seed is played once for every rotation of the seats, so twice with seats swapped in games of two. These games
share a start: the hidden order drawn from the seed, or otherwise an opening of a few random plies, because
deterministic players would repeat the same game. With deterministic players and a sample limit, the same seed gives
the same results for any number of jobs, and whether or not the match was interrupted.

A player that cannot continue raises ``Forfeit`` and leaves the game; the match continues.
"""

import random
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar, runtime_checkable

from engines import BadConfig, Position, games, known_members
from engines.bots import Player, random_move
from engines.inference import Model
from engines.pool.job import Limits
from engines.standings import Standing

MOST_PLIES = 200
"""Longer games are scored as draws, unless the rules have a ply limit of their own."""

PLY_LIMIT = "ply-limit"

OPENING_PLIES = 2
"""Random plies before the players take over, in games whose start does not vary with the seed."""

T = TypeVar("T")


class Forfeit(Exception):
    """``player`` cannot continue. The text describes what happened; ``reason`` is one word for results ("timeout")."""

    def __init__(self, player: Player, reason: str, text: str) -> None:
        super().__init__(text)
        self.player = player
        self.reason = reason


class Contender(Protocol):
    """A participant of a match: a ``Bot`` or an external program."""

    @property
    def text(self) -> str:
        """The contender's name, as the user wrote it."""

    def player(self, position: Position, limits: Limits, seed: int, models: Sequence[Model]) -> Player:
        """Returns a player for one game that starts at ``position``."""


@runtime_checkable
class LastToMove(Player, Protocol):
    """A player of simultaneous moves that can choose its own part only once it has the parts of all others."""

    def choose_last(self, position: Position, seat: int, others: Mapping[int, str]) -> str:
        """Returns the part of ``seat``; ``others`` are those of all other acting seats. Raises as ``choose`` does."""


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
    """Why it ended: a reason from the rules, ``ply-limit``, or the reason of a forfeit."""
    note: str
    """Describes what forfeiting players did; empty in other games."""
    seconds: float

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
    jobs: int,
    on_game: Callable[[Played], None] | None = None,
    known: Mapping[int, Played] | None = None,
) -> list[Played]:
    """Plays all games, ``jobs`` at a time, one thread per search. Returns them in order of their numbers.

    Calls ``on_game`` for each game in that order. ``known``: games by number that are not played again.

    Raises RuleError or ModelError if a game cannot be set up.
    """
    known = known or {}

    def game_of(number: int) -> Played:
        return known[number] if number in known else play_game(match, number)

    with ThreadPoolExecutor(max_workers=jobs) as threads:
        ended: Iterator[Played] = threads.map(game_of, range(match.games))
        played = []
        for game in ended:
            played.append(game)
            if on_game:
                on_game(game)
        return played


def play_game(match: Match, number: int) -> Played:
    """Plays game ``number`` of a match of n bots.

    Bot (s + number) mod n plays seat s, and n successive games share one seed.
    """
    began = time.monotonic()
    position, takes = start_of(match, number), seats_of(match, number)
    seats, seed = len(takes), seed_of(match, number)
    _open(position, _opening_plies(match, position), seed)
    with ExitStack() as leaving:
        players = [
            leaving.enter_context(
                closing(match.bots[bot].player(position, match.limits, seed * seats + bot, match.models))
            )
            for bot in takes
        ]
        reason, note = _play_out(position, players, most_plies(match.game))
    return _ended(position, takes, reason, note, time.monotonic() - began)


def replay_game(
    match: Match, number: int, moves: Sequence[str], reason: str, note: str, seconds: float
) -> Played:
    """Returns game ``number`` of a match from what was recorded when it was played. Raises RuleError."""
    position = start_of(match, number)
    position.play(*moves)
    return _ended(position, seats_of(match, number), reason, note, seconds)


def start_of(match: Match, number: int) -> Position:
    """Returns the start position of game ``number``. Raises BadConfig."""
    seats = len(match.bots)
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


def _ended(position: Position, takes: tuple[int, ...], reason: str, note: str, seconds: float) -> Played:
    by_seat = position.outcome.values if position.outcome else [0.0] * len(takes)
    values = tuple(by_seat[takes.index(bot)] for bot in range(len(takes)))
    return Played(values, takes, position, reason, note, seconds)


def _opening_plies(match: Match, position: Position) -> int:
    if match.opening_plies is not None:
        return match.opening_plies
    return 0 if position.secret else OPENING_PLIES


def most_plies(game: str) -> int | None:
    """The ply limit of the arena for a game; None if the rules have their own (``ply-limit`` among their reasons)."""
    own = any(row.name == game and PLY_LIMIT in row.about.get("reasons", ()) for row in games())
    return None if own else MOST_PLIES


def _play_out(position: Position, players: Sequence[Player], most: int | None) -> tuple[str, str]:
    """Plays the game to its end. Returns the reason it ended, and what forfeiting players did."""
    seating = _Seating(position, players)
    notes: list[str] = []
    while position.to_act and (most is None or position.ply < most):
        try:
            seating.play_turn()
        except Forfeit as why:
            seating.forfeit(why.player)
            notes.append(str(why))
            if not position.to_act:
                return why.reason, "; ".join(notes)
    return (position.outcome.reason if position.outcome else PLY_LIMIT), "; ".join(notes)


class _Seating:
    """The players of one game, and how many entries of the history each has received."""

    def __init__(self, position: Position, players: Sequence[Player]) -> None:
        self._position = position
        self._players = players
        self._told = dict.fromkeys(range(len(players)), len(position.history))
        """By seat, without those that have forfeited."""

    def play_turn(self) -> None:
        """Reports new moves to the players and plays their next ones. Raises Forfeit or BadConfig."""
        for seat in self._told:
            while self._told[seat] < len(self._position.history):
                self._told[seat] += 1
                self._players[seat].played(self._position.history[self._told[seat] - 1])
        acting = self._position.to_act
        parts = self._simultaneous_parts(acting) if len(acting) > 1 else self._parts(acting)
        self._position.play("/".join(parts[seat] for seat in acting))

    def _parts(self, seats: Sequence[int]) -> dict[int, str]:
        return {seat: self._players[seat].choose(self._position, seat) for seat in seats}

    def _simultaneous_parts(self, acting: Sequence[int]) -> dict[int, str]:
        last = {seat: player for seat in acting if isinstance(player := self._players[seat], LastToMove)}
        if len(last) > 1:
            raise BadConfig(
                "bots of running servers cannot meet in a game in which seats move simultaneously"
            )
        parts = self._parts([seat for seat in acting if seat not in last])
        for seat, player in last.items():
            parts[seat] = player.choose_last(self._position, seat, dict(parts))
        return parts

    def forfeit(self, player: Player) -> None:
        """The player leaves the game."""
        seat = self._players.index(player)
        del self._told[seat]
        self._position.forfeit(seat)


def _open(position: Position, plies: int, seed: int) -> None:
    """Plays random plies; starts again with other ones if they end the game."""
    for attempt in range(100):
        rng = random.Random(f"{seed}/{attempt}")
        for _ in range(plies):
            if position.to_act:
                position.play("/".join(random_move(position, seat, rng) for seat in position.to_act))
        if position.to_act:
            return
        while position.ply:
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
