"""The lag of the event loop while searches run on every core; it delays every response.

Starts ``plyhouse serve``, reads its own measurement from ``/metrics`` while nothing happens and while analyses keep the
engine pool busy, and prints the 99th percentiles and their ratio, and what a client sees of it.

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
"""Of the first analysis; each has one more than the last, because one that is known is not made again."""
RUNNING = 24
"""Analyses at once: searches wait for a core all the time."""


@dataclass(frozen=True, slots=True)
class Reading:
    """What a server has counted: wake-ups by the bound in seconds below which they were late, and simulations.

    ``analyses`` are under way.
    """

    woken: dict[float, float]
    simulations: float
    analyses: float

    def since(self, earlier: "Reading") -> "Reading":
        """What has come since."""
        woken = {bound: count - earlier.woken[bound] for bound, count in self.woken.items()}
        return Reading(woken, self.simulations - earlier.simulations, self.analyses)

    def percentile(self, part: float) -> float:
        """In seconds, as Prometheus computes it: straight between the bounds of a bucket."""
        wanted, low, below = part * self.woken[float("inf")], 0.0, 0.0
        for bound, count in sorted(self.woken.items()):
            if count >= wanted and bound < float("inf"):
                return low + (bound - low) * (wanted - below) / max(1.0, count - below)
            low, below = bound, count
        return low


async def read(client: httpx.AsyncClient) -> Reading:
    """What the server has counted so far."""
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
    """What the server counts in that time, and the sorted seconds that a small request took now and then."""
    before, waits = await read(client), []
    until = time.perf_counter() + seconds
    while time.perf_counter() < until:
        await asyncio.sleep(0.02)
        began = time.perf_counter()
        await client.get("/healthz")
        waits.append(time.perf_counter() - began)
    return (await read(client)).since(before), sorted(waits)


async def keep_busy(client: httpx.AsyncClient) -> None:
    """Begins an analysis whenever one has ended."""
    samples = SAMPLES
    while True:
        for _ in range(RUNNING - int((await read(client)).analyses)):
            wish = {"game": "wallwars", "moves": MOVES, "samples": samples}
            (await client.post("/api/analysis", json=wish)).raise_for_status()
            samples += 1
        await asyncio.sleep(0.5)


async def measure(url: str, seconds: float) -> None:
    """Measures and prints."""
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
    """Measures a server of its own."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=float, default=20)
    wanted = parser.parse_args()
    with served() as child:
        asyncio.run(measure(child.url, wanted.seconds))


if __name__ == "__main__":
    main()
