"""The networks that a process is given: finds the files, loads them, and says which games each of them fits.

Called by the commands that think. A network that cannot be used ends the start: nobody should find out in the middle
of a game that the weak evaluator answers.
"""

import os
import threading
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np

from engines import Position, RuleError, games
from engines.inference import Model, ModelError, Signature
from engines.onnx_model import OnnxModel
from engines.onnx_runtime import Provider, check_provider, has_cuda

SHIPPED = Path(__file__).parent / "models"
"""The folder of the networks that come with Plyhouse; it may be empty or absent."""


BENCH_ROWS = 256
LONE_ROWS = 4
"""Rows of a call where many sessions search, and where one does."""


def find(places: Sequence[Path]) -> list[Path]:
    """The ONNX files in folders and among files; without places: those that come with Plyhouse.

    ModelError: there is nothing at one of the places.
    """
    if not places:
        return sorted(SHIPPED.glob("*.onnx"))
    found: list[Path] = []
    for place in places:
        files = sorted(place.glob("*.onnx")) if place.is_dir() else [place]
        if not files or not files[0].is_file():
            raise ModelError(f"{place}: there is no ONNX file")
        found += files
    return found


def load(files: Sequence[Path], provider: Provider = "auto", threads: int | None = None) -> list[OnnxModel]:
    """Loads networks, each for calls by ``threads`` (default: one per core).

    ModelError: one of them, or the provider, cannot be used.
    """
    check_provider(provider)
    models = [OnnxModel(file, provider, threads or os.cpu_count() or 1) for file in files]
    for model in models:
        if not fitting(model.signature):
            raise ModelError(f"{model.path}: {_reason(model.signature)}")
    names = [model.name for model in models]
    twice = next((model for model in models if names.count(model.name) > 1), None)
    if twice is not None:
        raise ModelError(
            f"{twice.path}: two networks are called {twice.name}, so nobody could tell who answered"
        )
    return models


def announce(models: Sequence[Model], provider: Provider) -> list[str]:
    """What an operator should know of networks: a line each, and one where ``auto`` finds no GPU."""
    lines = [
        f"network {model.name} on {model.provider}: {', '.join(fitting(model.signature))}" for model in models
    ]
    return [*lines, *lacking(models, provider)]


def lacking(models: Sequence[Model], provider: Provider) -> list[str]:
    """A line where ``auto`` has to do without the GPU that the runtime was built for."""
    fell_back = provider == "auto" and any(model.provider == "cpu" for model in models) and has_cuda()
    return (
        ["this ONNX Runtime knows CUDA but cannot use it here: networks compute on the CPU"]
        if fell_back
        else []
    )


def fitting(signature: Signature) -> list[str]:
    """The games and variants that a network of these shapes evaluates: ``wallwars classic``."""
    return [name for name, position in _starts(signature) if signature.refusal(position) is None]


def choose(models: Sequence[Model], position: Position) -> Model | None:
    """The smallest network that fits a position's game."""
    by_size = sorted(models, key=lambda model: model.signature.area)
    return next((model for model in by_size if model.signature.refusal(position) is None), None)


def speed(model: Model, rows: int, threads: int, seconds: float = 0.5) -> float:
    """Evaluations a second that so many threads together reach with calls of ``rows`` rows."""
    shape = model.signature
    planes = np.zeros((model.capacity(rows), shape.planes, shape.dim2, shape.dim3), np.float32)
    rows = min(rows, len(planes))
    model.evaluate(planes, rows)
    ends = time.monotonic() + seconds
    together = threading.Barrier(threads)

    def work(_: int) -> int:
        together.wait()
        calls = 0
        while time.monotonic() < ends:
            model.evaluate(planes, rows)
            calls += 1
        return calls

    began = time.monotonic()
    with ThreadPoolExecutor(threads) as executor:
        calls = sum(executor.map(work, range(threads)))
    return calls * rows / (time.monotonic() - began)


def _starts(signature: Signature) -> list[tuple[str, Position]]:
    """A start of every variant, on a board of the network's size where the variant has sizes."""
    starts = []
    for game in games():
        for variant in game.variants if game.listed else ():
            for config in ({"boardWidth": signature.dim2, "boardHeight": signature.dim3}, None):
                try:
                    starts.append((f"{game.name} {variant}", Position(game.name, variant, config)))
                except RuleError:
                    continue
                break
    return starts


def _reason(signature: Signature) -> str:
    """Why a network of these shapes fits no game."""
    reasons = {signature.refusal(position) for _, position in _starts(signature)}
    shown = "; ".join(sorted(reason for reason in reasons if reason))
    return f"its shapes {signature} fit no game: {shown}"
