"""Matches between players: how every claim of strength is made. What they say about strength is in ``standings``.

Seats alternate, and each pair of games shares an opening: a few random plies drawn from the game's seed, because two
deterministic players would otherwise play one game over and over. The same seed and sample limit give the same result
whatever the number of jobs, as far as the players themselves can be repeated.

A player that cannot continue raises ``Forfeit`` and loses the game; the match continues.
"""

import random
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing
from dataclasses import dataclass
from typing import Any, Protocol

from engines import Position, games
from engines.bots import Player, random_move
from engines.inference import Model
from engines.pool.job import Limits
from engines.standings import Standing

MOST_PLIES = 200
"""A game that is not over by then is a draw, where the rules set no limit of their own."""

PLY_LIMIT = "ply-limit"

OPENING_PLIES = 2
"""Random plies before the players take over, in games whose start does not vary with the seed."""


class Forfeit(Exception):
    """``player`` cannot go on; the text says what happened, ``reason`` is one word for results ("timeout")."""

    def __init__(self, player: Player, reason: str, text: str) -> None:
        super().__init__(text)
        self.player = player
        self.reason = reason


class Contender(Protocol):
    """A participant of a match: a ``Bot``, or a program that plays for one."""

    @property
    def text(self) -> str:
        """Its name, as the user wrote it."""

    def player(self, position: Position, limits: Limits, seed: int, models: Sequence[Model]) -> Player:
        """This contender at the start of a game from ``position``."""


@dataclass(frozen=True)
class Match:
    """What is played."""

    game: str
    bots: Sequence[Contender]
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
    takes: tuple[int, ...]
    """Which bot took each seat."""
    position: Position
    """The last one."""
    reason: str
    """How it ended: the word of the rules, ``ply-limit``, or that of a forfeit."""
    note: str
    """What a player that forfeited did; empty in other games."""
    seconds: float

    @property
    def moves(self) -> tuple[str, ...]:
        """The history."""
        return tuple(self.position.history)


def play_match(match: Match, jobs: int, on_game: Callable[[Played], None] | None = None) -> list[Played]:
    """Plays all games, ``jobs`` at a time, each search on one thread. In the order of the games.

    RuleError, ModelError.
    """
    with ThreadPoolExecutor(max_workers=jobs) as threads:
        ended: Iterator[Played] = threads.map(lambda number: play_game(match, number), range(match.games))
        played = []
        for game in ended:
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
    takes = tuple((seat + number) % seats for seat in range(seats))
    with ExitStack() as leaving:
        players = [
            leaving.enter_context(
                closing(match.bots[bot].player(position, match.limits, seed * seats + bot, match.models))
            )
            for bot in takes
        ]
        reason, note = _play_out(position, players, most_plies(match.game))
    by_seat = position.outcome.values if position.outcome else [0.0] * seats
    values = tuple(by_seat[takes.index(bot)] for bot in range(seats))
    return Played(values, takes, position, reason, note, time.monotonic() - began)


def most_plies(game: str) -> int | None:
    """After how many plies the arena ends a game; None where the rules do, as their list of reasons tells."""
    own = any(row.name == game and PLY_LIMIT in row.about.get("reasons", ()) for row in games())
    return None if own else MOST_PLIES


def _play_out(position: Position, players: Sequence[Player], most: int | None) -> tuple[str, str]:
    """Plays to the end; the reason for it, and what a player that forfeited did."""
    try:
        while position.to_act and (most is None or position.ply < most):
            moves = [players[seat].choose(position, seat) for seat in position.to_act]
            position.play("/".join(moves))
            for player in players if position.to_act else ():
                player.played(position.history[-1])
    except Forfeit as why:
        position.forfeit(players.index(why.player))
        return why.reason, str(why)
    return (position.outcome.reason if position.outcome else PLY_LIMIT), ""


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


def standings(bots: Sequence[Contender], played: Sequence[Played]) -> list[Standing]:
    """Results in the order of the bots; equal names are numbered."""
    return [
        Standing(
            name=name,
            wins=sum(game.values[index] > 0 for game in played),
            draws=sum(game.values[index] == 0 for game in played),
            losses=sum(game.values[index] < 0 for game in played),
        )
        for index, name in enumerate(names(bots))
    ]


def names(bots: Sequence[Contender]) -> list[str]:
    """What the bots are called in results: as written, equal ones numbered."""
    texts = [bot.text for bot in bots]
    return [
        f"{text}_{texts[: index + 1].count(text)}" if texts.count(text) > 1 else text
        for index, text in enumerate(texts)
    ]
