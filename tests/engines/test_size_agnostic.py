"""Networks that evaluate every board at its own size, and what their metadata may say."""

from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import numpy.typing as npt
import onnx
import pytest
from onnxruntime.quantization import CalibrationDataReader, QuantFormat, quantize_static

from engines import Position
from engines.inference import Array, BoardSignature, Model, ModelError, Signature, choose, exact_signature
from engines.model_metadata import BoardRange, ModelMetadata
from engines.networks import fitting, load
from engines.onnx_model import OnnxModel
from engines.pool import EnginePool, Limits
from engines.pool.model_lane import MOST_RUNNERS
from tests.engines.uniform_model import UniformModel
from tools.networks import Shape, linear, residual, size_agnostic

SIZES = [(5, 5), (12, 10), (5, 10), (8, 6)]


def board(variant: str, size: tuple[int, int], *moves: str) -> Position:
    position = Position("wallwars", variant, {"boardWidth": size[0], "boardHeight": size[1]})
    position.play(*moves)
    return position


def shape_of(size: tuple[int, int]) -> Signature:
    found = exact_signature(board("standard", size))
    assert found is not None
    return found


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> OnnxModel:
    return OnnxModel(size_agnostic(tmp_path_factory.mktemp("net") / "net.onnx"))


@pytest.fixture
def pool(model: OnnxModel) -> Iterator[EnginePool]:
    pool = EnginePool(models=[model], threads=1, cache_size=0)
    yield pool
    pool.stop()


def random_planes(rng: np.random.Generator, rows: int, size: tuple[int, int]) -> Array:
    return rng.random((rows, 9, *size), dtype=np.float32)


def test_each_board_is_evaluated_at_its_own_size(model: OnnxModel) -> None:
    assert model.signature == BoardSignature("wallwars", BoardRange((5, 5), (12, 10)))
    assert fitting(model.signature) == ["wallwars standard", "wallwars classic", "wallwars freestyle"]
    rng = np.random.default_rng(0)
    for size in SIZES:
        priors, values = model.evaluate(random_planes(rng, 3, size), 2)
        assert (priors.shape, values.shape) == ((2, 2 * size[0] * size[1] + 8), (2, 1))
        assert priors.sum(axis=1) == pytest.approx([1, 1], abs=1e-5)


def test_boards_searched_together_play_as_if_alone(model: OnnxModel, pool: EnginePool) -> None:
    positions = [board(variant, size) for variant in ("standard", "classic") for size in SIZES]

    def results(pool: EnginePool, asked: list[Position]) -> list[object]:
        for number, position in enumerate(asked):
            pool.open(str(number), position)
        jobs = [pool.evaluate(str(number), limits=Limits(40)) for number in range(len(asked))]
        return [
            (found.best_move, found.values, found.source) for found in (job.future.result(60) for job in jobs)
        ]

    together = results(pool, positions)
    for number, position in enumerate(positions):
        alone = EnginePool(models=[model], threads=1)
        try:
            assert results(alone, [position]) == [together[number]]
        finally:
            alone.stop()


def test_boards_outside_the_limits_have_no_network(model: OnnxModel, pool: EnginePool) -> None:
    for number, (variant, size) in enumerate(
        [("standard", (4, 5)), ("classic", (12, 11)), ("survival", (8, 8))]
    ):
        position = board(variant, size)
        assert choose([model], position) is None
        pool.open(str(number), position)
        assert pool.evaluate(str(number), limits=Limits(5)).future.result(30).source == "native"
    refusals = [model.signature.refusal(board("standard", size)) for size in ((4, 5), (13, 5))]
    assert refusals[0] == "a 4x5 board is outside the model's 5x5-12x10"
    assert model.signature.refusal(Position("hive")) == "the model was made for wallwars"


def test_threads_and_buffers_do_not_multiply_with_boards(model: OnnxModel, pool: EnginePool) -> None:
    import threading

    threads = threading.active_count()
    sizes = [(columns, rows) for columns in range(5, 13) for rows in range(5, 8)]
    assert len(sizes) > MOST_RUNNERS
    for size in [*sizes, *sizes[:3]]:
        pool.open("game", board("standard", size))
        assert pool.evaluate("game", limits=Limits(8)).future.result(30).source == "net"
        pool.close("game")
    assert threading.active_count() == threads


