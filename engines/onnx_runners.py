"""How ONNX Runtime runs a network: on arrays, or with tensors that stay on a device.

Called by ``onnx_model.py``, which interprets the tensors. Both runners take a buffer of planes
``(capacity, planes, dim2, dim3)`` and evaluate its first rows.
"""

import threading
from collections import OrderedDict
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from engines.inference import Array

if TYPE_CHECKING:
    from onnxruntime import InferenceSession, OrtValue

Number = type[np.float32] | type[np.float16]
Answer = tuple[npt.NDArray[np.floating], npt.NDArray[np.floating]]
"""Priors and values."""

LEAST_ROWS = 2
"""On a CPU, the runtime rounds a single row differently from one of several: with 8 bits, 2 of 1,847 evaluations
differed, by up to 0.003. Searches would then depend on which others are running."""

GPU_STEP = 8
"""On a GPU, rows are rounded up to this times a power of two, because each new shape needs costly preparation."""

MOST_BUFFERS = 8
"""Shapes of buffers for which a thread keeps tensors on the device: those used last."""


@dataclass(frozen=True)
class Tensors:
    """Names of a network's tensors, their number type, and the number of rows per call if it is fixed."""

    states: str
    priors: str
    values: str
    number: Number
    batch: int | None = None


class PlainRunner:
    """Runs a network on arrays. Thread-safe."""

    def __init__(self, session: "InferenceSession", tensors: Tensors) -> None:
        self._session = session
        self._tensors = tensors

    def run(self, planes: Array, rows: int) -> Answer:
        """Priors and values of at least the first ``rows`` rows."""
        names = self._tensors
        rows = names.batch or max(rows, LEAST_ROWS)
        feed = {names.states: planes[:rows].astype(names.number, copy=False)}
        priors, values = self._session.run([names.priors, names.values], feed)
        return priors, values


class BoundRunner:
    """Runs a network with tensors kept on the device: each thread has its own for every batch size. Thread-safe."""

    def __init__(self, session: "InferenceSession", tensors: Tensors, device: str) -> None:
        self._session = session
        self._tensors = tensors
        self._device = device
        self._own = threading.local()

    def run(self, planes: Array, rows: int) -> Answer:
        """As ``PlainRunner.run``. A thread's first call with a shape prepares all batch sizes of that shape."""
        size = self._tensors.batch or gpu_rows(rows, len(planes))
        binding = self._bindings(planes.shape)[size]
        return binding.run(planes[:size].astype(self._tensors.number, copy=False))

    def _bindings(self, shape: tuple[int, ...]) -> dict[int, "Binding"]:
        """The thread's tensors for a buffer of this shape, by batch size."""
        known: OrderedDict[tuple[int, ...], dict[int, Binding]]
        known = self._own.__dict__.setdefault("bindings", OrderedDict())
        if shape not in known:
            batch = self._tensors.batch
            sizes = gpu_sizes(shape[0]) if batch is None else [batch]
            known[shape] = {
                size: Binding(self._session, self._tensors, self._device, (size, *shape[1:]))
                for size in sizes
            }
        known.move_to_end(shape)
        if len(known) > MOST_BUFFERS:
            known.popitem(last=False)
        return known[shape]


class Binding:
    """Device tensors for one batch size."""

    def __init__(
        self, session: "InferenceSession", tensors: Tensors, device: str, shape: tuple[int, ...]
    ) -> None:
        """Runs the network once, which prepares the device for this shape and tells the shapes of the outputs."""
        import onnxruntime

        def allocate(like: npt.NDArray[np.floating]) -> "OrtValue":
            return onnxruntime.OrtValue.ortvalue_from_shape_and_type(like.shape, like.dtype.type, device, 0)

        planes = np.zeros(shape, tensors.number)
        answer = session.run([tensors.priors, tensors.values], {tensors.states: planes})
        self._session = session
        self._planes = allocate(planes)
        self._priors, self._values = map(allocate, answer)
        self._io = session.io_binding()
        self._io.bind_ortvalue_input(tensors.states, self._planes)
        self._io.bind_ortvalue_output(tensors.priors, self._priors)
        self._io.bind_ortvalue_output(tensors.values, self._values)

    def run(self, planes: npt.NDArray[np.floating]) -> Answer:
        """Copies the planes to the device, runs the network and copies priors and values back."""
        self._planes.update_inplace(planes)
        self._session.run_with_iobinding(self._io)
        return self._priors.numpy(), self._values.numpy()


def gpu_rows(rows: int, capacity: int) -> int:
    """``rows`` rounded up to one of the few batch sizes used on a GPU."""
    return min(capacity, GPU_STEP << (-(-rows // GPU_STEP) - 1).bit_length())


def gpu_sizes(capacity: int) -> list[int]:
    """All batch sizes used on a GPU with a buffer of ``capacity`` rows."""
    sizes = [gpu_rows(1, capacity)]
    while sizes[-1] < capacity:
        sizes.append(gpu_rows(sizes[-1] + 1, capacity))
    return sizes
