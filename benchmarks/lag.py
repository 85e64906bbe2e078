"""Measures the lag of the event loop while searches run on every core; it delays every response.

Starts ``plyhouse serve`` and reads the lag from ``/metrics``, first while the server is idle, then while analyses keep
the engine pool busy. Prints the 99th percentiles, their ratio, and the response times that a client measures.

    python -m benchmarks.lag --seconds 20
"""

import argparse
import asyncio
import time
from dataclasses import dataclass

import httpx
from prometheus_client.parser import text_string_to_metric_families

from benchmarks.served import served

LAG = "plyhouse_event_loop_lag_seconds"
SIMULATIONS = "plyhouse_pool_simulations_total"

MOVES = ["---"] * 60
SAMPLES = 1000
"""The samples of the first analysis. Each later one has one more, because equal analyses are computed only once."""
RUNNING = 24
"""The number of concurrent analyses, enough to keep searches waiting for a core all the time."""


@dataclass(frozen=True, slots=True)
class Reading:
    """The server's counters: wake-ups by upper bound of their delay in seconds, and simulations.

    ``analyses`` is the number of running analyses.
    """

    woken: dict[float, float]
    simulations: float
    analyses: float

    def since(self, earlier: "Reading") -> "Reading":
        """Returns the differences from an earlier reading."""
        woken = {bound: count - earlier.woken[bound] for bound, count in self.woken.items()}
        return Reading(woken, self.simulations - earlier.simulations, self.analyses)

    def percentile(self, part: float) -> float:
        """Returns a percentile in seconds, interpolated linearly within a bucket as Prometheus does."""
        rank, low, below = part * self.woken[float("inf")], 0.0, 0.0
        for bound, count in sorted(self.woken.items()):
            if count >= rank and bound < float("inf"):
                return low + (bound - low) * (rank - below) / max(1.0, count - below)
            low, below = bound, count
        return low


async def read(client: httpx.AsyncClient) -> Reading:
    """Reads the server's counters."""
    woken: dict[float, float] = {}
    simulations = analyses = 0.0
    for family in text_string_to_metric_families((await client.get("/metrics")).text):
        for sample in family.samples:
            if sample.name == f"{LAG}_bucket":
                woken[float(sample.labels["le"])] = sample.value
            elif sample.name == SIMULATIONS:
                simulations += sample.value
            elif sample.name == "plyhouse_analyses_running":
                analyses = sample.value
    return Reading(woken, simulations, analyses)


async def watch(client: httpx.AsyncClient, seconds: float) -> tuple[Reading, list[float]]:
    """Returns what the server counts during ``seconds``, and the sorted durations of small requests, in seconds."""
    before, waits = await read(client), []
    until = time.perf_counter() + seconds
    while time.perf_counter() < until:
        await asyncio.sleep(0.02)
        began = time.perf_counter()
        await client.get("/healthz")
        waits.append(time.perf_counter() - began)
    return (await read(client)).since(before), sorted(waits)


async def keep_busy(client: httpx.AsyncClient) -> None:
    """Starts an analysis whenever one has ended."""
    samples = SAMPLES
    while True:
        for _ in range(RUNNING - int((await read(client)).analyses)):
            request = {"game": "wallwars", "moves": MOVES, "samples": samples}
            (await client.post("/api/analysis", json=request)).raise_for_status()
            samples += 1
        await asyncio.sleep(0.5)


async def measure(url: str, seconds: float) -> None:
    """Measures an idle and a busy server and prints the results."""
    async with httpx.AsyncClient(base_url=url, timeout=60) as client:
        idle = await watch(client, seconds)
        load = asyncio.ensure_future(keep_busy(client))
        await asyncio.sleep(1)
        busy = await watch(client, seconds)
        load.cancel()
    for name, (reading, waits) in (("idle", idle), ("busy", busy)):
        print(
            f"{name}: event loop lag p50 {reading.percentile(0.5) * 1000:.2f} ms, "
            f"p99 {reading.percentile(0.99) * 1000:.2f} ms; a small request p50 {_at(waits, 0.5):.2f} ms, "
            f"p99 {_at(waits, 0.99):.2f} ms; {reading.simulations / seconds:,.0f} simulations/s"
        )
    ratio = busy[0].percentile(0.99) / idle[0].percentile(0.99)
    print(f"event loop lag p99 busy / idle: {ratio:.1f}")


def _at(waits: list[float], part: float) -> float:
    return waits[int(len(waits) * part)] * 1000


def main() -> None:
    """Starts a server and measures it."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=float, default=20)
    options = parser.parse_args()
    with served() as child:
        asyncio.run(measure(child.url, options.seconds))


if __name__ == "__main__":
    main()
