"""Compares the evaluations per second of the engine pool with those of ONNX Runtime alone.

Writes a residual network with random weights. Measures how many rows per second ONNX Runtime evaluates with calls as
large as the pool's, from as many threads, and how many the pool evaluates while a number of sessions search, each from
a different position. Rows answered by the evaluation cache are not counted. Both are measured in turn, since the speed
of machines varies. Prints the medians of the ratios, by wall time and by CPU time; the latter is meaningful on a busy
machine too.

    python -m benchmarks.inference --blocks 4 --channels 32 --sessions 8 64 256
"""

import argparse
import random
import statistics
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from engines import Position, networks
from engines.bots import random_move
from engines.inference import Model
from engines.pool import EnginePool, Limits

BOARD = 8
OPENING_PLIES = 4
ENDLESS = Limits(1_000_000_000)


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
    """Measures all numbers of sessions and prints the results."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--blocks", type=int, default=4)
    parser.add_argument("--channels", type=int, default=32)
    parser.add_argument("--sessions", type=int, nargs="+", default=[8, 64, 256])
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=1.2, help="of one measurement")
    parser.add_argument("--provider", choices=["auto", "cpu", "cuda"], default="auto")
    options = parser.parse_args()
    from tools.networks import Shape, residual  # needs onnx, which gpu_check does without

    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / f"{options.blocks}x{options.channels}.onnx"
        residual(file, Shape(BOARD, BOARD), blocks=options.blocks, channels=options.channels)
        began = time.perf_counter()
        (model,) = networks.load([file], options.provider)
        networks.speed(model, model.signature.at(_position(0)), 1, 1, seconds=0)
        print(f"first evaluation {time.perf_counter() - began:.2f} s after the start of loading")
        rows = model.capacity(networks.BENCH_ROWS)
        print(f"{model.name} on {model.provider}, {model.workers} threads, calls of {rows} rows")
        found = {
            sessions: report(model, sessions, options.rounds, options.seconds)
            for sessions in options.sessions
        }
    few, many = min(found), max(found)
    print(f"  {many} sessions / {few} sessions: {found[many] / found[few]:.2f}")


def report(model: Model, sessions: int, rounds: int, seconds: float) -> float:
    """Measures and prints one line; returns the pool's rate as a fraction of the network's own."""
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
    return statistics.median(ratios)


if __name__ == "__main__":
    main()
