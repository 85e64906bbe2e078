"""Training with torch: needs the extra ``train``, see ``make test-training``."""

import dataclasses
import json
from pathlib import Path
from shutil import copyfile

import numpy as np
import onnx
import pytest
import torch

from engines import Cache, Position, Search
from engines.model_metadata import BoardRange, ModelMetadata
from engines.onnx_model import OnnxModel
from engines.pool.model_lane import BatchRunner
from engines.training.boards import TrainingBoard, boards_of
from engines.training.examples import Example, Examples
from engines.training.export import export
from engines.training.fit import Trainer
from engines.training.ladder import NATIVE, NetworkBot, play
from engines.training.network import Answers, Heads, Network, Size
from engines.training.quantise import quantise
from engines.training.run import Run
from engines.training.self_play import NativeEngine, SelfPlay, SelfPlayOptions
from engines.training.settings import Fit, RunSettings

pytestmark = pytest.mark.timeout(600)
"""A run takes two minutes on two busy cores."""

TINY = Size(blocks=2, channels=8, hidden=16)
BOARDS = boards_of("wallwars", None, [(5, 5), (6, 5)])
HEADS = Heads.of(BOARDS[0].layout)
JOINT_BOARDS = [*boards_of("pyrat", "tiny", [(7, 5)]), *boards_of("pyrat", "small", [(7, 5)])]
"""Two variants on boards of the same size, whose seats act together."""
METADATA = ModelMetadata("wallwars", BoardRange((5, 5), (6, 5)))
SHORT = SelfPlayOptions(visits=30, brief_visits=8, full_share=0.5)


def examples_of(board: TrainingBoard, games: int = 8) -> Examples:
    table = SelfPlay(board.start, SHORT, 5, 4)
    played: list[list[Example]] = []
    while len(played) < games:
        played += table.step(NativeEngine())
    return Examples.of([example for game in played for example in game])


@pytest.fixture(scope="module")
def examples() -> list[Examples]:
    return [examples_of(BOARDS[0]), examples_of(BOARDS[1])]


def test_a_network_answers_boards_of_every_size() -> None:
    network = Answers(Network(HEADS, TINY)).eval()
    for columns, rows in ((5, 5), (12, 10), (3, 7)):
        priors, values = network(torch.rand(3, HEADS.planes, columns, rows))
        assert priors.shape == (3, 2 * columns * rows + 8)
        torch.testing.assert_close(priors.sum(1), torch.ones(3))
        assert values.shape == (3, 1)
        assert (values.abs() <= 1).all()


def test_a_network_for_seats_that_act_together_has_a_policy_for_each() -> None:
    heads = Heads(planes=4, per_cell=0, others=10, policies=2, values=2, anchors=((0, 1.0), (1, 1.0)))
    priors, values = Answers(Network(heads, TINY)).eval()(torch.rand(3, 4, 5, 6))
    torch.testing.assert_close(priors.view(3, 2, 5).sum(2), torch.ones(3, 2))
    assert values.shape == (3, 2)


def test_outputs_that_look_at_a_marked_cell_change_with_its_place() -> None:
    torch.manual_seed(0)
    network = Network(HEADS, TINY).eval()
    planes = torch.full((2, HEADS.planes, 6, 6), 0.5)
    planes[0, 0, 1, 1] = 0
    planes[1, 0, 4, 2] = 0
    logits, _ = network(planes)
    assert (logits[0, 72:] - logits[1, 72:]).abs().max() > 1e-4


def test_an_exported_network_computes_the_same(tmp_path: Path, examples: list[Examples]) -> None:
    network = Network(HEADS, TINY)
    trainer = Trainer(network, Fit(batch=32), 1)
    trainer.fit(examples, lambda each: [], 20)
    file = tmp_path / "net.onnx"
    export(trainer.averaged, file, METADATA)
    model = OnnxModel(file, "cpu")
    for each in examples:
        planes = each.planes[:40].astype(np.float32)
        priors, values = model.evaluate(planes, 40)
        with torch.no_grad():
            expected = Answers(trainer.averaged).eval()(torch.from_numpy(planes))
        assert np.abs(priors - expected[0].numpy()).max() < 1e-5
        assert np.abs(values - expected[1].numpy()).max() < 1e-5
    assert [each.name for each in tmp_path.iterdir()] == ["net.onnx"]


