"""How fast one message reaches many viewers: messages delivered a second.

Three kinds of messages go to viewers, who are connections in a process of their own:

- evaluations of a game, by an attached bot that answers at once, so that nothing is searched. Measured is the time from
  the bot's answer to the last viewer's frame;
- moves of a game to its spectators, and to followers of the lobby, which is told of them ten times a second. These are
  stored first, so measured is the time from the first viewer's frame to the last one's.

Each is set beside a bare socket of the same web server that sends a text of the same length and is measured alike; and
the evaluations beside plain writes by no framework at all, which is what the machine can do. The rates need a machine
with nothing else to do.

    python -m benchmarks.fanout --viewers 500 --rounds 100
"""

import argparse
import asyncio
import json
import statistics
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

import httpx
from websockets.asyncio.client import ClientConnection, connect

from benchmarks.served import Child, served

SIDE = {"min": 3, "max": 20}
OFFER = {"boardWidth": SIDE, "boardHeight": SIDE, "recommended": [{"boardWidth": 8, "boardHeight": 8}]}
BOT = {"botId": "instant", "name": "Instant", "username": None, "variants": {"standard": OFFER}}
ATTACH = {
    "type": "attach",
    "protocolVersion": 3,
    "clientId": "bench",
    "client": {"name": "fanout", "version": "1"},
    "bots": [BOT],
}
BOARD = {"variant": "standard", "boardWidth": 8, "boardHeight": 8}
UPDATE = '{"type":"eval-update","ply":40,"evaluation":0.25,"bestMove":"---"}'
STATE_LENGTH = 1500
"""The length of a ``state`` frame of the middle of a game."""
UPSERT_LENGTH = 400
"""The length of an ``upsert`` frame of the lobby."""
PATIENCE = 500
"""How often is looked whether the bot has moved."""

REST_SECONDS = 0.02
"""Between two rounds, so that the next begins on an idle server."""


@dataclass(frozen=True, slots=True)
class Delivery:
    """Rounds of one message to every viewer: seconds until the last had each, and the server's processor time."""

    viewers: int
    times: list[float]
    spent: float

    @property
    def rate(self) -> float:
        """Messages a second, in the median round."""
        return self.viewers / statistics.median(self.times)

    @property
    def cost(self) -> float:
        """Processor seconds for a message."""
        return self.spent / len(self.times) / self.viewers

    def __str__(self) -> str:
        """Both figures."""
        last = statistics.median(self.times) * 1000
        return (
            f"{self.rate:,.0f} messages/s, the last viewer waits {last:.1f} ms, {self.cost * 1e6:.1f} us of "
            "processor time a message"
        )


@dataclass(frozen=True, slots=True)
class Audience:
    """What viewers open, what they say first, and the type of the last frame that shows them what is there."""

    path: str
    ready: str
    first: str = ""


class Crowd:
    """The viewers' process."""

    def __init__(self, lines: asyncio.StreamReader, size: int) -> None:
        self._lines = lines
        self.size = size

    async def next_line(self) -> str:
        """What it says next; fails when nothing comes."""
        line = await asyncio.wait_for(self._lines.readline(), 60)
        return line.decode().strip()

    async def time(self, began: float | None = None) -> float:
        """Seconds until the last viewer had the next frame, from ``began`` or from the first viewer's frame on."""
        first, last = (float(moment) for moment in (await self.next_line()).split())
        return last - (first if began is None else began)


@asynccontextmanager
async def crowd(url: str, audience: Audience, size: int) -> AsyncIterator[Crowd]:
    """Viewers of an address, once all are ready."""
    address = urlsplit(url)
    wanted = (address.hostname, address.port, audience.path, size, f'"{audience.ready}"', audience.first)
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "benchmarks.peers.crowd", *map(str, wanted), stdout=subprocess.PIPE
    )
    assert process.stdout is not None  # noqa: S101 - asked for above
    viewers = Crowd(process.stdout, size)
    try:
        if await viewers.next_line() != "ready":
            raise SystemExit("the viewers did not come in")
        yield viewers
    finally:
        process.terminate()
        await process.wait()


