"""A training run: generations of self-play, fitting, export and matches, in a folder from which it can go on.

The first generations are played by the native evaluator's search, which is fast and already plays well; later ones by
the latest network. The folder has:

* ``log.jsonl``: a line for each generation: games, examples, losses, matches, seconds;
* ``examples/``: the latest examples;
* ``networks/``: the network of each generation as an ONNX file; ``0000`` has random weights;
* ``network.onnx`` and ``network-int8.onnx``: the last network, in floating point and in integers;
* ``progress.svg``: losses and Elo by generation;
* ``checkpoint.pt``: the weights, the optimiser with its random state, and the log after the latest generation.
"""

import json
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from functools import partial
from pathlib import Path
from shutil import copyfile
from typing import Any

import torch

from engines.arena import Contender
from engines.inference import Model
from engines.model_metadata import BoardRange, ModelMetadata
from engines.processor_cores import usable_cores
from engines.training import ladder
from engines.training.backend import LocalBackend, TrainingBackend
from engines.training.examples import Examples, Window
from engines.training.export import export
from engines.training.fit import Permutations
from engines.training.ladder import NATIVE, LadderResult, NetworkBot
from engines.training.network import SIZES, Heads, Network
from engines.training.plots import plot
from engines.training.producer import ExampleProducer
from engines.training.quantise import quantise
from engines.training.self_play_engines import NetworkEngines, TeacherEngines
from engines.training.settings import RunSettings

NATIVE_PLAYER = -1
"""The native evaluator, where others are called by the number of their generation."""

TAUGHT_TOGETHER = 2
"""Games of the teacher that a thread plays at the same time."""

FALLS_FROM = 0.6
"""The share of the run from which on the learning rate falls, in a straight line."""

LOWEST_RATE = 0.03


@dataclass(frozen=True)
class Generation:
    """What happened in one generation."""

    number: int
    played_by: str
    games: int
    examples: int
    steps: int
    policy_loss: float
    value_loss: float
    results: list[dict[str, Any]]
    seconds: dict[str, float]


