"""What a Ray cluster costs, compared with threads and processes of one machine: the same match by each, in turn.

The cluster has two nodes on this machine, with as many cores together as there are games at the same time, so all three
share the same processor. The time of a match is told, and the processor time of everything that takes part, Ray's own
processes included: on a busy machine only the second says something. A share of 1.05 means that the cluster takes 5 %
longer. Needs Ray; runs only if it is named:

    python -m benchmarks ray_overhead
"""

import argparse
import os
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from contextlib import ExitStack, contextmanager, suppress
from functools import partial
from importlib import import_module
from pathlib import Path
from statistics import median
from typing import NamedTuple

from engines.arena import Match, Played, play_game, play_match
from engines.bots import Bot
from engines.executors.executor import LocalExecutor, TaskExecutor
from engines.executors.ray_cluster import cluster
from engines.executors.ray_executor import RayExecutor
from engines.pool import Limits

STORE_BYTES = 100 << 20

Play = Callable[[Match], list[Played]]


def main() -> None:
    """Prints the times of the rounds and their medians."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--games", type=int, default=16, help="games of a match")
    parser.add_argument("--samples", type=int, default=1000)
    parser.add_argument("--at-once", type=int, default=8, help="games at the same time")
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    bots = [Bot.parse("native"), Bot.parse("puct")]
    match = Match("wallwars", bots, options.games, Limits(options.samples))
    with ExitStack() as stack:
        executors: dict[str, Play] = {
            "threads": partial(_by, stack.enter_context(LocalExecutor(options.at_once))),
            "processes": partial(_by_processes, stack.enter_context(ProcessPoolExecutor(options.at_once))),
            "Ray": partial(_by, stack.enter_context(_ray(options.at_once))),
        }
        for play in executors.values():
            play(match)  # starts processes and imports what they need
        seconds: dict[str, list[_Spent]] = {name: [] for name in executors}
        for number in range(options.rounds):
            for name, play in executors.items():
                before = _Spent.now()
                play(match)
                seconds[name].append(_Spent.now() - before)
            print(
                f"round {number + 1}: {_listed({name: each[-1] for name, each in seconds.items()})}",
                flush=True,
            )
    for name in ("threads", "processes"):
        for kind in ("wall", "processor"):
            both = zip(seconds["Ray"], seconds[name], strict=True)
            shares = [getattr(ray, kind) / getattr(other, kind) for ray, other in both]
            text = f"{median(shares):.3f} ({min(shares):.3f} to {max(shares):.3f})"
            print(f"Ray / {name}, {kind} time: {text}")


class _Spent(NamedTuple):
    """Seconds."""

    wall: float
    processor: float
    """Of this process and all its descendants that run."""

    @classmethod
    def now(cls) -> "_Spent":
        return cls(time.monotonic(), sum(map(_processor_seconds, _descendants(os.getpid()))))

    def __sub__(self, other: "_Spent") -> "_Spent":
        return _Spent(self.wall - other.wall, self.processor - other.processor)


def _descendants(process: int) -> list[int]:
    children: dict[int, list[int]] = {}
    for path in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            children.setdefault(int(_fields(int(path.name))[1]), []).append(int(path.name))
    found = [process]
    for each in found:
        found += children.get(each, [])
    return found


def _processor_seconds(process: int) -> float:
    with suppress(OSError):
        return sum(map(int, _fields(process)[11:13])) / os.sysconf("SC_CLK_TCK")
    return 0.0


def _fields(process: int) -> list[str]:
    """Those of ``/proc/PID/stat`` after the name, which may have spaces: the state first."""
    return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()


def _by(executor: TaskExecutor, match: Match) -> list[Played]:
    return play_match(match, executor)


def _by_processes(executor: ProcessPoolExecutor, match: Match) -> list[Played]:
    games: list[Future[Played]] = [executor.submit(play_game, match, number) for number in range(match.games)]
    return [game.result() for game in games]


@contextmanager
def _ray(cores: int) -> Iterator[RayExecutor]:
    settings = {"num_cpus": cores // 2, "object_store_memory": STORE_BYTES}
    nodes = import_module("ray.cluster_utils").Cluster(
        initialize_head=True, head_node_args={**settings, "include_dashboard": False}
    )
    try:
        nodes.add_node(**settings)
        with cluster(nodes.address) as ray, RayExecutor(ray) as executor:
            yield executor
    finally:
        nodes.shutdown()


def _listed(spent: dict[str, _Spent]) -> str:
    return ", ".join(f"{name} {each.wall:.2f} s ({each.processor:.2f} s)" for name, each in spent.items())


if __name__ == "__main__":
    main()
