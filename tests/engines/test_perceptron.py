"""The network in whole numbers: against the floating-point one, its file, and the core that is built with one."""

from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest

from engines import Position, Search
from engines.training.perceptron import MOST_COUNTED, UNITS, Floats, Perceptron

SHIPPED = Path(__file__).parents[2] / "engines/core/src/games/hive/perceptron.bin"

INPUTS = 238


def random_floats(size: float) -> Floats:
    rng = np.random.default_rng(1)
    return Floats(
        rng.normal(0, size, (INPUTS, UNITS)),
        rng.normal(0, size, UNITS),
        rng.normal(0, 1, UNITS),
        rng.normal(0, 0.3, INPUTS),
        rng.normal(0, 0.3, 1),
    )


def random_counts(positions: int) -> npt.NDArray[np.uint8]:
    rng = np.random.default_rng(2)
    counts = np.zeros((positions, INPUTS), np.uint8)
    for row in counts:
        np.add.at(row, rng.integers(0, INPUTS, rng.integers(20, MOST_COUNTED + 1)), 1)
    return counts


def inputs_of(position: Position) -> npt.NDArray[np.int64]:
    seat = position.to_act[0]
    return position.features()[[seat, 1 - seat]].reshape(1, -1).astype(np.int64)


def value_of(lead: npt.NDArray[np.floating]) -> npt.NDArray[np.floating]:
    """The value in [-1, 1] of a lead in points, as in the core."""
    value: npt.NDArray[np.floating] = lead / np.sqrt(1 + lead * lead)
    return value


def test_whole_numbers_are_close_to_floats() -> None:
    floats, counts = random_floats(0.3), random_counts(2000)
    rounded = value_of(Perceptron.rounded(floats).lead(counts) / 1000)
    exact = value_of(floats.lead(counts))
    assert np.abs(rounded - exact).max() < 0.1
    assert np.abs(rounded - exact).mean() < 0.01
    assert np.abs(exact).mean() > 0.3, "the values are worth comparing"


def test_a_file_is_read_as_it_was_written(tmp_path: Path) -> None:
    network = Perceptron.rounded(random_floats(0.3))
    network.save(tmp_path / "perceptron.bin")
    counts = random_counts(100)
    assert (Perceptron.load(tmp_path / "perceptron.bin").lead(counts) == network.lead(counts)).all()
    (tmp_path / "other.bin").write_bytes(b"12")
    with pytest.raises(ValueError, match="1 numbers"):
        Perceptron.load(tmp_path / "other.bin")


def test_a_network_that_could_overflow_is_refused() -> None:
    with pytest.raises(ValueError, match="16 bits"):
        Perceptron.rounded(random_floats(3))


def test_the_core_computes_the_network_of_the_file() -> None:
    network = Perceptron.load(SHIPPED)
    position = Position("hive", "Base+MLP")
    for move in ("wL", r"bM \wL", "wP /wL", r"bQ \bM", r"wQ wP\\".replace("\\\\", "\\"), "bA1 /bQ"):
        position.play(move)
        after = [position.after(each) for each in position.legal_moves()]
        best = max(-value_of(network.lead(inputs_of(each)) / 1000).item() for each in after)
        search = Search(position, options={"maxDepth": 1})
        while search.run(1000):
            pass
        assert search.report().values[position.to_act[0]] == pytest.approx(best, abs=1e-5)
