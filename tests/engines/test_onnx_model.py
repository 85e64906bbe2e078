"""Networks of every signature load and play; errors about other files are one line."""

import re
from collections.abc import Callable, Iterator
from itertools import product
from pathlib import Path

import numpy as np
import onnx
import pytest

from engines import Evaluation, Position, networks
from engines.inference import ModelError, Signature, choose
from engines.networks import announce, find, load
from engines.onnx_model import OnnxModel, cpu_rows
from engines.onnx_runners import BoundRunner, PlainRunner, Tensors, gpu_rows, gpu_sizes
from engines.onnx_runtime import CPU, CUDA, cuda_fault, cuda_options, open_session
from engines.pool import EnginePool, Limits
from tests.engines.uniform_model import UniformModel
from tools.networks import Names, Shape, linear, residual, size_agnostic

SIGNATURES = [
    Shape(columns, rows, planes, steps, batch)
    for (columns, rows), planes, steps, batch in product(((8, 8), (12, 10)), (8, 9), (4, 8), (None, 7))
]


def board(variant: str = "standard", size: tuple[int, int] = (5, 5), *moves: str) -> Position:
    width, height = size
    position = Position("wallwars", variant, {"boardWidth": width, "boardHeight": height})
    position.play(*moves)
    return position


def play(pool: EnginePool, position: Position) -> set[str]:
    """Plays a game to its end, or some plies of it; returns the sources of the evaluations."""
    sources = set()
    pool.open("game", position.copy())
    while position.to_act and position.ply < 16:
        evaluation = pool.evaluate("game", limits=Limits(24)).future.result(30)
        sources.add(evaluation.source)
        position.play(evaluation.best_move)
        pool.advance("game", evaluation.best_move)
    pool.close("game")
    return sources


def test_one_simulation_gives_the_likeliest_move(tmp_path: Path) -> None:
    pool = EnginePool(models=load([residual(tmp_path / "net.onnx", Shape(5, 5))]), threads=1)
    try:
        pool.open("game", board())
        board().play(pool.evaluate("game", limits=Limits(1)).future.result(30).best_move)
    finally:
        pool.stop()


@pytest.mark.parametrize("shape", SIGNATURES, ids=str)
def test_every_signature_loads_and_plays(shape: Shape, tmp_path: Path) -> None:
    (model,) = load([residual(tmp_path / "net.onnx", shape)])
    assert model.provider in ("cpu", "cuda")
    assert model.batch == shape.batch
    assert model.signature == Signature(shape.planes, shape.columns, shape.rows, shape.policy)
    pool = EnginePool(models=[model], threads=1)
    try:
        for variant in ("classic", "standard"):
            knows = variant == "classic" or shape.steps == 8
            for size in ((3, 3), (shape.columns, shape.rows)):
                assert play(pool, board(variant, size)) == {"net" if knows else "native"}
    finally:
        pool.stop()


def evaluations(pool: EnginePool, positions: list[Position], samples: int = 80) -> list[object]:
    """The evaluations of all positions, requested at once."""
    for number, position in enumerate(positions):
        pool.open(str(number), position)
    jobs = [pool.evaluate(str(number), limits=Limits(samples), lines=5) for number in range(len(positions))]
    return [summary(job.future.result(60)) for job in jobs]


def summary(evaluation: Evaluation) -> tuple[object, ...]:
    lines = [(line.move, line.visits, line.value) for line in evaluation.lines]
    return evaluation.best_move, evaluation.values, evaluation.samples, lines


def test_a_network_session_plays_the_same_with_other_sessions(tmp_path: Path) -> None:
    file = residual(tmp_path / "net.onnx", Shape(8, 8))
    walls = [action for action in board(size=(8, 8)).legal_actions() if action[0] in "^>"][:12]
    positions = [board("standard", (8, 8), wall) for wall in walls]

    def ask(asked: list[Position], batch_size: int, cache_size: int) -> list[object]:
        pool = EnginePool(
            models=load([file], threads=2), threads=1, batch_size=batch_size, cache_size=cache_size
        )
        try:
            return evaluations(pool, asked)
        finally:
            pool.stop()

    together = ask(positions, 256, 100_000)
    for number in (0, 5, 11):
        assert ask([positions[number]], 4, 0) == [together[number]]


def test_a_fixed_batch_size_and_other_names_change_nothing(tmp_path: Path) -> None:
    names = Names("x", "p", "v")
    free = OnnxModel(residual(tmp_path / "free.onnx", Shape(5, 5), seed=3))
    fixed = OnnxModel(residual(tmp_path / "fixed.onnx", Shape(5, 5, batch=12), seed=3, names=names))
    planes = np.random.default_rng(1).random((12, 9, 5, 5), dtype=np.float32)
    for rows in (1, 5, 12):
        for one, other in zip(free.evaluate(planes, rows), fixed.evaluate(planes, rows), strict=True):
            assert one.shape[0] == rows
            assert np.array_equal(one, other)


