"""Lets servers, Postgres, Redis and connections fail under load, and checks that nothing acknowledged is lost.

Starts three servers on one Postgres and one Redis. Clients play on all of them: people with takebacks, draws and
rematches, people who move at the same time, people against built-in and attached bots, and programs over UHP, in games
that were opened for them or with opponents whom they find. Every round kills a server and then causes one other fault.
After each fault every client must get a move acknowledged. At the end, every log is replayed with the rules and
compared with what was acknowledged. Exits with 1 if anything is missing, stored twice or illegal, or a client is stuck.

    python -m benchmarks.faults --seed 1 --kills 300
    python -m benchmarks.faults --seed 1 --kills 10 --first 42     the rounds 42 to 51 of the same

The faults and the clients' choices depend only on the seed and the number of the round; their timing is the machine's.
"""

import argparse
import asyncio
import random
import signal
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable, Iterable, Sequence
from contextlib import suppress
from pathlib import Path

import httpx

from benchmarks.fault_bots import AttachedBotOpponent
from benchmarks.fault_check import Findings, check
from benchmarks.fault_players import Acknowledged, BotOpponent, Opponents, Player, SimultaneousOpponents
from benchmarks.fault_programs import UhpOpponents, UhpSeeker
from benchmarks.fault_servers import Cluster
from server.bus.redis_medium import STREAM

SERVERS = 3
PATIENCE_SECONDS = 120.0
"""How long a client may need to get a move acknowledged after a fault."""
FAULT_SECONDS = 2.0
"""The longest duration of a fault."""

CATCHES = 30
"""How often a server is stopped in the hope that it is in the middle of a transaction."""
INTERRUPTED_SECONDS = 0.03
"""After how long a transaction that waits for its server counts as interrupted."""

CLIENTS: Sequence[type[Player]] = (
    *(Opponents,) * 4,
    *(SimultaneousOpponents,) * 2,
    *(BotOpponent,) * 2,
    *(AttachedBotOpponent,) * 2,
    UhpOpponents,
    *(UhpSeeker,) * 4,
)

Fault = Callable[[Cluster, random.Random], Awaitable[None]]


class StuckError(Exception):
    """Clients got no move acknowledged after a fault; the text names them."""


async def kill_server(cluster: Cluster, rng: random.Random) -> None:
    """Kills a server with SIGKILL and starts it again."""
    member = rng.choice(cluster.members)
    await member.kill()
    await asyncio.sleep(rng.uniform(0, FAULT_SECONDS))
    await member.start()


async def restart_all(cluster: Cluster, rng: random.Random) -> None:
    """Stops each server with SIGTERM and starts it again before the next one, in any order."""
    for member in rng.sample(cluster.members, len(cluster.members)):
        member.send(signal.SIGTERM)
        await member.wait()
        await member.start()


async def suspend_server(cluster: Cluster, rng: random.Random) -> None:
    """Stops a server with SIGSTOP for some seconds."""
    member = rng.choice(cluster.members)
    member.send(signal.SIGSTOP)
    await asyncio.sleep(rng.uniform(1, 1 + FAULT_SECONDS))
    member.send(signal.SIGCONT)


async def freeze_server(cluster: Cluster, rng: random.Random) -> None:
    """Stops a server with SIGSTOP until others have its games, in the middle of a transaction if it is caught in one.

    StuckError if another one does not begin a game meanwhile.
    """
    member = rng.choice(cluster.members)
    for _ in range(CATCHES):
        member.send(signal.SIGSTOP)
        await asyncio.sleep(INTERRUPTED_SECONDS)
        if await cluster.is_interrupted(INTERRUPTED_SECONDS):
            break
        member.send(signal.SIGCONT)
        await asyncio.sleep(rng.uniform(0, 0.2))
    member.send(signal.SIGSTOP)
    await asyncio.sleep(4 * FAULT_SECONDS)
    try:
        await asyncio.gather(*(other.begin_game() for other in cluster.members if other is not member))
    except httpx.HTTPError as error:
        raise StuckError(f"a server while another one was frozen: {error!r}") from error
    finally:
        member.send(signal.SIGCONT)


async def cut_off_server(cluster: Cluster, rng: random.Random) -> None:
    """Lets nothing pass between a server and Postgres until others have its games. StuckError if it keeps clients."""
    await asyncio.sleep(rng.uniform(0, 0.2))
    cluster.postgres_proxy.is_silent = True
    await asyncio.sleep(4 * FAULT_SECONDS)
    try:
        if not await cluster.members[0].is_out_of_service():
            raise StuckError("a server that is cut off from Postgres keeps its clients")
    finally:
        cluster.postgres_proxy.is_silent = False


async def empty_redis(cluster: Cluster, rng: random.Random) -> None:
    """Removes everything from Redis."""
    await asyncio.sleep(rng.uniform(0, FAULT_SECONDS / 2))
    with cluster.redis.client() as client:
        client.flushall()


async def restart_redis(cluster: Cluster, rng: random.Random) -> None:
    """Kills Redis and starts it again."""
    cluster.redis.kill()
    await asyncio.sleep(rng.uniform(0, FAULT_SECONDS))
    await asyncio.to_thread(cluster.redis.start)


async def restart_postgres(cluster: Cluster, rng: random.Random) -> None:
    """Kills Postgres and starts it again."""
    await asyncio.to_thread(cluster.postgres.kill)
    await asyncio.sleep(rng.uniform(0, FAULT_SECONDS))
    await asyncio.to_thread(cluster.postgres.start)


