"""Measures how fast one message reaches many viewers, in messages delivered per second.

Three kinds of messages are sent to viewers, which are connections of a separate process:

- evaluations of a game by an attached bot that answers immediately, so that nothing is searched. The time from the
  bot's answer to the last viewer's frame is measured;
- moves of a game to its spectators, and to followers of the lobby, which sends changes ten times a second. These are
  stored first, so the time from the first viewer's frame to the last one's is measured.

Each is compared with a bare socket of the same web server, and the evaluations also with plain writes without any
framework, the limit of the machine. These send a text of the same length and are measured in the same way. The servers
take turns, round by round, so that changes of the machine's speed affect all of them.

    python -m benchmarks.fanout --viewers 500 --rounds 100
"""

import argparse
import asyncio
import json
import statistics
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Sequence
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from functools import partial
from itertools import cycle
from typing import Any
from urllib.parse import urlsplit

import httpx
from websockets.asyncio.client import ClientConnection, connect

from benchmarks.served import Child, peer, served

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
PATIENCE = 500
"""How often to check whether the bot has moved."""

REST_SECONDS = 0.02
"""The pause between two rounds, so that each begins on an idle server."""


@dataclass(frozen=True, slots=True)
class Sent:
    """One message to every viewer: when it was sent, and when the first and last viewer received it, in seconds."""

    sent: float
    first: float
    last: float
    length: int
    """The length of its text, in characters."""

    @property
    def since_sent(self) -> float:
        """Seconds from sending until the last viewer received it."""
        return self.last - self.sent

    @property
    def since_first(self) -> float:
        """Seconds from the first viewer's frame to the last one's."""
        return self.last - self.first


@dataclass(frozen=True, slots=True)
class Delivery:
    """Rounds of one message to every viewer: the seconds of each round, and the server's CPU seconds in total."""

    viewers: int
    times: list[float]
    spent: float

    @property
    def rate(self) -> float:
        """Messages per second in the median round."""
        return self.viewers / statistics.median(self.times)

    @property
    def cost(self) -> float:
        """CPU seconds per message."""
        return self.spent / len(self.times) / self.viewers

    def __str__(self) -> str:
        """Rate, median time and CPU time."""
        last = statistics.median(self.times) * 1000
        return (
            f"{self.rate:,.0f} messages/s, last viewer after {last:.1f} ms, {self.cost * 1e6:.1f} us of "
            "CPU time per message"
        )


@dataclass(frozen=True, slots=True)
class Audience:
    """What viewers connect to, what they send first, and the type of the frame after which they are ready."""

    path: str
    ready: str
    first: str = ""


class Crowd:
    """The viewers' process."""

    def __init__(self, lines: asyncio.StreamReader, size: int) -> None:
        self._lines = lines
        self.size = size

    async def next_line(self) -> str:
        """Returns the next line of output. Raises TimeoutError after 60 s."""
        async with asyncio.timeout(60):
            line = await self._lines.readline()
        return line.decode().strip()

    async def next(self, sent: float) -> Sent:
        """Returns the delivery of the next message, which was sent at the time ``sent``."""
        first, last, length = (await self.next_line()).split()
        return Sent(sent, float(first), float(last), int(length))


@asynccontextmanager
async def crowd(url: str, audience: Audience, size: int) -> AsyncIterator[Crowd]:
    """Starts viewers of an address and waits until all are ready."""
    address = urlsplit(url)
    wanted = (address.hostname, address.port, audience.path, size, f'"{audience.ready}"', audience.first)
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "benchmarks.peers.crowd", *map(str, wanted), stdout=subprocess.PIPE
    )
    assert process.stdout is not None  # noqa: S101 - asked for above
    viewers = Crowd(process.stdout, size)
    try:
        if await viewers.next_line() != "ready":
            raise SystemExit("the viewers could not connect")
        yield viewers
    finally:
        process.terminate()
        await process.wait()


# ---- Plyhouse ------------------------------------------------------------------------------------


class InstantBot:
    """Answers immediately, with passes. After ``hold``, each evaluation waits for ``let_go``."""

    def __init__(self, socket: ClientConnection) -> None:
        self._socket = socket
        self._plies: dict[str, int] = {}
        self._held: asyncio.Queue[dict[str, Any]] | None = None

    async def run(self) -> None:
        """Answers the server's requests until it is cancelled."""
        async for frame in self._socket:
            asked = json.loads(frame)
            if asked["type"] == "evaluate_position" and self._held is not None:
                self._held.put_nowait(asked)
            else:
                await self._socket.send(self._answer(asked))

    def hold(self) -> None:
        """Makes evaluations wait from now on."""
        self._held = asyncio.Queue()

    async def let_go(self) -> float:
        """Answers the next evaluation after a pause, and returns when it did."""
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


Round = Callable[[], Awaitable[Sent]]
"""Sends one more message to every viewer."""


@asynccontextmanager
async def evaluations(child: Child, viewers: int) -> AsyncIterator[Round]:
    """Rounds of one evaluation to the viewers of a game's evaluation bar."""
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
            yield partial(_evaluation, client, game, bot, watching, cycle((True, False)))
        answering.cancel()


