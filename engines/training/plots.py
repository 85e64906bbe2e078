"""Plots of a run: losses and Elo by generation."""

from collections.abc import Sequence
from pathlib import Path

import matplotlib as mpl

mpl.use("svg")

from matplotlib import pyplot

from engines.ratings import Rating


def plot(path: Path, losses: Sequence[tuple[float, float]], ladder: Sequence[Rating]) -> None:
    """Writes an SVG file.

    ``losses``: policy and value loss of generations 1, 2 and so on. ``ladder``: ratings of generations 0, 1 and so on.
    """
    figure, (left, right) = pyplot.subplots(1, 2, figsize=(9, 3.2), layout="constrained")
    generations = range(1, len(losses) + 1)
    left.plot(generations, [policy for policy, _ in losses], label="policy (cross-entropy)")
    left.plot(generations, [value for _, value in losses], label="value (squared error)")
    left.set(xlabel="generation", ylabel="loss", ylim=(0, None))
    left.legend()
    elo = [rating.elo - ladder[0].elo for rating in ladder]
    right.errorbar(range(len(ladder)), elo, [rating.error for rating in ladder], capsize=2)
    right.set(xlabel="generation", ylabel="Elo above random weights")
    figure.savefig(path)
    pyplot.close(figure)