def test_a_quantised_network_says_nearly_the_same(tmp_path: Path, examples: list[Examples]) -> None:
    trainer = Trainer(Network(HEADS, TINY), Fit(batch=32), 1)
    trainer.fit(examples, lambda each: [], 60)
    export(trainer.averaged, tmp_path / "net.onnx", METADATA)
    quantise(tmp_path / "net.onnx", examples, tmp_path / "net-int8.onnx")
    operators = {node.op_type for node in onnx.load(str(tmp_path / "net-int8.onnx")).graph.node}
    assert "QuantizeLinear" in operators
    exact, rounded = (OnnxModel(tmp_path / f"{name}.onnx", "cpu") for name in ("net", "net-int8"))
    assert rounded.signature == exact.signature
    planes = examples[0].planes[:64].astype(np.float32)
    (priors, values), (rounded_priors, rounded_values) = (
        model.evaluate(planes, 64) for model in (exact, rounded)
    )
    assert np.abs(priors - rounded_priors).sum(1).mean() < 0.3
    assert np.abs(values - rounded_values).mean() < 0.15


def test_fitting_learns_and_mirrors(examples: list[Examples]) -> None:
    trainer = Trainer(Network(HEADS, TINY), Fit(batch=64, warm_up=10), 1)
    before = trainer.measure(examples[0])
    layouts = {each.planes.shape[1:]: board.layout for each, board in zip(examples, BOARDS, strict=False)}
    losses = trainer.fit(examples, lambda each: layouts[each.planes.shape[1:]].symmetries, 300)
    after = trainer.measure(examples[0])
    assert losses.steps == 300
    assert after.policy < before.policy - 0.3
    assert after.value < before.value


def test_fitting_is_repeatable_and_goes_on_after_a_stop(examples: list[Examples]) -> None:
    def fitted(*, pause: bool) -> Trainer:
        torch.manual_seed(3)
        trainer = Trainer(Network(HEADS, TINY), Fit(batch=16), 1)
        trainer.fit(examples, lambda each: [], 6)
        if pause:
            state = trainer.state()
            trainer = Trainer(Network.of_description(state["description"]), Fit(batch=16), 9)
            trainer.restore(state)
        trainer.fit(examples, lambda each: [], 6)
        return trainer

    one, other = (fitted(pause=pause).averaged.state_dict() for pause in (False, True))
    assert all(torch.equal(one[name], other[name]) for name in one)


BRIEF = RunSettings(
    tuple(BOARDS),
    minutes=0.05,
    generation_seconds=6,
    teacher_share=0.01,
    teacher_play=SHORT,
    network_play=SHORT,
    fit=Fit(batch=32),
    match_games=1,
    match_samples=10,
    final_games=2,
    final_samples=10,
)


def test_a_run_trains_stops_and_goes_on(tmp_path: Path) -> None:
    lines: list[str] = []
    results = Run(tmp_path, BRIEF, lines.append).train()
    assert [result.names[1] for result in results] == ["0000", "native"]
    log = [json.loads(line) for line in (tmp_path / "log.jsonl").read_text().splitlines()]
    assert log[0]["played_by"] == "native"
    assert log[0]["examples"] > 0
    networks = sorted(file.name for file in (tmp_path / "networks").iterdir())
    assert {"network.onnx", "network-int8.onnx", "progress.svg"} <= {file.name for file in tmp_path.iterdir()}
    assert networks[: len(log) + 1] == [f"{number:04}.onnx" for number in range(len(log) + 1)]
    longer = dataclasses.replace(BRIEF, minutes=2 * sum(sum(each["seconds"].values()) for each in log) / 60)
    stopped = tmp_path / "examples" / f"{len(log) + 1:04}-9-5x5.npz"
    copyfile(min((tmp_path / "examples").iterdir()), stopped)
    Run(tmp_path, longer, lines.append).train()
    assert not stopped.exists()
    again = [json.loads(line) for line in (tmp_path / "log.jsonl").read_text().splitlines()]
    assert again[: len(log)] == log
    with pytest.raises(ValueError, match="holds a run of another network"):
        Run(tmp_path, dataclasses.replace(longer, size="medium"), lines.append)
    with pytest.raises(ValueError, match="examples of a board that is not trained"):
        Run(tmp_path, dataclasses.replace(longer, boards=tuple(BOARDS[:1])), lines.append)
    assert again[len(log)]["played_by"] == f"{len(log):04}"
    assert len(again) > len(log)


