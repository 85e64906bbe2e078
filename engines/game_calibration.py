"""What an evaluator's values are worth over a whole game.

Early in a game a small lead often comes to nothing, and late in it the same lead often wins: one map does not serve
both. A ``GameCalibration`` has maps for a few moments of a game and blends them in between, as chess programs taper
their evaluations from the opening to the endgame, so that an expected score never jumps from one ply to the next.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Final, Self

import numpy as np
import numpy.typing as npt

from engines.calibration import BINS, BadCalibration, Calibration, Floats

MOST_MAPS: Final = 20
"""The maximum number of maps that are read."""

Data = list[list[float]] | dict[str, list[list[float]]]
"""A calibration as JSON: the points of one map, or those of several maps by the progress of the game."""


@dataclass(frozen=True)
class GameCalibration:
    """Maps from values to expected scores by ``Position.progress``, which increases from one to the next.

    Before the first map and after the last one, that map holds.
    """

    maps: tuple[tuple[float, Calibration], ...]

    def __post_init__(self) -> None:
        if not 1 <= len(self.maps) <= MOST_MAPS:
            raise BadCalibration(f"the calibration of a game has 1 to {MOST_MAPS} maps, not {len(self.maps)}")
        for progress, calibration in self.maps:
            if not 0.0 <= progress <= 1.0:
                raise BadCalibration(f"the progress of a game is from 0 to 1, not {progress:g}")
            if calibration.points[0] != self.maps[0][1].points[0]:
                raise BadCalibration("all maps of a calibration begin with the same point")
        for (before, _), (after, _) in pairwise(self.maps):
            if before >= after:
                raise BadCalibration(
                    f"maps are ordered by progress: {after:g} does not come after {before:g}"
                )

    @classmethod
    def always(cls, calibration: Calibration) -> Self:
        """One map for the whole game."""
        return cls(((0.0, calibration),))

    @classmethod
    def read(cls, data: object) -> Self:
        """Reads the JSON that ``write`` returns. Raises BadCalibration."""
        if not isinstance(data, Mapping):
            return cls.always(Calibration.read(data))
        return cls(tuple((_progress(key), Calibration.read(points)) for key, points in data.items()))

    def write(self) -> Data:
        """As JSON: the points of a map that holds always, otherwise those of each map by progress."""
        if len(self.maps) == 1:
            return self.maps[0][1].write()
        return {str(progress): calibration.write() for progress, calibration in self.maps}

    def at(self, progress: float) -> Calibration:
        """The map at this moment of a game; ``progress`` from 0 to 1."""
        first, last = self.maps[0], self.maps[-1]
        if progress <= first[0]:
            return first[1]
        for (before, one), (after, other) in pairwise(self.maps):
            if progress < after:
                return _blend(one, other, (progress - before) / (after - before))
        return last[1]

    @classmethod
    def fit(
        cls,
        progress: npt.ArrayLike,
        values: npt.ArrayLike,
        scores: npt.ArrayLike,
        *,
        seats: int,
        moments: int = 5,
    ) -> Self:
        """Fits maps to positions, in ``moments`` groups of equal size by progress, each at its mean progress.

        The arrays have one entry for each position (two seats: of one of them) or for each position and seat. Raises
        ValueError as ``Calibration.fit`` does.
        """
        progress, values, scores = (
            np.asarray(numbers, dtype=np.float64) for numbers in (progress, values, scores)
        )
        fit, bins = (Calibration.fit, BINS) if seats == 2 else (Calibration.fit_many, 2 * BINS)
        order = np.argsort(progress, kind="stable")
        return cls(
            tuple(
                (round(float(progress[group].mean()), 4), fit(values[group], scores[group], bins))
                for group in np.array_split(order, moments)
            )
        )

    def chances(self, progress: npt.ArrayLike, values: npt.ArrayLike) -> Floats:
        """The expected scores of all seats, for positions at these moments: ``values`` of shape (positions, seats)."""
        return np.stack(list(self._rows(np.asarray(progress, dtype=np.float64), np.asarray(values))))

    def _rows(self, progress: Floats, values: Floats) -> Iterator[Floats]:
        for moment, row in zip(progress.tolist(), values, strict=True):
            yield self.at(moment).chances(row)


def _blend(one: Calibration, other: Calibration, share: float) -> Calibration:
    """The map between two others; ``share`` is that of the other one. It is linear where both are."""
    values = np.array(sorted({value for value, _ in (*one.points, *other.points)}))
    before, after = (np.interp(values, *np.array(each.points).T) for each in (one, other))
    scores = np.maximum.accumulate((1.0 - share) * before + share * after)
    return Calibration(tuple(zip(values.tolist(), scores.tolist(), strict=True)))


def _progress(key: object) -> float:
    try:
        return float(str(key))
    except ValueError:
        raise BadCalibration(
            f"maps are named by the progress of the game, such as 0.5, not {key!r}"
        ) from None
