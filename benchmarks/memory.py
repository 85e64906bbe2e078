"""Measures the memory of an engine session after an evaluation, and whether it is released when the session ends.

Repeatedly opens sessions of the default Wallwars board in a pool, evaluates each once and closes them. Prints how much
memory the process gained per session, how much of it was not released, and the CPU time per evaluation. With
``--plain``, the C library's allocator is left at its defaults, for comparison with the setting that servers use.

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
    """Returns the resident memory of this process, in bytes (Linux)."""
    pages = Path("/proc/self/statm").read_text().split()[1]
    return int(pages) * os.sysconf("SC_PAGE_SIZE")


def fill(pool: EnginePool, sessions: int) -> None:
    """Opens sessions, eight at each of the first positions of a game, and evaluates them."""
    position, jobs = Position("wallwars"), []
    for number in range(sessions):
        pool.open(str(number), position)
        jobs.append(pool.evaluate(str(number)))
        if number % 8 == 7:
            position = position.copy()
            position.play("---")
    wait([job.future for job in jobs])


def measure(pool: EnginePool, sessions: int) -> tuple[float, float, float]:
    """Returns the MiB used per session, the MiB of it not released, and the CPU seconds per evaluation."""
    before, began = resident(), time.process_time()
    fill(pool, sessions)
    spent, full = time.process_time() - began, resident()
    for number in range(sessions):
        pool.close(str(number))
    return (full - before) / MIB / sessions, (resident() - before) / MIB / sessions, spent / sessions


def main() -> None:
    """Creates a pool and measures it."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--sessions", type=int, default=256)
    parser.add_argument("--samples", type=int, default=1000)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--plain", action="store_true")
    options = parser.parse_args()
    if not options.plain:
        return_big_blocks()
    pool = EnginePool(sessions=options.sessions, limits=Limits(samples=options.samples))
    fill(pool, 1)
    pool.close("0")
    for number in range(1, options.rounds + 1):
        taken, stayed, spent = measure(pool, options.sessions)
        print(
            f"round {number}: {options.sessions} sessions of {options.samples} samples: {taken:.2f} MiB each, "
            f"{stayed:.2f} MiB of it not released; {spent * 1000:.2f} ms of CPU time per evaluation"
        )
    pool.stop()


if __name__ == "__main__":
    main()
