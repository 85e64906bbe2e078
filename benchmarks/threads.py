"""What a second search thread is worth: the time of an alpha-beta search of Hive to a depth, beside one thread's.

The positions are those of games that the search plays against itself in haste. Each is searched with one thread and
with several in turn, from an empty table; compared are seconds to the same depth, and nodes a second.

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
"""Nodes for a move on the way to a position."""

ODD: Final = 5
"""One in so many moves on the way is not the search's."""

UNLIMITED: Final = 2**32 - 1
LONGEST_MS: Final = 60_000


@dataclass(frozen=True)
class Effort:
    """What one search took."""

    seconds: float
    nodes: int


def main() -> None:
    """Measures all positions and prints both ratios."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--depth", type=int, default=11)
    parser.add_argument("--positions", type=int, default=24)
    asked = parser.parse_args()
    pairs = [
        _both(_position(number), number, asked.threads, asked.depth) for number in range(asked.positions)
    ]
    _report(asked.threads, asked.depth, pairs)


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
    ratios = f"{rates[1] / rates[0]:.2f} times the nodes, {sooner:.2f} times as soon there"
    print(f"depth {depth} in {len(pairs)} positions: {one}; with {threads} {ratios}")


if __name__ == "__main__":
    main()
