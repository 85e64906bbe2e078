"""Converts an exported network to 8-bit integers (static quantisation), which CPUs compute about twice as fast.

Weights and activations of the convolutions become integers, with ranges taken from examples; the rest stays in floating
point. Quantising during a call (dynamic quantisation) is slower than not quantising at all.
"""

from collections.abc import Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import onnx
from onnxruntime.quantization import CalibrationDataReader, QuantFormat, QuantType, quantize_static
from onnxruntime.quantization.shape_inference import quant_pre_process

from engines.training.examples import Array, Examples
from engines.training.export import STATES

BATCH = 64
ROWS = 2048
"""Examples whose activations are looked at, over all board sizes."""


class _Rows(CalibrationDataReader):
    """Batches of examples, of every board size in turn."""

    def __init__(self, boards: Sequence[Examples], seed: int) -> None:
        self._batches = _batches(boards, np.random.default_rng(seed))

    def get_next(self) -> dict[str, Array] | None:
        """The next batch by input name; None at the end."""
        return next(self._batches, None)


def quantise(network: Path, boards: Sequence[Examples], target: Path, seed: int = 0) -> None:
    """Writes ``network`` in integers to ``target``; ``boards`` has examples of every board size that matters."""
    with TemporaryDirectory() as folder:
        prepared = Path(folder) / "prepared.onnx"
        quant_pre_process(str(network), str(prepared), skip_symbolic_shape=True)
        quantize_static(
            str(prepared),
            str(target),
            _Rows(boards, seed),
            quant_format=QuantFormat.QDQ,
            op_types_to_quantize=["Conv"],
            per_channel=True,
            activation_type=QuantType.QUInt8,
            weight_type=QuantType.QInt8,
        )
    model = onnx.load(str(target))
    properties = {each.key: each.value for each in onnx.load(str(network)).metadata_props}
    onnx.helper.set_model_props(model, properties)
    onnx.save(model, str(target))


def _batches(boards: Sequence[Examples], random: np.random.Generator) -> Iterator[dict[str, Array]]:
    for _ in range(max(1, ROWS // (BATCH * len(boards)))):
        for examples in boards:
            rows = random.integers(len(examples), size=BATCH)
            yield {STATES: examples.planes[rows].astype(np.float32)}
