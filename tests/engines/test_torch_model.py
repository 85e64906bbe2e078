"""Networks of PyTorch, which the tests do not install: what holds without it, and the calls with a stand-in for it."""

import sys
from contextlib import nullcontext
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from engines import Position
from engines.inference import Array, ModelError, Signature
from engines.pool import EnginePool, Limits
from engines.torch_model import TorchModel, load_network

FIVE = Signature(planes=9, dim2=5, dim3=5, policy=58)


class Tensor:
    """What the model uses of a tensor, on an array of numpy."""

    def __init__(self, array: Any) -> None:
        self.array = array

    def to(self, device: str) -> "Tensor":
        assert device == "cpu"
        return self

    def float(self) -> "Tensor":
        return Tensor(self.array.astype(np.float32))

    def cpu(self) -> "Tensor":
        return self

    def numpy(self) -> Any:
        return self.array


@pytest.fixture
def torch(monkeypatch: pytest.MonkeyPatch) -> None:
    module = ModuleType("torch")
    vars(module).update(inference_mode=nullcontext, from_numpy=Tensor)
    monkeypatch.setitem(sys.modules, "torch", module)


def uniform(planes: Tensor) -> tuple[Tensor, Tensor]:
    rows = len(planes.array)
    return Tensor(np.full((rows, 58), 1 / 58)), Tensor(planes.array[:, 7, :1, 0] / 2)


def failing(planes: Tensor) -> tuple[Tensor, Tensor]:
    raise RuntimeError("CUDA error: device-side assert triggered\nCompile with `TORCH_USE_CUDA_DSA`")


def model(forward: Any) -> TorchModel:
    return TorchModel("net", forward, FIVE)


@pytest.mark.usefixtures("torch")
def test_the_pool_searches_with_it() -> None:
    pool = EnginePool(models=[model(uniform)], threads=1)
    try:
        pool.open("a", Position("wallwars", "standard", {"boardWidth": 5, "boardHeight": 5}))
        found = pool.evaluate("a", limits=Limits(1)).future.result(30)
        assert found.source == "net"
        assert found.values == pytest.approx((0.5, -0.5)), "plane 7 is all ones for the first player"
    finally:
        pool.stop()


@pytest.mark.usefixtures("torch")
def test_only_the_first_rows_are_evaluated() -> None:
    planes: Array = np.random.default_rng(0).random((6, 9, 5, 5), dtype=np.float32)
    priors, values = model(uniform).evaluate(planes, 4)
    assert priors.shape == (4, 58)
    assert priors.dtype == values.dtype == np.float32
    assert np.array_equal(values[:, 0], planes[:4, 7, 0, 0] / 2)


@pytest.mark.usefixtures("torch")
def test_errors_name_the_model_in_one_line() -> None:
    with pytest.raises(ModelError) as caught:
        model(failing).evaluate(np.zeros((2, 9, 5, 5), np.float32), 2)
    assert str(caught.value) == "model net: CUDA error: device-side assert triggered"


def test_a_missing_pytorch_is_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setitem(sys.modules, "torch", None)
    with pytest.raises(ModelError, match="this network needs PyTorch, which is not installed"):
        load_network(tmp_path / "net.pt", FIVE)
