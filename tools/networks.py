"""Writes small networks as ONNX files, with the tensor shapes that Plyhouse reads (docs/models.md).

For tests and benchmarks, which need networks of every shape but not strong ones: weights are random or given. Needs the
``onnx`` package, which Plyhouse itself does not.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt
import onnx
from onnx import TensorProto, helper, numpy_helper

from engines.model_metadata import BoardRange, ModelMetadata

Array = npt.NDArray[np.floating]

OPSET = 17

BLOCK_GAIN = 0.25
"""Keeps the policies of deep random networks flat, so that searches visit as many actions as with trained ones."""


@dataclass(frozen=True)
class Shape:
    """The tensor shapes of a network. ``batch`` is a fixed number of rows, or None for any."""

    columns: int = 5
    rows: int = 5
    planes: int = 9
    steps: int = 8
    batch: int | None = None

    @property
    def inputs(self) -> int:
        """How many numbers an input row has."""
        return self.planes * self.columns * self.rows

    @property
    def policy(self) -> int:
        """The size of the policy: two planes of walls, and the steps."""
        return 2 * self.columns * self.rows + self.steps


@dataclass(frozen=True)
class Names:
    """The names of the tensors, which are arbitrary."""

    states: str = "States"
    priors: str = "Priors"
    values: str = "Values"


class _Writer:
    """Collects the nodes and weights of a graph."""

    def __init__(self, number: "type[np.float32 | np.float16]") -> None:
        self.nodes: list[onnx.NodeProto] = []
        self.weights: list[onnx.TensorProto] = []
        self._number = number

    def weight(self, array: Array) -> str:
        name = f"w{len(self.weights)}"
        self.weights.append(numpy_helper.from_array(array.astype(self._number), name))
        return name

    def node(self, operator: str, *inputs: str, output: str = "", **attributes: object) -> str:
        output = output or f"n{len(self.nodes)}"
        node = helper.make_node(operator, list(inputs), [output])
        node.attribute.extend(helper.make_attribute(name, value) for name, value in attributes.items())
        self.nodes.append(node)
        return output


def residual(
    path: Path,
    shape: Shape,
    *,
    blocks: int = 2,
    channels: int = 16,
    names: Names | None = None,
    seed: int = 0,
) -> Path:
    """A residual network like trained ones: 3x3 convolutions, a policy head, a value head. Random weights."""
    rng = np.random.default_rng(seed)
    writer = _Writer(np.float32)
    names = names or Names()

    def convolution(source: str, fan_in: int, fan_out: int, gain: float = 1.0) -> str:
        kernel = rng.normal(0, gain * np.sqrt(2 / (9 * fan_in)), (fan_out, fan_in, 3, 3))
        bias = rng.normal(0, 0.05, fan_out)
        return writer.node("Conv", source, writer.weight(kernel), writer.weight(bias), pads=[1, 1, 1, 1])

    def head(source: str, width: int) -> str:
        flat = writer.node("Flatten", writer.node("Relu", convolution(source, channels, 8)))
        cells = 8 * shape.columns * shape.rows
        matrix = rng.normal(0, 1 / np.sqrt(cells), (cells, width))
        return writer.node("Gemm", flat, writer.weight(matrix), writer.weight(np.zeros(width)))

    body = writer.node("Relu", convolution(names.states, shape.planes, channels))
    for _ in range(blocks):
        inner = writer.node("Relu", convolution(body, channels, channels))
        body = writer.node(
            "Relu", writer.node("Add", body, convolution(inner, channels, channels, BLOCK_GAIN))
        )
    writer.node("Softmax", head(body, shape.policy), output=names.priors, axis=-1)
    writer.node("Tanh", head(body, 1), output=names.values)
    return _save(path, writer, shape, names)


ALL_BOARDS = ModelMetadata("wallwars", BoardRange((5, 5), (12, 10)))


def size_agnostic(
    path: Path,
    metadata: ModelMetadata = ALL_BOARDS,
    *,
    blocks: int = 2,
    channels: int = 16,
    planes: int = 9,
    batch: int | None = None,
    steps: int = 8,
    values: int = 1,
    seed: int = 0,
) -> Path:
    """A residual network for boards of any size: its heads are convolutions and means over all cells."""
    rng = np.random.default_rng(seed)
    writer = _Writer(np.float32)
    names = Names()

    def convolution(source: str, fan_in: int, fan_out: int, side: int = 3, gain: float = 1.0) -> str:
        kernel = rng.normal(0, gain * np.sqrt(2 / (side * side * fan_in)), (fan_out, fan_in, side, side))
        bias, pad = rng.normal(0, 0.05, fan_out), side // 2
        return writer.node("Conv", source, writer.weight(kernel), writer.weight(bias), pads=[pad] * 4)

    def mean_head(source: str, width: int) -> str:
        mean = writer.node("Flatten", writer.node("GlobalAveragePool", source))
        matrix = rng.normal(0, 1 / np.sqrt(channels), (channels, width))
        return writer.node("Gemm", mean, writer.weight(matrix), writer.weight(np.zeros(width)))

    body = writer.node("Relu", convolution(names.states, planes, channels))
    for _ in range(blocks):
        inner = writer.node("Relu", convolution(body, channels, channels))
        added = writer.node("Add", body, convolution(inner, channels, channels, gain=BLOCK_GAIN))
        body = writer.node("Relu", added)
    walls = writer.node("Flatten", convolution(body, channels, 2, side=1))
    policy = writer.node("Concat", walls, mean_head(body, steps), axis=1)
    writer.node("Softmax", policy, output=names.priors, axis=-1)
    writer.node("Tanh", mean_head(body, values), output=names.values)
    shapes: dict[str, list[int | str]] = {
        names.states: [planes, "columns", "rows"],
        names.priors: ["policy"],
        names.values: [values],
    }
    return _save_graph(path, writer, names, shapes, batch, properties=metadata.properties())


def linear(
    path: Path,
    shape: Shape,
    priors: Sequence[Sequence[float]] | Array,
    values: Sequence[float] | Array,
    *,
    names: Names | None = None,
    half: bool = False,
    softmax: bool = True,
) -> Path:
    """Priors are softmax(row x ``priors``), the value tanh(row x ``values``), which can be worked out by hand.

    ``priors`` has the shape ``(inputs, policy)``, ``values`` the shape ``(inputs,)`` or ``(inputs, values)``.
    ``half``: tensors are float16.
    """
    writer = _Writer(np.float16 if half else np.float32)
    names = names or Names()
    flat = writer.node("Flatten", names.states)
    matrix = writer.weight(np.asarray(priors, np.float32))
    if softmax:
        writer.node("Softmax", writer.node("MatMul", flat, matrix), output=names.priors, axis=-1)
    else:
        writer.node("MatMul", flat, matrix, output=names.priors)
    columns = np.asarray(values, np.float32).reshape(shape.inputs, -1)
    writer.node("Tanh", writer.node("MatMul", flat, writer.weight(columns)), output=names.values)
    return _save(path, writer, shape, names, values=columns.shape[1], half=half)


def _save(
    path: Path, writer: _Writer, shape: Shape, names: Names, *, values: int = 1, half: bool = False
) -> Path:
    shapes: dict[str, list[int | str]] = {
        names.states: [shape.planes, shape.columns, shape.rows],
        names.priors: [shape.policy],
        names.values: [values],
    }
    number = TensorProto.FLOAT16 if half else TensorProto.FLOAT
    return _save_graph(path, writer, names, shapes, shape.batch, number=number)


def _save_graph(
    path: Path,
    writer: _Writer,
    names: Names,
    shapes: Mapping[str, Sequence[int | str]],
    batch: int | None,
    *,
    number: int = TensorProto.FLOAT,
    properties: Mapping[str, str] | None = None,
) -> Path:
    """``shapes``: of the tensors, without the batch dimension; strings are names of free dimensions."""
    tensors = {
        name: helper.make_tensor_value_info(name, number, [batch or "batch", *dimensions])
        for name, dimensions in shapes.items()
    }
    inputs, outputs = [tensors[names.states]], [tensors[names.priors], tensors[names.values]]
    graph = helper.make_graph(writer.nodes, "network", inputs, outputs, writer.weights)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", OPSET)], ir_version=10)
    helper.set_model_props(model, dict(properties or {}))
    onnx.checker.check_model(model)
    onnx.save(model, path)
    return path
