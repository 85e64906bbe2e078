"""Compares what a calibration says with the games that did not fit it. Not a benchmark itself.

The positions, each once for every seat whose value does not follow from the others', are sorted by their values into
groups of equal size. Of each group, the expected score by the map is compared with the mean score that the games had;
its interval is of 95 %, resampled by game. The same error is given for each third of a usual game.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from benchmarks.resampling import Estimate, mean_of
from engines.calibration import Calibration, Floats
from engines.game_calibration import GameCalibration

GROUPS, PHASE_GROUPS = 10, 5
"""The numbers of groups of all positions, and of those of a phase."""

IDENTITY: Final = GameCalibration.always(Calibration(((0.0, 0.5), (1.0, 1.0))))
"""The map of an evaluator whose value is exactly the expected result."""

PHASES: Final = ("early", "middle", "late")
"""The thirds of a usual game, by ``Position.progress``."""


@dataclass(frozen=True, slots=True)
class Sampled:
    """A finished game: each seat's share of the win, and the values of all seats in some of its positions.

    ``at``: the ``Position.progress`` of each of them.
    """

    game: str
    variant: str
    seed: int
    scores: tuple[float, ...]
    values: tuple[tuple[float, ...], ...]
    at: tuple[float, ...]
    evaluator: str
    """``native``, or the name of a network."""

    @property
    def seats(self) -> int:
        """The number of seats."""
        return len(self.scores)


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
    seats: int
    games: int
    positions: int
    calibration: GameCalibration
    groups: tuple[Group, ...]
    error: float
    """The mean absolute difference between expected and real scores, weighted by positions."""
    error_before: float
    """The same without the map."""
    by_phase: tuple[tuple[Group, ...], ...]
    """The groups of each of the ``PHASES``."""

    def __str__(self) -> str:
        """The table, in Markdown."""
        rows = (
            f"| {group.positions} | {group.value:+.3f} | {group.expected:.1%} | {group.score.written('.1%')} |"
            for group in self.groups
        )
        return "\n".join(
            [
                f"### {self.game}, {self.variant}, {self.seats} seats\n",
                f"{self.games} games, {self.positions} positions, half of them to fit the map.",
                f"Error with the map {self.error:.1%}, without it {self.error_before:.1%}; by phase: "
                + ", ".join(
                    f"{name} {error_of(groups):.1%}"
                    for name, groups in zip(PHASES, self.by_phase, strict=True)
                )
                + ".\n",
                "| positions | value | expected score by the map | score in the games |",
                "|---|---|---|---|",
                *rows,
            ]
        )


def measure(games: Sequence[Sampled]) -> Reliability:
    """Fits a map to every other game, and tests it with the rest. The games are of one kind."""
    fitted, tested = _Columns.of(games[::2]), _Columns.of(games[1::2])
    calibration = GameCalibration.fit(fitted.at, fitted.values, fitted.scores, seats=games[0].seats)
    groups = tuple(groups_of(tested, calibration))
    phases = np.minimum((tested.at * len(PHASES)).astype(int), len(PHASES) - 1)
    return Reliability(
        games[0].game,
        games[0].variant,
        games[0].seats,
        len(games),
        sum(len(one.values) for one in games),
        calibration,
        groups,
        error_of(groups),
        error_of(groups_of(tested, IDENTITY)),
        tuple(
            tuple(groups_of(tested.only(phases == phase), calibration, PHASE_GROUPS))
            for phase in range(len(PHASES))
        ),
    )


@dataclass(frozen=True, slots=True)
class _Columns:
    """One entry for each position and seat; with two seats, only for seat 0."""

    all_values: Floats
    """The values of all seats, of shape ``(entries, seats)``; the seat of the entry comes first."""
    scores: Floats
    at: Floats
    owners: Floats
    """The index of the game."""

    @classmethod
    def of(cls, games: Sequence[Sampled]) -> "_Columns":
        seats = games[0].seats
        entries = [
            ((*values[seat:], *values[:seat]), game.scores[seat], at, owner)
            for owner, game in enumerate(games)
            for values, at in zip(game.values, game.at, strict=True)
            for seat in range(1 if seats == 2 else seats)
        ]
        values, scores, at, owners = zip(*entries, strict=True)
        return cls(np.array(values), np.array(scores), np.array(at), np.array(owners))

    @property
    def values(self) -> Floats:
        return self.all_values[:, 0]

    def only(self, wanted: npt.NDArray[np.bool_]) -> "_Columns":
        return _Columns(self.all_values[wanted], self.scores[wanted], self.at[wanted], self.owners[wanted])


def groups_of(columns: _Columns, calibration: GameCalibration, number: int = GROUPS) -> Iterator[Group]:
    """The groups of entries by value, in the order of the values. Proven ones, exactly ±1, are left out."""
    values, scores, owners = columns.values, columns.scores, columns.owners
    chances = calibration.chances(columns.at, columns.all_values)[:, 0]
    is_open = np.flatnonzero(np.abs(values) < 1.0)
    for group in np.array_split(is_open[np.argsort(values[is_open], kind="stable")], number):
        sums = np.bincount(owners[group], scores[group])
        counts = np.bincount(owners[group])
        score = mean_of(list(zip(sums.tolist(), counts.tolist(), strict=True)))
        yield Group(len(group), float(values[group].mean()), float(chances[group].mean()), score)


def error_of(groups: Iterable[Group]) -> float:
    """The mean absolute difference between expected and real scores, weighted by positions."""
    rows = [(group.positions, abs(group.expected - group.score.mean)) for group in groups]
    return sum(count * error for count, error in rows) / sum(count for count, _ in rows)
