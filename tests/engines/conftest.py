"""Fixtures of the engine tests."""

from collections.abc import Iterator

import pytest

from engines.inference import Model
from engines.pool import EnginePool
from tests.engines.pools import FIVE, Patterned
from tests.engines.uniform_model import UniformModel


@pytest.fixture(params=["native", "uniform", "patterned"])
def pool(request: pytest.FixtureRequest) -> Iterator[EnginePool]:
    """A pool with each kind of evaluator: native ones, and models of two kinds."""
    choices: dict[str, list[Model]] = {
        "native": [],
        "uniform": [UniformModel(FIVE)],
        "patterned": [Patterned()],
    }
    pool = EnginePool(models=choices[request.param], threads=2, batch_size=32)
    yield pool
    pool.stop()
