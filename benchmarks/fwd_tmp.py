"""Measures how long an attached bot takes to reply in games at its own server, and at another one.

Starts two servers on one Postgres and one Redis. A bot that answers at once is attached to the first. The same player
plays against it at either server in turn, so other load on the machine affects both alike. Prints the time from the
acknowledgement of a move until the player has the bot's reply. Without a clock, that contains four requests to the bot.

    python -m benchmarks.forwarding --games 20
"""

import argparse
import asyncio
import json
import random
import time
from collections.abc import Sequence
from typing import Any

import httpx
from websockets.asyncio.client import ClientConnection, connect

from benchmarks.fault_bots import AttachedBot
from benchmarks.fault_players import HIVE, HUMAN, RETRY_SECONDS
from benchmarks.served import served
from engines import Position
from tools.services.postgres import PostgresServer
from tools.services.redis import RedisServer

Json = dict[str, Any]

REPLIES = 10
"""After so many replies of the bot the player resigns."""
PLACES = ("at the bot's server", "at another server")


async def _reply(socket: ClientConnection) -> Json | None:
    """The next position in which the player is to move; None if the game is over."""
    while True:
        frame = json.loads(await socket.recv())
        if frame["type"] != "state" or "position" not in frame:
            continue
        position: Json = frame["position"]
        if position["status"] != "playing":
            return None
        if position["toAct"] == [0]:
            return position


async def _play(url: str, bot: AttachedBot, rng: random.Random) -> list[float]:
    """Plays a game at the server at ``url``; the seconds that each reply of the bot took."""
    waits: list[float] = []
    async with httpx.AsyncClient(base_url=url, timeout=60) as client:
        body = {**HIVE, "seats": [HUMAN, {"kind": "bot", "bot": bot.id}]}
        while not (answer := await client.post("/api/games", json=body)).is_success:  # noqa: ASYNC110 - polls
            await asyncio.sleep(RETRY_SECONDS)  # The server has not heard of the bot yet.
        game, token = answer.json()["gameId"], answer.json()["seats"][0]["token"]
        path = f"/api/games/{game}"
        headers = {"Authorization": f"Bearer {token}"}
        address = f"{url.replace('http', 'ws', 1)}/ws/games/{game}?ext=1&token={token}"
        async with connect(address, compression=None) as socket:
            shown = await _reply(socket)
            while shown is not None and len(waits) < REPLIES:
                position = Position(HIVE["game"], HIVE["variant"])
                position.play(*shown["history"])
                move = {"move": rng.choice(position.legal_moves()), "expectedPly": shown["ply"]}
                (await client.post(f"{path}/moves", json=move, headers=headers)).raise_for_status()
                start = time.monotonic()
                shown = await _reply(socket)
                waits.append(time.monotonic() - start)
        await client.post(f"{path}/resign", headers=headers)
    return waits


async def measure(urls: Sequence[str], games: int) -> list[list[float]]:
    """The seconds of all replies, by server, without a first game at each. The bot is attached to the first server."""
    rng = random.Random(1)  # noqa: S311 - repeatable
    bot = AttachedBot("forwarding", urls[:1], 0, rng)
    task = asyncio.ensure_future(bot.run())
    try:
        for url in urls:
            await _play(url, bot, rng)
        waits: list[list[float]] = [[] for _ in urls]
        for _ in range(games):
            for number, url in enumerate(urls):
                w = await _play(url, bot, rng); print(number, [round(x*1000) for x in w]); waits[number] += w
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
    return waits


def main() -> None:
    """Measures, and prints the quantiles."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--games", type=int, default=20, help="at each of the two servers")
    options = parser.parse_args()
    with PostgresServer() as postgres, RedisServer() as redis:
        shared = ("--database", postgres.new_database(), "--redis", redis.url)
        with served(*shared) as one, served(*shared) as other:
            found = asyncio.run(measure([one.url, other.url], options.games))
    for place, waits in zip(PLACES, map(sorted, found), strict=True):
        p50, p99 = (waits[int(len(waits) * part)] * 1000 for part in (0.5, 0.99))
        print(f"a game {place}: {len(waits)} replies, p50 {p50:.0f} ms, p99 {p99:.0f} ms")


if __name__ == "__main__":
    main()