@asynccontextmanager
async def moves(child: Child, viewers: int) -> AsyncIterator[Round]:
    """Rounds of one move to the spectators of its game."""
    async with _played(child, lambda game: f"/ws/games/{game}", "match-status", viewers) as play:
        yield play


@asynccontextmanager
async def changes_of_the_lobby(child: Child, viewers: int) -> AsyncIterator[Round]:
    """Rounds of one move to the clients that follow the live games."""
    async with _played(child, lambda game: "/ws/live-games", "snapshot", viewers) as play:
        yield play


@asynccontextmanager
async def _played(
    child: Child, address: Callable[[str], str], ready: str, viewers: int
) -> AsyncIterator[Round]:
    async with httpx.AsyncClient(base_url=child.url, timeout=60) as client:
        body = {"game": "wallwars", "seats": [{"kind": "human"}, {"kind": "human"}]}
        game = (await client.post("/api/games", json=body)).json()
        tokens = cycle([seat["token"] for seat in game["seats"]])
        async with crowd(child.url, Audience(address(game["gameId"]), ready), viewers) as watching:

            async def play() -> Sent:
                await asyncio.sleep(REST_SECONDS)
                sent = time.monotonic()
                await _move(client, {**game, "token": next(tokens)})
                return await watching.next(sent)

            yield play


async def _play_first_turns(client: httpx.AsyncClient, game: dict[str, Any]) -> None:
    """Plays one move of each side; before that, the bot gets no requests."""
    await _move(client, game)
    for _ in range(PATIENCE):
        if (await client.get(f"/api/games/{game['gameId']}")).json()["position"]["ply"] == 2:
            return
        await asyncio.sleep(REST_SECONDS)
    raise SystemExit("the bot does not move")


async def _evaluation(
    client: httpx.AsyncClient,
    game: dict[str, Any],
    bot: InstantBot,
    watching: Crowd,
    is_ours: Iterator[bool],
) -> Sent:
    """Every second move is the bot's, which needs no request."""
    if next(is_ours):
        await _move(client, game)
    return await watching.next(await bot.let_go())


async def _move(client: httpx.AsyncClient, game: dict[str, Any]) -> None:
    path, headers = f"/api/games/{game['gameId']}/moves", {"Authorization": f"Bearer {game['token']}"}
    (await client.post(path, json={"move": "---"}, headers=headers)).raise_for_status()


# ---- peers ---------------------------------------------------------------------------------------


Say = Callable[[int], Awaitable[Sent]]
"""Sends a text of the given number of characters to every viewer."""


@asynccontextmanager
async def heard(child: Child, viewers: int) -> AsyncIterator[Say]:
    """Rounds of one text to the clients of a peer."""
    async with (
        crowd(child.url, Audience("/hear", "eval-history"), viewers) as watching,
        connect(child.url.replace("http", "ws", 1) + "/say") as socket,
    ):

        async def say(length: int) -> Sent:
            await asyncio.sleep(REST_SECONDS)
            sent = time.monotonic()
            await socket.send("x" * length)
            return await watching.next(sent)

        yield say


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of message: its name, its rounds, how to time a round, and the peers to compare it with."""

    name: str
    rounds: Callable[[Child, int], AbstractAsyncContextManager[Round]]
    seconds: Callable[[Sent], float]
    peers: tuple[str, ...]


KINDS = (
    Kind("evaluation", evaluations, lambda sent: sent.since_sent, ("bare", "plain")),
    Kind("move", moves, lambda sent: sent.since_first, ("bare",)),
    Kind("change of the lobby", changes_of_the_lobby, lambda sent: sent.since_first, ("bare",)),
)
PEERS = {"bare": "a bare socket", "plain": "plain writes of a ready frame"}


async def compare(kind: Kind, viewers: int, rounds: int) -> list[Delivery]:
    """Returns the deliveries of Plyhouse, followed by those of each peer."""
    async with AsyncExitStack() as stack:
        children = [stack.enter_context(served())]
        children += [stack.enter_context(peer(name)) for name in kind.peers]
        play = await stack.enter_async_context(kind.rounds(children[0], viewers))
        says = [await stack.enter_async_context(heard(child, viewers)) for child in children[1:]]
        spent = [child.cpu_seconds() for child in children]
        sent = [await _turn(play, says) for _ in range(rounds)]
        return [
            Delivery(viewers, [kind.seconds(one) for one in of_child], child.cpu_seconds() - before)
            for child, of_child, before in zip(children, zip(*sent, strict=True), spent, strict=True)
        ]


async def _turn(play: Round, says: Sequence[Say]) -> list[Sent]:
    ours = await play()
    return [ours, *[await say(ours.length) for say in says]]


def main() -> None:
    """Measures all kinds of messages and prints the results."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--viewers", type=int, default=500)
    parser.add_argument("--rounds", type=int, default=100)
    options = parser.parse_args()
    for kind in KINDS:
        ours, *theirs = asyncio.run(compare(kind, options.viewers, options.rounds))
        print(f"one {kind.name} to {options.viewers} viewers, median of {options.rounds}: {ours}")
        for name, least in zip(kind.peers, theirs, strict=True):
            print(f"{PEERS[name]}: {least}")
            print(f"  ratio: {ours.rate / least.rate:.2f} of the messages/s")


if __name__ == "__main__":
    main()
