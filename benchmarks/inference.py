"""Compares the evaluations per second of the engine pool with those of ONNX Runtime alone, with the same network.

The peer is ONNX Runtime with calls as large as the pool's largest, from as many threads as the pool uses. The pool
searches with a number of sessions, each from a different position of an 8x8 board of Wallwars. Both are measured in
turn, since the speed of machines varies. Prints the medians of the ratios by wall time and by processor time; on a busy
machine, only the latter means something.

Counts the rows that the network evaluated. Leaves that the cache answered do not count, although selecting and backing
them up takes the pool's time; they are printed beside the rows. Leaves out moves, clocks and books: every session
searches one position without end.

    python -m benchmarks.inference
    python -m benchmarks.inference --networks shipped 4x32 6x64 --sessions 8 64 256
"""

import argparse
import os
import random
import statistics
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from engines import Position, networks
from engines.bots import random_move
from engines.inference import Model
from engines.onnx_runtime import Provider
from engines.pool import EnginePool, Limits

BOARD = 8
OPENING_PLIES = 4
ENDLESS = Limits(1_000_000_000)
SHIPPED = "shipped"
GOALS = "0.85 by processor time with 8 to 256 sessions; none with one, which has nothing to fill large batches with"


@dataclass(frozen=True)
class Seen:
    """The throughput of a pool."""

    rows: float
    """Rows evaluated per second."""
    per_cpu_second: float
    hits: float
    """Leaves answered by the cache, per second."""
    batch: float
    """The mean number of rows per batch."""


@dataclass(frozen=True)
class Raw:
    """The throughput of the network alone."""

    rows: float
    """Rows evaluated per second."""
    per_cpu_second: float


def measure(model: Model, sessions: int, seconds: float) -> Seen:
    """Measures the pool while ``sessions`` sessions search."""
    pool = EnginePool(models=[model], threads=1, sessions=sessions)
    try:
        for number in range(sessions):
            pool.open(str(number), _position(number))
        for number in range(sessions):
            pool.evaluate(str(number), limits=ENDLESS)
        time.sleep(seconds / 4)
        before, began, cpu = _counts(pool, model), time.monotonic(), time.process_time()
        time.sleep(seconds)
        after, passed, spent = _counts(pool, model), time.monotonic() - began, time.process_time() - cpu
    finally:
        pool.stop()
    batches, rows, hits = (new - old for new, old in zip(after, before, strict=True))
    return Seen(rows / passed, rows / spent, hits / passed, rows / max(1, batches))


def measure_alone(model: Model, rows: int, seconds: float) -> Raw:
    """Measures the network with calls from as many threads as the pool uses."""
    cpu, began = time.process_time(), time.monotonic()
    rate = networks.speed(model, model.signature.at(_position(0)), rows, model.workers, seconds)
    return Raw(rate, rate * (time.monotonic() - began) / (time.process_time() - cpu))


def _counts(pool: EnginePool, model: Model) -> tuple[int, int, int]:
    """The number of batches, rows and cache hits so far."""
    seen = next(each for each in pool.statistics().evaluators if each.name == model.name)
    return seen.batches, seen.rows, seen.cache.hits if seen.cache is not None else 0


def _position(seed: int) -> Position:
    """Returns a position after a few random moves."""
    position = Position("wallwars", "standard", {"boardWidth": BOARD, "boardHeight": BOARD})
    rng = random.Random(seed)  # noqa: S311 - not for security
    for _ in range(OPENING_PLIES):
        position.play(random_move(position, position.to_act[0], rng))
    return position


def main() -> None:
    """Measures all networks with all numbers of sessions and prints the results."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument(
        "--networks",
        nargs="+",
        default=[SHIPPED],
        help=f"{SHIPPED}, or BLOCKSxCHANNELS: a residual network with random weights",
    )
    parser.add_argument("--sessions", type=int, nargs="+", default=[1, 8, 64, 256])
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=1.2, help="of one measurement")
    parser.add_argument("--provider", choices=["auto", "cpu", "cuda"], default="auto")
    options = parser.parse_args()
    print(f"load of the machine: {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores; goal: {GOALS}")
    with tempfile.TemporaryDirectory() as folder:
        for name in options.networks:
            model = _load(name, Path(folder), options.provider)
            for sessions in options.sessions:
                report(model, sessions, options.rounds, options.seconds)


def _load(name: str, folder: Path, provider: Provider) -> Model:
    """Loads the network of this name, and prints how long it takes until the first evaluation."""
    files = networks.find([]) if name == SHIPPED else [_write(name, folder)]
    began = time.perf_counter()
    (model,) = networks.load(files, provider)
    networks.speed(model, model.signature.at(_position(0)), 1, 1, seconds=0)
    print(f"first evaluation {time.perf_counter() - began:.2f} s after the start of loading")
    rows = model.capacity(networks.BENCH_ROWS)
    print(f"{model.name} on {model.provider}, {model.workers} threads, calls of {rows} rows")
    return model


def _write(name: str, folder: Path) -> Path:
    """Writes a residual network with random weights."""
    from tools.networks import Shape, residual  # needs onnx, which gpu_check does without

    blocks, channels = map(int, name.split("x"))
    file = folder / f"{name}.onnx"
    residual(file, Shape(BOARD, BOARD), blocks=blocks, channels=channels)
    return file


def report(model: Model, sessions: int, rounds: int, seconds: float) -> None:
    """Measures and prints one line: the pool's rate as a fraction of the network's own."""
    rows = model.capacity(networks.BENCH_ROWS)
    pairs = [
        (measure(model, sessions, seconds), measure_alone(model, rows, seconds / 2)) for _ in range(rounds)
    ]
    ratios = sorted(seen.rows / raw.rows for seen, raw in pairs)
    by_cpu = statistics.median(seen.per_cpu_second / raw.per_cpu_second for seen, raw in pairs)
    seen, raw = pairs[-1]
    print(
        f"  {sessions:4} sessions / network alone: {statistics.median(ratios):.2f} "
        f"({ratios[0]:.2f} to {ratios[-1]:.2f}), by processor time {by_cpu:.2f}; "
        f"last {seen.rows:,.0f} / {raw.rows:,.0f} evaluations/s, "
        f"batches of {seen.batch:.1f}, {seen.hits:,.0f} cache hits/s"
    )


if __name__ == "__main__":
    main()
