"""Draws reliability curves by phase: the expected score by value, and the score in games that did not fit the maps."""

from collections.abc import Sequence
from pathlib import Path

import matplotlib as mpl
import numpy as np

mpl.use("svg")

from matplotlib import pyplot

from benchmarks.reliability import PHASES, Reliability

COLUMNS = 3

STYLE = {"svg.fonttype": "none", "svg.hashsalt": "reliability"}
"""Text stays text, and the same curves give the same file."""


def plot(path: Path, measured: Sequence[Reliability]) -> None:
    """Writes an SVG file with one curve for each game and variant."""
    columns = min(COLUMNS, len(measured))
    rows = -(-len(measured) // columns)
    size = (3 * columns, 2.8 * rows)
    figure, axes = pyplot.subplots(rows, columns, figsize=size, layout="constrained", squeeze=False)
    values = np.linspace(-1, 1, 201)
    for axis in axes.flat[len(measured) :]:
        axis.set_visible(False)
    for axis, one in zip(axes.flat, measured, strict=False):
        for number, (name, groups) in enumerate(zip(PHASES, one.by_phase, strict=True)):
            scores = [group.score for group in groups]
            errors = [
                [each.mean - each.low for each in scores],
                [each.high - each.mean for each in scores],
            ]
            middle = (number + 0.5) / len(PHASES)
            axis.plot(values, one.calibration.at(middle).scores(values), color=f"C{number}", label=name)
            axis.errorbar(
                [group.value for group in groups],
                [each.mean for each in scores],
                errors,
                fmt="o",
                color=f"C{number}",
                markersize=3,
                capsize=2,
            )
        axis.plot([-1, 1], [0, 1], linestyle=":", color="gray", label="value without a map")
        axis.set(
            title=f"{one.game}, {one.variant}" + (f", {one.seats} seats" if one.seats > 2 else ""),
            xlabel="value",
            ylabel="expected score",
        )
    axes[0, 0].legend(fontsize="small", loc="lower right")
    with mpl.rc_context(STYLE):
        figure.savefig(path, metadata=dict.fromkeys(("Creator", "Date", "Format", "Type")))
    pyplot.close(figure)
