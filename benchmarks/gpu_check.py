"""Trains a network on a GPU with PyTorch alone, measures it, and exports it.

Half of the time belongs to self-play by the native evaluator, a quarter to fitting, and a quarter to self-play by the
network. Then the pool searches with the network, and its evaluations per second are compared with those of the network
alone; those answered by the cache do not count. Last, the network is written as an ONNX file; where the export is
unavailable, its weights are written instead, and the exit status is 1.

    tools/gpu_check.sh --minutes 5 --out gpu-check
"""

import argparse
import sys
import time
from functools import cache
from pathlib import Path

import torch

from benchmarks import inference
from engines import Cache
from engines.inference import BoardSignature, Signature
from engines.model_metadata import BoardRange, ModelMetadata
from engines.pool.model_lane import BatchRunner
from engines.processor_cores import usable_cores
from engines.torch_model import TorchModel
from engines.training.boards import TrainingBoard, boards_of
from engines.training.examples import Examples
from engines.training.fit import Trainer
from engines.training.network import SIZES, Answers, Heads, Network
from engines.training.producer import Producer
from engines.training.self_play import BatchedEngine, NativeEngine
from engines.training.self_play_engines import Engines
from engines.training.settings import FIT, NETWORK_PLAY, TEACHER_PLAY

GAME = "wallwars"
BOARDS = BoardRange((5, 5), (12, 10))
ROWS = 256
PARALLEL = 2
CACHED = 100_000
ROUNDS = 5
ROUND_SECONDS = 3.0


def main() -> int:
    """Runs the check; the exit status."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--minutes", type=float, default=5.0)
    parser.add_argument("--size", choices=("small", "medium", "large"), default="large")
    parser.add_argument("--out", type=Path, default=Path("gpu-check"))
    parser.add_argument("--device", default="cuda", help="of PyTorch")
    parser.add_argument("--rows", type=int, default=ROWS, help="rows of a call")
    options = parser.parse_args()
    if options.device == "cuda" and not torch.cuda.is_available():
        return _refuse("PyTorch finds no GPU here (torch.cuda.is_available() is false)")
    options.out.mkdir(parents=True, exist_ok=True)
    boards = boards_of(GAME)
    trainer = Trainer(Network(Heads.of(boards[0].layout), SIZES[options.size]), FIT, 1)
    model = TorchModel(
        options.size, Answers(trainer.averaged).eval(), BoardSignature(GAME, BOARDS), options.device
    )
    check = Check(boards, model, options.rows)
    seconds = options.minutes * 60
    examples = check.taught(seconds / 2)
    symmetries = {(board.layout.dim2, board.layout.dim3): board.layout.symmetries for board in boards}
    began, steps, loss = time.monotonic(), 0, ""
    while time.monotonic() - began < seconds / 4:
        losses = trainer.fit(examples, lambda part: symmetries[part.planes.shape[2:]], 50)
        steps, loss = steps + losses.steps, f"{losses.policy:.3f} + {losses.value:.3f}"
    rate = steps * FIT.batch / (time.monotonic() - began)
    print(f"fitting: {steps} steps, {rate:,.0f} examples/s, loss {loss}", flush=True)
    check.self_play(seconds / 4)
    check.throughput()
    return _write(trainer.averaged, options.out)


class Check:
    """The parts of the check that need no PyTorch of their own."""

    def __init__(self, boards: list[TrainingBoard], model: TorchModel, rows: int) -> None:
        self._boards = boards
        self._model = model
        self._rows = rows

    def taught(self, seconds: float) -> list[Examples]:
        """Self-play by the native evaluator."""
        producer = Producer(self._boards, TEACHER_PLAY, 1, usable_cores(), 2)
        teacher = NativeEngine()
        return _print_play("native", seconds, producer.produce(lambda: lambda board: teacher, seconds))

    def self_play(self, seconds: float) -> None:
        """Self-play by the network."""
        producer = Producer(self._boards, NETWORK_PLAY, 2, self._model.workers, self._rows // PARALLEL)
        _print_play(self._model.name, seconds, producer.produce(self._engines, seconds))

    def _engines(self) -> Engines:
        @cache
        def engine(shape: Signature) -> BatchedEngine:
            return BatchedEngine(BatchRunner(self._model, shape, Cache(CACHED), self._rows, PARALLEL))

        return lambda board: engine(self._model.signature.at(board.start(0)))

    def throughput(self) -> None:
        """The pool's evaluations per second, as a fraction of the network's own."""
        inference.report(self._model, self._rows, ROUNDS, ROUND_SECONDS)


def _print_play(by: str, seconds: float, played: tuple[int, list[Examples]]) -> list[Examples]:
    games, parts = played
    examples = sum(map(len, parts))
    print(
        f"self-play by {by}: {games * 3600 / seconds:,.0f} games/h, {examples * 3600 / seconds:,.0f} examples/h",
        flush=True,
    )
    return parts


def _write(network: Network, folder: Path) -> int:
    """Exports the network, otherwise writes its weights; the exit status."""
    file = folder / "network.onnx"
    try:
        from engines.training.export import export

        export(network, file, ModelMetadata(GAME, BOARDS))
    except Exception as error:  # a missing package, or whatever the exporter of this PyTorch raises
        weights = folder / "weights.pt"
        torch.save({"description": network.describe(), "weights": network.state_dict()}, weights)
        return _refuse(f"ONNX export is unavailable here ({error}): the weights are in {weights}")
    print(f"exported: {file}, {file.stat().st_size:,} bytes")
    return 0


def _refuse(reason: str) -> int:
    print(f"gpu_check: {reason}", file=sys.stderr)
    return 1


if __name__ == "__main__":
    sys.exit(main())
