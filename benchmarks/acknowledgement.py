"""Measures the time until a move is acknowledged, that is, stored durably, with many live games.

Starts ``plyhouse serve`` on a temporary database, opens the games, and makes moves in turn at a fixed rate, with one
connection per game, which is opened when it is needed: servers close connections that are idle for 5 s. A move is timed
from when it was due, so that waiting for a connection and for the previous move of its game counts too.
Prints the median, the 99th percentile and the maximum, and the CPU time of the server's process per move.

    python -m benchmarks.acknowledgement --games 1000 --rate 1000 --seconds 20
"""

import argparse
import asyncio
import json
import time
from dataclasses import dataclass
from typing import Any, cast
from urllib.parse import urlsplit

import httpx
import uvloop

from benchmarks.served import Child, served

NEW_GAME = {"game": "wallwars", "seats": [{"kind": "human"}, {"kind": "human"}]}
REST_SECONDS = 1.0
"""The pause between the preparations and the first move."""
PATIENCE_SECONDS = 60.0
"""How long the last moves may take."""


class Player(asyncio.Protocol):
    """Plays passes in one game of the server at ``url``; ``times`` are when its moves are due, by the loop's clock."""

    def __init__(self, url: str, table: dict[str, Any], times: list[float]) -> None:
        self._address = urlsplit(url)
        self._requests = [_request(table, ply) for ply in range(len(times))]
        self._times = times
        self._rest = b""
        self._transport: asyncio.Transport | None = None
        self._connecting: asyncio.Future[Any] | None = None
        self._is_waiting = False
        """Whether a move has not been acknowledged yet."""
        self.waits: list[float] = []
        """For each move, the seconds from when it was due until it was acknowledged."""
        self.done = asyncio.get_running_loop().create_future()

    async def play(self) -> None:
        """Returns when all moves are acknowledged."""
        if self._times:
            self._await_next()
            await self.done

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Sends the move for which the connection was opened."""
        self._transport = cast("asyncio.Transport", transport)
        self._transport.write(self._requests[len(self.waits)])

    def connection_lost(self, exc: Exception | None) -> None:
        """Sends a move again if the server closed the connection at the same time; its message id makes that safe."""
        self._transport, self._rest = None, b""
        if self._is_waiting and not self.done.done():
            self._connect()

    def data_received(self, data: bytes) -> None:
        """Reads an acknowledgement, which may arrive in parts."""
        data = self._rest + data
        head, blank, body = data.partition(b"\r\n\r\n")
        if not blank or len(body) < _length(head):
            self._rest = data
            return
        self._rest, self._is_waiting = b"", False
        if not head.startswith(b"HTTP/1.1 200 "):
            self.done.set_exception(SystemExit(f"a move was refused: {body.decode()}"))
            return
        self.waits.append(time.monotonic() - self._times[len(self.waits)])
        if len(self.waits) < len(self._times):
            self._await_next()
        else:
            self.done.set_result(None)

    def _await_next(self) -> None:
        """Sends the next move when it is due, immediately if that time has passed."""
        asyncio.get_running_loop().call_at(self._times[len(self.waits)], self._send)

    def _send(self) -> None:
        self._is_waiting = True
        if self._transport is None:
            self._connect()
        else:
            self._transport.write(self._requests[len(self.waits)])

    def _connect(self) -> None:
        host, port = str(self._address.hostname), self._address.port or 80
        loop = asyncio.get_running_loop()
        self._connecting = loop.create_task(loop.create_connection(lambda: self, host, port))
        self._connecting.add_done_callback(self._note_failure)

    def _note_failure(self, connecting: asyncio.Future[Any]) -> None:
        if not connecting.cancelled() and (error := connecting.exception()) is not None:
            self.done.set_exception(error)


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


def _length(head: bytes) -> int:
    return int(head.lower().partition(b"content-length:")[2].partition(b"\r\n")[0])


@dataclass(frozen=True, slots=True)
class Load:
    """The load: ``games`` in which moves are made in turn, ``rate`` moves per second in total."""

    games: int
    rate: float
    seconds: float

    def times(self, game: int, start: float) -> list[float]:
        """Returns when the moves of one game are due."""
        moves = round(self.rate * self.seconds)
        return [start + number / self.rate for number in range(game, moves, self.games)]


async def measure(child: Child, load: Load) -> None:
    """Plays the moves and prints the results."""
    async with httpx.AsyncClient(base_url=child.url, timeout=60) as client:
        tables = [(await client.post("/api/games", json=NEW_GAME)).json() for _ in range(load.games)]
    start, before = time.monotonic() + REST_SECONDS, child.cpu_seconds()
    players = [Player(child.url, table, load.times(game, start)) for game, table in enumerate(tables)]
    async with asyncio.timeout_at(start + load.seconds + PATIENCE_SECONDS):
        await asyncio.gather(*(player.play() for player in players))
    spent, took = child.cpu_seconds() - before, time.monotonic() - start
    report(load, sorted(wait for player in players for wait in player.waits), took, spent)


def report(load: Load, waits: list[float], took: float, spent: float) -> None:
    """Prints the statistics of the sorted ``waits``, in seconds."""
    p50, p99 = (waits[int(len(waits) * part)] * 1000 for part in (0.5, 0.99))
    print(
        f"{load.games} live games, {len(waits)} moves, {load.rate:.0f}/s sent and {len(waits) / took:.0f}/s "
        f"acknowledged: p50 {p50:.1f} ms, p99 {p99:.1f} ms, longest {waits[-1] * 1000:.1f} ms; "
        f"server CPU time {spent / len(waits) * 1000:.3f} ms per move"
    )


def main() -> None:
    """Starts a server and measures it."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--rate", type=float, help="moves per second; the number of games by default")
    parser.add_argument("--seconds", type=float, default=20)
    options = parser.parse_args()
    load = Load(options.games, options.rate or options.games, options.seconds)
    with served() as child:
        uvloop.run(measure(child, load))


if __name__ == "__main__":
    main()
