"""What other people notice of attacks by single clients, compared with a server that only reads.

Each attack runs against a fresh server on one core, and against ``benchmarks.peers.sink`` on the same core, which shows
what the attacker costs the machine itself. Meanwhile 16 people at 16 addresses play 8 games; the figures are how much
longer their moves take until they are acknowledged during the attack than before it, how much memory the server
gained, and what the attacker was answered. All clients come through a trusted proxy, so that each has an address of
its own. Attackers whose connections are refused open new ones 50 ms later.

Exits with 1 if the server did not answer as it must. Times and memory depend on the machine, so they are only printed.

    python -m benchmarks.attacks [--only TEXT] [--seconds 8]
"""

import asyncio
import contextlib
import multiprocessing
import os
import subprocess
import sys
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from dataclasses import dataclass
from functools import partial
from multiprocessing.connection import Connection
from typing import Annotated
from urllib.parse import urlsplit

import typer
import uvloop

from benchmarks import attack_bystanders, attack_ladder, attack_requests, attack_sockets
from benchmarks.attack_client import Attacker, Target
from benchmarks.served import Child, on_cores, served


async def _nothing(attacker: Attacker) -> None:
    """No attack: what differs by chance."""
    await attacker.begin()
    await asyncio.Event().wait()


ATTACKS: dict[str, Callable[[Attacker], Awaitable[None]]] = {
    "nothing": _nothing,
    **attack_requests.ATTACKS,
    **attack_sockets.ATTACKS,
    **attack_ladder.ATTACKS,
}
NEEDED = {**attack_sockets.NEEDED, **attack_ladder.NEEDED}
P50, P99, MEMORY = MEASURED = ("p50", "p99", "memory")
P50_GOAL = 1.5
P99_GOAL = 3.0
MEMORY_GOAL_MIB = 100.0
WARM_SECONDS = 1.0
BEFORE_SECONDS = 3.0
PREPARATION_SECONDS = 120.0
LOOK_SECONDS = 0.25
"""How often the server's memory is read."""
MOST_ANSWERS = 4
"""How many kinds of answers a row shows, the most frequent ones."""
SERVER = ("--trust-proxy", "127.0.0.0/8", "--uhp-port", "0")
PEOPLE = tuple(f"203.0.113.{number + 1}" for number in range(2 * attack_bystanders.GAMES))


@dataclass(frozen=True, slots=True)
class Waits:
    """How long moves took, in milliseconds."""

    p50: float
    p99: float

    @classmethod
    def of(cls, seconds: list[float]) -> "Waits":
        """From sorted seconds."""
        return cls(*(seconds[int(len(seconds) * part)] * 1000 for part in (0.5, 0.99)))


@dataclass(frozen=True, slots=True)
class Outcome:
    """What one attack did to one server; the memory is what it gained at most, in MiB."""

    before: Waits
    during: Waits
    memory: float
    answers: Counter[str]

    @property
    def p50(self) -> float:
        """The median during the attack ÷ before it, at least 1: an attack helps nobody, less is chance."""
        return max(1.0, self.during.p50 / self.before.p50)

    @property
    def p99(self) -> float:
        """The same for the 99th percentile."""
        return max(1.0, self.during.p99 / self.before.p99)


@dataclass(frozen=True, slots=True)
class Row:
    """An attack on the server, and on the sink."""

    name: str
    ours: Outcome
    sink: Outcome

    @property
    def misses(self) -> list[str]:
        """The goals that are missed."""
        needed, never = NEEDED.get(self.name, ("", ""))
        answers = self.ours.answers
        missed = {
            P50: self.ours.p50 / self.sink.p50 > P50_GOAL,
            P99: self.ours.p99 / self.sink.p99 > P99_GOAL,
            MEMORY: self.ours.memory > MEMORY_GOAL_MIB,
            f"never “{needed}”": bool(needed) and not answers[needed],
            f"“{never}”": bool(never) and answers[never] > 0,
        }
        return [name for name, is_missed in missed.items() if is_missed]

    def __str__(self) -> str:
        ours, sink = self.ours, self.sink
        answers = ", ".join(f"{count:,} {what}" for what, count in ours.answers.most_common(MOST_ANSWERS))
        cells = (
            self.name,
            f"{ours.before.p50:.1f}; {ours.before.p99:.1f}",
            f"{ours.during.p50:.1f}; {ours.during.p99:.1f}",
            f"{ours.p50:.2f}; {ours.p99:.2f}",
            f"{sink.p50:.2f}; {sink.p99:.2f}",
            f"{ours.p50 / sink.p50:.2f}; {ours.p99 / sink.p99:.2f}",
            f"{ours.memory:.0f}",
            answers,
            ", ".join(self.misses) or "yes",
        )
        return f"| {' | '.join(cells)} |"


HEAD = (
    "| attack | before: p50; p99, ms | during | during ÷ before | the sink's | ours ÷ the sink's | more memory, MiB "
    "| answers to the attacker | goal met, or what misses it |\n|---|---|---|---|---|---|---|---|---|"
)


