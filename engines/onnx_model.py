"""Networks run by ONNX Runtime. Inputs and outputs are identified by their shapes; their names may differ.

Expected: one input ``[batch, planes, columns, rows]``, and two outputs: ``[batch, policy]`` with probabilities, and the
narrower ``[batch, values]``; float32 or float16; a fixed or free batch size. Columns and rows are both fixed, or both
free: then the file's metadata names the game and the boards (``model_metadata.py``). The core decides which games these
shapes fit. Called by ``networks.py``, which finds the files.
"""

import time
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from engines import games
from engines.board_starts import start, starts
from engines.game_calibration import GameCalibration
from engines.inference import Array, BoardSignature, ModelError, Signature, exact_signature
from engines.model_metadata import BOARDS, GAME, BadMetadata, ModelMetadata
from engines.network_copies import NetworkFile, copied
from engines.onnx_runners import BoundRunner, Number, PlainRunner, Tensors
from engines.onnx_runtime import Provider, first_line, open_session, short_name

CPU_ROWS = (8, 64)
"""Minimum and maximum rows per call on a CPU. With more rows, neither the network nor the pool is much faster."""

CPU_CALL_SECONDS = 0.02
"""Time limit per call above the minimum number of rows: urgent searches have to wait for the previous call."""

GPU_WORKERS = 2
"""Two threads, so that one gathers a batch while the other one evaluates."""

GPU_TRIAL_ROWS = 256
"""Rows of the trial buffer on a GPU, which is thereby prepared for all batch sizes that are usual."""

TRIAL = 0.5
"""Contents of the planes in trial evaluations; any valid number would do."""

TRIALS = 3

POLICY_SUM = (0.5, 2.0)
"""Minimum and maximum sum of a policy. Networks of 8 bits add up to about 1 only; searches normalise the rest."""

NUMBERS: dict[str, Number] = {"tensor(float)": np.float32, "tensor(float16)": np.float16}
PLANES_SHAPE = "[batch, planes, columns, rows]"
OUTPUT_SHAPES = "[batch, policy] and [batch, values]"


@dataclass(frozen=True)
class _States:
    """The input of a network. None: free."""

    name: str
    number: Number
    batch: int | None
    planes: int
    board: tuple[int, int] | None
    """Columns and rows."""


@dataclass(frozen=True)
class _Outputs:
    """Names and widths of the outputs."""

    priors: str
    values: str
    policy: int
    value_count: int


