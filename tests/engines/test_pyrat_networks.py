"""Networks for PyRat: two policies and two values, which are shares of the remaining points."""

import numpy as np
import pytest

from engines import Cache, Position, Search
from engines.inference import Array, exact_signature
from engines.pool.model_lane import BatchRunner
from tests.engines.uniform_model import UniformModel


class Pointing(UniformModel):
    """Says that each seat goes UP most likely, and which share of the remaining points each one wins."""

    name = "pointing"

    def __init__(self, position: Position, shares: tuple[float, float]) -> None:
        signature = exact_signature(position)
        assert signature is not None
        super().__init__(signature)
        self._shares = shares
        self.rows: list[Array] = []

    def evaluate(self, planes: Array, rows: int) -> tuple[Array, Array]:
        self.rows += list(planes[:rows].copy())
        priors = np.tile(np.array([0.6, 0.1, 0.1, 0.1, 0.1] * 2, np.float32), (rows, 1))
        return priors, np.tile(np.array(self._shares, np.float32), (rows, 1))


@pytest.mark.parametrize("variant", ["tiny", "medium", "open", "asymmetric"])
def test_a_graph_search_runs_with_a_network(variant: str) -> None:
    position = Position("pyrat", variant, {"seed": 4})
    model = Pointing(position, (0.75, 0.25))
    assert (model.signature.policies, model.signature.values) == (2, 2)
    search = Search(position, "planes", {}, 1)
    runner = BatchRunner(model, model.signature, Cache(1000), 16, 4)
    while search.visits < 200:
        runner.run(search, 200)
    report = search.report()
    assert report.values[0] > 0.3
    assert report.values[0] == pytest.approx(-report.values[1])
    assert [len(policy) > 0 for policy in report.policies] == [True, True]
    first = model.rows[0]
    assert first[:2].sum() == 2
    assert first[2].sum() == len(position.view()["cheese"])


def test_a_network_for_another_board_is_refused_with_the_reason() -> None:
    position, other = Position("pyrat", "tiny", {"seed": 1}), Position("pyrat", "small", {"seed": 1})
    signature = exact_signature(other)
    assert signature is not None
    assert signature.refusal(position) == "a network for 15x13 is not for 11x9"
