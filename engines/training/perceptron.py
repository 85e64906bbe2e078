"""A network of one hidden layer on the features of two seats, in the whole numbers in which the core computes it.

The inputs are the counts of the features of the seat to move, then those of the other seat. The file is the arrays of
:class:`Perceptron` in their order, as little-endian 16-bit numbers; the core reads it while it is compiled
(``engines/core/src/games/hive/perceptron.rs``). ``fit_perceptron`` makes such networks.
"""

from dataclasses import astuple, dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

Ints = npt.NDArray[np.int16]

UNITS = 32
"""Units of the hidden layer."""

ONE = 256
"""The largest output of a unit, which stands for 1."""

POINT = 1000
"""A lead of one point."""

MOST_COUNTED = 38
"""Features that a position can have at once, each counted as often as it occurs."""


@dataclass(frozen=True)
class Floats:
    """A network as it is fitted: weights for inputs and outputs in [0, 1], and points."""

    rows: npt.NDArray[np.floating]
    """``(inputs, UNITS)``"""
    bias: npt.NDArray[np.floating]
    """``(UNITS,)``"""
    output: npt.NDArray[np.floating]
    """``(UNITS,)``: points for a unit's output of 1."""
    direct: npt.NDArray[np.floating]
    """``(inputs,)``: points for an input, without a unit."""
    output_bias: npt.NDArray[np.floating]
    """``(1,)``: points in every position."""

    def lead(self, counts: npt.NDArray[np.integer]) -> npt.NDArray[np.floating]:
        """Points by which the seat to move leads, for counts of shape ``(positions, inputs)``."""
        units = np.clip(counts @ self.rows + self.bias, 0, 1)
        points: npt.NDArray[np.floating] = units @ self.output + counts @ self.direct + self.output_bias
        return points


@dataclass(frozen=True)
class Perceptron:
    """The same in whole numbers: rows and bias in units of 1 / ``ONE``, the rest in units of 1 / ``POINT``."""

    rows: Ints
    bias: Ints
    output: Ints
    direct: Ints
    output_bias: Ints

    @classmethod
    def rounded(cls, floats: Floats) -> "Perceptron":
        """The nearest network. Raises ValueError if a number is too large, or the sum of a unit can be."""
        scaled = [floats.rows * ONE, floats.bias * ONE]
        scaled += [each * POINT for each in (floats.output, floats.direct, floats.output_bias)]
        sums = np.abs(scaled[1]) + MOST_COUNTED * np.abs(scaled[0]).max(axis=0)
        largest = max([float(sums.max()), *(float(np.abs(each).max()) for each in scaled)])
        if not largest < np.iinfo(np.int16).max:
            raise ValueError(f"the network does not fit into 16 bits: {largest:.0f}")
        return cls(*(np.rint(each).astype(np.int16) for each in scaled))

    def lead(self, counts: npt.NDArray[np.integer]) -> npt.NDArray[np.int64]:
        """Thousandths of a point by which the seat to move leads, for counts of shape ``(positions, inputs)``."""
        wide = [each.astype(np.int64) for each in (self.rows, self.bias, self.output, self.direct)]
        rows, bias, output, direct = wide
        counts = counts.astype(np.int64)
        units = np.clip(counts @ rows + bias, 0, ONE)
        points: npt.NDArray[np.int64] = (units @ output) // ONE + counts @ direct + self.output_bias
        return points

    def save(self, path: Path) -> None:
        """Writes the file that the core reads."""
        path.write_bytes(b"".join(each.astype("<i2").tobytes() for each in astuple(self)))

    @classmethod
    def load(cls, path: Path) -> "Perceptron":
        """Reads such a file. Raises OSError, or ValueError if its size is that of no network."""
        numbers = np.frombuffer(path.read_bytes(), "<i2").astype(np.int16)
        inputs, rest = divmod(len(numbers) - 2 * UNITS - 1, UNITS + 1)
        if rest or inputs <= 0:
            raise ValueError(f"{path} has {len(numbers)} numbers: no network of {UNITS} units")
        sizes = [inputs * UNITS, UNITS, UNITS, inputs]
        rows, bias, output, direct, output_bias = np.split(numbers, np.cumsum(sizes))
        return cls(rows.reshape(inputs, UNITS), bias, output, direct, output_bias)
