"""Measures the cost of more server processes on one database: processor time per move, and time until it is stored.

Starts one to four servers on one Postgres and one Redis, opens games on all of them, and makes moves from a separate
process, under three kinds of load. Prints, for each number of servers, the processor time per move of all servers
together, as a ratio to one server, and the time until an acknowledgement.

    total     the same number of moves per second for any number of servers: each server has less to do
    each      the same number of moves per second and of games for each server
    closed    each game's next move follows the acknowledgement at once

A server that has less to do needs more time per move, since fewer moves share a commit. The ratio under ``each`` is
therefore what other servers cost; the one under ``total`` also contains that.

    python -m benchmarks.scale --games 48 --rate 300
    python -m benchmarks.scale --games 1000 --rate 300 --seconds 20 --servers 1 4
    python -m benchmarks.scale --load closed --games 1000 --servers 1 4
"""

import argparse
import asyncio
import multiprocessing
import time
from contextlib import ExitStack
from dataclasses import dataclass
from typing import Any

import httpx
import uvloop

from benchmarks.acknowledgement import NEW_GAME, PATIENCE_SECONDS, REST_SECONDS, Load, Player
from benchmarks.served import Child, served
from tools.services.postgres import PostgresServer
from tools.services.redis import RedisServer

SERVERS = (1, 2, 4)
LOADS = ("total", "each", "closed")


class ClosedLoopPlayer(Player):
    """Makes each move as soon as the one before is acknowledged, without looking when it is due."""

    def _await_next(self) -> None:
        self._send()

    def _send(self) -> None:
        self._times[len(self.waits)] = time.monotonic()
        super()._send()


@dataclass(frozen=True, slots=True)
class Result:
    """The sorted waits of the moves, the servers' processor time per move, and the duration, in seconds."""

    waits: list[float]
    cpu_per_move: float
    took: float


def measure(servers: list[Child], load: Load, player: type[Player]) -> Result:
    """Plays the moves from another process."""
    with multiprocessing.get_context("spawn").Pool(1) as clients:
        tables = clients.apply(_open, ([server.url for server in servers], load.games))
        before = sum(server.cpu_seconds() for server in servers)
        waits, took = clients.apply(_play, (tables, load, player))
        spent = sum(server.cpu_seconds() for server in servers) - before
    return Result(sorted(waits), spent / len(waits), took)


def _open(urls: list[str], games: int) -> list[tuple[str, dict[str, Any]]]:
    """Opens games; each is played at the server that opened it."""
    with httpx.Client(timeout=60) as client:
        homes = [urls[number % len(urls)] for number in range(games)]
        return [(url, client.post(f"{url}/api/games", json=NEW_GAME).json()) for url in homes]


def _play(
    tables: list[tuple[str, dict[str, Any]]], load: Load, player: type[Player]
) -> tuple[list[float], float]:
    return uvloop.run(_play_all(tables, load, player))


async def _play_all(
    tables: list[tuple[str, dict[str, Any]]], load: Load, player: type[Player]
) -> tuple[list[float], float]:
    start = time.monotonic() + REST_SECONDS
    began = time.monotonic() if player is ClosedLoopPlayer else start
    players = [player(url, table, load.times(number, start)) for number, (url, table) in enumerate(tables)]
    async with asyncio.timeout_at(start + load.seconds + PATIENCE_SECONDS):
        await asyncio.gather(*(one.play() for one in players))
    return [wait for one in players for wait in one.waits], time.monotonic() - began


def main() -> None:
    """Compares the numbers of servers several times."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument(
        "--without-redis", action="store_true", help="servers hear of each other from Postgres"
    )
    parser.add_argument("--load", choices=LOADS, default="total")
    parser.add_argument("--servers", type=int, nargs="+", default=SERVERS)
    parser.add_argument("--games", type=int, default=48)
    parser.add_argument(
        "--rate",
        type=float,
        default=300,
        help="moves per second; closed: the number of moves is this times the seconds",
    )
    parser.add_argument("--seconds", type=float, default=10)
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    with PostgresServer() as postgres, RedisServer() as redis:
        bus = () if options.without_redis else ("--redis", redis.url)
        for _ in range(options.rounds):
            compare(("--database", postgres.new_database(), *bus), options)


def compare(shared: tuple[str, ...], options: argparse.Namespace) -> None:
    """Measures each number of servers once, and prints the results."""
    alone = 0.0
    for count in options.servers:
        times = count if options.load == "each" else 1
        load = Load(times * options.games, times * options.rate, options.seconds)
        player = ClosedLoopPlayer if options.load == "closed" else Player
        with ExitStack() as stack:
            servers = [stack.enter_context(served(*shared)) for _ in range(count)]
            result = measure(servers, load, player)
        alone = alone or result.cpu_per_move
        p50, p99 = (result.waits[int(len(result.waits) * part)] * 1000 for part in (0.5, 0.99))
        print(
            f"{count} servers, {load.games} games, {len(result.waits) / result.took:.0f} moves/s: "
            f"{result.cpu_per_move * 1000:.3f} ms of processor time per move "
            f"({result.cpu_per_move / alone:.2f} of {options.servers[0]}); "
            f"acknowledged in p50 {p50:.1f} ms, p99 {p99:.1f} ms",
            flush=True,
        )


if __name__ == "__main__":
    main()
