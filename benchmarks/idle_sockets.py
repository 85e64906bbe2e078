"""Measures how much memory an idle socket takes: one of the lobby, of a spectator, and of a player.

For each kind, a fresh server gets so many sockets, which receive their first frames and the first pings. The memory of
the games is measured before the sockets are opened. Prints the memory that the server gained, per socket.

    python -m benchmarks.idle_sockets --sockets 1000
"""

import argparse
import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from itertools import cycle, islice

import httpx
import uvloop
from websockets.asyncio.client import connect

from benchmarks.live_games import NEW_GAME, UNLIMITED
from benchmarks.served import Child, served

SPECTATED = 20
"""How many games the spectators watch."""
OPENING_AT_ONCE = 20
REST_SECONDS = 4.0
"""The time after which all first frames have been handled, and the first pings."""
WARM = 20
"""How many sockets are opened and closed before, so that what the first ones create does not count."""


async def _opened_games(client: httpx.AsyncClient, count: int) -> list[dict[str, str]]:
    """The paths of both players' sockets and of the spectators', of new games with one move each."""
    games = list[dict[str, str]]()
    for _ in range(count):
        table = (await client.post("/api/games", json=NEW_GAME)).json()
        path, tokens = f"/ws/games/{table['gameId']}?ext=1", [seat["token"] for seat in table["seats"]]
        headers = {"Authorization": f"Bearer {tokens[0]}"}
        move = await client.post(f"/api/games/{table['gameId']}/moves", json={"move": "---"}, headers=headers)
        move.raise_for_status()
        games.append(
            {"spectator": path, **{str(n): f"{path}&token={token}" for n, token in enumerate(tokens)}}
        )
    return games


async def _paths(client: httpx.AsyncClient, kind: str, sockets: int) -> Sequence[str]:
    """The addresses of so many sockets of one kind."""
    if kind == "lobby":
        return ["/ws/live-games?ext=1"] * sockets
    if kind == "player":
        games = await _opened_games(client, -(-sockets // 2))
        return [game[seat] for game in games for seat in "01"][:sockets]
    games = await _opened_games(client, SPECTATED)
    return list(islice(cycle(game["spectator"] for game in games), sockets))


@asynccontextmanager
async def _connected(url: str, paths: Sequence[str]) -> AsyncIterator[None]:
    """Has sockets at these paths open for the duration of the context, idle at its begin."""
    opening = asyncio.Semaphore(OPENING_AT_ONCE)
    async with AsyncExitStack() as stack:

        async def open_one(path: str) -> None:
            async with opening:
                socket = await connect(url.replace("http", "ws", 1) + path, compression=None)
                stack.push_async_callback(socket.close)
                await socket.recv()

        await asyncio.gather(*(open_one(path) for path in paths))
        await asyncio.sleep(REST_SECONDS)
        yield


async def measure(child: Child, kind: str, sockets: int) -> float:
    """Returns the KiB that the server has gained for each socket."""
    async with httpx.AsyncClient(base_url=child.url, timeout=60) as client:
        paths = await _paths(client, kind, sockets)
    async with _connected(child.url, paths[:WARM]):
        pass
    await asyncio.sleep(REST_SECONDS)
    before = child.memory_mib()
    async with _connected(child.url, paths):
        return (child.memory_mib() - before) * 1024 / sockets


def main() -> None:
    """Measures all kinds."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--sockets", type=int, default=1000)
    options = parser.parse_args()
    for kind in ("lobby", "spectator", "player"):
        with served(settings=UNLIMITED) as child:
            gained = uvloop.run(measure(child, kind, options.sockets))
        print(f"{kind}: {gained:.1f} KiB for each of {options.sockets} idle sockets", flush=True)


if __name__ == "__main__":
    main()
