"""How long a player waits until a move is acknowledged, that is, stored durably, with many games live.

Starts ``plyhouse serve`` on a temporary database, opens the games, and lets each of them move once a second,
at a moment of its own, over one connection per game. Prints the median and the 99th percentile, and what the
server's process spent on a move.

    python -m benchmarks.acknowledgement --games 100 --seconds 20
"""

import argparse
import asyncio
import json
import random
import time
from typing import Any
from urllib.parse import urlsplit

import httpx

from benchmarks.served import Child, served

NEW_GAME = {"game": "wallwars", "seats": [{"kind": "human"}, {"kind": "human"}]}
PERIOD = 1.0
"""Seconds from one move of a game to its next."""


async def measure(child: Child, games: int, seconds: int) -> None:
    """Plays and prints."""
    async with httpx.AsyncClient(base_url=child.url, timeout=60) as client:
        tables = [(await client.post("/api/games", json=NEW_GAME)).json() for _ in range(games)]
    before = child.cpu_seconds()
    waits = await asyncio.gather(*(play(child, table, seconds) for table in tables))
    spent = child.cpu_seconds() - before
    report(sorted(wait for each in waits for wait in each), games, spent)


async def play(child: Child, table: dict[str, Any], moves: int) -> list[float]:
    """Plays passes in one game; the seconds until each was acknowledged."""
    address = urlsplit(child.url)
    reader, writer = await asyncio.open_connection(address.hostname, address.port)
    await asyncio.sleep(random.random() * PERIOD)  # noqa: S311 - spreads the games over the second
    waits = []
    for ply in range(moves):
        began = time.perf_counter()
        writer.write(_request(table, ply))
        await _acknowledged(reader)
        waits.append(time.perf_counter() - began)
        await asyncio.sleep(max(0.0, PERIOD - waits[-1]))
    writer.close()
    return waits


def _request(table: dict[str, Any], ply: int) -> bytes:
    body = json.dumps({"move": "---", "expectedPly": ply, "clientMsgId": str(ply)})
    head = (
        f"POST /api/games/{table['gameId']}/moves HTTP/1.1",
        "Host: localhost",
        "Content-Type: application/json",
        f"Authorization: Bearer {table['seats'][ply % 2]['token']}",
        f"Content-Length: {len(body)}",
    )
    return "\r\n".join((*head, "", body)).encode()


async def _acknowledged(reader: asyncio.StreamReader) -> None:
    head = (await reader.readuntil(b"\r\n\r\n")).decode().lower()
    length = next(line.split(":")[1] for line in head.splitlines() if line.startswith("content-length"))
    body = await reader.readexactly(int(length))
    if " 200 " not in head.splitlines()[0]:
        raise SystemExit(f"a move was refused: {body.decode()}")


def report(waits: list[float], games: int, spent: float) -> None:
    """Prints the figures of sorted waits."""
    at = {name: waits[int(len(waits) * part)] * 1000 for name, part in (("p50", 0.5), ("p99", 0.99))}
    print(
        f"{games} live games, {len(waits)} moves: p50 {at['p50']:.1f} ms, p99 {at['p99']:.1f} ms; "
        f"server processor time {spent / len(waits) * 1000:.2f} ms a move"
    )


def main() -> None:
    """Measures a server of its own."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--seconds", type=int, default=20)
    wanted = parser.parse_args()
    with served() as child:
        asyncio.run(measure(child, wanted.games, wanted.seconds))


if __name__ == "__main__":
    main()
