"""Measures how soon games go on after a server is killed, and after Redis or Postgres has been restarted.

Starts three servers on one Postgres and one Redis.

- Takeover: games against built-in bots are opened on one server, which is killed in the middle of them. Another server
  acknowledges a move in each; the time from the kill until the bot has answered is measured.
- Redis: from its restart until a move reaches a spectator on another server.
- Postgres: from its restart until a move is acknowledged.

    python -m benchmarks.recovery --rounds 10 --games 10
"""

import argparse
import asyncio
import json
import random
import signal
import tempfile
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import httpx
from websockets.asyncio.client import ClientConnection, connect

from benchmarks.fault_servers import Cluster

Json = dict[str, Any]

SERVERS = 3
RETRY_SECONDS = 0.01
LIMIT_SECONDS = 60.0
BOARD = {"game": "wallwars", "config": {"boardWidth": 8, "boardHeight": 8}}
HUMAN, BOT = {"kind": "human"}, {"kind": "bot", "bot": "plyhouse:easy"}
MOVES = 8
"""How many moves each player has made when the server is killed: the bot wins later than that."""


class Game:
    """A game in which people pass."""

    def __init__(self, client: httpx.AsyncClient, table: Json) -> None:
        self._client = client
        self._tokens = [seat.get("token", "") for seat in table["seats"]]
        self.path = f"/api/games/{table['gameId']}"
        self._ply = 0

    async def move(self, url: str) -> None:
        """Plays the next move, repeating the request until it is acknowledged."""
        ply = self._ply
        body = {"move": "---", "expectedPly": ply, "clientMsgId": f"{self.path} {ply}"}
        headers = {"Authorization": f"Bearer {self._tokens[ply % 2]}"}
        while True:
            with suppress(httpx.TransportError):
                answer = await self._client.post(f"{url}{self.path}/moves", json=body, headers=headers)
                if answer.status_code == 200:
                    break
            await asyncio.sleep(RETRY_SECONDS)
        self._ply += 1

    async def play(self, url: str) -> None:
        """Plays the next move, and waits for the bot's."""
        await self.move(url)
        before = self._ply
        while self._ply == before:
            await asyncio.sleep(RETRY_SECONDS)
            with suppress(httpx.TransportError):
                answer = await self._client.get(f"{url}{self.path}")
                if answer.status_code == 200:
                    self._ply = answer.json()["position"]["ply"]


async def opened(client: httpx.AsyncClient, url: str, opponent: Json) -> Game:
    """Opens a game of a person against this opponent."""
    answer = await client.post(f"{url}/api/games", json={**BOARD, "seats": [HUMAN, opponent]})
    return Game(client, answer.raise_for_status().json())


async def take_over(cluster: Cluster, client: httpx.AsyncClient, number: int, games: int) -> list[float]:
    """Returns the seconds from the kill of a server until bots answer at another one."""
    killed, other = number % SERVERS, (number + 1) % SERVERS
    urls = cluster.urls
    tables = [await opened(client, urls[killed], BOT) for _ in range(games)]
    for _ in range(MOVES):
        await asyncio.gather(*(game.play(urls[killed]) for game in tables))
    cluster.members[killed].send(signal.SIGKILL)
    start = time.monotonic()

    async def answered(game: Game) -> float:
        await game.play(urls[other])
        return time.monotonic() - start

    times = await asyncio.gather(*(answered(game) for game in tables))
    await cluster.members[killed].wait()
    await cluster.members[killed].start()
    return times


async def restart_redis(cluster: Cluster, client: httpx.AsyncClient, number: int, _games: int) -> list[float]:
    """Returns the seconds from the restart of Redis until a move reaches a spectator on another server."""
    home, other = cluster.urls[number % SERVERS], cluster.urls[(number + 1) % SERVERS]
    game = await opened(client, home, HUMAN)
    await game.move(home)
    async with connect(
        other.replace("http", "ws", 1) + "/ws/games/" + game.path.rpartition("/")[2]
    ) as socket:
        await _shown(socket, 1)
        cluster.redis.kill()
        await game.move(home)
        await asyncio.sleep(1)
        await asyncio.to_thread(cluster.redis.start)
        start = time.monotonic()
        await _shown(socket, 2)
        return [time.monotonic() - start]


async def _shown(socket: ClientConnection, ply: int) -> None:
    """Waits until the socket shows the position after so many plies."""
    async for frame in socket:
        if json.loads(frame).get("state", {}).get("moveCount") == ply:
            return
    raise SystemExit("the spectator's socket was closed")


async def restart_postgres(
    cluster: Cluster, client: httpx.AsyncClient, number: int, _games: int
) -> list[float]:
    """Returns the seconds from the restart of Postgres until a move is acknowledged."""
    home = cluster.urls[number % SERVERS]
    game = await opened(client, home, HUMAN)
    await asyncio.to_thread(cluster.postgres.kill)
    move = asyncio.ensure_future(game.move(home))
    await asyncio.sleep(1)
    await asyncio.to_thread(cluster.postgres.start)
    start = time.monotonic()
    await move
    return [time.monotonic() - start]


Measure = Callable[[Cluster, httpx.AsyncClient, int, int], Awaitable[list[float]]]

MEASURES: dict[str, Measure] = {
    "a bot answers at another server after a kill": take_over,
    "a move reaches another server after a restart of Redis": restart_redis,
    "a move is acknowledged after a restart of Postgres": restart_postgres,
}


async def run(rounds: int, games: int) -> None:
    """Measures everything and prints it."""
    with tempfile.TemporaryDirectory(prefix="recovery") as folder:
        async with (
            Cluster(Path(folder), SERVERS, random.Random(1)) as cluster,  # noqa: S311 - repeatable
            httpx.AsyncClient(timeout=10) as client,
        ):
            for name, measure in MEASURES.items():
                times: list[float] = []
                for number in range(rounds):
                    async with asyncio.timeout(LIMIT_SECONDS):
                        times += await measure(cluster, client, number, games)
                times.sort()
                p50, p99 = (times[int(len(times) * part)] for part in (0.5, 0.99))
                print(f"{name}: p50 {p50:.2f} s, p99 {p99:.2f} s, {len(times)} times", flush=True)


def main() -> None:
    """Reads the options."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=10)
    parser.add_argument("--games", type=int, default=10)
    options = parser.parse_args()
    asyncio.run(run(options.rounds, options.games))


if __name__ == "__main__":
    main()
