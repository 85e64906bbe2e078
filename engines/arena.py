"""Matches between players, with the interval around their score: how every claim of strength is made.

Seats alternate, and each pair of games shares an opening: a few random plies drawn from the game's seed, because two
deterministic players would otherwise play one game over and over. The same seed and sample limit give the same result
whatever the number of jobs.
"""

import math
import random
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

from engines import Position
from engines.bots import Bot, random_move
from engines.inference import Model
from engines.pool.job import Limits

MOST_PLIES = 200
"""A game that is not over by then is a draw."""

OPENING_PLIES = 2
"""Random plies before the players take over, in games whose start does not vary with the seed."""


@dataclass(frozen=True)
class Match:
    """What is played."""

    game: str
    bots: Sequence[Bot]
    games: int
    limits: Limits
    variant: str | None = None
    config: dict[str, Any] | None = None
    seed: int = 0
    opening_plies: int = OPENING_PLIES
    models: Sequence[Model] = ()
    """The networks that bots may use."""


@dataclass(frozen=True)
class Played:
    """One finished game."""

    values: tuple[float, ...]
    """Worth per bot, in the order of ``Match.bots``: +1, 0 or -1."""
    moves: tuple[str, ...]
    seconds: float


@dataclass(frozen=True)
class Standing:
    """One bot's result."""

    name: str
    wins: int
    draws: int
    losses: int

    @property
    def games(self) -> int:
        """Games played."""
        return self.wins + self.draws + self.losses

    @property
    def score(self) -> float:
        """(wins + draws/2) / games; 0 before the first game."""
        return (self.wins + self.draws / 2) / self.games if self.games else 0.0

    @property
    def wilson95(self) -> tuple[float, float]:
        """The 95 % interval of the score, wins and half the draws counting as successes."""
        return wilson(self.wins + self.draws / 2, self.games)


def wilson(successes: float, trials: float, z: float = 1.959964) -> tuple[float, float]:
    """The score interval of a proportion (Wilson 1927); (0, 1) without trials."""
    if trials == 0:
        return 0.0, 1.0
    p = successes / trials
    centre = p + z * z / (2 * trials)
    spread = z * math.sqrt(p * (1 - p) / trials + z * z / (4 * trials * trials))
    scale = 1 + z * z / trials
    return max(0.0, (centre - spread) / scale), min(1.0, (centre + spread) / scale)


def play_match(match: Match, jobs: int, on_game: Callable[[Played], None] | None = None) -> list[Played]:
    """Plays all games, ``jobs`` at a time, each search on one thread. In the order of the games.

    RuleError, ModelError.
    """
    with ThreadPoolExecutor(max_workers=jobs) as threads:
        games: Iterator[Played] = threads.map(lambda number: play_game(match, number), range(match.games))
        played = []
        for game in games:
            played.append(game)
            if on_game:
                on_game(game)
        return played


def play_game(match: Match, number: int) -> Played:
    """Plays game ``number`` of a match: seat s is taken by bot (s + number) mod n, the seed is shared by n games."""
    began = time.monotonic()
    seats = len(match.bots)
    seed = match.seed + number // seats
    position = Position(match.game, match.variant, {"seed": seed, **(match.config or {})})
    _open(position, match.opening_plies, seed)
    takes = [(seat + number) % seats for seat in range(seats)]
    players = [
        match.bots[bot].player(position, match.limits, seed * seats + bot, match.models) for bot in takes
    ]
    while position.to_act and position.ply < MOST_PLIES:
        move = "/".join(players[seat].choose(position, seat) for seat in position.to_act)
        position.play(move)
        for player in players:
            player.played(position.history[-1])
    by_seat = position.outcome.values if position.outcome else [0.0] * seats
    values = tuple(by_seat[takes.index(bot)] for bot in range(seats))
    return Played(values, tuple(position.history), time.monotonic() - began)


def _open(position: Position, plies: int, seed: int) -> None:
    """Plays random plies, and other ones where they end the game."""
    for attempt in range(100):
        rng = random.Random(f"{seed}/{attempt}")
        for _ in range(plies):
            if position.to_act:
                position.play("/".join(random_move(position, seat, rng) for seat in position.to_act))
        if position.to_act:
            return
        while position.ply:
            position.undo()


def standings(bots: Sequence[Bot], games: Sequence[Played]) -> list[Standing]:
    """Results in the order of the bots; equal names are numbered."""
    return [
        Standing(
            name=name,
            wins=sum(game.values[index] > 0 for game in games),
            draws=sum(game.values[index] == 0 for game in games),
            losses=sum(game.values[index] < 0 for game in games),
        )
        for index, name in enumerate(_names(bots))
    ]


def _names(bots: Sequence[Bot]) -> list[str]:
    texts = [bot.text for bot in bots]
    return [
        f"{text}_{texts[: index + 1].count(text)}" if texts.count(text) > 1 else text
        for index, text in enumerate(texts)
    ]
