"""The other people during the attacks of ``benchmarks.attacks``: they play, and measure how late their moves count.

Each has an address of their own, behind the proxy that the server trusts.
"""

import asyncio
import json
import time
from collections.abc import Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass
from typing import Any

import httpx
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

from benchmarks.acknowledgement import NEW_GAME

GAMES = 8
PAUSE_SECONDS = 0.05
"""The pause of a game between a move's acknowledgement and the next move."""
PATIENCE_SECONDS = 20.0
"""How long a move is awaited. Its wait counts with this if it is not acknowledged."""


class Bystander:
    """A player with a game socket."""

    def __init__(self, socket: ClientConnection) -> None:
        self._socket = socket
        self._taken: asyncio.Future[None] | None = None
        self._reading = asyncio.ensure_future(self._read())

    async def move(self, ply: int) -> float:
        """Passes; returns the seconds until the move was acknowledged, at most ``PATIENCE_SECONDS``."""
        self._taken = asyncio.get_running_loop().create_future()
        frame = {"type": "submit-move", "move": "---", "expectedPly": ply, "clientMsgId": str(ply)}
        began = time.monotonic()
        try:
            await self._socket.send(json.dumps(frame))
            async with asyncio.timeout(PATIENCE_SECONDS):
                await self._taken
        except (TimeoutError, ConnectionClosed):
            return PATIENCE_SECONDS
        return time.monotonic() - began

    async def close(self) -> None:
        """Closes the socket."""
        self._reading.cancel()
        await self._socket.close()

    async def _read(self) -> None:
        async for frame in self._socket:
            if '"move-taken"' in str(frame[:200]) and self._taken is not None and not self._taken.done():
                self._taken.set_result(None)


@dataclass(frozen=True, slots=True)
class Game:
    """One game of two bystanders."""

    id: str
    players: tuple[Bystander, Bystander]

    async def play(self, seconds: float) -> list[float]:
        """Plays for so long; returns the wait for each move in seconds."""
        until, waits = time.monotonic() + seconds, list[float]()
        while time.monotonic() < until:
            waits.append(await self.players[len(waits) % 2].move(len(waits)))
            if waits[-1] == PATIENCE_SECONDS:
                break
            await asyncio.sleep(PAUSE_SECONDS)
        return waits


async def open_games(url: str, addresses: Sequence[str], stack: AsyncExitStack) -> list[Game]:
    """Opens a game for every two addresses, and the sockets of its players."""
    games = list[Game]()
    async with httpx.AsyncClient(base_url=url, timeout=60) as client:
        for pair in zip(addresses[::2], addresses[1::2], strict=True):
            answer = await client.post("/api/games", json=NEW_GAME, headers={"X-Forwarded-For": pair[0]})
            opened = answer.raise_for_status().json()
            players = [await _join(url, opened, seat, address, stack) for seat, address in enumerate(pair)]
            games.append(Game(opened["gameId"], (players[0], players[1])))
    return games


async def _join(
    url: str, opened: dict[str, Any], seat: int, address: str, stack: AsyncExitStack
) -> Bystander:
    path = f"/ws/games/{opened['gameId']}?ext=1&token={opened['seats'][seat]['token']}"
    socket = await connect(
        url.replace("http", "ws", 1) + path,
        additional_headers={"X-Forwarded-For": address},
        compression=None,
        ping_interval=None,
        max_size=None,
    )
    player = Bystander(socket)
    stack.push_async_callback(player.close)
    return player


async def play(games: Sequence[Game], seconds: float) -> list[float]:
    """Plays in all games at once; returns the waits of all moves, sorted, in seconds."""
    waits = await asyncio.gather(*(game.play(seconds) for game in games))
    return sorted(wait for game in waits for wait in game)