# ---- our server ----------------------------------------------------------------------------------


class InstantBot:
    """Passes and evaluates without thought; from ``hold`` on each evaluation waits to be let go."""

    def __init__(self, socket: ClientConnection) -> None:
        self._socket = socket
        self._plies: dict[str, int] = {}
        self._held: asyncio.Queue[dict[str, Any]] | None = None

    async def run(self) -> None:
        """Answers until it is cancelled."""
        async for frame in self._socket:
            asked = json.loads(frame)
            if asked["type"] == "evaluate_position" and self._held is not None:
                self._held.put_nowait(asked)
            else:
                await self._socket.send(self._answer(asked))

    def hold(self) -> None:
        """Evaluations wait from now on."""
        self._held = asyncio.Queue()

    async def let_go(self) -> float:
        """Answers the next evaluation after a rest; when it did."""
        assert self._held is not None  # noqa: S101 - hold comes first
        asked = await self._held.get()
        answer = self._answer(asked)
        await asyncio.sleep(REST_SECONDS)
        began = time.monotonic()
        await self._socket.send(answer)
        return began

    def _answer(self, asked: dict[str, Any]) -> str:
        game, kind = asked["bgsId"], asked["type"]
        done = {"bgsId": game, "success": True, "error": ""}
        if kind == "start_game_session":
            self._plies[game] = 0
            return json.dumps({"type": "game_session_started", **done})
        if kind == "end_game_session":
            return json.dumps({"type": "game_session_ended", **done})
        if kind == "apply_move":
            self._plies[game] += 1
            return json.dumps({"type": "move_applied", "ply": self._plies[game], **done})
        best = {"ply": self._plies[game], "bestMove": "---", "evaluation": 0.25}
        return json.dumps({"type": "evaluate_response", **best, **done})


async def measure_evaluations(child: Child, viewers: int, rounds: int) -> Delivery:
    """How each evaluation reached everybody."""
    sockets = child.url.replace("http", "ws", 1)
    async with (
        connect(f"{sockets}/ws/custom-bot") as socket,
        httpx.AsyncClient(base_url=child.url, timeout=60) as client,
    ):
        await socket.send(json.dumps(ATTACH))
        await socket.recv()
        bot = InstantBot(socket)
        answering = asyncio.ensure_future(bot.run())
        game = (await client.post("/api/bots/play", json={"botId": "bench:instant", "config": BOARD})).json()
        await _play_first_turns(client, game)
        handshake = json.dumps({"type": "eval-handshake", "gameId": game["gameId"], **BOARD})
        bar = Audience(f"/ws/eval/{game['gameId']}", "eval-history", handshake)
        async with crowd(child.url, bar, viewers) as watching:
            bot.hold()
            spent = child.cpu_seconds()
            times = [await _evaluation(client, game, bot, watching, played) for played in range(rounds)]
            spent = child.cpu_seconds() - spent
        answering.cancel()
    return Delivery(viewers, times, spent)


async def measure_moves(child: Child, viewers: int, rounds: int) -> Delivery:
    """How each move reached all spectators of its game."""
    return await _measure_game(child, lambda game: f"/ws/games/{game}", "match-status", viewers, rounds)


async def measure_lobby(child: Child, viewers: int, rounds: int) -> Delivery:
    """How each move reached all who follow the live games."""
    return await _measure_game(child, lambda game: "/ws/live-games", "snapshot", viewers, rounds)


