"""Measures the cost of more server processes on one database, with two connected players in each game.

Starts servers on one Postgres and one Redis, opens games, connects both players of each over WebSockets and lets them
play random legal moves of Hive in turn, from a separate process. Prints, for each number of servers, the processor time
per move of all servers together, as a ratio to one server, and how late the opponent's socket shows a move.

    total     the same number of moves per second for any number of servers: each server has less to do
    each      the same number of moves per second and of games for each server

A server that has less to do needs more time per move, since fewer moves share a commit. The ratio under ``each`` is
therefore what other servers cost; the one under ``total`` also contains that.

``--players together``: both players of a game are connected to the server that a proxy would choose by the game's id,
as with the Caddyfile; another server has created it. ``apart``: they are connected to different servers, as with a
proxy that chooses by the client's address.

    python -m benchmarks.scale
    python -m benchmarks.scale --players apart --servers 1 2 --seconds 20
"""

import argparse
import asyncio
import json
import multiprocessing
import random
import time
from contextlib import AsyncExitStack, ExitStack
from dataclasses import dataclass, field
from typing import Any
from zlib import crc32

import httpx
import uvloop
from websockets.asyncio.client import ClientConnection, connect

from benchmarks.served import Child, served
from engines import Position
from tools.services.postgres import PostgresServer
from tools.services.redis import RedisServer

SERVERS = (1, 2, 4)
LOADS = ("total", "each")
HIVE: dict[str, Any] = {"game": "hive", "variant": "Base", "seats": [{"kind": "human"}, {"kind": "human"}]}
REST_SECONDS = 1.0
"""The pause between the preparations and the first move."""


@dataclass(frozen=True, slots=True)
class Load:
    """``games`` in which moves are made in turn, ``rate`` moves per second in total."""

    games: int
    rate: float
    seconds: float

    def times(self, game: int, start: float) -> list[float]:
        """When the moves of one game are due."""
        moves = round(self.rate * self.seconds)
        return [start + number / self.rate for number in range(game, moves, self.games)]


@dataclass(slots=True)
class Waits:
    """In seconds, since each move was due: until its player had the acknowledgement, and its opponent the move."""

    taken: list[float] = field(default_factory=list)
    seen: list[float] = field(default_factory=list)


def random_game(plies: int, seed: int) -> list[str]:
    """The moves of a game that is not over after so many plies."""
    while True:
        rng, position = random.Random(seed), Position("hive", "Base")  # noqa: S311 - repeatable
        while position.ply < plies and position.outcome is None:
            position.play(rng.choice(position.legal_moves()))
        if position.outcome is None:
            return [str(move) for move in position.history]
        seed += 1000


async def _until(socket: ClientConnection, kind: str, ply: int) -> None:
    """Reads frames up to the one of this kind about this ply."""
    while True:
        frame = json.loads(await socket.recv())
        found = frame.get("ply", frame.get("position", {}).get("ply"))
        if frame["type"] == kind and found == ply:
            return


async def _play(table: dict[str, Any], homes: list[str], moves: list[str], times: list[float]) -> Waits:
    """Plays one game; the players are connected to these servers."""
    waits = Waits()
    async with AsyncExitStack() as stack:
        sockets = []
        for home, seat in zip(homes, table["seats"], strict=True):
            url = f"{home.replace('http', 'ws', 1)}/ws/games/{table['gameId']}?ext=1&token={seat['token']}"
            sockets.append(await stack.enter_async_context(connect(url, compression=None)))
        for ply, (move, due) in enumerate(zip(moves, times, strict=False)):
            player, opponent = sockets[ply % 2], sockets[1 - ply % 2]
            await asyncio.sleep(due - time.monotonic())
            await player.send(json.dumps({"type": "submit-move", "move": move, "expectedPly": ply}))
            seeing = asyncio.ensure_future(_until(opponent, "state", ply + 1))
            await _until(player, "move-taken", ply + 1)
            waits.taken.append(time.monotonic() - due)
            await seeing
            waits.seen.append(time.monotonic() - due)
    return waits


def _homes(game_id: str, urls: list[str], players: str) -> list[str]:
    """The servers of a game's two players."""
    first = crc32(game_id.encode()) % len(urls)
    return [urls[first], urls[(first + (players == "apart")) % len(urls)]]


async def _play_all(tables: list[dict[str, Any]], urls: list[str], load: Load, players: str) -> Waits:
    plies = round(load.rate * load.seconds / load.games) + 1
    games = [random_game(plies, seed) for seed in range(16)]
    start = time.monotonic() + REST_SECONDS + load.games / 100
    found = await asyncio.gather(
        *(
            _play(
                table, _homes(table["gameId"], urls, players), games[number % 16], load.times(number, start)
            )
            for number, table in enumerate(tables)
        )
    )
    return Waits(
        [one for waits in found for one in waits.taken], [one for waits in found for one in waits.seen]
    )


def _run(tables: list[dict[str, Any]], urls: list[str], load: Load, players: str) -> Waits:
    return uvloop.run(_play_all(tables, urls, load, players))


def measure(servers: list[Child], load: Load, players: str) -> tuple[float, Waits]:
    """Plays the games from another process; the servers' processor time per move, in seconds, and the waits."""
    urls = [server.url for server in servers]
    with httpx.Client(timeout=60) as client:
        tables = [
            client.post(f"{urls[number % len(urls)]}/api/games", json=HIVE).json()
            for number in range(load.games)
        ]
    with multiprocessing.get_context("spawn").Pool(1) as clients:
        before = sum(server.cpu_seconds() for server in servers)
        waits = clients.apply(_run, (tables, urls, load, players))
        spent = sum(server.cpu_seconds() for server in servers) - before
    return spent / len(waits.taken), waits


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
    with PostgresServer() as postgres, RedisServer() as redis:
        bus = () if options.without_redis else ("--redis", redis.url)
        for _ in range(options.rounds):
            for kind in LOADS:
                compare(("--database", postgres.new_database(), *bus), kind, options)


def compare(shared: tuple[str, ...], kind: str, options: argparse.Namespace) -> None:
    """Measures each number of servers once, and prints the results."""
    alone = 0.0
    for count in options.servers:
        times = count if kind == "each" else 1
        load = Load(times * options.games, times * options.rate, options.seconds)
        with ExitStack() as stack:
            servers = [stack.enter_context(served(*shared)) for _ in range(count)]
            cpu, waits = measure(servers, load, options.players)
        alone = alone or cpu
        taken, seen = ([_quantile(one, part) for part in (0.5, 0.99)] for one in (waits.taken, waits.seen))
        print(
            f"{kind}: {count} servers, {load.games} games, {load.rate:.0f} moves/s: {cpu * 1000:.3f} ms of processor"
            f" time per move ({cpu / alone:.2f} of {options.servers[0]}); acknowledged in p50 {taken[0]:.1f} ms, p99"
            f" {taken[1]:.1f} ms; opponent p50 {seen[0]:.1f} ms, p99 {seen[1]:.1f} ms",
            flush=True,
        )


def _quantile(waits: list[float], part: float) -> float:
    return sorted(waits)[int(len(waits) * part)] * 1000


if __name__ == "__main__":
    main()
