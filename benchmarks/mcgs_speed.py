"""Measures how fast PyRat's graph search stays while its graph grows, and how much memory it needs.

Descents per second of processor time from the start of a game, with the evaluator ``zero``, which costs nothing: in
searches of 500 descents and in one of 50,000. A longer search goes deeper, so each of its descents does more.

    python -m benchmarks.mcgs_speed --seed 1
"""

import argparse
from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil
from statistics import median
from time import thread_time
from typing import Any, Final

from engines import Position, Search, known_members

BOARDS: Final = {
    "7x7": {"width": 7, "height": 7, "cheeseCount": 10, "maxTurns": 50},
    "15x15": {"width": 15, "height": 15, "cheeseCount": 33, "maxTurns": 120},
}
WALLS: Final[Sequence[tuple[str, dict[str, Any]]]] = (("", {}), ("open ", {"walls": [], "mud": []}))
SHORT: Final = 500
LONG: Final = 50_000


@dataclass(frozen=True, slots=True)
class Speed:
    """Descents per second, and bytes for a node."""

    descents: float
    bytes: float


def speed(board: dict[str, Any], evaluator: str, descents: int, total: int, seed: int) -> Speed:
    """Searches until there were at least ``total`` descents, each time from the start of another game."""
    seconds, size, nodes = 0.0, 0, 0
    searches = ceil(total / descents)
    for number in range(seed, seed + searches):
        position = Position("pyrat", "asymmetric", known_members("pyrat", {**board, "seed": number}))
        search = Search(position, evaluator, {"search": "mcgs"}, number)
        start = thread_time()
        search.run(descents)
        seconds += thread_time() - start
        size, nodes = size + search.bytes, nodes + search.report().nodes
    return Speed(searches * descents / seconds, size / nodes)


def row(name: str, board: dict[str, Any], options: Any) -> str:  # noqa: ANN401 - arguments
    """A row of the table: medians of the rounds, which alternate."""
    rounds = [
        [speed(board, options.evaluator, descents, options.total, options.seed) for descents in (SHORT, LONG)]
        for _ in range(options.rounds)
    ]
    short, long = (median(one[index].descents for one in rounds) for index in (0, 1))
    ratio = median(one[1].descents / one[0].descents for one in rounds)
    return f"| {name} | {short / 1000:.0f} | {long / 1000:.0f} | {ratio:.2f} | {rounds[0][1].bytes:.0f} |"


def main() -> None:
    """Prints the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--evaluator", default="zero")
    parser.add_argument("--total", type=int, default=200_000, help="descents of each kind in a round")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seed", type=int, default=1)
    options: Any = parser.parse_args()
    print(
        f"| board | thousand descents/s at {SHORT} | at {LONG:,} | ratio | bytes a node |\n|---|---|---|---|---|"
    )
    for name, board in BOARDS.items():
        for walls, empty in WALLS:
            print(row(walls + name, {**board, **empty}, options), flush=True)


if __name__ == "__main__":
    main()
