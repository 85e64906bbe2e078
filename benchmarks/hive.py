"""How many leaves of Hive's tree of moves one core counts in a second, beside another engine where there is one.

The other engine is one of the Universal Hive Protocol with a command ``perft N``, as nokamute has it: ``nokamute`` on
the path, or the command line in ``$NOKAMUTE``. Both count depths 1 to N of the same positions on one core, in turn, and
must come to the same leaves; compared are seconds of processor time, which also mean something on a busy machine.

    NOKAMUTE=/opt/nokamute python -m benchmarks.hive --rounds 3
"""

import argparse
import os
import re
import resource
import shlex
import shutil
import statistics
import subprocess
import time
from dataclasses import dataclass
from typing import Final

from engines import Position

CROWDED: Final = (
    r"Base+MLP;InProgress;White[11];wB1;bS1 wB1-;wQ /wB1;bQ bS1/;wG1 -wB1;bG1 bS1-;wM -wQ;bM bQ-;wP /wQ;bP bQ/;"
    r"wL -wG1;bL bG1-;wA1 wQ\;bB1 \bQ;wS1 wA1-;bA1 -bB1;wA2 -wP;bA2 bP-;wA2 wS1/;bA2 /bA1"
)
"""22 pieces, nearly all of them free to move."""


@dataclass(frozen=True)
class Tree:
    """What is counted."""

    name: str
    game: str
    depth: int
    leaves: int
    """At ``depth``."""


TREES: Final = (
    Tree("Base+MLP to depth 6", "Base+MLP;NotStarted;White[1]", 6, 192_353_904),
    Tree("a crowded middle game to depth 4", CROWDED, 4, 151_460_537),
)


def main() -> None:
    """Measures both engines and prints the ratio."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=3)
    rounds: int = parser.parse_args().rounds
    os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    command = _other_engine()
    if command is None:
        print("nokamute is not installed (neither on the path nor named by $NOKAMUTE): only ours is measured")
    for tree in TREES:
        pairs = [(_ours(tree), _theirs(command, tree) if command else None) for _ in range(rounds)]
        _report(tree, pairs)


def _other_engine() -> list[str] | None:
    named = os.environ.get("NOKAMUTE") or shutil.which("nokamute")
    return shlex.split(named) if named else None


def _ours(tree: Tree) -> float:
    """Seconds that our rules need."""
    start = Position("hive", tree.game.split(";")[0], {"gameString": tree.game, "drawByRepetition": False})
    began = time.process_time()
    counts = [start.perft(depth, 1) for depth in range(1, tree.depth + 1)]
    seconds = time.process_time() - began
    if counts[-1] != tree.leaves:
        raise SystemExit(f"{tree.name}: counted {counts[-1]} leaves, not {tree.leaves}")
    return seconds


def _theirs(command: list[str], tree: Tree) -> float:
    """Seconds that the other engine needs, its start and end left out."""
    idle, _ = _run(command, f"newgame {tree.game}\nexit\n")
    seconds, answer = _run(command, f"newgame {tree.game}\nperft {tree.depth}\nexit\n")
    if str(tree.leaves) not in re.sub(r"(?<=\d)[,_](?=\d)", "", answer):
        raise SystemExit(f"{tree.name}: {command[0]} does not count {tree.leaves} leaves:\n{answer}")
    return seconds - idle


def _run(command: list[str], lines: str) -> tuple[float, str]:
    """Processor seconds of a run that is given ``lines``, and what it said."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    answer = subprocess.run(command, input=lines, capture_output=True, text=True, timeout=600).stdout
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, answer


def _report(tree: Tree, pairs: list[tuple[float, float | None]]) -> None:
    ours = statistics.median(own for own, _ in pairs)
    line = f"{tree.name}: {tree.leaves / ours / 1e6:,.0f} M leaves/s"
    ratios = [other / own for own, other in pairs if other is not None]
    if ratios:
        theirs = statistics.median(other for _, other in pairs if other is not None)
        line += f"; the other engine {tree.leaves / theirs / 1e6:,.0f} M; ours ÷ theirs {statistics.median(ratios):.2f}"
    print(line)


if __name__ == "__main__":
    main()
