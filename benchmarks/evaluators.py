"""Evaluators in Python: simulations a second, beside the native evaluator in the same search.

OMP_NUM_THREADS=1 python -m benchmarks.evaluators
OMP_NUM_THREADS=1 python -m benchmarks.evaluators --seconds 5 --only hive

The evaluators are those of ``examples/evaluators``; the one in torch is left out if torch is not installed.
``constant`` returns the same numbers for all leaves: what is left is planes, the call and the check of its answer. Each
search begins anew and has no cache. More threads help only with larger networks.
"""

import argparse
import runpy
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from engines import Position, Search

EXAMPLES = Path(__file__).parent.parent / "examples" / "evaluators"

GAMES: Mapping[str, tuple[str, dict[str, Any]]] = {
    "wallwars": ("puct", {"boardWidth": 8, "boardHeight": 8}),
    "hive": ("puct", {}),
    "carcassonne": ("uct", {"seed": 1}),
    "pyrat": ("mcgs", {"seed": 1}),
}
"""Each game: a search that takes evaluators in Python, and a configuration."""

BATCHES = (1, 16, 128)
SIMULATIONS = 512
"""Of a search."""

Floats = npt.NDArray[np.float32]


def constant(position: Position) -> Callable[[Floats], tuple[Floats, Floats]]:
    """An evaluator that computes nothing."""
    layout = position.layout
    if layout is None:
        raise ValueError(f"{position.game} has no network planes")
    policy = np.full((max(BATCHES), layout.policy), 1 / layout.policy, np.float32)
    values = np.zeros((max(BATCHES), layout.values), np.float32)
    return lambda planes: (policy[: len(planes)], values[: len(planes)])


def evaluators() -> dict[str, Callable[[Position], Any]]:
    """What makes each evaluator of a position."""
    made: dict[str, Callable[[Position], Any]] = {"constant": constant}
    made["numpy"] = runpy.run_path(str(EXAMPLES / "numpy_evaluator.py"))["NumpyEvaluator"]
    try:
        made["torch"] = runpy.run_path(str(EXAMPLES / "torch_evaluator.py"))["TorchEvaluator"]
    except ImportError:
        print("torch is not installed: pip install torch")
    return made


def rate(search: Callable[[], Search], seconds: float) -> float:
    """Simulations a second."""
    search().run(SIMULATIONS)
    start, done = time.perf_counter(), 0
    while (passed := time.perf_counter() - start) < seconds:
        done += search().run(SIMULATIONS)
    return done / passed


def main() -> None:
    """Prints a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=2.0, help="for each figure")
    parser.add_argument("--only", choices=GAMES)
    given = parser.parse_args()
    made = evaluators()
    print("simulations a second    " + "".join(f"  leaves a call: {batch:4}" for batch in BATCHES))
    for game, (name, config) in GAMES.items():
        if given.only not in (None, game):
            continue
        position = Position(game, None, config)
        native = rate(lambda: Search(position, "native", search=name), given.seconds)  # noqa: B023
        print(f"{game:12} {'native':8} {native:12,.0f}")
        for evaluator, make in made.items():
            call = make(position)
            rates = [
                rate(lambda: Search(position, call, search=name, batch=batch, cache=0), given.seconds)  # noqa: B023
                for batch in BATCHES
            ]
            row = "".join(f" {one:11,.0f} ({one / native:.3f})" for one in rates)
            print(f"{game:12} {evaluator:8} {row}", flush=True)


if __name__ == "__main__":
    main()
