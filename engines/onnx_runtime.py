"""ONNX Runtime: whether it is installed, and which device it uses.

Called by ``onnx_model.py``, which interprets the tensors; ``onnx_runners.py`` runs networks.
"""

import ctypes
import re
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any, Literal

from engines.inference import ModelError

if TYPE_CHECKING:
    from onnxruntime import InferenceSession

Provider = Literal["auto", "cpu", "cuda"]


class RuntimeUnusable(ModelError):
    """ONNX Runtime is missing or cannot be imported. The text is one line."""


CPU, CUDA = "CPUExecutionProvider", "CUDAExecutionProvider"

QUANTISED = b"QuantizeLinear"
"""The name of an operator that only networks of 8 bits have, as it stands in the file."""

MISSING = "networks need ONNX Runtime: install onnxruntime, or onnxruntime-gpu for CUDA"


def check_provider(provider: Provider) -> None:
    """Raises ModelError if CUDA was requested and this installation does not support it."""
    if provider == "cuda" and not has_cuda():
        raise ModelError(
            "CUDA was asked for, but this ONNX Runtime has none: install onnxruntime-gpu in its place"
        )


def open_session(path: Path, provider: Provider) -> "InferenceSession":
    """Loads a file for the requested provider; ``auto`` uses a GPU if there is one. Raises ModelError."""
    runtime = load_runtime()
    if not path.is_file():
        raise ModelError(f"{path}: there is no such file")
    check_provider(provider)
    wanted: list[Any] = [CPU]
    options = runtime.SessionOptions()
    options.intra_op_num_threads = 1
    options.inter_op_num_threads = 1
    options.log_severity_level = 4  # errors are reported below, in one line
    try:
        if provider != "cpu" and has_cuda():
            wanted.insert(0, (CUDA, cuda_options(path)))
            runtime.preload_dlls()
        session = runtime.InferenceSession(str(path), options, providers=wanted)
    except Exception as error:  # ONNX Runtime's exceptions have no common base class
        raise ModelError(f"{path}: it cannot be read as an ONNX network: {first_line(error)}") from None
    if provider == "cuda" and CUDA not in session.get_providers():
        raise ModelError(f"CUDA was asked for, but it cannot be used here: {cuda_fault()}")
    return session


def cuda_options(path: Path) -> dict[str, str]:
    """How a GPU runs this file. Networks of 8 bits get exact float32 products, others may use TF32.

    TF32 rounds the products of a float network by about 1e-4 and is 2.5 times as fast. In a network of 8 bits it moves
    numbers to the next of 256 steps: values differ by .008 on average instead of .0001, and nothing becomes faster.
    """
    options = {"cudnn_conv_algo_search": "HEURISTIC"}
    if QUANTISED in path.read_bytes():
        options["use_tf32"] = "0"
    return options


def has_cuda() -> bool:
    """Whether this ONNX Runtime was built with CUDA, even if no GPU is present. Raises ModelError if it is missing."""
    return CUDA in load_runtime().get_available_providers()


def cuda_fault(driver: str = "libcuda.so.1") -> str:
    """Why a runtime with CUDA cannot use it here, as far as the NVIDIA ``driver``'s library says."""
    try:
        code = ctypes.CDLL(driver).cuInit(0)
    except (OSError, AttributeError):
        return f"there is no NVIDIA driver ({driver})"
    if code != 0:
        return f"the NVIDIA driver finds no usable GPU (cuInit: {code})"
    return "the libraries of CUDA 13 or cuDNN 9 are missing, or do not fit the GPU"


def load_runtime() -> ModuleType:
    """Imports and returns ``onnxruntime``; only called when a network is loaded. Raises RuntimeUnusable."""
    if _is_installed("onnxruntime") and _is_installed("onnxruntime-gpu"):
        raise RuntimeUnusable(
            "onnxruntime and onnxruntime-gpu are both installed and break each other: "
            "uninstall both, then install one of them"
        )
    try:
        import onnxruntime
    except Exception as error:  # what a broken installation raises depends on what is broken
        if isinstance(error, ModuleNotFoundError) and error.name == "onnxruntime":
            raise RuntimeUnusable(MISSING) from None
        raise RuntimeUnusable(f"ONNX Runtime cannot be imported: {first_line(error)}") from None
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