def test_half_precision_is_nearly_the_same(tmp_path: Path) -> None:
    rng = np.random.default_rng(2)
    priors, values = rng.normal(0, 0.1, (225, 58)), rng.normal(0, 0.1, 225)
    full = OnnxModel(linear(tmp_path / "full.onnx", Shape(), priors, values))
    half = OnnxModel(linear(tmp_path / "half.onnx", Shape(), priors, values, half=True))
    planes = rng.random((3, 9, 5, 5), dtype=np.float32)
    for one, other in zip(full.evaluate(planes, 3), half.evaluate(planes, 3), strict=True):
        assert other.dtype == np.float32
        assert np.allclose(one, other, atol=0.01)


def test_tensors_kept_on_a_device_give_the_same_results(tmp_path: Path) -> None:
    session = open_session(size_agnostic(tmp_path / "net.onnx"), "cpu")
    tensors = Tensors("States", "Priors", "Values", np.float32)
    plain, bound = PlainRunner(session, tensors), BoundRunner(session, tensors, "cpu")
    rng = np.random.default_rng(0)
    for rows, size in ((8, 5), (3, 8), (8, 5), (20, 5), *((1, side) for side in range(3, 13))):
        planes = rng.random((20, 9, size, size), dtype=np.float32)
        for one, other in zip(plain.run(planes, rows), bound.run(planes, rows), strict=True):
            assert np.array_equal(one[:rows], other[:rows])


def test_slow_networks_get_fewer_rows_on_a_cpu() -> None:
    assert [cpu_rows(1e-3 * row_ms) for row_ms in (0.01, 0.3125, 1, 2, 100)] == [64, 64, 20, 10, 8]


def test_a_gpu_sees_few_shapes() -> None:
    assert [gpu_rows(rows, 256) for rows in (1, 8, 9, 17, 100, 129, 256)] == [8, 8, 16, 32, 128, 256, 256]
    for capacity in (1, 8, 100, 256):
        assert sorted({gpu_rows(rows, capacity) for rows in range(1, capacity + 1)}) == gpu_sizes(capacity)
    assert gpu_sizes(100) == [8, 16, 32, 64, 100]


@pytest.mark.parametrize(
    ("planes", "steps", "variant", "size", "fits"),
    [
        (9, 8, "standard", (8, 8), True),
        (8, 8, "standard", (8, 8), True),
        (9, 4, "standard", (8, 8), False),
        (8, 4, "classic", (8, 8), True),
        (9, 8, "classic", (5, 7), True),
        (9, 8, "standard", (9, 3), False),
        (9, 8, "survival", (8, 8), False),
        (7, 8, "standard", (8, 8), False),
    ],
)
def test_which_network_serves_which_game(
    planes: int, steps: int, variant: str, size: tuple[int, int], *, fits: bool
) -> None:
    model = UniformModel(Signature(planes, 8, 8, 128 + steps))
    assert (choose([model], board(variant, size)) is model) is fits


def test_homes_outside_the_corners_need_the_native_evaluator() -> None:
    state = {
        "pawns": {"p1": {"cat": [0, 0], "home": [2, 3]}, "p2": {"cat": [0, 4], "home": [4, 0]}},
        "walls": [],
    }
    config = {"boardWidth": 5, "boardHeight": 5, "initialState": state}
    position = Position("wallwars", "classic", config)
    larger, equal = (UniformModel(Signature(9, side, side, 2 * side * side + 8)) for side in (8, 5))
    assert choose([larger], position) is None
    assert choose([larger, equal], position) is equal, "without padding homes may be anywhere"


def test_the_smallest_network_is_chosen() -> None:
    sizes = ((12, 10), (5, 5), (8, 8))
    models = [UniformModel(Signature(9, width, height, 2 * width * height + 8)) for width, height in sizes]
    assert choose(models, board(size=(5, 5))) is models[1]
    assert choose(models, board(size=(5, 6))) is models[2]
    assert choose(models, board(size=(13, 3))) is None


def test_among_networks_of_equal_size_the_first_is_chosen() -> None:
    models = [UniformModel(Signature(planes, 8, 8, 136)) for planes in (9, 8, 9)]
    for order in (models, models[::-1]):
        assert choose(order, board(size=(5, 5))) is order[0]


