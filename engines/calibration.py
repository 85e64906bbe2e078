"""What an evaluation is worth: a monotone map from a value in [-1, 1] to the expected score of a game.

The expected score of a seat is its share of the win: the chance of winning alone, plus half the chance that two seats
share the win, and so on. The scores of all seats add up to 1. An evaluator's values order positions by how good they
are, but 0.5 need not mean 75 %: a ``Calibration`` says what it means, for one number of seats. It is fitted to
positions of finished games (``benchmarks/calibration.py``), read from JSON (the maps of the native evaluators, the
cards of networks) and applied by whoever shows a value to people. Searches never use it.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Self

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]

Point = tuple[float, float]
"""A value and an expected score."""

EVEN, LOST, WON = (0.0, 0.5), (-1.0, 0.0), (1.0, 1.0)

DOUBT = 0.0005
"""The chance that remains to a seat that has not lost yet: the games of a fit cannot exclude it."""

LEAST = 1e-9
"""The smallest part of a score that all seats of a position may have, so that they can be divided by their sum."""

MOST_POINTS = 100
"""The maximum number of points in a map that is read."""

BINS = 10
"""The number of groups of equal size that a fit divides the values' magnitudes into."""


class BadCalibration(ValueError):
    """The data is not a calibration. The text is one sentence that says why."""


@dataclass(frozen=True)
class Calibration:
    """A map from values to expected scores, linear between its points.

    ``points``: pairs (value, expected score) in the order of the values, which increase; the scores do not decrease.
    With two seats, the first point is (0, 0.5) and the last (1, 1): nobody is ahead, and the game is won. A negative
    value is the same value of the opponent. With more seats, the first point is (-1, 0) and the last (1, 1).
    """

    points: tuple[tuple[float, float], ...]

    def __post_init__(self) -> None:
        if not 2 <= len(self.points) <= MOST_POINTS:
            raise BadCalibration(f"a calibration has 2 to {MOST_POINTS} points, not {len(self.points)}")
        if self.points[0] not in (EVEN, LOST) or self.points[-1] != WON:
            raise BadCalibration(
                "a calibration begins with the point [0, 0.5] or [-1, 0] and ends with [1, 1]"
            )
        for (value, score), (next_value, next_score) in zip(self.points, self.points[1:], strict=False):
            if not (value < next_value and score <= next_score):
                raise BadCalibration(
                    f"after [{value:g}, {score:g}], a point of a calibration has a larger value and no smaller "
                    f"score, unlike [{next_value:g}, {next_score:g}]"
                )

    @classmethod
    def read(cls, data: object) -> Self:
        """Reads the JSON that ``write`` returns. Raises BadCalibration."""
        if not isinstance(data, Sequence) or isinstance(data, str):
            raise BadCalibration("a calibration is a list of points [value, score]")
        return cls(tuple(_point(entry) for entry in data))

    def write(self) -> list[list[float]]:
        """The points as JSON: a list of pairs [value, score]."""
        return [[value, score] for value, score in self.points]

    def score(self, value: float) -> float:
        """The expected score in [0, 1] of the seat whose value in [-1, 1] this is, to four decimals."""
        return round(float(self.scores([value])[0]), 4)

    def scores(self, values: npt.ArrayLike) -> Floats:
        """The expected scores of an array of values, each on its own; values outside [-1, 1] count as -1 or 1.

        Only these two are certain: the scores of all others are at least ``DOUBT`` away from 0 and 1.
        """
        numbers = np.asarray(values, dtype=np.float64)
        known, ahead = self._columns
        if self.points[0] == LOST:
            scores = np.interp(numbers, known, ahead)
        else:
            scores = 0.5 + np.sign(numbers) * (np.interp(np.abs(numbers), known, ahead) - 0.5)
        return np.where(np.abs(numbers) < 1.0, np.clip(scores, DOUBT, 1.0 - DOUBT), scores)

    def chances(self, values: npt.ArrayLike) -> Floats:
        """The expected scores of all seats, given the values of each, along the last axis. They add up to 1."""
        scores: Floats = np.maximum(self.scores(values), LEAST)
        whole: Floats = scores.sum(axis=-1, keepdims=True)
        return scores / whole

    def chance(self, value: float, values: npt.ArrayLike) -> float:
        """The expected score of a seat if it had this value, and the others their part of ``values`` as before."""
        whole = np.maximum(self.scores(values), LEAST).sum()
        return min(1.0, self.score(value) / float(whole))

    @cached_property
    def _columns(self) -> tuple[Floats, Floats]:
        table = np.array(self.points, dtype=np.float64)
        return table[:, 0], table[:, 1]

    @classmethod
    def fit_many(cls, values: npt.ArrayLike, scores: npt.ArrayLike, bins: int = 2 * BINS) -> Self:
        """Fits a map for more than two seats: the values of every seat in [-1, 1], and its share of the win in [0, 1].

        As ``fit``, but a value is not that of an opponent as well.
        """
        values, scores = np.asarray(values, dtype=np.float64), np.asarray(scores, dtype=np.float64)
        is_open = np.abs(values) < 1.0
        return cls((LOST, *_groups(values[is_open], scores[is_open], bins, LOST, (0.0, 1.0)), WON))

    @classmethod
    def fit(cls, values: npt.ArrayLike, scores: npt.ArrayLike, bins: int = BINS) -> Self:
        """Fits a map for two seats to positions: the values of one of them, and its scores, 1, ½ or 0, in those games.

        Isotonic regression of the score on the value (Ayer et al. 1955) over ``bins`` groups of equal size, one point
        for each. Every position counts for both seats, so positive and negative values are fitted together. Values of
        exactly ±1 are proven and left out. Raises ValueError if the arrays differ in shape or have no other values.
        """
        values, scores = np.asarray(values, dtype=np.float64), np.asarray(scores, dtype=np.float64)
        if values.shape != scores.shape or values.ndim != 1:
            raise ValueError(f"{values.shape} values for {scores.shape} scores: one each is needed")
        is_open = (np.abs(values) < 1.0) & (values != 0.0)
        if np.count_nonzero(is_open) < bins:
            raise ValueError(
                f"{np.count_nonzero(is_open)} values between 0 and ±1: at least {bins} are needed"
            )
        sizes = np.abs(values[is_open])
        ahead = np.where(values[is_open] > 0.0, scores[is_open], 1.0 - scores[is_open])
        return cls((EVEN, *_groups(sizes, ahead, bins, EVEN, (0.5, 1.0)), WON))


