"""Measures the cost of more server processes on one database: processor time per move, and time until it is stored.

Starts one to four servers on one Postgres and one Redis, opens games on all of them, and makes moves at the same fixed
rate each time, from a separate process. Prints, for each number of servers, the processor time per move of all servers
together, as a ratio to one server, and the time until an acknowledgement.

    python -m benchmarks.scale --games 48 --rate 300
"""

import argparse
import asyncio
import multiprocessing
import time
from contextlib import ExitStack
from dataclasses import dataclass
from functools import partial
from typing import Any
from urllib.parse import urlsplit

import httpx
import uvloop

from benchmarks.acknowledgement import NEW_GAME, PATIENCE_SECONDS, REST_SECONDS, Load, Player
from benchmarks.served import Child, served
from tools.services.postgres import PostgresServer
from tools.services.redis import RedisServer

SERVERS = (1, 2, 4)


@dataclass(frozen=True, slots=True)
class Result:
    """The sorted waits of the moves, and the servers' processor time per move, in seconds."""

    waits: list[float]
    cpu_per_move: float


def measure(servers: list[Child], load: Load) -> Result:
    """Plays the moves from another process."""
    with multiprocessing.get_context("spawn").Pool(1) as clients:
        tables = clients.apply(_open, ([server.url for server in servers], load.games))
        before = sum(server.cpu_seconds() for server in servers)
        waits = clients.apply(_play, (tables, load))
        spent = sum(server.cpu_seconds() for server in servers) - before
    return Result(sorted(waits), spent / len(waits))


def _open(urls: list[str], games: int) -> list[tuple[str, dict[str, Any]]]:
    """Opens games; each is played at the server that opened it."""
    with httpx.Client(timeout=60) as client:
        homes = [urls[number % len(urls)] for number in range(games)]
        return [(url, client.post(f"{url}/api/games", json=NEW_GAME).json()) for url in homes]


def _play(tables: list[tuple[str, dict[str, Any]]], load: Load) -> list[float]:
    return uvloop.run(_play_all(tables, load))


async def _play_all(tables: list[tuple[str, dict[str, Any]]], load: Load) -> list[float]:
    start, loop, players = time.monotonic() + REST_SECONDS + load.games / 1000, asyncio.get_running_loop(), []
    for number, (url, table) in enumerate(tables):
        address = urlsplit(url)
        player = partial(Player, table, load.times(number, start))
        players.append((await loop.create_connection(player, str(address.hostname), address.port or 80))[1])
    async with asyncio.timeout_at(start + load.seconds + PATIENCE_SECONDS):
        await asyncio.gather(*(player.done for player in players))
    return [wait for player in players for wait in player.waits]


def main() -> None:
    """Compares the numbers of servers several times."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument(
        "--without-redis", action="store_true", help="servers hear of each other from Postgres"
    )
    parser.add_argument("--games", type=int, default=48)
    parser.add_argument("--rate", type=float, default=300)
    parser.add_argument("--seconds", type=float, default=10)
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    load = Load(options.games, options.rate, options.seconds)
    with PostgresServer() as postgres, RedisServer() as redis:
        bus = () if options.without_redis else ("--redis", redis.url)
        for _ in range(options.rounds):
            compare(("--database", postgres.new_database(), *bus), load)


def compare(options: tuple[str, ...], load: Load) -> None:
    """Measures each number of servers once, and prints the results."""
    alone = 0.0
    for count in SERVERS:
        with ExitStack() as stack:
            result = measure([stack.enter_context(served(*options)) for _ in range(count)], load)
        alone = alone or result.cpu_per_move
        p50, p99 = (result.waits[int(len(result.waits) * part)] * 1000 for part in (0.5, 0.99))
        print(
            f"{count} servers, {load.games} games, {load.rate:.0f} moves/s: {result.cpu_per_move * 1000:.3f} ms "
            f"of processor time per move ({result.cpu_per_move / alone:.2f} of one server); "
            f"acknowledged in p50 {p50:.1f} ms, p99 {p99:.1f} ms",
            flush=True,
        )


if __name__ == "__main__":
    main()
