"""ONNX Runtime: whether it is installed, which device it uses, and how networks are run.

Called by ``onnx_model.py``, which interprets the tensors.
"""

import re
import threading
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
import numpy.typing as npt

from engines.inference import Array, ModelError

if TYPE_CHECKING:
    from onnxruntime import InferenceSession, OrtValue

Provider = Literal["auto", "cpu", "cuda"]
Number = type[np.float32] | type[np.float16]
Answer = tuple[npt.NDArray[np.floating], npt.NDArray[np.floating]]

CPU, CUDA = "CPUExecutionProvider", "CUDAExecutionProvider"


@dataclass(frozen=True)
class Tensors:
    """Names of a network's tensors, the size of its policy, and its number type."""

    states: str
    priors: str
    values: str
    policy: int
    number: Number


class PlainRunner:
    """Runs a network on arrays. Thread-safe."""

    def __init__(self, session: "InferenceSession", tensors: Tensors) -> None:
        self._session = session
        self._tensors = tensors

    def run(self, planes: Array) -> Answer:
        """Priors and values of all rows."""
        names = self._tensors
        feed = {names.states: planes.astype(names.number, copy=False)}
        priors, values = self._session.run([names.priors, names.values], feed)
        return priors, values


class BoundRunner:
    """Runs a network with tensors kept on the device: one set per thread and number of rows."""

    def __init__(self, session: "InferenceSession", tensors: Tensors, device: str) -> None:
        self._session = session
        self._tensors = tensors
        self._device = device
        self._own = threading.local()

    def run(self, planes: Array) -> Answer:
        """Priors and values of all rows."""
        known: dict[int, Binding] = self._own.__dict__.setdefault("bindings", {})
        rows = len(planes)
        if rows not in known:
            known[rows] = Binding(self._session, self._tensors, self._device, planes.shape)
        return known[rows].run(planes.astype(self._tensors.number, copy=False))


class Binding:
    """Device tensors for one number of rows."""

    def __init__(
        self, session: "InferenceSession", tensors: Tensors, device: str, shape: tuple[int, ...]
    ) -> None:
        import onnxruntime

        def allocate(shape: tuple[int, ...]) -> "OrtValue":
            return onnxruntime.OrtValue.ortvalue_from_shape_and_type(shape, tensors.number, device, 0)

        self._session = session
        self._planes = allocate(shape)
        self._priors = allocate((shape[0], tensors.policy))
        self._values = allocate((shape[0], 1))
        self._io = session.io_binding()
        self._io.bind_ortvalue_input(tensors.states, self._planes)
        self._io.bind_ortvalue_output(tensors.priors, self._priors)
        self._io.bind_ortvalue_output(tensors.values, self._values)

    def run(self, planes: npt.NDArray[np.floating]) -> Answer:
        """Copies the planes to the device, runs the network and copies priors and values back."""
        self._planes.update_inplace(planes)
        self._session.run_with_iobinding(self._io)
        return self._priors.numpy(), self._values.numpy()


def check_provider(provider: Provider) -> None:
    """Raises ModelError if CUDA was requested and this installation does not support it."""
    if provider == "cuda" and not has_cuda():
        raise ModelError("CUDA was asked for, but this ONNX Runtime has none: install plyhouse[gpu]")


def open_session(path: Path, provider: Provider) -> "InferenceSession":
    """Loads a file for the requested provider; ``auto`` uses a GPU if there is one. Raises ModelError."""
    runtime = load_runtime()
    if not path.is_file():
        raise ModelError(f"{path}: there is no such file")
    check_provider(provider)
    wanted: list[Any] = [CPU]
    if provider != "cpu" and has_cuda():
        wanted.insert(0, (CUDA, {"cudnn_conv_algo_search": "HEURISTIC"}))
        runtime.preload_dlls()
    options = runtime.SessionOptions()
    options.intra_op_num_threads = 1
    options.inter_op_num_threads = 1
    options.log_severity_level = 4  # errors are reported below, in one line
    try:
        session = runtime.InferenceSession(str(path), options, providers=wanted)
    except Exception as error:  # ONNX Runtime's exceptions have no common base class
        raise ModelError(f"{path}: it cannot be read as an ONNX network: {first_line(error)}") from None
    if provider == "cuda" and CUDA not in session.get_providers():
        raise ModelError("CUDA was asked for, but it cannot be used here: no GPU, or no CUDA 13 with cuDNN 9")
    return session


def has_cuda() -> bool:
    """Whether this ONNX Runtime was built with CUDA, even if no GPU is present. Raises ModelError if it is missing."""
    return CUDA in load_runtime().get_available_providers()


def load_runtime() -> ModuleType:
    """Imports and returns ``onnxruntime``; only called when a network is loaded. Raises ModelError."""
    if _is_installed("onnxruntime") and _is_installed("onnxruntime-gpu"):
        raise ModelError(
            "onnxruntime and onnxruntime-gpu are both installed and break each other: "
            "uninstall both, then install plyhouse[cpu] or plyhouse[gpu]"
        )
    try:
        import onnxruntime
    except ImportError:
        raise ModelError("networks need ONNX Runtime: install plyhouse[cpu] or plyhouse[gpu]") from None
    return onnxruntime  # type: ignore[no-any-return] # untyped package


def short_name(provider: str) -> str:
    """``CPUExecutionProvider`` -> ``cpu``."""
    return provider.removesuffix("ExecutionProvider").lower()


def first_line(error: Exception) -> str:
    """The first line of a runtime error, without error codes and the file name, which our own message contains."""
    line = (str(error).strip().splitlines() or [type(error).__name__])[0]
    return re.sub(r"^\[ONNXRuntimeError\] : \d+ : \w+ : (Load model from .* failed:)?", "", line)


def _is_installed(package: str) -> bool:
    try:
        version(package)
    except PackageNotFoundError:
        return False
    return True