def test_weights_may_be_in_a_second_file(tmp_path: Path) -> None:
    whole = residual(tmp_path / "whole.onnx", Shape(5, 5))
    split, data = tmp_path / "split.onnx", tmp_path / "split.onnx.data"
    onnx.save_model(onnx.load(whole), split, save_as_external_data=True, location=data.name, size_threshold=0)
    planes = np.ones((1, 9, 5, 5), dtype=np.float32)
    answers = [OnnxModel(path).evaluate(planes, 1) for path in (whole, split)]
    for one, other in zip(*answers, strict=True):
        assert np.array_equal(one, other)
    data.unlink()
    with pytest.raises(ModelError, match=r"split\.onnx: it cannot be read .* does not exist"):
        OnnxModel(split)


def test_files_are_found_in_folders_and_by_name(tmp_path: Path) -> None:
    one, two = (residual(tmp_path / f"{name}.onnx", Shape(3, 3)) for name in ("one", "two"))
    (tmp_path / "notes.txt").write_text("not a network")
    assert find([tmp_path]) == [one, two]
    assert find([two]) == [two]
    (tmp_path / "empty").mkdir()
    for place in ("empty", "nowhere", "three.onnx"):
        with pytest.raises(ModelError, match=f"{place}: there is no ONNX file"):
            find([tmp_path / place])
    with pytest.raises(ModelError, match="two networks are called one"):
        load([one, one])


