"""Compares what a calibration says with the games that did not fit it. Not a benchmark itself.

The positions are sorted by their values into groups of equal size. Of each group, the expected score by the map is
compared with the mean score that the games had; its interval is of 95 %, resampled by game.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from benchmarks.resampling import Estimate, mean_of
from engines.calibration import Calibration, Floats

GROUPS: Final = 10

IDENTITY: Final = Calibration(((0.0, 0.5), (1.0, 1.0)))
"""The map of an evaluator whose value is exactly the expected result."""


@dataclass(frozen=True, slots=True)
class Sampled:
    """A finished game: seat 0's score, 1, ½ or 0, and seat 0's values in [-1, 1] in some of its positions."""

    game: str
    variant: str
    seed: int
    score: float
    values: tuple[float, ...]
    evaluator: str
    """``native``, or the name of a network."""


@dataclass(frozen=True, slots=True)
class Group:
    """Positions with similar values: their number, mean value, mean score by the map, and mean score in the games."""

    positions: int
    value: float
    expected: float
    score: Estimate


@dataclass(frozen=True, slots=True)
class Reliability:
    """A map, fitted to half of the games, and the groups of the other half."""

    game: str
    variant: str
    games: int
    positions: int
    calibration: Calibration
    groups: tuple[Group, ...]
    error: float
    """The mean absolute difference between expected and real scores, weighted by positions."""
    error_before: float
    """The same without the map."""

    def __str__(self) -> str:
        """The table, in Markdown."""
        rows = (
            f"| {group.positions} | {group.value:+.3f} | {group.expected:.1%} | {group.score.written('.1%')} |"
            for group in self.groups
        )
        return "\n".join(
            [
                f"### {self.game}, {self.variant}\n",
                f"{self.games} games, {self.positions} positions, half of them to fit the map.",
                f"Error with the map {self.error:.1%}, without it {self.error_before:.1%}.\n",
                "| positions | value | expected score by the map | score in the games |",
                "|---|---|---|---|",
                *rows,
            ]
        )


def measure(games: Sequence[Sampled]) -> Reliability:
    """Fits a map to every other game, and tests it with the rest. The games are of one kind."""
    calibration, tested = Calibration.fit(*_columns(games[::2])), games[1::2]
    groups = tuple(groups_of(tested, calibration))
    return Reliability(
        games[0].game,
        games[0].variant,
        len(games),
        sum(len(one.values) for one in games),
        calibration,
        groups,
        error_of(groups),
        error_of(groups_of(tested, IDENTITY)),
    )


def groups_of(games: Sequence[Sampled], calibration: Calibration) -> Iterator[Group]:
    """The groups of positions by value, in the order of the values. Proven ones, exactly ±1, are left out."""
    values, scores = _columns(games)
    owners = np.repeat(np.arange(len(games)), [len(game.values) for game in games])
    is_open = np.flatnonzero(np.abs(values) < 1.0)
    for group in np.array_split(is_open[np.argsort(values[is_open], kind="stable")], GROUPS):
        sums = np.bincount(owners[group], scores[group], len(games))
        counts = np.bincount(owners[group], minlength=len(games))
        score = mean_of(list(zip(sums.tolist(), counts.tolist(), strict=True)))
        expected = float(calibration.scores(values[group]).mean())
        yield Group(len(group), float(values[group].mean()), expected, score)


def error_of(groups: Iterable[Group]) -> float:
    """The mean absolute difference between expected and real scores, weighted by positions."""
    rows = [(group.positions, abs(group.expected - group.score.mean)) for group in groups]
    return sum(count * error for count, error in rows) / sum(count for count, _ in rows)


def _columns(games: Sequence[Sampled]) -> tuple[Floats, Floats]:
    values = np.array([value for game in games for value in game.values])
    scores = np.array([game.score for game in games for _ in game.values])
    return values, scores