async def kill_after_outage(cluster: Cluster, rng: random.Random) -> None:
    """Restarts Postgres, and then kills a server whose heartbeat may still be late."""
    await restart_postgres(cluster, rng)
    await asyncio.sleep(rng.uniform(0, 1))
    await kill_server(cluster, rng)


async def disturb_redis(cluster: Cluster, rng: random.Random) -> None:
    """Delays and cuts connections to Redis, and duplicates messages between servers."""
    proxy = cluster.redis_proxy
    proxy.delay_seconds, proxy.is_cutting = 0.1, True
    with cluster.redis.client() as client:
        for _ in range(10):
            await asyncio.sleep(rng.uniform(0, FAULT_SECONDS / 5))
            for _, fields in client.xrevrange(STREAM, count=5):
                client.xadd(STREAM, fields)
    proxy.delay_seconds, proxy.is_cutting = 0.0, False


async def disturb_clients(cluster: Cluster, rng: random.Random) -> None:
    """Delays, cuts and duplicates connections of clients."""
    for proxy in cluster.proxies:
        proxy.delay_seconds, proxy.is_cutting, proxy.is_duplicating = 0.1, True, True
    await asyncio.sleep(rng.uniform(FAULT_SECONDS, 2 * FAULT_SECONDS))
    for proxy in cluster.proxies:
        proxy.delay_seconds, proxy.is_cutting, proxy.is_duplicating = 0.0, False, False


OTHER_FAULTS: Sequence[Fault] = (
    restart_all,
    suspend_server,
    freeze_server,
    cut_off_server,
    empty_redis,
    restart_redis,
    restart_postgres,
    kill_after_outage,
    disturb_redis,
    disturb_clients,
)


async def run(
    seed: int,
    faults: Iterable[tuple[int, Fault]],
    servers: int = SERVERS,
    clients: Sequence[type[Player]] = CLIENTS,
) -> tuple[Findings, Acknowledged]:
    """Causes these faults, each in the round of this number, and checks the database. StuckError."""
    acknowledged = Acknowledged()
    with tempfile.TemporaryDirectory(prefix="faults") as folder:
        async with Cluster(Path(folder), servers, random.Random(f"{seed}:network")) as cluster:  # noqa: S311 - repeatable
            players = [kind(number, seed, cluster.urls, acknowledged) for number, kind in enumerate(clients)]
            tasks = [asyncio.ensure_future(player.run()) for player in players]
            try:
                await _progress(players, tasks)
                for number, fault in faults:
                    before, start = acknowledged.count, time.monotonic()
                    acknowledged.waits.clear()
                    acknowledged.replies.clear()
                    acknowledged.attached_replies.clear()
                    await fault(cluster, random.Random(f"{seed}:{number}:{fault.__name__}"))  # noqa: S311 - repeatable
                    last = await _progress(players, tasks)
                    print(
                        f"round {number}: {fault.__name__.replace('_', ' ')}: "
                        f"{acknowledged.count - before} moves acknowledged in {time.monotonic() - start:.1f} s, "
                        f"the last by {last}, "
                        f"the slowest after {max(acknowledged.waits):.2f} s, "
                        f"a bot's move after {max(acknowledged.replies, default=0):.2f} s, "
                        f"an attached one's after {max(acknowledged.attached_replies, default=0):.2f} s",
                        flush=True,
                    )
            except StuckError as error:
                raise StuckError(f"{error}\n{cluster.last_lines}") from None
            finally:
                for task in tasks:
                    task.cancel()
                await asyncio.gather(*tasks, return_exceptions=True)
            games = sorted({*acknowledged.moves, *acknowledged.histories, *acknowledged.rematches.values()})
            return await check(cluster.database, acknowledged, games), acknowledged


async def _progress(players: Sequence[Player], tasks: Sequence["asyncio.Task[None]"]) -> str:
    """Waits until every player has had another move acknowledged, and names those who waited longest.

    StuckError if one does not; a player's exceptions.
    """
    before = [player.done for player in players]
    waiting = last = list(players)
    with suppress(TimeoutError):
        async with asyncio.timeout(PATIENCE_SECONDS):
            while waiting:
                await asyncio.sleep(0.05)
                for task in tasks:
                    if task.done():
                        task.result()
                last = waiting
                waiting = [
                    player for player, done in zip(players, before, strict=True) if player.done == done
                ]
    if waiting:
        raise StuckError(", ".join(player.report for player in waiting))
    return ", ".join(player.name for player in last)


def main() -> None:
    """Runs the rounds, and prints what is wrong."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument(
        "--kills", type=int, default=12, help="number of rounds, each with one kill -9 and another fault"
    )
    parser.add_argument("--first", type=int, default=0, help="number of the first round, to resume")
    options = parser.parse_args()
    rounds = range(options.first, options.first + options.kills)
    faults = [
        (number, fault)
        for number in rounds
        for fault in (kill_server, OTHER_FAULTS[number % len(OTHER_FAULTS)])
    ]
    try:
        findings, acknowledged = asyncio.run(run(options.seed, faults))
    except StuckError as error:
        sys.exit(f"stuck: {error}")
    print(
        f"{findings.games} games, {findings.moves} moves in the database, {acknowledged.count} acknowledged: "
        f"{len(findings.lost)} lost, {len(findings.twice)} played twice, {len(findings.illegal)} illegal logs, "
        f"{len(acknowledged.refused)} refused"
    )
    wrong = [*findings.lost, *findings.twice, *findings.illegal, *acknowledged.refused]
    if wrong:
        sys.exit("\n".join(wrong))


if __name__ == "__main__":
    main()
