"""Compares Hive with nokamute: leaves of the game tree counted per second (perft) on one core, and a match.

``$NOKAMUTE`` is the command line of nokamute, by default the one on the path; without it only Plyhouse is measured.
Any other engine of the Universal Hive Protocol with a command ``perft N`` can be used. Both engines count depths 1 to N
of the same positions on one core, in turn. Positions in which they count different leaves are named and left out:
nokamute ends games by a repetition rule of its own. CPU times are compared, which are meaningful on a busy machine too.
In the match both have one thread and the same time per move.

    NOKAMUTE=/opt/nokamute python -m benchmarks.hive --rounds 3 --games 20
"""

import argparse
import os
import re
import resource
import shlex
import shutil
import statistics
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from engines import Position

CROWDED: Final = (
    r"Base+MLP;InProgress;White[11];wB1;bS1 wB1-;wQ /wB1;bQ bS1/;wG1 -wB1;bG1 bS1-;wM -wQ;bM bQ-;wP /wQ;bP bQ/;"
    r"wL -wG1;bL bG1-;wA1 wQ\;bB1 \bQ;wS1 wA1-;bA1 -bB1;wA2 -wP;bA2 bP-;wA2 wS1/;bA2 /bA1"
)
"""22 pieces, nearly all of which can move."""


LATE: Final = Path(__file__).parents[1] / "engines/core/tests/data/hive/late.txt"
"""Positions at plies 28 to 63, with their numbers of leaves at depths 3 and 4."""


@dataclass(frozen=True)
class Tree:
    """A tree whose leaves are counted."""

    game: str
    depth: int
    leaves: int
    """The number of leaves at ``depth``."""


def _late_trees() -> tuple[Tree, ...]:
    lines = [line for line in LATE.read_text().splitlines() if not line.startswith("#")]
    words = [line.split(" ", 2) for line in lines]
    return tuple(Tree(game, 4, int(leaves)) for _, leaves, game in words)


TREES: Final[dict[str, tuple[Tree, ...]]] = {
    "Base from the start to depth 6": (Tree("Base;NotStarted;White[1]", 6, 12_219_480),),
    "Base+MLP from the start to depth 6": (Tree("Base+MLP;NotStarted;White[1]", 6, 192_353_904),),
    "a crowded middle game to depth 4": (Tree(CROWDED, 4, 151_460_537),),
    "22 late positions to depth 4": _late_trees(),
}


def main() -> None:
    """Counts leaves with both engines, then plays the match."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=3, help="how often each tree is counted")
    parser.add_argument("--games", type=int, default=10, help="games of the match; 0 for none")
    parser.add_argument("--seconds", type=int, default=1, help="time per move")
    parser.add_argument("--variant", default="Base+MLP")
    parser.add_argument(
        "--settings", default="NumThreads=1", help="settings that give the other engine one thread"
    )
    options = parser.parse_args()
    command = _other_engine()
    if command is None:
        print(
            "nokamute is not installed: set $NOKAMUTE to its command. Only Plyhouse is measured, without a match."
        )
    _count_leaves(command, options.rounds)
    if command and options.games:
        _play_match(command, options)


def _other_engine() -> list[str] | None:
    named = os.environ.get("NOKAMUTE") or shutil.which("nokamute")
    return shlex.split(named) if named else None


def _count_leaves(command: list[str] | None, rounds: int) -> None:
    cores = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {min(cores)})
    for name, trees in _comparable(command).items():
        pairs = [(_ours(trees), _theirs(command, trees) if command else None) for _ in range(rounds)]
        _report(name, sum(tree.leaves for tree in trees), pairs)
    os.sched_setaffinity(0, cores)


def _comparable(command: list[str] | None) -> dict[str, tuple[Tree, ...]]:
    """Returns the trees that have the same leaves for the other engine; all of them without one."""
    if command is None:
        return TREES
    agreed = {name: tuple(tree for tree in trees if _agrees(command, tree)) for name, trees in TREES.items()}
    return {name: trees for name, trees in agreed.items() if trees}


def _agrees(command: list[str], tree: Tree) -> bool:
    _, answer = _run(command, f"newgame {tree.game}\nperft {tree.depth}\nexit\n")
    if re.search(rf"\b{tree.leaves}\b", re.sub(r"(?<=\d)[,_](?=\d)", "", answer)):
        return True
    print(f"left out, as the other engine does not count {tree.leaves} leaves: {tree.game}", flush=True)
    return False


def _ours(trees: tuple[Tree, ...]) -> float:
    """Returns the CPU seconds that Plyhouse needs."""
    seconds = 0.0
    for tree in trees:
        start = Position(
            "hive", tree.game.split(";")[0], {"gameString": tree.game, "drawByRepetition": False}
        )
        began = time.process_time()
        counts = [start.perft(depth, 1) for depth in range(1, tree.depth + 1)]
        seconds += time.process_time() - began
        if counts[-1] != tree.leaves:
            raise SystemExit(f"{tree.game}: counted {counts[-1]} leaves, not {tree.leaves}")
    return seconds


def _theirs(command: list[str], trees: tuple[Tree, ...]) -> float:
    """Returns the CPU seconds that the other engine needs, without its start and exit."""
    games = [f"newgame {tree.game}\n" for tree in trees]
    idle, _ = _run(command, "".join([*games, "exit\n"]))
    counts = [f"{game}perft {tree.depth}\n" for game, tree in zip(games, trees, strict=True)]
    seconds, _ = _run(command, "".join([*counts, "exit\n"]))
    return seconds - idle


def _run(command: list[str], lines: str) -> tuple[float, str]:
    """Runs a command with ``lines`` as its input; returns its CPU seconds and its output."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    answer = subprocess.run(command, input=lines, capture_output=True, text=True, timeout=600).stdout
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, answer


def _report(name: str, leaves: int, pairs: list[tuple[float, float | None]]) -> None:
    ours = statistics.median(own for own, _ in pairs)
    line = f"{name}: {leaves / ours / 1e6:,.0f} M leaves/s"
    ratios = [other / own for own, other in pairs if other is not None]
    if ratios:
        theirs = statistics.median(other for _, other in pairs if other is not None)
        line += f"; the other engine {leaves / theirs / 1e6:,.0f} M; ours ÷ theirs {statistics.median(ratios):.2f}"
    print(line, flush=True)


def _play_match(command: list[str], options: argparse.Namespace) -> None:
    """Plays a match in the arena, which prints the result."""
    milliseconds = 1000 * options.seconds
    ours = f"native:threads=1:time={milliseconds}"
    settings = f"{options.settings}:" if options.settings else ""
    theirs = f"uhp:{settings}time={milliseconds}:{shlex.join(command)}"
    arena = [str(Path(sys.executable).with_name("plyhouse")), "arena", "--game", "hive"]
    arena += ["--variant", options.variant, "--games", str(options.games), "--opening-plies", "4"]
    bots = f'{ours},"{theirs}"' if "," in theirs else f"{ours},{theirs}"
    subprocess.run([*arena, "--bots", bots], check=True)


if __name__ == "__main__":
    main()
