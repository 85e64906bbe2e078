"""Measures how long players wait in PyRat although there is cheese to be won, against somebody who never moves.

For each board and player: the longest run of turns in which it neither moved nor stood in mud, and the turns until it
had won the game or all cheese, divided by those of ``greedy``, which always walks to the nearest piece.

    python -m benchmarks.idleness --variants tiny small --games 5
"""

import argparse
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import mean
from typing import Any, Final

from benchmarks import levels
from engines import Position, games, known_members
from engines.bots import Bot, Player
from engines.pool.job import Limits

GREEDY: Final = "greedy"
STAY: Final = "STAY"


@dataclass(frozen=True, slots=True)
class Walk:
    """A game against a player who stays."""

    idle: int
    """The longest run of turns in which the player could have moved and did not."""
    turns: int


def walk(kind: str, variant: str, seed: int) -> Walk:
    """Plays a game; the player has seat 0."""
    position = Position("pyrat", variant, known_members("pyrat", {"seed": seed}))
    mover = player(kind, position, seed)
    idle = longest = 0
    while position.to_act:
        before = position.view()["players"][0]
        position.play(f"{mover.choose(position, 0)}/{STAY}")
        after = position.view()["players"][0]
        idle = idle + 1 if (before["cell"], before["mud"]) == (after["cell"], 0) else 0
        longest = max(longest, idle)
        if position.to_act:
            mover.played(position.history[-1])
    return Walk(longest, position.ply)


def player(kind: str, position: Position, seed: int) -> Player:
    """A level of the built-in bot, or ``greedy``."""
    if kind == GREEDY:
        return Bot.parse(kind).player(position, Limits(1), seed)
    return levels.player(kind, position, seed)


def row(kind: str, walks: Sequence[Walk], greedy: Sequence[Walk]) -> str:
    """A row of the table."""
    ratios = [one.turns / other.turns for one, other in zip(walks, greedy, strict=True)]
    turns = mean(one.turns for one in walks)
    return f"{kind} | {max(one.idle for one in walks)} | {turns:.0f} | {mean(ratios):.2f} ({max(ratios):.2f})"


def main() -> None:
    """Prints the table."""
    (about,) = (game for game in games() if game.name == "pyrat")
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--variants", nargs="*", choices=about.variants, default=about.variants)
    parser.add_argument("--players", nargs="*", choices=levels.LADDER[1:], default=levels.LADDER[1:])
    parser.add_argument("--games", type=int, default=3)
    parser.add_argument("--seed", type=int, default=1)
    options: Any = parser.parse_args()
    seeds = range(options.seed, options.seed + options.games)
    print(
        "| variant | player | longest wait | turns | turns ÷ greedy's: mean (largest) |\n|---|---|---|---|---|"
    )
    for variant in options.variants:
        greedy = [walk(GREEDY, variant, seed) for seed in seeds]
        for kind in (GREEDY, *options.players):
            walks = [walk(kind, variant, seed) for seed in seeds]
            print(f"| {variant} | {row(kind, walks, greedy)} |", flush=True)


if __name__ == "__main__":
    main()
