"""Where the parts of a training run are: self-play, networks, fitting and matches. Here, or on a Ray cluster."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Protocol

from engines.executors.executor import LocalExecutor, TaskExecutor
from engines.executors.ray_executor import RayExecutor
from engines.inference import Model
from engines.onnx_model import OnnxModel
from engines.training.boards import TrainingBoard
from engines.training.examples import Examples
from engines.training.fit import Losses, Permutations, Trainer
from engines.training.network import Network
from engines.training.producer import ExampleProducer, Producer
from engines.training.ray_self_play import RayProducer
from engines.training.ray_trainer import RayTrainer
from engines.training.self_play import SelfPlayOptions
from engines.training.self_play_engines import PARALLEL
from engines.training.settings import Fit

MOST_ROWS = 512
"""Rows of a batch on a GPU; on a CPU the model chooses fewer."""


class NetworkTrainer(Protocol):
    """Fits a network: ``Trainer``, or one elsewhere."""

    @property
    def averaged(self) -> Network:
        """The network to play with."""

    def state(self) -> dict[str, Any]:
        """Everything that ``restore`` needs to go on as if nothing had happened."""

    def restore(self, state: dict[str, Any]) -> None:
        """Continues from a ``state``."""

    def fit(
        self,
        parts: Sequence[Examples],
        symmetries: Callable[[Examples], Permutations],
        steps: int,
        rate: float = 1.0,
        watch: Callable[[float], None] = lambda done: None,
    ) -> Losses:
        """See ``Trainer.fit``."""


class TrainingBackend(Protocol):
    """Makes the parts of a run."""

    @property
    def executor(self) -> TaskExecutor:
        """What plays matches."""

    def trainer(self, network: Network, settings: Fit, seed: int) -> NetworkTrainer:
        """A trainer of a new network."""

    def producer(
        self, boards: Sequence[TrainingBoard], play: SelfPlayOptions, seed: int, together: int
    ) -> ExampleProducer:
        """Self-play. ``together``: games that a thread or process plays at the same time on each board."""

    def model(self, file: Path) -> Model:
        """A network of the run as self-play and matches use it. Raises ModelError."""

    def together(self, model: Model) -> int:
        """How many searches of one thread or process fill the batches of a network."""


class LocalBackend:
    """Everything in this process."""

    def __init__(self, threads: int) -> None:
        self._threads = threads
        self.executor = LocalExecutor(threads)

    def trainer(self, network: Network, settings: Fit, seed: int) -> Trainer:
        """See ``TrainingBackend``."""
        return Trainer(network, settings, seed)

    def producer(
        self, boards: Sequence[TrainingBoard], play: SelfPlayOptions, seed: int, together: int
    ) -> Producer:
        """See ``TrainingBackend``."""
        return Producer(boards, play, seed, self._threads, together)

    def model(self, file: Path) -> Model:
        """See ``TrainingBackend``."""
        return OnnxModel(file, "auto", self._threads)

    def together(self, model: Model) -> int:
        """See ``TrainingBackend``."""
        return max(1, model.capacity(MOST_ROWS) // PARALLEL)


class RayBackend:
    """Everything but the files of the run in a cluster."""

    def __init__(self, executor: RayExecutor) -> None:
        self._ray = executor.ray
        self.executor = executor

    def trainer(self, network: Network, settings: Fit, seed: int) -> RayTrainer:
        """See ``TrainingBackend``."""
        return RayTrainer(self._ray, network, settings, seed)

    def producer(
        self, boards: Sequence[TrainingBoard], play: SelfPlayOptions, seed: int, together: int
    ) -> RayProducer:
        """See ``TrainingBackend``."""
        return RayProducer(self._ray, boards, play, seed, together)

    def model(self, file: Path) -> Model:
        """See ``TrainingBackend``."""
        return self.executor.networks([OnnxModel(file, "cpu")])[0]

    def together(self, model: Model) -> int:
        """See ``TrainingBackend``: the processes that share a GPU fill its batches together."""
        sharing = max(1, self.executor.slots // model.workers) if self.executor.has_inference else 1
        return max(1, model.capacity(MOST_ROWS) // PARALLEL // sharing)
