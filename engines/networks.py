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

from engines.board_starts import starts
from engines.inference import BoardSignature, Model, ModelError, Signature
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

    Raises ModelError if a network or the provider cannot be used, or a card is not that of its network.
    """
    check_provider(provider)
    _check_cards(files)
    models = [OnnxModel(file, provider, threads or os.cpu_count() or 1) for file in files]
    names = [model.name for model in models]
    twice = next((model for model in models if names.count(model.name) > 1), None)
    if twice is not None:
        raise ModelError(
            f"{twice.path}: two networks are called {twice.name}, so evaluations could not be told apart"
        )
    return models


def _check_cards(files: Sequence[Path]) -> None:
    """Raises ModelError if a card is invalid, or not that of its network."""
    for file in files:
        if file.with_suffix(".json").is_file():
            from engines.model_card import read_card  # it takes 0.1 s to import, and few networks have cards

            read_card(file)


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


def fitting(signature: Signature | BoardSignature) -> list[str]:
    """The games and variants that a network with these shapes can evaluate, such as ``wallwars classic``."""
    size = (
        signature.boards.most if isinstance(signature, BoardSignature) else (signature.dim2, signature.dim3)
    )
    return [f"{each.game} {each.variant}" for each in starts(size) if signature.refusal(each) is None]


def speed(model: Model, shape: Signature, rows: int, threads: int, seconds: float = 0.5) -> float:
    """Evaluations per second of ``threads`` threads together, with ``rows`` rows of this shape per call."""
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
