"""Networks run by PyTorch: what ``onnx_model.py`` is for ONNX files, for self-play and comparisons while training.

Loads files of ``torch.export.save``, whose program takes planes ``[batch, planes, dim2, dim3]`` and returns priors
(softmax) and values. PyTorch is no dependency of Plyhouse; no command uses this module.
"""

from collections.abc import Callable, Mapping
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING

import numpy as np

from engines.game_calibration import GameCalibration
from engines.inference import Array, BoardSignature, ModelError, Signature

if TYPE_CHECKING:
    import torch

Forward = Callable[["torch.Tensor"], tuple["torch.Tensor", "torch.Tensor"]]


class TorchModel:
    """A network as a PyTorch function (implements ``engines.inference.Model``)."""

    workers = 2
    """One thread gathers a batch while the other one evaluates."""

    def __init__(
        self, name: str, forward: Forward, signature: Signature | BoardSignature, device: str = "cpu"
    ) -> None:
        """``forward``: the network on ``device``, ready for inference. Raises ModelError without PyTorch."""
        self.name = name
        self.provider = device
        self.signature = signature
        self.calibrations: Mapping[str, GameCalibration] = {}
        self._forward = forward
        self._torch = load_torch()

    def capacity(self, wanted: int) -> int:
        """Any number of rows."""
        return wanted

    def evaluate(self, planes: Array, rows: int) -> tuple[Array, Array]:
        """See ``Model.evaluate``."""
        torch = self._torch
        try:
            with torch.inference_mode():
                batch = torch.from_numpy(planes[:rows]).to(self.provider)
                priors, values = (out.float().cpu().numpy() for out in self._forward(batch))
        except Exception as error:  # PyTorch's exceptions have no common base class
            raise ModelError(f"model {self.name}: {_first_line(error)}") from None
        return np.ascontiguousarray(priors), np.ascontiguousarray(values)


def load_network(path: Path, signature: Signature | BoardSignature, device: str = "cpu") -> TorchModel:
    """Loads an exported program. Raises ModelError, naming the file."""
    torch = load_torch()
    try:
        module = torch.export.load(path).module().to(device)
    except Exception as error:  # as above
        raise ModelError(f"{path}: it cannot be read as a PyTorch network: {_first_line(error)}") from None
    return TorchModel(path.stem, module, signature, device)


def load_torch() -> ModuleType:
    """Imports and returns ``torch``. Raises ModelError if it is not installed."""
    try:
        import torch
    except ImportError:
        raise ModelError("this network needs PyTorch, which is not installed") from None
    return torch  # type: ignore[no-any-return] # untyped package


def _first_line(error: Exception) -> str:
    return next(iter(str(error).strip().splitlines()), type(error).__name__)