def test_a_network_of_the_board_s_size_comes_before_padding(model: OnnxModel) -> None:
    flexible: Model = model
    eight, ten = (UniformModel(shape_of((side, side))) for side in (8, 10))
    for models in ([eight, ten, flexible], [flexible, ten, eight]):
        assert choose(models, board("standard", (7, 7))) is flexible
        assert choose(models, board("standard", (8, 8))) is next(one for one in models if one is not ten), (
            "the first"
        )
        assert choose(models, board("standard", (4, 4))) is eight


class _Random(CalibrationDataReader):  # type: ignore[misc] # untyped package
    """Boards of several sizes."""

    def __init__(self) -> None:
        rng = np.random.default_rng(0)
        self._inputs = iter([{"States": random_planes(rng, 4, size)} for size in SIZES])

    def get_next(self) -> dict[str, npt.NDArray[np.float32]] | None:
        return next(self._inputs, None)


def test_quantized_networks_keep_free_boards(model: OnnxModel, tmp_path: Path) -> None:
    file = tmp_path / "int8.onnx"
    quantize_static(model.path, file, _Random(), quant_format=QuantFormat.QDQ)
    assert any(node.op_type == "QuantizeLinear" for node in onnx.load(file).graph.node)
    (small,) = load([file])
    assert small.signature == model.signature, "quantizing keeps the metadata"
    rng = np.random.default_rng(1)
    for size in SIZES:
        planes = random_planes(rng, 2, size)
        for one, other in zip(model.evaluate(planes, 2), small.evaluate(planes, 2), strict=True):
            assert one == pytest.approx(other, abs=0.05)


def metadata(game: str | None, boards: str | None) -> Callable[[Path], Path]:
    found = ModelMetadata(game, None if boards is None else BoardRange.parse(boards))
    return lambda file: size_agnostic(file, found)


def unknown_game(file: Path) -> Path:
    size_agnostic(file)
    network = onnx.load(file)
    onnx.helper.set_model_props(network, {"game": "chess", "boards": "5x5-12x10"})
    onnx.save(network, file)
    return file


def other_game(file: Path) -> Path:
    """A fixed board of Wallwars, whose metadata says that it is for Hive."""
    residual(file, Shape(5, 5))
    network = onnx.load(file)
    onnx.helper.set_model_props(network, {"game": "hive"})
    onnx.save(network, file)
    return file


def smaller_inside(file: Path) -> Path:
    """Declares free sizes, but one of its nodes requires 5x5."""
    linear(file, Shape(), np.zeros((225, 58)), np.zeros(225))
    network = onnx.load(file)
    for number, name in ((2, "columns"), (3, "rows")):
        network.graph.input[0].type.tensor_type.shape.dim[number].dim_param = name
    onnx.helper.set_model_props(network, {"game": "wallwars", "boards": "5x5-8x8"})
    onnx.save(network, file)
    return file


BAD = [
    (
        metadata(None, None),
        "its columns and rows are free, so its metadata has to name game and boards, such",
    ),
    (metadata("wallwars", None), "its columns and rows are free, so its metadata has to name"),
    (metadata("wallwars", "5x5-21x10"), "its metadata: networks do not support 21x10 boards of wallwars"),
    (metadata("hive", "5x5-8x8"), "its metadata: networks do not support 5x5 boards of hive"),
    (unknown_game, "its metadata game: 'chess' is not one of wallwars"),
    (other_game, "its metadata says that it is for hive, but its shapes .* do not fit that game"),
    (smaller_inside, "it does not run: "),
    (
        lambda file: size_agnostic(file, planes=8),
        r"on a 5x5 board of wallwars its shapes are \[batch, 8, 5, 5\] .* where \[batch, 9, 5, 5\] -> \[batch, 58\]",
    ),
    (lambda file: size_agnostic(file, steps=5), r"\[batch, 55\], \[batch, 1\], where .* \[batch, 58\]"),
    (lambda file: size_agnostic(file, values=2), r"\[batch, 58\], \[batch, 2\], where .*\[batch, 1\] are"),
]


@pytest.mark.parametrize(("write", "says"), BAD, ids=[says[:32] for _, says in BAD])
def test_unusable_files_are_refused_in_one_line(
    write: Callable[[Path], Path], says: str, tmp_path: Path
) -> None:
    with pytest.raises(ModelError, match=says) as caught:
        load([write(tmp_path / "net.onnx")])
    assert str(caught.value).startswith(str(tmp_path / "net.onnx"))
    assert "\n" not in str(caught.value)
