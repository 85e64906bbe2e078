"""Games between two connected people each, who play random legal moves at a fixed rate. Used by other benchmarks.

The players are one process of their own, with a WebSocket for each. They only look for the frames that they wait for,
so that they take little of the processor from the server.
"""

import asyncio
import gc
import json
import multiprocessing
import random
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from typing import Any, cast
from urllib.parse import urlsplit

import httpx
import uvloop

from benchmarks.served import Child
from engines import Position
from engines.bots import random_move

HomesOf = Callable[[str, str, Sequence[str]], Sequence[str]]
"""Chooses the URLs of two servers, for both players, by a game's id, the server that created it, and all servers."""

PEOPLE = [{"kind": "human"}, {"kind": "human"}]
NEW_GAME: dict[str, Any] = {"game": "wallwars", "seats": PEOPLE}
STARTS: Sequence[dict[str, Any]] = (
    {"game": "hive", "variant": "Base", "seats": PEOPLE},
    NEW_GAME,
)
"""The games with an even and with an odd number."""
UNLIMITED = {
    "PLYHOUSE_CONNECTIONS_PER_ADDRESS": "0",
    "PLYHOUSE_CONNECTIONS_PER_SECOND": "0",
    "PLYHOUSE_STORED_MEGABYTES_PER_DAY": "0",
}
"""Settings of the server, since all people have the same address."""
SEEDS = 16
"""How many different games of each kind are played."""
REST_SECONDS = 1.0
"""The pause between the preparations and the first move."""
PATIENCE_SECONDS = 60.0
"""How long the last moves may take."""
OPENING_AT_ONCE = 50
UPGRADE = (
    "GET {path} HTTP/1.1",
    "Host: localhost",
    "Upgrade: websocket",
    "Connection: Upgrade",
    "Sec-WebSocket-Key: MDEyMzQ1Njc4OWFiY2RlZg==",
    "Sec-WebSocket-Version: 13",
)
TAKEN = b'{"type":"move-taken"'
STATE = b'{"type":"state"'
ERROR = b'{"type":"error"'
KIND_BYTES = 24
"""How much of a frame is looked at: enough for the kinds above, and for what a ping contains."""

TEXT, PING, PONG = 0x81, 0x89, 0x8A
"""The first bytes of frames."""