def test_without_places_only_shipped_networks_are_used(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(networks, "SHIPPED", tmp_path / "absent")
    assert find([]) == []
    (tmp_path / "absent").mkdir()
    assert find([]) == []


def test_a_gpu_does_not_round_the_products_of_a_network_of_8_bits(tmp_path: Path) -> None:
    (shipped,) = networks.find([])
    assert cuda_options(shipped)["use_tf32"] == "0"
    assert "use_tf32" not in cuda_options(residual(tmp_path / "net.onnx", Shape(8, 8)))


def test_cuda_is_never_silently_replaced(tmp_path: Path) -> None:
    import onnxruntime

    if "CUDAExecutionProvider" in onnxruntime.get_available_providers():
        pytest.skip("this ONNX Runtime knows CUDA")
    file = residual(tmp_path / "net.onnx", Shape(3, 3))
    with pytest.raises(ModelError, match="CUDA was asked for, but this ONNX Runtime has none"):
        load([file], "cuda")
    with pytest.raises(ModelError, match="CUDA was asked for"):
        load([], "cuda")
    assert load([file], "auto")[0].provider == "cpu"


@pytest.mark.filterwarnings("ignore:Specified provider:UserWarning")
def test_auto_says_once_why_it_cannot_use_the_gpu(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    import onnxruntime

    if CUDA in onnxruntime.get_available_providers():
        pytest.skip("this ONNX Runtime knows CUDA")
    file = residual(tmp_path / "net.onnx", Shape(3, 3))
    said = ["network net on cpu: wallwars standard, wallwars classic"]
    assert announce(load([file], "auto"), "auto") == said
    monkeypatch.setattr(onnxruntime, "get_available_providers", lambda: [CUDA, CPU])
    models = load([file], "auto")
    assert announce(models, "auto") == announce(models, "cpu") == said
    fault = cuda_fault()
    assert [(record.levelname, record.getMessage()) for record in caplog.records] == [
        ("WARNING", f"networks run on the CPU: this ONNX Runtime has CUDA, but {fault}")
    ]
    with pytest.raises(
        ModelError, match=re.escape(f"CUDA was asked for, but it cannot be used here: {fault}")
    ):
        load([file], "cuda")


def test_a_missing_driver_is_named() -> None:
    assert cuda_fault("libnothing.so.1") == "there is no NVIDIA driver (libnothing.so.1)"
    assert cuda_fault("libc.so.6") == "there is no NVIDIA driver (libc.so.6)"


def test_two_runtimes_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for package in ("onnxruntime", "onnxruntime_gpu"):
        (tmp_path / f"{package}-1.31.0.dist-info").mkdir()
        name = package.replace("_", "-")
        metadata = f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.31.0\n"
        (tmp_path / f"{package}-1.31.0.dist-info" / "METADATA").write_text(metadata)
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(ModelError, match="onnxruntime and onnxruntime-gpu are both installed and break each"):
        load([residual(tmp_path / "net.onnx", Shape(3, 3))])


def good(folder: Path) -> Path:
    return residual(folder / "net.onnx", Shape(5, 5))


def text(folder: Path) -> Path:
    file = folder / "net.onnx"
    file.write_text("this is not a network\n")
    return file


def truncated(folder: Path) -> Path:
    file = good(folder)
    file.write_bytes(file.read_bytes()[:-2000])
    return file


def reshaped(change: Callable[[onnx.TensorShapeProto], None]) -> Callable[[Path], Path]:
    """A network with another input shape."""

    def write(folder: Path) -> Path:
        file = linear(folder / "net.onnx", Shape(), np.zeros((225, 58)), np.zeros(225))
        network = onnx.load(file)
        change(network.graph.input[0].type.tensor_type.shape)
        onnx.save(network, file)
        return file

    return write


def of_the_future(folder: Path) -> Path:
    file = good(folder)
    network = onnx.load(file)
    network.opset_import[0].version = 99
    onnx.save(network, file)
    return file


def flat(shape: onnx.TensorShapeProto) -> None:
    del shape.dim[2:]
    shape.dim[1].dim_value = 225


def half_free(shape: onnx.TensorShapeProto) -> None:
    shape.dim[2].dim_param = "columns"


def free(shape: onnx.TensorShapeProto) -> None:
    for number, name in ((2, "columns"), (3, "rows")):
        shape.dim[number].dim_param = name


def wrong_size(shape: onnx.TensorShapeProto) -> None:
    shape.dim[3].dim_value = 6


def secretly_fixed(folder: Path) -> Path:
    """Declares a free batch size, but one of its nodes requires 256 rows."""
    file = linear(folder / "net.onnx", Shape(), np.zeros((225, 58)), np.zeros(225))
    network = onnx.load(file)
    network.graph.initializer.append(onnx.numpy_helper.from_array(np.array([256, 225]), "rows"))
    flatten = network.graph.node[0]
    flatten.op_type = "Reshape"
    flatten.input.append("rows")
    onnx.save(network, file)
    return file


def wrong_policy(folder: Path) -> Path:
    return linear(folder / "net.onnx", Shape(steps=5), np.zeros((225, 55)), np.zeros(225))


def wrong_planes(folder: Path) -> Path:
    return residual(folder / "net.onnx", Shape(planes=10))


def wide_value(folder: Path) -> Path:
    return linear(folder / "net.onnx", Shape(), np.zeros((225, 58)), np.zeros((225, 2)))


def logits(folder: Path) -> Path:
    priors = np.random.default_rng(0).normal(0, 1, (225, 58))
    return linear(folder / "net.onnx", Shape(), priors, np.zeros(225), softmax=False)


def infinite(folder: Path) -> Path:
    return linear(folder / "net.onnx", Shape(), np.full((225, 58), np.nan), np.zeros(225))


BAD = [
    (text, "cannot be read as an ONNX network: .*parsing failed"),
    (truncated, "cannot be read as an ONNX network"),
    (of_the_future, "cannot be read as an ONNX network: .* opset"),
    (reshaped(flat), r"input States has the shape \[batch, 225\], where \[batch, planes, columns, rows\]"),
    (reshaped(half_free), r"has the shape \[batch, 9, columns, 5\], where .* both fixed or both free"),
    (
        reshaped(free),
        "columns and rows are free, so its metadata has to name game and boards",
    ),
    (reshaped(wrong_size), "cannot be read as an ONNX network: .*Incompatible dimensions"),
    (secretly_fixed, "it does not run: .*Reshape"),
    (
        wrong_policy,
        r"\[batch, 9, 5, 5\] -> \[batch, 55\].* fit no game: .*a policy of 55 is not 50 walls and",
    ),
    (wrong_planes, r"\[batch, 10, 5, 5\].* fit no game: 10 planes .* are not 8 or 9"),
    (
        wide_value,
        r"shapes \[batch, 9, 5, 5\] -> \[batch, 58\], \[batch, 2\] fit no game: .* 2 values are not 8 or 9 and 1",
    ),
    (infinite, "answers NaN"),
    (logits, "priors hold negative numbers"),
]


@pytest.mark.parametrize(("write", "says"), BAD, ids=[says[:24] for _, says in BAD])
def test_errors_about_files_are_one_line(write: Callable[[Path], Path], says: str, tmp_path: Path) -> None:
    with pytest.raises(ModelError, match=says) as caught:
        load([write(tmp_path)])
    assert str(caught.value).startswith(str(tmp_path / "net.onnx"))
    assert "\n" not in str(caught.value)


@pytest.fixture
def sick(tmp_path: Path) -> Iterator[EnginePool]:
    """A pool with a network that returns NaN for some positions: those with walls in the last column."""
    priors = np.zeros((9, 5, 5, 58))
    priors[4, 4, :2], priors[4, 2, :2] = 3e38, -3e38
    file = linear(tmp_path / "sick.onnx", Shape(), priors.reshape(225, 58), np.zeros(225))
    pool = EnginePool(models=load([file]), threads=1)
    yield pool
    pool.stop()


def test_nan_fails_the_evaluation(sick: EnginePool) -> None:
    sick.open("a", board())
    job = sick.evaluate("a", limits=Limits(5))
    with pytest.raises(ModelError, match="model sick: priors or values are NaN or infinite"):
        job.future.result(10)
