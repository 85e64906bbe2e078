"""Measures what a second thread gains: the time of an alpha-beta search of Hive to a depth, compared with one thread.

The positions come from quick games of the search against itself. Each is searched with one thread and with several in
turn, from an empty table. The seconds to the same depth and the nodes per second are compared.

    python -m benchmarks.threads --threads 2 --depth 11 --positions 24
"""

import argparse
import statistics
import time
from dataclasses import dataclass
from typing import Final

from engines import Position, Search

VARIANT: Final = "Base+MLP"
HASTE: Final = 300
"""Nodes per move in the games that lead to the positions."""

ODD: Final = 5
"""One in this many moves of these games is not the best move."""

UNLIMITED: Final = 2**32 - 1
LONGEST_MS: Final = 60_000


@dataclass(frozen=True)
class Effort:
    """The cost of one search."""

    seconds: float
    nodes: int


def main() -> None:
    """Searches all positions and prints both ratios."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--depth", type=int, default=11)
    parser.add_argument("--positions", type=int, default=24)
    options = parser.parse_args()
    pairs = [
        _both(_position(number), number, options.threads, options.depth)
        for number in range(options.positions)
    ]
    _report(options.threads, options.depth, pairs)


def _position(number: int) -> Position:
    position = Position("hive", VARIANT)
    while position.ply < 8 + number % 20:
        search = Search(position, "native", {}, number)
        search.run(HASTE, LONGEST_MS)
        legal = position.legal_moves()
        best = search.report().best_move if (position.ply + number) % ODD else None
        position.play(best or legal[number * 7 % len(legal)])
        if position.outcome is not None:
            position.undo()
            break
    return position


def _both(position: Position, seed: int, threads: int, depth: int) -> tuple[Effort, Effort]:
    return _search(position, seed, 1, depth), _search(position, seed, threads, depth)


def _search(position: Position, seed: int, threads: int, depth: int) -> Effort:
    search = Search(position, "native", {"threads": threads, "maxDepth": depth, "hashMB": 64}, seed)
    began = time.perf_counter()
    nodes = search.run(UNLIMITED, LONGEST_MS)
    return Effort(time.perf_counter() - began, nodes)


def _report(threads: int, depth: int, pairs: list[tuple[Effort, Effort]]) -> None:
    sooner = statistics.geometric_mean(one.seconds / many.seconds for one, many in pairs)
    nodes = [sum(effort.nodes for effort in side) for side in zip(*pairs, strict=True)]
    seconds = [sum(effort.seconds for effort in side) for side in zip(*pairs, strict=True)]
    rates = [count / taken for count, taken in zip(nodes, seconds, strict=True)]
    one = f"{rates[0] / 1e6:.1f} M nodes/s with one thread"
    ratios = f"{rates[1] / rates[0]:.2f} times the nodes/s, {sooner:.2f} times as fast to the depth"
    print(f"depth {depth} in {len(pairs)} positions: {one}; with {threads} {ratios}")


if __name__ == "__main__":
    main()