# ---- the attacker's process ----------------------------------------------------------------------


def _attack(name: str, target: Target, seconds: float, cores: set[int], parent: Connection) -> None:
    """Runs one attack, and sends the answers that it got."""
    os.sched_setaffinity(0, cores)
    parent.send(uvloop.run(_attack_for(name, target, seconds, parent)))


async def _attack_for(name: str, target: Target, seconds: float, parent: Connection) -> Counter[str]:
    ready = asyncio.Event()

    async def begin() -> None:
        parent.send("ready")
        await asyncio.to_thread(parent.recv)
        ready.set()

    attacker = Attacker(target, begin)
    attacking = asyncio.ensure_future(ATTACKS[name](attacker))
    beginning = asyncio.ensure_future(ready.wait())
    await asyncio.wait((attacking, beginning), return_when=asyncio.FIRST_COMPLETED)
    await asyncio.wait((attacking,), timeout=seconds)
    if attacking.done():
        attacking.result()
    return attacker.answers


# ---- measuring -----------------------------------------------------------------------------------


@contextmanager
def sink() -> Iterator[Child]:
    """The server that only reads."""
    command = [sys.executable, "-m", "benchmarks.peers.sink"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            lines = [process.stdout.readline().strip() for _ in range(2)] if process.stdout else []
            yield Child(process.pid, lines[0], lines[1].rpartition(" ")[2])
        finally:
            process.kill()


@asynccontextmanager
async def _attacker(name: str, target: Target, seconds: float, cores: set[int]) -> AsyncIterator[Connection]:
    """The process of an attack, once it is prepared; receives its answers in the end."""
    spawning = multiprocessing.get_context("spawn")
    ours, theirs = spawning.Pipe()
    process = spawning.Process(target=_attack, args=(name, target, seconds, cores, theirs), daemon=True)
    process.start()
    theirs.close()
    try:
        await _received(ours)
        yield ours
    finally:
        process.kill()
        await asyncio.to_thread(process.join)


async def _received(connection: Connection) -> Counter[str]:
    """What the attacker's process sends; SystemExit if it fails."""
    if not await asyncio.to_thread(connection.poll, PREPARATION_SECONDS):
        raise SystemExit("the attacker does not answer")
    try:
        found: Counter[str] = connection.recv()
    except EOFError:
        raise SystemExit("the attacker failed") from None
    return found


async def _most_memory(child: Child) -> float:
    """Returns the most memory in MiB, when cancelled."""
    most = child.memory_mib()
    with contextlib.suppress(asyncio.CancelledError):
        while True:
            await asyncio.sleep(LOOK_SECONDS)
            most = max(most, child.memory_mib())
    return most


async def _outcome(name: str, child: Child, seconds: float, cores: set[int]) -> Outcome:
    at = urlsplit(child.url)
    async with AsyncExitStack() as stack:
        total = WARM_SECONDS + BEFORE_SECONDS + seconds
        tables = await attack_bystanders.open_tables(child.url, PEOPLE, total, stack)
        await attack_bystanders.play(tables, WARM_SECONDS)
        memory = child.memory_mib()
        looking = asyncio.ensure_future(_most_memory(child))
        games = tuple(game.id for game in tables[0].games)
        uhp_port = int(child.uhp.rpartition(":")[2])
        target = Target(str(at.hostname), at.port or 80, uhp_port, games)
        async with _attacker(name, target, seconds, cores) as attacker:
            before = await attack_bystanders.play(tables, BEFORE_SECONDS)
            attacker.send("go")
            during = await attack_bystanders.play(tables, seconds)
            looking.cancel()
            answers = await _received(attacker)
        return Outcome(Waits.of(before), Waits.of(during), await looking - memory, answers)


def measure(name: str, seconds: float) -> Row:
    """Runs one attack against both servers."""
    cores = os.sched_getaffinity(0)
    server_core = {min(cores)}
    others = cores - server_core or cores
    outcomes = list[Outcome]()
    for server in (partial(served, *SERVER), sink):
        with on_cores(server_core), server() as child, on_cores(others):
            outcomes.append(uvloop.run(_outcome(name, child, seconds, others)))
    return Row(name, *outcomes)


def main(
    only: Annotated[str, typer.Option(help="Only the attacks whose names contain this text.")] = "",
    seconds: Annotated[float, typer.Option(help="How long each attack lasts.")] = 8.0,
) -> None:
    """Prints a row for each attack."""
    failed = list[str]()
    print(f"load of the machine: {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")
    print(HEAD, flush=True)
    for name in ATTACKS:
        if only in name:
            row = measure(name, seconds)
            print(row, flush=True)
            failed += [f"{name}: {missed}" for missed in row.misses if missed not in MEASURED]
    if failed:
        sys.exit("\n".join(failed))


if __name__ == "__main__":
    typer.run(main)
