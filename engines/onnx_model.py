"""Networks run by ONNX Runtime. Inputs and outputs are identified by their shapes; their names may differ.

Expected: one input ``[batch, planes, columns, rows]`` and, among the outputs, one ``[batch, policy]`` with
probabilities and one ``[batch, 1]`` with values for the seat to act; float32 or float16; a fixed or free batch size.
The core decides which games these shapes fit. Called by ``networks.py``, which finds the files.
"""

import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from engines.inference import Array, ModelError, Signature
from engines.onnx_runtime import (
    BoundRunner,
    Number,
    PlainRunner,
    Provider,
    Tensors,
    first_line,
    open_session,
    short_name,
)

CPU_ROWS = (8, 32)
"""Minimum and maximum rows per call on a CPU. More rows gain almost nothing."""

CPU_CALL_SECONDS = 0.02
"""Time limit per call above the minimum number of rows: urgent searches have to wait for the previous call."""

GPU_WORKERS = 2
"""Two threads, so that one gathers a batch while the other one evaluates."""

GPU_STEP = 8
"""On a GPU, rows are rounded up to this times a power of two, because each new shape needs costly preparation."""

TRIAL = 0.5
"""Contents of the planes in trial evaluations; any valid number would do."""

TRIALS = 3

NUMBERS: dict[str, Number] = {"tensor(float)": np.float32, "tensor(float16)": np.float16}
PLANES_SHAPE = "[batch, planes, columns, rows]"
OUTPUT_SHAPES = "[batch, policy] and [batch, 1]"


@dataclass(frozen=True)
class _States:
    """The input of a network."""

    name: str
    number: Number
    batch: int | None
    row: tuple[int, int, int]
    """Planes, columns, rows."""


class OnnxModel:
    """A network loaded from a file (implements ``engines.inference.Model``)."""

    def __init__(self, path: Path, provider: Provider = "auto", threads: int = 1) -> None:
        """Loads the file; ``threads`` may call it at once on a CPU, on a GPU it is always two.

        Raises ModelError, naming the file, if it cannot be used.
        """
        self.path = path
        self.name = path.stem
        self._session = open_session(path, provider)
        self.provider = short_name(self._session.get_providers()[0])
        self._on_gpu = self.provider == "cuda"
        self.workers = GPU_WORKERS if self._on_gpu else threads
        states = self._read_input()
        self.batch = states.batch
        """Fixed number of rows per call; ``None`` if the network accepts any number."""
        tensors = self._read_outputs(states)
        self.signature = Signature(*states.row, policy=tensors.policy)
        self._runner: PlainRunner | BoundRunner = PlainRunner(self._session, tensors)
        if self._on_gpu:
            self._runner = BoundRunner(self._session, tensors, self.provider)
        self._try()
        self._cpu_rows = cpu_rows(self._row_seconds()) if self.batch is None and not self._on_gpu else 0

    def capacity(self, wanted: int) -> int:
        """The fixed batch size; otherwise ``wanted``, on a CPU limited to a useful number."""
        if self.batch is not None:
            return self.batch
        return wanted if self._on_gpu else min(wanted, self._cpu_rows)

    def evaluate(self, planes: Array, rows: int) -> tuple[Array, Array]:
        """See ``Model.evaluate``. A fixed batch is always evaluated whole. Raises ModelError if the runtime fails."""
        try:
            priors, values = self._runner.run(planes[: self._rounded(rows, len(planes))])
        except Exception as error:  # ONNX Runtime's exceptions have no common base class
            raise ModelError(f"model {self.name}: {first_line(error)}") from None
        return np.ascontiguousarray(priors[:rows], np.float32), np.ascontiguousarray(
            values[:rows], np.float32
        )

    def _rounded(self, rows: int, capacity: int) -> int:
        if self.batch is not None:
            return self.batch
        return gpu_rows(rows, capacity) if self._on_gpu else rows

    def _read_input(self) -> "_States":
        inputs = self._session.get_inputs()
        if len(inputs) != 1:
            found = ", ".join(f"{each.name} {_shown(each.shape)}" for each in inputs)
            raise self._unfit(
                f"it has {len(inputs)} inputs ({found}), where one of {PLANES_SHAPE} is expected"
            )
        only = inputs[0]
        shape = only.shape
        if only.type not in NUMBERS:
            raise self._unfit(f"input {only.name} is a {only.type}, where float32 or float16 is expected")
        if len(shape) != 4 or not all(isinstance(size, int) and size > 0 for size in shape[1:]):
            expected = f"{PLANES_SHAPE} with fixed planes, columns and rows is expected"
            raise self._unfit(f"input {only.name} has the shape {_shown(shape)}, where {expected}")
        batch = shape[0] if isinstance(shape[0], int) else None
        return _States(only.name, NUMBERS[only.type], batch, (shape[1], shape[2], shape[3]))

    def _read_outputs(self, states: "_States") -> Tensors:
        """Runs the network once and identifies priors and values by the shapes of the outputs."""
        rows = states.batch or 2
        names = [output.name for output in self._session.get_outputs()]
        try:
            arrays = self._session.run(names, {states.name: np.zeros((rows, *states.row), states.number)})
        except Exception as error:  # as above
            raise self._unfit(f"it does not run: {first_line(error)}") from None
        shapes = {name: array.shape for name, array in zip(names, arrays, strict=True)}
        flat = {name: each[1] for name, each in shapes.items() if len(each) == 2 and each[0] == rows}
        values = [name for name, width in flat.items() if width == 1]
        priors = [name for name, width in flat.items() if width > 1]
        if len(values) != 1 or len(priors) != 1:
            found = ", ".join(f"{name} {list(each)}" for name, each in shapes.items())
            raise self._unfit(f"a batch of {rows} gives {found}, where {OUTPUT_SHAPES} are expected")
        return Tensors(states.name, priors[0], values[0], flat[priors[0]], states.number)

    def _try(self) -> None:
        """Evaluates a row as the pool would, to find problems at start-up instead of in the middle of a game."""
        priors, values = self.evaluate(self._trial(self.batch or 1), 1)
        if not (np.isfinite(priors).all() and np.isfinite(values).all()):
            raise self._unfit("it answers NaN or infinite numbers")
        if (priors < 0).any():
            raise self._unfit("its priors hold negative numbers, where probabilities (softmax) are expected")

    def _row_seconds(self) -> float:
        """Seconds per row on this CPU: the fastest of a few calls, since other programs may be using it."""
        rows = CPU_ROWS[0]
        planes = self._trial(rows)

        def call() -> float:
            began = time.perf_counter()
            self.evaluate(planes, rows)
            return time.perf_counter() - began

        return min(call() for _ in range(TRIALS)) / rows

    def _trial(self, rows: int) -> Array:
        shape = self.signature
        return np.full((rows, shape.planes, shape.dim2, shape.dim3), TRIAL, np.float32)

    def _unfit(self, reason: str) -> ModelError:
        return ModelError(f"{self.path}: {reason}")


def cpu_rows(row_seconds: float) -> int:
    """Rows per call on a CPU, given the time that one row takes."""
    fewest, most = CPU_ROWS
    return max(fewest, min(most, int(CPU_CALL_SECONDS / row_seconds)))


def gpu_rows(rows: int, capacity: int) -> int:
    """``rows`` rounded up to one of the few batch sizes used on a GPU."""
    return min(capacity, GPU_STEP << (-(-rows // GPU_STEP) - 1).bit_length())


def _shown(shape: list[Any]) -> str:
    return "[" + ", ".join(str(size) for size in shape) + "]"
