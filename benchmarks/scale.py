"""Measures the cost of more server processes on one database, with two connected players in each game.

Starts servers on one Postgres and one Redis, opens games, connects both players of each over WebSockets and lets them
play random legal moves of Hive and Wallwars in turn, from a separate process. Prints, for each number of servers, the
processor time per move of all servers together, as a ratio to one server, and how late the opponent's socket shows a
move.

    total       the same number of moves per second for any number of servers: each server has less to do
    each        the same number of moves per second and of games for each server
    strangers   the same as ``each``, but every server has a database and a Redis of its own

A server that has less to do needs more time per move, since fewer moves share a commit. The ratio under ``each`` is
therefore what other servers cost, and what it costs to share cores with them; the one under ``total`` also contains
fewer moves for each commit. Strangers share the cores and the Postgres server. Their games are spread evenly, with both
players at the server that has created the game, whatever ``--players``; the rest of ``each`` beyond them is what
servers tell each other.

``--players together``: both players of a game are connected to the server that a proxy would choose by the game's id,
as with the Caddyfile; another server has created it. ``apart``: they are connected to different servers, as with a
proxy that chooses by the client's address.

    python -m benchmarks.scale
    python -m benchmarks.scale --players apart --servers 1 2 --seconds 20
"""

import argparse
from collections.abc import Sequence
from contextlib import ExitStack
from functools import partial
from zlib import crc32

from benchmarks.live_games import UNLIMITED, Load, measure, quantile_ms
from benchmarks.served import served
from tools.services.postgres import PostgresServer
from tools.services.redis import RedisServer

SERVERS = (1, 2, 4)
LOADS = ("total", "each", "strangers")


def _homes(game_id: str, created_at: str, urls: Sequence[str], players: str) -> Sequence[str]:
    """The servers of a game's two players."""
    if players == "where created":
        return [created_at, created_at]
    first = crc32(game_id.encode()) % len(urls)
    return [urls[first], urls[(first + (players == "apart")) % len(urls)]]


def main() -> None:
    """Compares the numbers of servers several times, under both loads."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument(
        "--without-redis", action="store_true", help="servers hear of each other from Postgres"
    )
    parser.add_argument("--players", choices=("together", "apart"), default="together")
    parser.add_argument("--servers", type=int, nargs="+", default=SERVERS)
    parser.add_argument("--games", type=int, default=24)
    parser.add_argument("--rate", type=float, default=120, help="moves per second")
    parser.add_argument("--seconds", type=float, default=10)
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    with PostgresServer() as postgres, ExitStack() as stack:
        buses: list[tuple[str, ...]] = [()] * max(options.servers)
        if not options.without_redis:
            buses = [("--redis", stack.enter_context(RedisServer()).url) for _ in buses]
        for _ in range(options.rounds):
            for kind in LOADS:
                compare(postgres, buses, kind, options)


def compare(
    postgres: PostgresServer, buses: Sequence[tuple[str, ...]], kind: str, options: argparse.Namespace
) -> None:
    """Measures each number of servers once, and prints the results."""
    alone = 0.0
    for count in options.servers:
        times = 1 if kind == "total" else count
        load = Load(times * options.games, times * options.rate, options.seconds)
        groups, players = [("--database", postgres.new_database(), *buses[0])] * count, options.players
        if kind == "strangers":
            players = "where created"
            groups = [("--database", postgres.new_database(), *buses[n]) for n in range(count)]
        with ExitStack() as stack:
            servers = [stack.enter_context(served(*group, settings=UNLIMITED)) for group in groups]
            cpu, waits = measure(servers, load, partial(_homes, players=players))
        alone = alone or cpu
        taken, seen = ([quantile_ms(one, part) for part in (0.5, 0.99)] for one in (waits.taken, waits.seen))
        print(
            f"{kind}: {count} servers, {load.games} games, {load.rate:.0f} moves/s: {cpu * 1000:.3f} ms of processor"
            f" time per move ({cpu / alone:.2f} of {options.servers[0]}); acknowledged in p50 {taken[0]:.1f} ms, p99"
            f" {taken[1]:.1f} ms; opponent p50 {seen[0]:.1f} ms, p99 {seen[1]:.1f} ms",
            flush=True,
        )


if __name__ == "__main__":
    main()
