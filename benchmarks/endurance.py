"""Whether a server that is used for a long time keeps its memory, files and tasks, and logs no errors.

People play four kinds of games, also against built-in and attached bots, to their end or a draw, with takebacks and
rematches; spectators and evaluation bars follow them; others read lists and request analyses. Prints every minute what
the server uses, and in the end whether it was the same in the last third as in the first, after ten minutes. Exits with
1 if it logged an error, or if it grew in a run of at least 20 minutes.

    python -m benchmarks.endurance [--minutes 60]
"""

import asyncio
import os
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import astuple, dataclass, fields
from pathlib import Path
from statistics import median
from typing import Annotated

import httpx
import typer
import uvloop
from prometheus_client.parser import text_string_to_metric_families

from benchmarks.endurance_clients import TileOpponents, Watchers
from benchmarks.fault_bots import AttachedBotOpponent
from benchmarks.fault_players import Acknowledged, BotOpponent, Opponents, Player, SimultaneousOpponents
from benchmarks.served import Child, served

PLAYERS: Sequence[type[Player]] = (
    *(Opponents,) * 4,
    *(SimultaneousOpponents,) * 4,
    *(TileOpponents,) * 4,
    *(BotOpponent,) * 2,
    *(AttachedBotOpponent,) * 2,
)
SPECTATORS = 200
BARS = 8
ANALYSES = 2
WARM_MINUTES = 10.0
"""The time in which caches fill; in shorter runs a third of the time."""
LONG_MINUTES = 20.0
"""The shortest run that can tell whether a server grows."""
LOOKS_PER_MINUTE = 6
SETTINGS = {"PLYHOUSE_LOADED_GAMES": "100"}
"""With the default of 5,000, the games in memory would grow for hours."""
ERRORS = (" ERROR", " CRITICAL", "Traceback")
GROWTH = 1.05
"""How much more of something the server may use in the last third, besides ``MORE``."""


@dataclass(frozen=True, slots=True)
class Used:
    """What the server uses at one moment, or what it may use more."""

    memory_mib: float
    files: float
    threads: float
    tasks: float


MORE = Used(memory_mib=5, files=10, threads=2, tasks=20)


async def look(child: Child, client: httpx.AsyncClient) -> Used:
    """What the server uses now (Linux)."""
    process = Path(f"/proc/{child.pid}")
    metrics = {
        sample.name: sample.value
        for family in text_string_to_metric_families((await client.get("/metrics")).text)
        for sample in family.samples
    }
    files, threads = (len(os.listdir(process / kind)) for kind in ("fd", "task"))
    return Used(child.memory_mib(), files, threads, metrics["plyhouse_tasks"])


def growing(looks: Sequence[Used]) -> list[str]:
    """What grows: the median of the last third is more than that of the first third."""
    part = max(1, len(looks) // 3)
    found = list[str]()
    for field, more in zip(fields(Used), astuple(MORE), strict=True):
        first, last = (
            median(getattr(used, field.name) for used in third) for third in (looks[:part], looks[-part:])
        )
        if last > first * GROWTH + more:
            found.append(f"{field.name}: {first:,.0f} → {last:,.0f}")
    return found


def errors(log: Path) -> list[str]:
    """The lines of a log that are about errors."""
    return [line for line in log.read_text().splitlines() if any(word in line for word in ERRORS)]


async def run(child: Child, minutes: float, log: Path, seed: int = 1) -> list[Used]:
    """Uses the server for so long; returns what it used after the caches were full."""
    acknowledged, watchers = Acknowledged(), Watchers(child.url, seed)
    players = [kind(number, seed, [child.url], acknowledged) for number, kind in enumerate(PLAYERS)]
    clients = [
        *(player.run() for player in players),
        watchers.read_lists(),
        *(watchers.watch() for _ in range(SPECTATORS)),
        *(watchers.evaluate() for _ in range(BARS)),
        *(watchers.analyse() for _ in range(ANALYSES)),
    ]
    tasks = [asyncio.ensure_future(client) for client in clients]
    began, looks = time.monotonic(), list[Used]()
    warm = min(WARM_MINUTES, minutes / 3) * 60
    try:
        async with httpx.AsyncClient(base_url=child.url, timeout=60) as client:
            while (spent := time.monotonic() - began) < minutes * 60:
                used = await look(child, client)
                looks += [used] if spent >= warm else []
                if int(spent * LOOKS_PER_MINUTE / 60) % LOOKS_PER_MINUTE == 0:
                    print(_line(spent, used, acknowledged, watchers, len(errors(log))), flush=True)
                for task in tasks:
                    if task.done():
                        task.result()
                await asyncio.sleep(60 / LOOKS_PER_MINUTE - (time.monotonic() - began - spent))
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await watchers.close()
    if acknowledged.refused:
        raise SystemExit("\n".join(acknowledged.refused[:10]))
    return looks


def _line(seconds: float, used: Used, acknowledged: Acknowledged, watchers: Watchers, wrong: int) -> str:
    return (
        f"minute {seconds / 60:.0f}: {used.memory_mib:.1f} MiB, {used.files:.0f} files, {used.threads:.0f} threads, "
        f"{used.tasks:.0f} tasks; {acknowledged.count:,} moves, {watchers.frames:,} frames watched, "
        f"{wrong} error lines"
    )


def main(minutes: Annotated[float, typer.Option(help="How long the server is used.")] = 60.0) -> None:
    """Prints what the server uses every minute, and whether that is flat in the end."""
    with tempfile.TemporaryDirectory() as folder:
        log = Path(folder, "server.log")
        with served(log=log, settings=SETTINGS) as child:
            looks = uvloop.run(run(child, minutes, log))
        wrong = errors(log)
    grown = growing(looks)
    print("grown: " + "; ".join(grown) if grown else "memory, files, threads and tasks are flat")
    print("\n".join((f"{len(wrong)} error lines", *wrong[:20])))
    if wrong or (grown and minutes >= LONG_MINUTES):
        sys.exit(1)


if __name__ == "__main__":
    typer.run(main)