class Run:
    """A run in a folder."""

    def __init__(
        self,
        folder: Path,
        settings: RunSettings,
        say: Callable[[str], None],
        watch: Callable[[str, float], None] = lambda phase, done: None,
        backend: TrainingBackend | None = None,
    ) -> None:
        """``say`` gets a line for each generation and match; ``watch`` gets the phase and how much of it is done.

        ``backend``: where the work is done (default: in this process).
        """
        self._folder = folder
        self._settings = settings
        self._say = say
        self._watch = watch
        self._backend: TrainingBackend = backend or LocalBackend(usable_cores())
        self._layouts = [board.layout for board in settings.boards]
        self._heads = Heads.of(self._layouts[0])
        torch.manual_seed(settings.seed)
        network = Network(self._heads, SIZES[settings.size])
        self._trainer = self._backend.trainer(network, settings.fit, settings.seed)
        self._window = Window(settings.window_bytes)
        self._unlearnt = 0
        """Examples that the network has not been fitted to."""
        self._log: list[Generation] = []
        self._spent = 0.0
        self._producer: ExampleProducer | None = None
        self._is_taught = False
        """Whether the teacher plays the games in progress; a network cannot go on with them."""
        self._models: dict[Path, Model] = {}
        for name in ("examples", "networks"):
            (folder / name).mkdir(parents=True, exist_ok=True)
        self._resume()

    @property
    def network_file(self) -> Path:
        """The latest network."""
        return self._network_file(len(self._log))

    def train(self) -> list[LadderResult]:
        """Runs until the time is over; returns the last network's results against the first one and against native."""
        if not self._network_file(0).exists():
            self._export()
        total = self._settings.minutes * 60
        while self._spent < total:
            began = time.monotonic()
            self._generation(self._spent / total, min(self._settings.generation_seconds, total - self._spent))
            self._spent += time.monotonic() - began
            self._keep()
        return self._finish()

    def _generation(self, progress: float, seconds: float) -> None:
        marks = [time.monotonic()]
        taught = progress < self._settings.teacher_share
        played_by = self._settings.teacher if taught else self.network_file.stem
        number = len(self._log) + 1
        games, parts = self._produce(seconds / 2, taught=taught)
        marks.append(time.monotonic())
        for index, part in enumerate(parts):  # several variants may have boards of the same size
            columns, rows = part.planes.shape[2:]
            part.save(self._folder / "examples" / f"{number:04}-{index}-{columns}x{rows}.npz")
        fresh = sum(map(len, parts))
        self._window.add(parts)
        self._unlearnt += fresh
        steps = int(self._unlearnt * self._settings.passes / self._settings.fit.batch)
        watch = partial(self._watch, "fitting")
        losses = self._trainer.fit(self._window.parts, self._symmetries, steps, _rate(progress), watch)
        self._unlearnt = 0
        marks.append(time.monotonic())
        self._log.append(
            Generation(number, played_by, games, fresh, steps, losses.policy, losses.value, [], {})
        )
        self._export()
        settings = self._settings
        result = self._match(number, number - 1, settings.match_games, settings.match_samples)
        marks.append(time.monotonic())
        names = ("selfPlay", "fit", "match")
        spent = {
            name: round(end - start, 1) for name, start, end in zip(names, marks, marks[1:], strict=False)
        }
        self._log[-1] = replace(self._log[-1], results=[asdict(result)], seconds=spent)
        self._say(
            f"generation {number}: {games} games by {played_by}, {fresh:,} examples, {steps} steps, "
            f"loss {losses.policy:.3f} + {losses.value:.3f}; {result}"
        )

    def _produce(self, seconds: float, *, taught: bool) -> tuple[int, list[Examples]]:
        settings = self._settings
        play = settings.teacher_play if taught else settings.network_play
        if self._producer is None or self._is_taught != taught:
            self._is_taught = taught
            together = TAUGHT_TOGETHER if taught else self._together()
            seed = settings.seed + len(self._log)
            self._producer = self._backend.producer(settings.boards, play, seed, together)
        engines = TeacherEngines(settings.teacher) if taught else self._network_engines()
        watch = partial(self._watch, "self-play")
        return self._producer.produce(engines, seconds, watch, settings.player_games)

    def _network_engines(self) -> NetworkEngines:
        """Self-play by the latest network."""
        file = self.network_file
        if self._settings.plays_in_integers and self._window.parts:
            file = file.with_stem(f"{file.stem}-int8")
            if not file.exists():
                quantise(self.network_file, self._window.by_size(), file)
        return NetworkEngines(self._loaded(file), self._together())

    def _together(self) -> int:
        """How many searches fill a batch."""
        return self._backend.together(self._model(0))

    def _symmetries(self, examples: Examples) -> Permutations:
        shape = examples.planes.shape[1:]
        layout = next(each for each in self._layouts if (each.planes, each.dim2, each.dim3) == shape)
        return layout.symmetries

    def _match(self, one: int, other: int, games: int, samples: int) -> LadderResult:
        """Plays the networks of two generations against each other; -1 is the native evaluator."""
        boards = sorted(self._settings.boards, key=lambda board: -board.weight)[:2]
        contenders = [self._contender(number) for number in (one, other)]
        seed = self._settings.seed + one
        return ladder.play(contenders[0], contenders[1], boards, games, samples, seed, self._backend.executor)

    def _contender(self, number: int) -> Contender:
        if number == NATIVE_PLAYER:
            return NATIVE
        return NetworkBot(self._model(number))

    def _finish(self) -> list[LadderResult]:
        """Writes the network in floating point and in integers, and plays the final matches."""
        last = len(self._log)
        settings = self._settings
        copyfile(self._network_file(last), self._folder / "network.onnx")
        quantise(self._network_file(last), self._window.by_size(), self._folder / "network-int8.onnx")
        results = []
        for other in (0, NATIVE_PLAYER):
            results.append(self._match(last, other, settings.final_games, settings.final_samples))
            self._say(f"final match, {settings.final_samples} simulations for each action: {results[-1]}")
        return results

    def _network_file(self, number: int) -> Path:
        return self._folder / "networks" / f"{number:04}.onnx"

    def _export(self) -> None:
        sizes = [(layout.dim2, layout.dim3) for layout in self._layouts]
        least, most = (tuple(each(side) for side in zip(*sizes, strict=True)) for each in (min, max))
        metadata = ModelMetadata(self._settings.boards[0].game, BoardRange(least, most))
        export(self._trainer.averaged, self._network_file(len(self._log)), metadata)

    def _model(self, number: int) -> Model:
        """The network of a generation."""
        return self._loaded(self._network_file(number))

    def _loaded(self, file: Path) -> Model:
        if file not in self._models:
            self._models[file] = self._backend.model(file)
        return self._models[file]

    def _keep(self) -> None:
        """Writes the plot, the checkpoint and the log; a generation is complete when its checkpoint is."""
        matches = [LadderResult(**result) for each in self._log for result in each.results]
        rated = ladder.rate(matches)
        names = [self._network_file(number).stem for number in range(len(self._log) + 1)]
        losses = [(each.policy_loss, each.value_loss) for each in self._log]
        plot(self._folder / "progress.svg", losses, [rated[name] for name in names])
        partial = self._folder / "checkpoint.partial"
        log = [asdict(each) for each in self._log]
        torch.save({"trainer": self._trainer.state(), "spent": self._spent, "log": log}, partial)
        partial.replace(self._folder / "checkpoint.pt")
        (self._folder / "log.jsonl").write_text("".join(json.dumps(each) + "\n" for each in log))

    def _resume(self) -> None:
        """Continues a run that was stopped; a generation that was not complete is done again.

        Examples of its first attempt are removed. Those in the folder of a new run are learnt from in its first
        generation.
        """
        checkpoint = self._folder / "checkpoint.pt"
        if not checkpoint.exists():
            self._load_examples()
            self._unlearnt = len(self._window)
            return
        kept = torch.load(checkpoint, weights_only=True)
        if "log" not in kept:
            raise ValueError(f"{self._folder} holds a run of an older version: begin another one")
        if kept["trainer"]["description"] != self._trainer.state()["description"]:
            raise ValueError(
                f"{self._folder} holds a run of another network: continue it with its game and --size"
            )
        self._log = [Generation(**each) for each in kept["log"]]
        for file in (self._folder / "examples").glob(f"{len(self._log) + 1:04}-*.npz"):
            file.unlink()
        self._load_examples()
        self._trainer.restore(kept["trainer"])
        self._spent = kept["spent"]

    def _load_examples(self) -> None:
        sizes = {(layout.dim2, layout.dim3) for layout in self._layouts}
        for file in sorted((self._folder / "examples").glob("*.npz")):
            examples = Examples.load(file)
            if examples.planes.shape[2:] not in sizes:
                raise ValueError(
                    f"{file} has examples of a board that is not trained: continue with the same boards"
                )
            self._window.add([examples])


def _rate(progress: float) -> float:
    """The learning rate, as a part of the highest one, after this part of the run."""
    left = min(1.0, (1 - progress) / (1 - FALLS_FROM))
    return max(LOWEST_RATE, left)
