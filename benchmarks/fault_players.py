"""The clients of ``benchmarks.faults``: they play all the time, and record what the servers have acknowledged."""

import asyncio
import random
import time
from collections import Counter, defaultdict
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import count
from typing import Any
from urllib.parse import urlencode

import httpx
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import WebSocketException

from engines import Position
from protocols.uhp.game_string import moves_of, parse, replay

Json = dict[str, Any]

REST_SECONDS = 0.1
"""The pause of a player before a move."""
POLL_SECONDS = 0.02
"""The pause before a player looks again whether a bot has moved."""
RETRY_SECONDS = 0.2
"""The pause before a request is sent again, to another server."""
PLIES = 24
"""After so many moves the players agree to a draw and a rematch."""
TAKEBACKS = 0.08
"""The probability of a takeback instead of a move."""
PASSING = (502, 503, 504)
MOVED_ON = ("stale-ply", "not-your-turn", "finished")
"""Refusals that may follow a takeback or draw whose acknowledgement was lost."""
HIVE = {"game": "hive", "variant": "Base"}
WALLWARS = {"game": "wallwars", "config": {"boardWidth": 5, "boardHeight": 5}}
HUMAN: Json = {"kind": "human"}


@dataclass
class Acknowledged:
    """What the servers have acknowledged. The database must contain all of it."""

    moves: dict[str, set[str]] = field(default_factory=lambda: defaultdict(set))
    """The message ids of the moves, by game."""
    histories: dict[str, list[str]] = field(default_factory=dict)
    """The moves of games over UHP, which have no message ids and no takebacks."""
    takebacks: Counter[str] = field(default_factory=Counter)
    """How many, by game."""
    draws: set[str] = field(default_factory=set)
    rematches: dict[str, str] = field(default_factory=dict)
    """The game that followed, by game."""
    refused: list[str] = field(default_factory=list)
    """Moves refused for another reason than that the game had moved on, a sentence each."""
    waits: list[float] = field(default_factory=list)
    """The seconds until each acknowledgement, since the last reset."""
    replies: list[float] = field(default_factory=list)
    """The same until each move of a built-in bot could be seen."""

    @property
    def count(self) -> int:
        """The number of acknowledged moves."""
        return sum(map(len, self.moves.values())) + sum(map(len, self.histories.values()))


class Player:
    """The clients of one game after the other; ``urls`` are those of the servers, which they use in turn."""

    def __init__(self, number: int, seed: int, urls: Sequence[str], acknowledged: Acknowledged) -> None:
        self.name = f"{type(self).__name__} {number}"
        self.done = 0
        """The number of acknowledged moves."""
        self._rng = random.Random(f"{seed}:{number}")  # noqa: S311 - repeatable
        self._urls = urls
        self._home = number
        self._ids = 0
        self._game = ""
        self._acknowledged = acknowledged
        self._http = httpx.AsyncClient(timeout=10)

    @property
    def report(self) -> str:
        """The client's name and its game, for error messages."""
        return f"{self.name} in game {self._game}"

    async def run(self) -> None:
        """Plays until cancelled."""
        async with self._http:
            while True:
                await self._play()

    async def _play(self) -> None:
        raise NotImplementedError

    async def _open(self, wanted: Json, *seats: Json) -> Json:
        answer = await self._send("POST", "", body={**wanted, "seats": list(seats)})
        self._game = answer.json()["gameId"]
        return dict(answer.json())

    async def _send(
        self, method: str, path: str, token: str = "", body: Json | None = None
    ) -> httpx.Response:
        """Sends a request until the server answers; returns the answer."""
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        while True:
            url = f"{self._urls[self._home % len(self._urls)]}/api/games{path}"
            with suppress(httpx.TransportError):
                answer = await self._http.request(method, url, headers=headers, json=body)
                if answer.status_code not in PASSING:
                    return answer
            self._home += 1
            await asyncio.sleep(RETRY_SECONDS)

    async def _move(self, game: str, token: str, move: str, ply: int) -> Json | None:
        """The position after a move; None if another ply is to be played, after a takeback whose answer was lost."""
        self._ids += 1
        message_id = f"{self.name} {self._ids}"
        body = {"move": move, "expectedPly": ply, "clientMsgId": message_id}
        await asyncio.sleep(REST_SECONDS)
        start = time.monotonic()
        answer = await self._send("POST", f"/{game}/moves", token, body)
        if answer.status_code != 200:
            if answer.json()["code"] not in MOVED_ON:
                self._acknowledged.refused.append(f"{game}: the move {body}: {answer.text[:200]}")
            return None
        self.done += 1
        self._acknowledged.waits.append(time.monotonic() - start)
        self._acknowledged.moves[game].add(message_id)
        return dict(answer.json()["position"])


