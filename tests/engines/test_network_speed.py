"""How the speed of a network is measured."""

import threading
from collections import Counter

import numpy as np
import pytest

from engines import networks
from engines.inference import Array, ModelError, Signature
from tests.engines.uniform_model import UniformModel

THREADS, ROWS = 2, 8


class CountingModel(UniformModel):
    """Counts the calls of each thread, and fails from the call numbered ``fails_at`` on."""

    def __init__(self, fails_at: int = 1000) -> None:
        super().__init__(Signature(planes=9, dim2=5, dim3=5, policy=58))
        self.calls: Counter[int] = Counter()
        self._fails_at = fails_at

    def evaluate(self, planes: Array, rows: int) -> tuple[Array, Array]:
        self.calls[threading.get_ident()] += 1
        if self.calls.total() >= self._fails_at:
            raise ModelError("no memory left")
        return np.zeros((rows, 58), np.float32), np.zeros((rows, 2), np.float32)


def test_each_thread_prepares_itself_before_it_is_measured() -> None:
    model = CountingModel()
    assert networks.speed(model, model.signature, ROWS, THREADS, seconds=0) > 0
    assert list(model.calls.values()) == [2] * THREADS


@pytest.mark.timeout(20)
@pytest.mark.parametrize("call", [1, 2, 3])
def test_a_network_that_fails_in_any_thread_is_an_error(call: int) -> None:
    model = CountingModel(fails_at=call)
    with pytest.raises(ModelError, match="no memory left"):
        networks.speed(model, model.signature, ROWS, THREADS, seconds=0)