class OnnxModel:
    """A network loaded from a file (implements ``engines.inference.Model``)."""

    def __init__(
        self,
        path: Path,
        provider: Provider = "auto",
        threads: int = 1,
        calibrations: Mapping[str, GameCalibration] | None = None,
    ) -> None:
        """Loads the file; ``threads`` may call it at once on a CPU, on a GPU it is always two.

        ``calibrations``: what its values are worth, by variant (default: unknown).
        Raises ModelError, naming the file, if it cannot be used.
        """
        self.path = path
        self.origin: NetworkFile | None = None
        """Where the network came from, if that is another process: there is no file then."""
        self.name = path.stem
        self.calibrations = calibrations or {}
        self._session = open_session(path, provider)
        self.provider = short_name(self._session.get_providers()[0])
        self._on_gpu = self.provider == "cuda"
        self.workers = GPU_WORKERS if self._on_gpu else threads
        try:
            self.metadata = ModelMetadata.read(self._session.get_modelmeta().custom_metadata_map)
        except BadMetadata as error:
            raise self._unfit(str(error)) from None
        states = self._read_input()
        self.batch = states.batch
        """Fixed number of rows per call; ``None`` if the network accepts any number."""
        self.signature: Signature | BoardSignature
        self.signatures: tuple[Signature, ...]
        """The shapes for the smallest and the largest board; only one if the board is fixed."""
        if states.board is None:
            self.signature, self.signatures, outputs = self._read_free_board(states)
        else:
            self.signature, outputs = self._read_fixed_board(states, states.board)
            self.signatures = (self.signature,)
        tensors = Tensors(states.name, outputs.priors, outputs.values, states.number, states.batch)
        self._runner: PlainRunner | BoundRunner = PlainRunner(self._session, tensors)
        if self._on_gpu:
            self._runner = BoundRunner(self._session, tensors, self.provider)
        for shape in self.signatures:
            self._try(shape)
        self._cpu_rows = cpu_rows(self._row_seconds()) if self.batch is None and not self._on_gpu else 0

    def __reduce__(self) -> tuple[object, tuple[NetworkFile]]:
        """In another process, it is loaded from the same file."""
        return copied, (NetworkFile.of(self),)

    def capacity(self, wanted: int) -> int:
        """The fixed batch size; otherwise ``wanted``, on a CPU limited to a useful number."""
        if self.batch is not None:
            return self.batch
        return wanted if self._on_gpu else min(wanted, self._cpu_rows)

    def evaluate(self, planes: Array, rows: int) -> tuple[Array, Array]:
        """See ``Model.evaluate``. A fixed batch is always evaluated whole. Raises ModelError if the runtime fails."""
        try:
            priors, values = self._runner.run(planes, rows)
        except Exception as error:  # ONNX Runtime's exceptions have no common base class
            raise ModelError(f"model {self.name}: {first_line(error)}") from None
        return np.ascontiguousarray(priors[:rows], np.float32), np.ascontiguousarray(
            values[:rows], np.float32
        )

    def _read_input(self) -> _States:
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
        fixed = [size for size in shape[1:] if isinstance(size, int) and size > 0]
        if len(shape) != 4 or shape[1:2] != fixed[:1] or len(fixed) not in (1, 3):
            expected = (
                f"{PLANES_SHAPE} with fixed planes is expected, and columns and rows both fixed or both free"
            )
            raise self._unfit(f"input {only.name} has the shape {_shown(shape)}, where {expected}")
        batch = shape[0] if isinstance(shape[0], int) else None
        board = (shape[2], shape[3]) if len(fixed) == 3 else None
        return _States(only.name, NUMBERS[only.type], batch, shape[1], board)

    def _read_fixed_board(self, states: _States, board: tuple[int, int]) -> tuple[Signature, _Outputs]:
        """The shapes of a network for one size of boards."""
        outputs = self._run_once(states, board)
        found = Signature(states.planes, *board, outputs.policy, outputs.value_count)
        fitting = [position for position in starts(board) if found.refusal(position) is None]
        if not fitting:
            reasons = {found.refusal(position) for position in starts(board)}
            shown = "; ".join(sorted(reason for reason in reasons if reason))
            raise self._unfit(f"its shapes {found} fit no game: {shown}")
        game = self.metadata.game
        if game is not None and not any(position.game == game for position in fitting):
            raise self._unfit(
                f"its metadata says that it is for {game}, but its shapes {found} do not fit that game"
            )
        exact = (exact_signature(position) for position in fitting)
        policies = next((one.policies for one in exact if one and replace(one, policies=1) == found), 1)
        return replace(found, policies=policies), outputs

    def _read_free_board(self, states: _States) -> tuple[BoardSignature, tuple[Signature, ...], _Outputs]:
        """The shapes of a network for boards of several sizes, for the smallest and the largest of them."""
        game, boards = self.metadata.game, self.metadata.boards
        if game is None or boards is None:
            keys = f"{GAME} and {BOARDS}, such as 5x5-12x10"
            raise self._unfit(f"its columns and rows are free, so its metadata has to name {keys}")
        signature = BoardSignature(game, boards)
        shapes = tuple(self._exact(game, size) for size in (boards.least, boards.most))
        found = [self._run_once(states, (shape.dim2, shape.dim3)) for shape in shapes]
        for shape, outputs in zip(shapes, found, strict=True):
            actual = Signature(
                states.planes, shape.dim2, shape.dim3, outputs.policy, outputs.value_count, shape.policies
            )
            if actual != shape:
                board = f"a {shape.dim2}x{shape.dim3} board of {game}"
                raise self._unfit(f"on {board} its shapes are {actual}, where {shape} are expected")
        return signature, shapes, found[0]

    def _exact(self, game: str, size: tuple[int, int]) -> Signature:
        """The shapes for the boards of this size."""
        variants = next(one.variants for one in games() if one.name == game)
        positions = [position for variant in variants if (position := start(game, variant, size))]
        found = [exact for position in positions if (exact := exact_signature(position))]
        if not found:
            columns, rows = size
            raise self._unfit(f"its metadata: networks do not support {columns}x{rows} boards of {game}")
        return found[0]

    def _run_once(self, states: _States, board: tuple[int, int]) -> _Outputs:
        """Runs the network on a board and identifies priors and values by the shapes of the outputs."""
        rows = states.batch or 2
        names = [output.name for output in self._session.get_outputs()]
        planes = np.zeros((rows, states.planes, *board), states.number)
        try:
            arrays = self._session.run(names, {states.name: planes})
        except Exception as error:  # as above
            raise self._unfit(f"it does not run: {first_line(error)}") from None
        shapes = {name: array.shape for name, array in zip(names, arrays, strict=True)}
        flat = {name: each[1] for name, each in shapes.items() if len(each) == 2 and each[0] == rows}
        if len(flat) != 2 or len(set(flat.values())) != 2:
            found = ", ".join(f"{name} {list(each)}" for name, each in shapes.items())
            raise self._unfit(f"a batch of {rows} gives {found}, where {OUTPUT_SHAPES} are expected")
        values, priors = sorted(flat, key=flat.__getitem__)
        return _Outputs(priors, values, flat[priors], flat[values])

    def _try(self, shape: Signature) -> None:
        """Evaluates a row as the pool would, to find problems at start-up instead of in the middle of a game."""
        rows = GPU_TRIAL_ROWS if self._on_gpu else 1
        priors, values = self.evaluate(_trial(shape, self.batch or rows), 1)
        if not (np.isfinite(priors).all() and np.isfinite(values).all()):
            raise self._unfit("it answers NaN or infinite numbers")
        if (priors < 0).any():
            raise self._unfit("its priors hold negative numbers, where probabilities (softmax) are expected")
        sums = priors.reshape(shape.policies, -1).sum(axis=1)
        if (sums < POLICY_SUM[0]).any() or (sums > POLICY_SUM[1]).any():
            shown = " and ".join(f"{total:.3g}" for total in sums)
            raise self._unfit(f"its priors add up to {shown}, where probabilities (softmax) are expected")

    def _row_seconds(self) -> float:
        """Processor seconds per row of the largest board: other programs may be using this CPU, too."""
        rows = CPU_ROWS[0]
        planes = _trial(self.signatures[-1], rows)

        def call() -> float:
            began = time.thread_time()  # the runtime uses no other thread
            self.evaluate(planes, rows)
            return time.thread_time() - began

        return min(call() for _ in range(TRIALS)) / rows

    def _unfit(self, reason: str) -> ModelError:
        return ModelError(f"{self.path}: {reason}")


def _trial(shape: Signature, rows: int) -> Array:
    return np.full((rows, shape.planes, shape.dim2, shape.dim3), TRIAL, np.float32)


def cpu_rows(row_seconds: float) -> int:
    """Rows per call on a CPU, given the time that one row takes."""
    fewest, most = CPU_ROWS
    return max(fewest, min(most, int(CPU_CALL_SECONDS / row_seconds)))


def _shown(shape: list[Any]) -> str:
    return "[" + ", ".join(str(size) for size in shape) + "]"
