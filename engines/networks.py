"""The networks of a process: finds and loads the files, and says which games each network fits.

Called by the commands that search. A network that cannot be used ends the start-up: otherwise the weaker native
evaluator would silently take its place. Only where nobody asked for a network and there is no ONNX Runtime to run those
that come with Plyhouse, a warning is enough.
"""

import logging
import threading
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np

from engines.board_starts import starts
from engines.card_facts import read_calibrations
from engines.inference import BoardSignature, Model, ModelError, Signature
from engines.onnx_model import OnnxModel
from engines.onnx_runtime import Provider, RuntimeUnusable, check_provider, cuda_fault, has_cuda
from engines.processor_cores import usable_cores

SHIPPED = Path(__file__).parent / "models"
"""The networks that come with Plyhouse."""

NONE = Path("none")
"""As the only place: no networks, not even those that come with Plyhouse."""

BENCH_ROWS = 256
LONE_ROWS = 4
"""Rows per call while many sessions search, and while only one does."""

log = logging.getLogger(__name__)


def find(places: Sequence[Path]) -> list[Path]:
    """The ONNX files among ``places``, which may be files or folders; without places, those that come with Plyhouse.

    Raises ModelError if a place contains no ONNX file, or if ``NONE`` is not the only place.
    """
    if NONE in places:
        if any(place != NONE for place in places):
            raise ModelError(f"'{NONE}' means no network: give no other ones with it")
        return []
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
    cards = [read_calibrations(file) for file in files]
    workers = threads or usable_cores()
    models = [
        OnnxModel(file, provider, workers, calibrations)
        for file, calibrations in zip(files, cards, strict=True)
    ]
    names = [model.name for model in models]
    twice = next((model for model in models if names.count(model.name) > 1), None)
    if twice is not None:
        raise ModelError(
            f"{twice.path}: two networks are called {twice.name}, so evaluations could not be told apart"
        )
    return models


def load_available(
    places: Sequence[Path], provider: Provider = "auto", threads: int | None = None
) -> list[OnnxModel]:
    """Finds and loads networks.

    If nobody asked for networks, nor for a GPU, and ONNX Runtime cannot be used, logs a warning and returns an empty
    list. Raises ModelError as ``find`` and ``load``.
    """
    try:
        return load(find(places), provider, threads)
    except RuntimeUnusable as error:
        if places or provider == "cuda":
            raise
        log.warning("playing without the networks that come with Plyhouse: %s", error)
        return []


def announce(models: Sequence[Model], provider: Provider) -> list[str]:
    """Start-up lines for the operator, one per network. Logs a warning if ``auto`` cannot use a GPU."""
    for line in lacking(models, provider):
        log.warning("%s", line)
    return [
        f"network {model.name} on {model.provider}: {', '.join(fitting(model.signature))}" for model in models
    ]


def lacking(models: Sequence[Model], provider: Provider) -> list[str]:
    """A line if the runtime was built with CUDA but ``auto`` fell back to the CPU; otherwise nothing."""
    fell_back = provider == "auto" and any(model.provider == "cpu" for model in models) and has_cuda()
    return [f"networks run on the CPU: this ONNX Runtime has CUDA, but {cuda_fault()}"] if fell_back else []


def fitting(signature: Signature | BoardSignature) -> list[str]:
    """The games and variants that a network with these shapes can evaluate, such as ``wallwars classic``."""
    size = (
        signature.boards.most if isinstance(signature, BoardSignature) else (signature.dim2, signature.dim3)
    )
    return [f"{each.game} {each.variant}" for each in starts(size) if signature.refusal(each) is None]


def speed(model: Model, shape: Signature, rows: int, threads: int, seconds: float = 0.5) -> float:
    """Evaluations per second of ``threads`` threads together, with ``rows`` rows of this shape per call.

    Each thread makes a call first that does not count. Raises ModelError.
    """
    planes = np.zeros((model.capacity(rows), shape.planes, shape.dim2, shape.dim3), np.float32)
    rows = min(rows, len(planes))
    together = threading.Barrier(threads)

    def work(_: int) -> float:
        try:
            model.evaluate(planes, rows)  # a GPU prepares itself for each new thread
        finally:
            together.wait()
        began = now = time.monotonic()
        calls = 0
        while not calls or now < began + seconds:
            model.evaluate(planes, rows)
            calls, now = calls + 1, time.monotonic()
        return calls * rows / (now - began)

    with ThreadPoolExecutor(threads) as executor:
        return sum(executor.map(work, range(threads)))