@pytest.fixture(scope="module")
def joint_examples() -> list[Examples]:
    return [examples_of(board, 4) for board in JOINT_BOARDS]


def test_exchanged_seats_are_learnt_with_their_values(joint_examples: list[Examples]) -> None:
    """A network that has seen only the exchanged half of a batch knows the value of the other half."""
    layouts = {
        each.planes.shape[1:]: board.layout for each, board in zip(joint_examples, JOINT_BOARDS, strict=True)
    }
    heads = Heads.of(JOINT_BOARDS[0].layout)
    trainer = Trainer(Network(heads, TINY), Fit(batch=64, warm_up=10, value_weight=4), 1)
    before = [trainer.measure(each) for each in joint_examples]
    trainer.fit(joint_examples, lambda each: layouts[each.planes.shape[1:]].symmetries, 200)
    for each, was in zip(joint_examples, before, strict=True):
        (inputs, policy, values) = next(
            each for each in layouts[each.planes.shape[1:]].symmetries if each[2] == [1, 0]
        )
        exchanged = Examples(
            each.planes.reshape(len(each), -1)[:, inputs].reshape(each.planes.shape),
            each.policy[:, policy],
            each.searched[:, values],
            each.result[:, values],
        )
        for seen in (each, exchanged):
            assert trainer.measure(seen).policy < was.policy - 0.2
            assert trainer.measure(seen).value < was.value


def test_a_run_trains_a_network_for_seats_that_act_together(tmp_path: Path) -> None:
    settings = dataclasses.replace(BRIEF, boards=tuple(JOINT_BOARDS))
    results = Run(tmp_path, settings, lambda line: None).train()
    assert [result.names[1] for result in results] == ["0000", "native"]
    for name in ("network.onnx", "network-int8.onnx"):
        model = OnnxModel(tmp_path / name, "cpu")
        for board in JOINT_BOARDS:
            assert model.signature.refusal(board.start(3)) is None
    assert len(list((tmp_path / "examples").iterdir())) >= len(JOINT_BOARDS), (
        "boards of one size have a file each"
    )


def test_a_network_plays_in_the_arena(tmp_path: Path) -> None:
    export(Network(HEADS, TINY), tmp_path / "net.onnx", METADATA)
    result = play(NetworkBot(OnnxModel(tmp_path / "net.onnx", "cpu")), NATIVE, BOARDS[:1], 2, 10, 1, 1)
    assert result.wins + result.draws + result.losses == 2


def test_a_search_with_a_network_gives_examples(tmp_path: Path) -> None:
    export(Network(HEADS, TINY), tmp_path / "net.onnx", METADATA)
    model = OnnxModel(tmp_path / "net.onnx", "cpu")
    position: Position = BOARDS[0].start(0)
    layout = BOARDS[0].layout
    search = Search(position, "planes", {"noiseFraction": 0.25}, 1)
    runner = BatchRunner(model, model.signature.at(position), Cache(100), 8, 2)
    while search.visits < 50:
        runner.run(search, 50)
    planes = np.zeros((layout.planes, layout.dim2, layout.dim3), np.float32)
    policy = np.zeros(layout.policy, np.float32)
    assert search.example(1, planes, policy) is not None
    assert policy.sum() == pytest.approx(1)
