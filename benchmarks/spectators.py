"""Measures how long a move takes to reach all spectators of its game, on one server and spread over four.

Starts the servers on one Postgres and one Redis. The moves are made on the first server, the spectators are connections
of separate processes. Prints the time from the request of a move until its last spectator has received it.

    python -m benchmarks.spectators --viewers 500 --rounds 50
"""

import argparse
import asyncio
import statistics
import time
from contextlib import AsyncExitStack, ExitStack
from itertools import cycle

import httpx

from benchmarks.fanout import REST_SECONDS, Audience, Crowd, crowd
from benchmarks.live_games import NEW_GAME
from benchmarks.served import Child, served
from tools.services.postgres import PostgresServer
from tools.services.redis import RedisServer

SERVERS = (1, 4)


async def measure(servers: list[Child], viewers: int, rounds: int) -> list[float]:
    """Returns the seconds until the last spectator has a move, for each round."""
    async with AsyncExitStack() as stack:
        client = await stack.enter_async_context(httpx.AsyncClient(base_url=servers[0].url, timeout=60))
        game = (await client.post("/api/games", json=NEW_GAME)).json()
        audience = Audience(f"/ws/games/{game['gameId']}", "match-status")
        crowds = [
            await stack.enter_async_context(crowd(server.url, audience, viewers // len(servers)))
            for server in servers
        ]
        tokens = cycle(seat["token"] for seat in game["seats"])
        return [
            await _round(client, f"/api/games/{game['gameId']}/moves", next(tokens), crowds)
            for _ in range(rounds)
        ]


async def _round(client: httpx.AsyncClient, path: str, token: str, crowds: list[Crowd]) -> float:
    await asyncio.sleep(REST_SECONDS)
    sent = time.monotonic()
    headers = {"Authorization": f"Bearer {token}"}
    (await client.post(path, json={"move": "---"}, headers=headers)).raise_for_status()
    received = await asyncio.gather(*(viewers.next(sent) for viewers in crowds))
    return max(one.since_sent for one in received)


def main() -> None:
    """Compares the numbers of servers."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--viewers", type=int, default=500)
    parser.add_argument("--rounds", type=int, default=50)
    options = parser.parse_args()
    alone = 0.0
    with PostgresServer() as postgres, RedisServer() as redis:
        for count in SERVERS:
            shared = ("--database", postgres.new_database(), "--redis", redis.url)
            with ExitStack() as stack:
                servers = [stack.enter_context(served(*shared)) for _ in range(count)]
                times = sorted(asyncio.run(measure(servers, options.viewers, options.rounds)))
            median = statistics.median(times)
            alone = alone or median
            print(
                f"{count} servers, {options.viewers} spectators: the last one has a move after "
                f"{median * 1000:.1f} ms ({median / alone:.2f} of one server), "
                f"p99 {times[int(len(times) * 0.99)] * 1000:.1f} ms",
                flush=True,
            )


if __name__ == "__main__":
    main()