def _groups(
    values: Floats, scores: Floats, bins: int, first: Point, bounds: tuple[float, float]
) -> list[Point]:
    """The mean value and the fitted score of groups of equal size, between ``first`` and the point of a won game.

    Groups with the same fitted score are one point, at the mean of their values (Oron and Flournoy 2017), so that a
    larger value nearly always means a higher score.
    """
    groups = np.array_split(np.argsort(values, kind="stable"), bins)
    centres = np.array([values[group].mean() for group in groups])
    means = np.array([scores[group].mean() for group in groups])
    counts = np.array([len(group) for group in groups], dtype=np.float64)
    fitted = np.clip(isotonic(means, counts), *bounds)
    points = [first]
    for score in np.unique(fitted):
        same = fitted == score
        point = (
            round(float(np.average(centres[same], weights=counts[same])), 4),
            round(float(score), 4),
        )
        if points[-1][0] < point[0] < WON[0] and points[-1][1] < point[1]:
            points.append(point)
    return points[1:]


def isotonic(means: Floats, weights: Floats) -> Floats:
    """The non-decreasing sequence nearest to ``means`` by weighted squares: pools adjacent violators."""
    blocks: list[tuple[float, float, int]] = []
    for mean, weight in zip(means.tolist(), weights.tolist(), strict=True):
        block = (mean, weight, 1)
        while blocks and blocks[-1][0] >= block[0]:
            last = blocks.pop()
            total = last[1] + block[1]
            block = ((last[0] * last[1] + block[0] * block[1]) / total, total, last[2] + block[2])
        blocks.append(block)
    return np.concatenate([np.full(length, mean) for mean, _, length in blocks])


def _point(entry: object) -> tuple[float, float]:
    if isinstance(entry, Sequence) and not isinstance(entry, str) and len(entry) == 2:
        value, score = entry
        if _is_number(value) and _is_number(score):
            return float(value), float(score)
    raise BadCalibration(f"a point of a calibration is a pair of numbers [value, score], not {entry!r}")


def _is_number(entry: object) -> bool:
    return isinstance(entry, int | float) and not isinstance(entry, bool) and math.isfinite(entry)