class Opponents(Player):
    """Two people, with takebacks, draws and rematches. Both seats make their requests at any server."""

    async def _play(self) -> None:
        table = await self._open(HIVE, HUMAN, HUMAN)
        game, tokens = table["gameId"], [seat["token"] for seat in table["seats"]]
        while game is not None:
            await self._play_one(game, tokens)
            game, tokens = await self._rematch(game, tokens), tokens[::-1]

    async def _play_one(self, game: str, tokens: Sequence[str]) -> None:
        moves: list[str] | None = []
        while True:
            if moves is None:
                shown = (await self._send("GET", f"/{game}", tokens[0])).json()["position"]
                if shown["status"] != "playing":
                    return
                moves = shown["history"]
            position = Position(HIVE["game"], HIVE["variant"])
            position.play(*moves)
            if position.outcome is not None:
                return
            if len(moves) >= PLIES:
                if await self._agree(f"/{game}/draw", tokens):
                    self._acknowledged.draws.add(game)
                    return
                moves = None
            elif len(moves) > 2 and self._rng.random() < TAKEBACKS:
                if await self._agree(f"/{game}/takeback", tokens, {"toPly": len(moves) - 2}):
                    self._acknowledged.takebacks[game] += 1
                moves = None
            else:
                self._home += self._rng.random() < 0.2
                token = tokens[position.to_act[0]]
                choice = self._rng.choice(position.legal_moves())
                after = await self._move(game, token, choice, len(moves))
                moves = None if after is None else after["history"]

    async def _agree(
        self, path: str, tokens: Sequence[str], body: Json | None = None
    ) -> httpx.Response | None:
        """Both players make the same request. Returns the answer to the second one, or None if it was refused."""
        await self._send("POST", path, tokens[0], body)
        answer = await self._send("POST", path, tokens[1], body)
        return answer if answer.status_code == 200 else None

    async def _rematch(self, game: str, tokens: Sequence[str]) -> str | None:
        answer = await self._agree(f"/{game}/rematch", tokens)
        if answer is None:
            return None
        self._game = answer.json()["gameId"]
        self._acknowledged.rematches[game] = self._game
        return self._game


class BotOpponent(Player):
    """A person against a built-in bot, which wins because the person only passes."""

    async def _play(self) -> None:
        table = await self._open(WALLWARS, HUMAN, {"kind": "bot"})
        game, token, position = table["gameId"], table["seats"][0]["token"], table["position"]
        asked = time.monotonic()
        while position["status"] == "playing":
            if position["toAct"] == [0]:
                self._acknowledged.replies.append(time.monotonic() - asked)
                position = await self._move(game, token, "---", position["ply"]) or position
                asked = time.monotonic()
            else:
                await asyncio.sleep(POLL_SECONDS)
                position = (await self._send("GET", f"/{game}", token)).json()["position"]


class UhpOpponents(Player):
    """Two programs over UHP, whose moves are acknowledged by the GameString that contains them."""

    async def _play(self) -> None:
        table = await self._open(HIVE, HUMAN, HUMAN)
        game, tokens = table["gameId"], [seat["token"] for seat in table["seats"]]
        seats = [asyncio.ensure_future(self._sit(game, token)) for token in tokens]
        try:
            await asyncio.wait(seats, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for seat in seats:
                seat.cancel()
            await asyncio.gather(*seats, return_exceptions=True)

    async def _sit(self, game: str, token: str) -> None:
        """Plays one seat, over as many connections as it takes."""
        query = urlencode({"role": "seat", "resume": f"{game}:{token}"})
        for attempt in count(self._home):
            url = self._urls[attempt % len(self._urls)].replace("http", "ws", 1)
            with suppress(OSError, TimeoutError, WebSocketException):
                async with connect(f"{url}/uhp?{query}", compression=None) as socket:
                    if await self._converse(game, socket):
                        return
            await asyncio.sleep(RETRY_SECONDS)

    async def _converse(self, game: str, socket: ClientConnection) -> bool:
        """Plays over one connection; returns whether the game is over."""
        mine, move = -1, None
        async for message in socket:
            for line in str(message).splitlines():
                if line.startswith("seat "):
                    mine = ("White", "Black").index(line.split()[1])
                    continue
                if line.startswith("end "):
                    return True
                if line.startswith("Base;"):
                    move = self._answer(game, line, mine)
                # Anything else refuses the last move, for example while the database is unavailable.
                if move is not None and line != "ok":
                    await asyncio.sleep(REST_SECONDS)
                    await socket.send(move)
        return False

    def _answer(self, game: str, line: str, mine: int) -> str | None:
        """Records what a GameString acknowledges; the move that follows it, if it is our turn."""
        position = replay(parse(line))
        moves = moves_of(position)
        before = self._acknowledged.histories.setdefault(game, [])
        if len(moves) > len(before):
            self.done += 1
            self._acknowledged.histories[game] = moves
        if position.outcome is not None or position.to_act[0] != mine:
            return None
        return "forfeit" if len(moves) >= PLIES else self._rng.choice(position.legal_moves())