@dataclass(frozen=True, slots=True)
class Load:
    """``games`` in which moves are made in turn, ``rate`` moves a second in total, for some ``seconds``."""

    games: int
    rate: float
    seconds: float

    def times(self, game: int, start: float) -> list[float]:
        """When the moves of one game are due."""
        moves = round(self.rate * self.seconds)
        return [start + number / self.rate for number in range(game, moves, self.games)]

    @property
    def plies(self) -> int:
        """The most moves of a game."""
        return -(-round(self.rate * self.seconds) // self.games)


@dataclass(slots=True)
class Waits:
    """In seconds, since each move was due: until its player had the acknowledgement, and its opponent the move."""

    taken: list[float] = field(default_factory=list)
    seen: list[float] = field(default_factory=list)

    def add(self, more: "Waits") -> None:
        """Adds those of another game."""
        self.taken += more.taken
        self.seen += more.seen


def quantile_ms(waits: Sequence[float], part: float) -> float:
    """The quantile of waits in seconds, in milliseconds."""
    return sorted(waits)[int(len(waits) * part)] * 1000


def random_game(start: dict[str, Any], plies: int, seed: int) -> list[str]:
    """The moves of a game that is not over before so many plies."""
    while True:
        rng = random.Random(seed)  # noqa: S311 - repeatable
        position = Position(start["game"], start.get("variant"), start.get("config"))
        while position.ply < plies and position.outcome is None:
            position.play(random_move(position, position.to_act[0], rng))
        if position.ply >= plies:
            return position.history
        seed += SEEDS


class _Seat(asyncio.Protocol):
    """The WebSocket of one player."""

    def __init__(self, game: "_Game", number: int, path: str) -> None:
        self._game = game
        self._number = number
        self._path = path
        self._bytes = bytearray()
        self._is_open = False
        self._transport: asyncio.Transport | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Asks for the WebSocket."""
        self._transport = cast("asyncio.Transport", transport)
        self._transport.write(("\r\n".join(UPGRADE).format(path=self._path) + "\r\n\r\n").encode())

    def connection_lost(self, exc: Exception | None) -> None:
        """Fails: the server may not close it."""
        self._game.fail("a socket was closed")

    def data_received(self, data: bytes) -> None:
        """Reads frames, which may arrive in parts."""
        self._bytes += data
        if not self._is_open:
            head, blank, rest = self._bytes.partition(b"\r\n\r\n")
            if not blank:
                return
            if not head.startswith(b"HTTP/1.1 101 "):
                self._game.fail(head.decode())
                return
            self._is_open, self._bytes = True, rest
        while (size := _frame_size(self._bytes)) is not None and len(self._bytes) >= sum(size):
            head_size, length = size
            is_ping = self._bytes[0] == PING
            kind = bytes(self._bytes[head_size : head_size + min(length, KIND_BYTES)])
            del self._bytes[: head_size + length]
            if is_ping:
                self._write(PONG, kind)
            else:
                self._game.heard(self._number, kind)

    def send(self, text: str) -> None:
        """Sends a text frame of at most 125 bytes."""
        self._write(TEXT, text.encode())

    def _write(self, first: int, content: bytes) -> None:
        """Sends a frame with a mask of zeros; ``first`` is its first byte."""
        if self._transport is not None:
            self._transport.write(bytes((first, 0x80 | len(content), 0, 0, 0, 0)) + content)

    def close(self) -> None:
        """Cuts the connection."""
        if self._transport is not None:
            self._transport.abort()


def _frame_size(data: bytearray) -> tuple[int, int] | None:
    """The sizes of the head and of the content of the first frame; None if too little has arrived."""
    if len(data) < 2:
        return None
    long = {126: 2, 127: 8}.get(data[1], 0)
    if len(data) < 2 + long:
        return None
    return 2 + long, int.from_bytes(data[2 : 2 + long], "big") if long else data[1]


class _Game:
    """One game: both players move in turn, when their moves are due and the last one has arrived."""

    def __init__(self, table: dict[str, Any], homes: Sequence[str], moves: list[str]) -> None:
        self._homes = homes
        self._moves = moves
        self._times: list[float] = []
        self._ply = 0
        self._is_taken = self._is_seen = True
        self._opened = [False, False]
        self.waits = Waits()
        self.ready: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._seats = [
            _Seat(self, number, f"/ws/games/{table['gameId']}?ext=1&token={seat['token']}")
            for number, seat in enumerate(table["seats"])
        ]

    async def open(self) -> None:
        """Connects both players; returns when both have the first state."""
        loop = asyncio.get_running_loop()
        for home, seat in zip(self._homes, self._seats, strict=True):
            at = urlsplit(home)
            await loop.create_connection(lambda seat=seat: seat, str(at.hostname), at.port or 80)  # type: ignore[misc]
        await self.ready

    async def play(self, times: list[float]) -> None:
        """Returns when all moves have arrived. ``times`` are when they are due, by the loop's clock."""
        self._times = times
        self._await_next()
        await self.done

    def fail(self, why: str) -> None:
        """Ends the benchmark."""
        for waiting in (self.ready, self.done):
            if not waiting.done():
                waiting.set_exception(SystemExit(why))

    def heard(self, seat: int, kind: bytes) -> None:
        """Handles a frame to one of the players."""
        if kind.startswith(ERROR):
            self.fail(f"the server refuses move {self._ply + 1}")
        elif kind.startswith(TAKEN):
            self._is_taken = True
            self.waits.taken.append(time.monotonic() - self._times[self._ply])
            self._go_on()
        elif kind.startswith(STATE) and not self.ready.done():
            self._opened[seat] = True
            if all(self._opened):
                self.ready.set_result(None)
        elif kind.startswith(STATE) and seat != self._ply % 2:
            self._is_seen = True
            self.waits.seen.append(time.monotonic() - self._times[self._ply])
            self._go_on()

    def _go_on(self) -> None:
        if self._is_taken and self._is_seen:
            self._ply += 1
            self._await_next()

    def _await_next(self) -> None:
        if self._ply < len(self._times):
            asyncio.get_running_loop().call_at(self._times[self._ply], self._send)
            return
        self.done.set_result(None)

    def close(self) -> None:
        """Cuts both connections."""
        for seat in self._seats:
            seat.close()

    def _send(self) -> None:
        self._is_taken = self._is_seen = False
        move = {"type": "submit-move", "move": self._moves[self._ply], "expectedPly": self._ply}
        self._seats[self._ply % 2].send(json.dumps(move))


async def _play_all(
    tables: list[dict[str, Any]], homes: list[Sequence[str]], load: Load, parent: Connection
) -> None:
    moves = [[random_game(start, load.plies, seed) for seed in range(SEEDS)] for start in STARTS]
    games = [
        _Game(table, at, moves[number % len(STARTS)][number % SEEDS])
        for number, (table, at) in enumerate(zip(tables, homes, strict=True))
    ]
    opening = asyncio.Semaphore(OPENING_AT_ONCE)

    async def open_one(game: _Game) -> None:
        async with opening:
            await game.open()

    await asyncio.gather(*(open_one(game) for game in games))
    gc.disable()  # Collecting the players' own garbage takes 0.3 s with 9,000 games, which the moves would wait for.
    parent.send("ready")
    await asyncio.to_thread(parent.recv)
    start = time.monotonic() + REST_SECONDS
    async with asyncio.timeout_at(start + load.seconds + PATIENCE_SECONDS):
        await asyncio.gather(*(game.play(load.times(number, start)) for number, game in enumerate(games)))
    waits = Waits()
    for game in games:
        waits.add(game.waits)
    parent.send(waits)
    await asyncio.to_thread(parent.recv)
    for game in games:
        game.close()


def _run(tables: list[dict[str, Any]], homes: list[Sequence[str]], load: Load, parent: Connection) -> None:
    uvloop.run(_play_all(tables, homes, load, parent))


def measure(
    servers: Sequence[Child],
    load: Load,
    homes_of: HomesOf = lambda _, created_at, __: (created_at, created_at),
) -> tuple[float, Waits]:
    """Plays the games; returns the servers' processor time for a move, in seconds, and the waits.

    ``homes_of`` chooses the servers of a game's two players. Each server in turn creates a game of each kind. The time
    to connect and to disconnect the players does not count.
    """
    urls = [server.url for server in servers]
    creators = [urls[number // len(STARTS) % len(urls)] for number in range(load.games)]
    with httpx.Client(timeout=60) as client:
        tables = [
            client.post(f"{url}/api/games", json=STARTS[number % len(STARTS)]).json()
            for number, url in enumerate(creators)
        ]
    homes = [homes_of(table["gameId"], url, urls) for table, url in zip(tables, creators, strict=True)]
    spawning = multiprocessing.get_context("spawn")
    ours, theirs = spawning.Pipe()
    players = spawning.Process(target=_run, args=(tables, homes, load, theirs), daemon=True)
    players.start()
    theirs.close()
    try:
        ours.recv()
        before = sum(server.cpu_seconds() for server in servers)
        ours.send("go")
        waits: Waits = ours.recv()
        spent = sum(server.cpu_seconds() for server in servers) - before
        ours.send("close")
    except EOFError:
        raise SystemExit("the players' process has failed") from None
    finally:
        players.join()
    return spent / len(waits.taken), waits
