"""The clients of ``benchmarks.faults``: they play all the time, and record what the servers have acknowledged.

This file has the people; ``fault_bots`` and ``fault_programs`` have attached bots and programs over UHP.
"""

import asyncio
import random
import time
from collections import Counter, defaultdict
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

import httpx

from engines import Position

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
"""Refusals that may follow a takeback or draw whose acknowledgement was lost, or the resignation of a bot."""
HIVE = {"game": "hive", "variant": "Base"}
WALLWARS = {"game": "wallwars", "config": {"boardWidth": 5, "boardHeight": 5}}
PYRAT = {"game": "pyrat", "variant": "tiny"}
STEPS = ("UP", "DOWN", "LEFT", "RIGHT", "STAY")
HUMAN: Json = {"kind": "human"}


@dataclass
class Acknowledged:
    """What the servers have acknowledged. The database must contain all of it."""

    moves: dict[str, set[str]] = field(default_factory=lambda: defaultdict(set))
    """The message ids of the moves, by game."""
    histories: dict[str, list[str]] = field(default_factory=dict)
    """The moves that were shown in games without takebacks; those over UHP have no message ids."""
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
    attached_replies: list[float] = field(default_factory=list)
    """The same of an attached bot."""

    @property
    def count(self) -> int:
        """The number of acknowledged moves, in games over UHP those of both players."""
        shown = (len(moves) for game, moves in self.histories.items() if game not in self.moves)
        return sum(map(len, self.moves.values())) + sum(shown)

    def show(self, game: str, history: list[str]) -> None:
        """Records the moves of a game as a server has shown them to one of its players."""
        if len(history) > len(self.histories.get(game, ())):
            self.histories[game] = history


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
        self._refusal = ""
        """The last answer to a request for a game that was not opened, or the last error over UHP."""
        self._acknowledged = acknowledged
        self._http = httpx.AsyncClient(timeout=10)

    @property
    def report(self) -> str:
        """The client's name and its last game, for error messages."""
        return f"{self.name} in game {self._game} {self._refusal}".rstrip()

    async def run(self) -> None:
        """Plays until cancelled."""
        async with self._http:
            while True:
                await self._play()

    async def _play(self) -> None:
        raise NotImplementedError

    async def _open(self, wanted: Json, *seats: Json) -> Json:
        """Opens a game, as soon as its bot is there."""
        while True:
            answer = await self._send("POST", "", body={**wanted, "seats": list(seats)})
            self._refusal = "" if answer.is_success else answer.text[:200]
            if answer.is_success:
                self._game = answer.json()["gameId"]
                return dict(answer.json())
            self._home += 1
            await asyncio.sleep(RETRY_SECONDS)

    async def _shown(self, game: str, token: str) -> Json:
        """The position as a server shows it."""
        return dict((await self._send("GET", f"/{game}", token)).json()["position"])

    async def _send(
        self, method: str, path: str, token: str = "", body: Json | None = None, at: int = 0
    ) -> httpx.Response:
        """Sends a request until the server answers; returns the answer. ``at``: so many servers after the usual one."""
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        while True:
            url = f"{self._urls[(self._home + at) % len(self._urls)]}/api/games{path}"
            with suppress(httpx.TransportError):
                answer = await self._http.request(method, url, headers=headers, json=body)
                if answer.status_code not in PASSING:
                    return answer
            self._home += 1
            await asyncio.sleep(RETRY_SECONDS)

    async def _move(self, game: str, token: str, move: str, ply: int, at: int = 0) -> Json | None:
        """The position after a move; None if it is not complete yet, or if another ply is to be played.

        The latter follows a takeback whose answer was lost. ``at``: as in ``_send``.
        """
        self._ids += 1
        message_id = f"{self.name} {self._ids}"
        body = {"move": move, "expectedPly": ply, "clientMsgId": message_id}
        await asyncio.sleep(REST_SECONDS)
        start = time.monotonic()
        answer = await self._send("POST", f"/{game}/moves", token, body, at)
        if answer.status_code != 200:
            if answer.json()["code"] not in MOVED_ON:
                self._acknowledged.refused.append(f"{game}: the move {body}: {answer.text[:200]}")
            return None
        self.done += 1
        self._acknowledged.waits.append(time.monotonic() - start)
        self._acknowledged.moves[game].add(message_id)
        position: Json | None = answer.json().get("position")
        return position


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
                shown = await self._shown(game, tokens[0])
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
                after = await self._move(game, token, "---", position["ply"])
                position = after or await self._shown(game, token)
                asked = time.monotonic()
            else:
                await asyncio.sleep(POLL_SECONDS)
                position = await self._shown(game, token)


class SimultaneousOpponents(Player):
    """Two people who move at the same time, at different servers."""

    async def _play(self) -> None:
        table = await self._open(PYRAT, HUMAN, HUMAN)
        game, tokens = table["gameId"], [seat["token"] for seat in table["seats"]]
        position = table["position"]
        while position["status"] == "playing" and position["ply"] < PLIES:
            steps = [
                self._move(game, token, self._rng.choice(STEPS), position["ply"], seat)
                for seat, token in enumerate(tokens)
            ]
            whole = [after for after in await asyncio.gather(*steps) if after is not None]
            position = whole[0] if whole else await self._shown(game, tokens[0])
            self._acknowledged.show(game, position["history"])
        await self._send("POST", f"/{game}/resign", tokens[0])
