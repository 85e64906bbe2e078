"""Duplicates, reorders and cuts the messages of WebSockets, and checks that nothing acknowledged is lost.

Starts a server, and a proxy through which people play each other and bots of attached clients. At the end, every log
is replayed with the rules and compared with what was acknowledged. Exits with 1 if anything is missing, stored twice or
illegal, if a move was refused without a reason, if the server has logged a defect, if a socket or session remains open,
or if the server's memory has grown by more than a tenth since the first half.

    python -m benchmarks.frames --frames 100000

The faults depend only on the seed; which messages they meet depends on the timing.
"""

import argparse
import asyncio
import random
import re
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import httpx

from benchmarks.fault_check import Findings, check
from benchmarks.frame_faults import Fault, FrameProxy
from benchmarks.frame_players import BotAndOpponents, Opponents, Record
from benchmarks.served import Child, served

SETTINGS = {
    "PLYHOUSE_MESSAGES_PER_SECOND": "0",
    "PLYHOUSE_BOT_TIMEOUT_SECONDS": "1",
    "PLYHOUSE_LOADED_GAMES": "200",
}
"""No limit on the rate of messages; a bot whose answer is lost resigns soon; memory does not grow with the games."""
PARTS = 10
"""The number of reports."""
PATIENCE_SECONDS = 60.0
"""How long no message at all may pass the proxy, and how long the server may take to close sockets and sessions."""
GROWTH = 1.1
"""The most memory at the end, as a multiple of that after the first half."""
OPEN = ("plyhouse_sockets", "plyhouse_bot_sessions", "plyhouse_attached_bots")
"""The metrics that must be 0 in the end."""


@dataclass
class Outcome:
    """What happened. ``memory`` is that of the server in MiB, in the middle and at the end; ``left`` is still open."""

    findings: Findings
    record: Record
    counts: dict[Fault, int]
    memory: list[float] = field(default_factory=list)
    left: list[str] = field(default_factory=list)
    defects: list[str] = field(default_factory=list)

    @property
    def wrong(self) -> list[str]:
        """What must not happen, a sentence each."""
        findings, refused = self.findings, self.record.acknowledged.refused
        return [*findings.lost, *findings.twice, *findings.illegal, *refused, *self.left, *self.defects]


async def run(frames: int, seed: int, pairs: int = 16, bots: int = 6) -> Outcome:
    """Plays until so many messages have passed the proxy, and checks the database. SystemExit if nothing passes."""
    record = Record()
    with tempfile.TemporaryDirectory(prefix="frames") as folder:
        log, database = Path(folder) / "server.log", f"sqlite:///{folder}/plyhouse.sqlite3"
        with served("--database", database, log=log, settings=SETTINGS) as child:
            proxy = FrameProxy(child.url.replace("http", "ws", 1), random.Random(seed))  # noqa: S311 - repeatable
            async with proxy:
                clients: list[Opponents | BotAndOpponents] = [
                    *(Opponents(child.url, proxy.url, record, f"{seed}:{number}") for number in range(pairs)),
                    *(
                        BotAndOpponents(number, 2, child.url, proxy.url, record, f"{seed}:bot {number}")
                        for number in range(bots)
                    ),
                ]
                memory = await _play(clients, proxy, child, frames)
            left = await _left_open(child)
        findings = await check(database, record.acknowledged, record.games)
        defects = [line for line in log.read_text().splitlines() if " ERROR " in line or "Traceback" in line]
    return Outcome(findings, record, dict(proxy.counts), memory, left, defects)


async def _play(
    clients: Sequence[Opponents | BotAndOpponents], proxy: FrameProxy, child: Child, frames: int
) -> list[float]:
    """Returns the server's memory after each part."""
    tasks, memory = [asyncio.ensure_future(client.run()) for client in clients], []
    start = time.monotonic()
    try:
        for part in range(1, PARTS + 1):
            await _until_passed(proxy, frames * part // PARTS, tasks)
            memory.append(child.memory_mib())
            print(
                f"{proxy.counts.total()} frames in {time.monotonic() - start:.0f} s; "
                f"the server has {memory[-1]:.0f} MiB",
                flush=True,
            )
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
    return memory


async def _until_passed(proxy: FrameProxy, frames: int, tasks: Sequence["asyncio.Task[None]"]) -> None:
    passed, since = -1, time.monotonic()
    while proxy.counts.total() < frames:
        await asyncio.sleep(0.1)
        for task in tasks:
            if task.done():
                task.result()
        if proxy.counts.total() > passed:
            passed, since = proxy.counts.total(), time.monotonic()
        elif time.monotonic() - since > PATIENCE_SECONDS:
            sys.exit(f"stuck: no frame has passed for {PATIENCE_SECONDS:.0f} s")


async def _left_open(child: Child) -> list[str]:
    """The metrics that do not get to 0 although all clients are gone."""
    deadline = time.monotonic() + PATIENCE_SECONDS
    async with httpx.AsyncClient(base_url=child.url, timeout=60) as client:
        while True:
            lines = (await client.get("/metrics")).text.splitlines()
            left = [
                line for line in lines if re.split("[{ ]", line)[0] in OPEN and float(line.split()[-1]) > 0
            ]
            if not left or time.monotonic() > deadline:
                return left
            await asyncio.sleep(0.5)


def main() -> None:
    """Plays, and prints what is wrong."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--frames", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    outcome = asyncio.run(run(options.frames, options.seed))
    findings, record = outcome.findings, outcome.record
    faults = ", ".join(f"{outcome.counts.get(fault, 0)} {fault.text}" for fault in Fault)
    errors = ", ".join(f"{times} {name[:60]}" for name, times in record.errors.most_common(8))
    closes = ", ".join(f"{times} {name}" for name, times in record.closes.most_common(8))
    results = ", ".join(f"{times} {name}" for name, times in record.results.items())
    print(f"frames: {faults}\nerrors of the server: {errors}\ncloses: {closes}\nfinished games: {results}")
    print(
        f"{findings.games} games, {findings.moves} moves in the database, {record.acknowledged.count} acknowledged: "
        f"{len(findings.lost)} lost, {len(findings.twice)} played twice, {len(findings.illegal)} illegal logs, "
        f"{len(record.acknowledged.refused)} refused, {len(outcome.defects)} defects, {len(outcome.left)} left open"
    )
    wrong = outcome.wrong
    if outcome.memory[-1] > GROWTH * outcome.memory[PARTS // 2 - 1]:
        wrong.append(f"the server's memory grew: {', '.join(f'{one:.0f}' for one in outcome.memory)} MiB")
    if wrong:
        sys.exit("\n".join(wrong))


if __name__ == "__main__":
    main()