async def _measure_game(
    child: Child, address: Callable[[str], str], ready: str, viewers: int, rounds: int
) -> Delivery:
    async with httpx.AsyncClient(base_url=child.url, timeout=60) as client:
        body = {"game": "wallwars", "seats": [{"kind": "human"}, {"kind": "human"}]}
        game = (await client.post("/api/games", json=body)).json()
        async with crowd(child.url, Audience(address(game["gameId"]), ready), viewers) as watching:
            times, spent = [], child.cpu_seconds()
            for played in range(rounds):
                await asyncio.sleep(REST_SECONDS)
                await _move(client, {**game, "token": game["seats"][played % 2]["token"]})
                times.append(await watching.time())
            return Delivery(viewers, times, child.cpu_seconds() - spent)


async def _play_first_turns(client: httpx.AsyncClient, game: dict[str, Any]) -> None:
    """One move of each side: a bot is asked nothing before that."""
    await _move(client, game)
    for _ in range(PATIENCE):
        if (await client.get(f"/api/games/{game['gameId']}")).json()["position"]["ply"] == 2:
            return
        await asyncio.sleep(REST_SECONDS)
    raise SystemExit("the bot does not move")


async def _evaluation(
    client: httpx.AsyncClient, game: dict[str, Any], bot: InstantBot, watching: Crowd, played: int
) -> float:
    """Every second move is the bot's, which it makes by itself."""
    if played % 2 == 0:
        await _move(client, game)
    return await watching.time(await bot.let_go())


async def _move(client: httpx.AsyncClient, game: dict[str, Any]) -> None:
    path, headers = f"/api/games/{game['gameId']}/moves", {"Authorization": f"Bearer {game['token']}"}
    (await client.post(path, json={"move": "---"}, headers=headers)).raise_for_status()


# ---- what it is compared with -------------------------------------------------------------------


@contextmanager
def peer(name: str) -> Iterator[Child]:
    """A running peer of ``benchmarks.peers``."""
    command = [sys.executable, "-m", f"benchmarks.peers.{name}"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        try:
            yield Child(server.pid, server.stdout.readline().strip() if server.stdout is not None else "")
        finally:
            server.terminate()


async def measure_peer(child: Child, text: str, viewers: int, rounds: int, *, from_first: bool) -> Delivery:
    """How a text reached everybody, timed as evaluations are, or ``from_first`` viewer's frame as moves are."""
    async with (
        crowd(child.url, Audience("/hear", "eval-history"), viewers) as watching,
        connect(child.url.replace("http", "ws", 1) + "/say") as socket,
    ):
        times, spent = [], child.cpu_seconds()
        for _ in range(rounds):
            await asyncio.sleep(REST_SECONDS)
            began = time.monotonic()
            await socket.send(text)
            times.append(await watching.time(None if from_first else began))
        return Delivery(viewers, times, child.cpu_seconds() - spent)


Measure = Callable[[Child, int, int], Coroutine[Any, Any, Delivery]]

KINDS: dict[str, tuple[Measure, str]] = {
    "evaluation": (measure_evaluations, UPDATE),
    "move": (measure_moves, "x" * STATE_LENGTH),
    "change of the lobby": (measure_lobby, "x" * UPSERT_LENGTH),
}
"""What is measured, and the text that a bare socket sends for it."""


def main() -> None:
    """Measures all and prints."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--viewers", type=int, default=500)
    parser.add_argument("--rounds", type=int, default=100)
    wanted = parser.parse_args()
    size = wanted.viewers, wanted.rounds
    for kind, (measure, text) in KINDS.items():
        is_evaluation = text == UPDATE
        with served() as child:
            ours = asyncio.run(measure(child, *size))
        print(f"one {kind} to {wanted.viewers} viewers, median of {wanted.rounds}: {ours}")
        for name, what in (("bare", "a bare socket"), ("plain", "plain writes of a ready frame")):
            if name == "bare" or is_evaluation:
                with peer(name) as child:
                    least = asyncio.run(measure_peer(child, text, *size, from_first=not is_evaluation))
                print(f"{what}: {least}")
                print(f"  ratio: {ours.rate / least.rate:.2f} of the messages/s")


if __name__ == "__main__":
    main()
