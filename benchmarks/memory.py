"""What memory an engine session takes after an evaluation, and whether it comes back when the session ends.

Opens sessions of the default Wallwars board in a pool, evaluates each once and ends them, several times over. Prints by
how much the process grew for a session and how much of that stayed, and the processor time of an
evaluation; ``--plain`` does without the setting of the C library that servers make, to compare.

    python -m benchmarks.memory --sessions 256 --samples 1000
"""

import argparse
import os
import time
from concurrent.futures import wait
from pathlib import Path

from engines import Position
from engines.pool import EnginePool, Limits
from engines.pool.memory import return_big_blocks

MIB = 1 << 20


def resident() -> int:
    """Bytes of memory that the process has now (Linux)."""
    pages = Path("/proc/self/statm").read_text().split()[1]
    return int(pages) * os.sysconf("SC_PAGE_SIZE")


def fill(pool: EnginePool, sessions: int) -> None:
    """Opens the sessions, some at each of the first positions of a game, and evaluates all."""
    position, jobs = Position("wallwars"), []
    for number in range(sessions):
        pool.open(str(number), position)
        jobs.append(pool.evaluate(str(number)))
        if number % 8 == 7:
            position = position.copy()
            position.play("---")
    wait([job.future for job in jobs])


def measure(pool: EnginePool, sessions: int) -> tuple[float, float, float]:
    """MiB that a session took, MiB that stayed of it, and processor seconds of an evaluation."""
    before, began = resident(), time.process_time()
    fill(pool, sessions)
    spent, full = time.process_time() - began, resident()
    for number in range(sessions):
        pool.close(str(number))
    return (full - before) / MIB / sessions, (resident() - before) / MIB / sessions, spent / sessions


def main() -> None:
    """Measures a pool of its own."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--sessions", type=int, default=256)
    parser.add_argument("--samples", type=int, default=1000)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--plain", action="store_true")
    wanted = parser.parse_args()
    if not wanted.plain:
        return_big_blocks()
    pool = EnginePool(sessions=wanted.sessions, limits=Limits(samples=wanted.samples))
    fill(pool, 1)
    pool.close("0")
    for number in range(1, wanted.rounds + 1):
        taken, stayed, spent = measure(pool, wanted.sessions)
        print(
            f"round {number}: {wanted.sessions} sessions of {wanted.samples} samples: {taken:.2f} MiB each, "
            f"{stayed:.2f} MiB of it left at their end; {spent * 1000:.2f} ms of processor an evaluation"
        )
    pool.stop()


if __name__ == "__main__":
    main()
