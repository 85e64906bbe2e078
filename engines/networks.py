"""The networks of a process: finds and loads the files, and says which games each network fits.

Called by the commands that search. A network that cannot be used ends the start-up: otherwise the weaker native
evaluator would silently take its place.
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
"""The networks that come with Plyhouse; the folder may be empty or missing."""


BENCH_ROWS = 256
LONE_ROWS = 4
"""Rows per call while many sessions search, and while only one does."""


def find(places: Sequence[Path]) -> list[Path]:
    """The ONNX files among ``places``, which may be files or folders; without places, those that come with Plyhouse.

    Raises ModelError if a place contains no ONNX file.
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
    """Loads networks, each to be called by up to ``threads`` threads (default: one per core).

    Raises ModelError if a network or the provider cannot be used.
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
            f"{twice.path}: two networks are called {twice.name}, so evaluations could not be told apart"
        )
    return models


def announce(models: Sequence[Model], provider: Provider) -> list[str]:
    """Start-up lines for the operator: one per network, and one if ``auto`` cannot use a GPU."""
    lines = [
        f"network {model.name} on {model.provider}: {', '.join(fitting(model.signature))}" for model in models
    ]
    return [*lines, *lacking(models, provider)]


def lacking(models: Sequence[Model], provider: Provider) -> list[str]:
    """A line if the runtime was built with CUDA but ``auto`` fell back to the CPU; otherwise nothing."""
    fell_back = provider == "auto" and any(model.provider == "cpu" for model in models) and has_cuda()
    return (
        ["this ONNX Runtime was built with CUDA but cannot use it here: networks run on the CPU"]
        if fell_back
        else []
    )


def fitting(signature: Signature) -> list[str]:
    """The games and variants that a network with these shapes can evaluate, such as ``wallwars classic``."""
    return [name for name, position in _starts(signature) if signature.refusal(position) is None]


def choose(models: Sequence[Model], position: Position) -> Model | None:
    """The smallest network that fits the position's game, or None."""
    by_size = sorted(models, key=lambda model: model.signature.area)
    return next((model for model in by_size if model.signature.refusal(position) is None), None)


def speed(model: Model, rows: int, threads: int, seconds: float = 0.5) -> float:
    """Evaluations per second of ``threads`` threads together, with ``rows`` rows per call."""
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
    """A start position of every listed variant, with the network's board size where the variant allows it."""
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
    """Why a network with these shapes fits no game."""
    reasons = {signature.refusal(position) for _, position in _starts(signature)}
    shown = "; ".join(sorted(reason for reason in reasons if reason))
    return f"its shapes {signature} fit no game: {shown}"
