"""Plays PyRat's graph search with some options against the same search with others.

Every start is played twice, with the seats swapped, after a few random turns. Prints the score of the first of the two,
with its 95 % interval over the starts, and by how many points it wins on average.

    python -m benchmarks.selectors --variants tiny small --samples 300 1000 --games 400 --seed 1 --jobs 2
    python -m benchmarks.selectors --match mcgs mcgs:profile=seed --variants small --time 10
"""

import argparse
import random
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from itertools import product
from typing import Any, Final

from benchmarks.resampling import mean_of
from engines import Position, games, known_members
from engines.bots import Bot
from engines.pool.job import Limits

MATCHES: Final = (
    ("mcgs", "mcgs:profile=seed"),
    ("mcgs", "mcgs:utility=own"),
    ("mcgs", "mcgs:utility=win"),
    ("mcgs", "mcgs:unit=points"),
    ("mcgs", "mcgs:fpu=constant"),
    ("mcgs", "mcgs:weighting=prior"),
    ("mcgs", "mcgs:weighting=marginal"),
    ("mcgs", "mcgs:weighting=blend"),
    ("mcgs", "mcgs:short_circuit=true"),
    ("mcgs", "mcgs:sweep=true"),
    ("mcgs", "mcgs:sooner=false"),
    ("mcgs", "mcgs:ties=index:c_puct=0.5"),
    ("mcgs", "mcgs:c_puct=1.5"),
    ("mcgs", "greedy"),
    ("mcgs", "mcgs:table=false"),
    ("mcgs", "mcgs:selector=rm"),
    ("mcgs", "mcgs:selector=puct+rootsolve"),
)

OPENING: Final = 2
"""Random turns before a game."""


@dataclass(frozen=True, slots=True)
class Start:
    """A start and the players, which change seats for the second game."""

    variant: str
    players: tuple[str, str]
    limits: Limits
    seed: int


@dataclass(frozen=True, slots=True)
class Pair:
    """Two games. ``results`` and ``margins`` are those of the first player: 0, 0.5 or 1, and points ahead."""

    results: tuple[float, ...]
    margins: tuple[float, ...]


def played(start: Start) -> Pair:
    """Plays both games of a start."""
    games = [game(start, seat) for seat in (0, 1)]
    results = tuple((1 + (margin > 0) - (margin < 0)) / 2 for margin in games)
    return Pair(results, tuple(games))


def game(start: Start, seat: int) -> float:
    """Plays a game with the first player in this seat; returns by how many points it wins."""
    position = opened(start.variant, start.seed)
    bots = [Bot.parse(start.players[seat ^ index]) for index in (0, 1)]
    players = [bot.player(position, start.limits, 2 * start.seed + index) for index, bot in enumerate(bots)]
    while position.to_act:
        position.play("/".join(player.choose(position, index) for index, player in enumerate(players)))
        for player in players if position.to_act else ():
            player.played(position.history[-1])
    scores = position.outcome.scores if position.outcome else None
    if scores is None:
        raise ValueError("a finished game of PyRat has points")
    return scores[seat] - scores[1 - seat]


def opened(variant: str, seed: int) -> Position:
    """The position after some random turns."""
    position, rng = Position("pyrat", variant, known_members("pyrat", {"seed": seed})), random.Random(seed)  # noqa: S311 - repeatable
    for _ in range(OPENING):
        position.play("/".join(rng.choice(position.legal(index)) for index in (0, 1)))
    return position


def row(pairs: Sequence[Pair]) -> str:
    """Wins, draws and losses, the score and the margin."""
    results = [result for pair in pairs for result in pair.results]
    counts = ", ".join(str(results.count(result)) for result in (1, 0.5, 0))
    score = mean_of([(sum(pair.results), 2) for pair in pairs]).written(".3f")
    return f"{counts} | {score} | {mean_of([(sum(pair.margins), 2) for pair in pairs]).written('+.2f')}"


def efforts(options: Any) -> Iterator[tuple[str, Limits]]:  # noqa: ANN401 - arguments
    """The limits for a move, with their names."""
    yield from ((f"{count:,}", Limits(count)) for count in options.samples)
    yield from ((f"{time:g} ms", Limits(None, time)) for time in options.time)


def main() -> None:
    """Prints the table."""
    (about,) = (game for game in games() if game.name == "pyrat")
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument(
        "--match", nargs=2, action="append", metavar="BOT", help="instead of the usual matches"
    )
    parser.add_argument("--variants", nargs="*", choices=about.variants, default=["tiny", "small"])
    parser.add_argument("--samples", nargs="*", type=int, default=[300])
    parser.add_argument("--time", nargs="*", type=float, default=[], help="milliseconds")
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=2)
    options: Any = parser.parse_args()
    print("| first | second | variant | descents or time | wins, draws, losses | score | points ahead |")
    print("|---|---|---|---|---|---|---|")
    with ProcessPoolExecutor(options.jobs) as pool:
        for players, variant, (name, limits) in product(
            options.match or MATCHES, options.variants, efforts(options)
        ):
            seeds = range(options.seed, options.seed + options.games // 2)
            starts = [Start(variant, tuple(players), limits, seed) for seed in seeds]
            pairs = list(pool.map(played, starts))
            print(f"| {' | '.join(players)} | {variant} | {name} | {row(pairs)} |", flush=True)


if __name__ == "__main__":
    main()
