"""The clients of ``benchmarks.frames``: players on game sockets, and bots. They do not trust what they receive.

Like any client should, they use the newest state, repeat a move with its message id until it is acknowledged, and
connect again when nothing else helps.
"""

import asyncio
import json
import random
from collections import Counter, defaultdict
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import count
from typing import Any

import httpx
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import WebSocketException

from benchmarks.fault_players import Acknowledged
from engines import Position

Json = dict[str, Any]

PATIENCE_SECONDS = 0.5
"""How long a player waits for a frame before the last move is sent again."""
SILENT_ROUNDS = 6
"""After so many waits without a frame, a player connects again."""
RETRY_SECONDS = 0.2
PLIES = 24
"""After so many moves the first player resigns."""
NOISE = 0.3
"""The probability that a player sends a ping and a chat message with a move."""
MOVED_ON = ("stale-ply", "not-your-turn", "finished", "already-moved")
"""Refusals of a move that was sent again, or that the opponent's resignation has overtaken."""
HIVE: Json = {"game": "hive", "variant": "Base"}
BOARD = {"variant": "standard", "boardWidth": 5, "boardHeight": 5}
SIZES = {"boardWidth": {"min": 3, "max": 9}, "boardHeight": {"min": 3, "max": 9}}
OFFER = {**SIZES, "recommended": [{"boardWidth": 5, "boardHeight": 5}]}

Choose = Callable[[list[str]], str]
"""Returns a move after these moves."""


@dataclass
class Record:
    """What the clients have seen. ``errors`` counts the server's error frames by code; without one, by text."""

    acknowledged: Acknowledged = field(default_factory=Acknowledged)
    games: list[str] = field(default_factory=list)
    errors: Counter[str] = field(default_factory=Counter)
    closes: Counter[str] = field(default_factory=Counter)
    results: Counter[str] = field(default_factory=Counter)


def read(text: str | bytes) -> Json:
    """The frame; empty if it was cut off."""
    try:
        frame = json.loads(text)
    except ValueError:
        return {}
    return frame if isinstance(frame, dict) else {}


class Seat:
    """A player of one game, over as many connections as it takes. ``proxy`` is the proxy's ``ws://`` address."""

    def __init__(self, proxy: str, record: Record, opened: Json, rng: random.Random, choose: Choose) -> None:
        self._url = f"{proxy}/ws/games/{opened['gameId']}?ext=1&token={opened['token']}"
        self._game, self._seat = opened["gameId"], opened["seat"]
        self._record, self._rng, self._choose = record, rng, choose
        self._seen = 0
        self._position: Json = {}
        self._sent: Json = {}

    async def play(self) -> None:
        """Plays until the game is over."""
        while not self._is_over:
            with suppress(OSError, TimeoutError, WebSocketException):
                async with connect(self._url, compression=None, ping_interval=None) as socket:
                    await self._converse(socket)
                self._record.closes[f"{socket.close_code} {socket.close_reason}"] += 1
            await asyncio.sleep(RETRY_SECONDS)

    @property
    def _is_over(self) -> bool:
        return bool(self._position.get("status", "playing") != "playing")

    async def _converse(self, socket: ClientConnection) -> None:
        silent = 0
        while not self._is_over and silent < SILENT_ROUNDS:
            try:
                async with asyncio.timeout(PATIENCE_SECONDS):
                    frame = read(await socket.recv())
            except TimeoutError:
                silent += 1
                await self._act(socket, is_again=True)
                continue
            silent = 0
            if self._take(frame):
                await self._act(socket, is_again=frame.get("type") == "error")

    def _take(self, frame: Json) -> bool:
        """Returns whether it may be time to send something."""
        match frame:
            case {"type": "state", "seq": int(seq), "position": dict(position)} if seq > self._seen:
                self._seen, self._position = seq, position
                return True
            case {"type": "move-taken", "clientMsgId": str(message_id)}:
                self._record.acknowledged.moves[self._game].add(message_id)
                return False
            case {"type": "error", "message": str(text)} if text:
                code = frame.get("code")
                self._record.errors[code or text] += 1
                if code is not None and code not in MOVED_ON:
                    self._record.acknowledged.refused.append(f"{self._game}: {self._sent}: {text}")
                return code is None
            case {"type": "error"}:
                self._record.acknowledged.refused.append(f"{self._game}: an error without a text: {frame}")
        return False

    async def _act(self, socket: ClientConnection, *, is_again: bool) -> None:
        history = self._position.get("history", [])
        if self._position.get("toAct") != [self._seat] or self._is_over:
            return
        ply = len(history)
        if ply >= PLIES:
            await _send(socket, {"type": "resign"})
            return
        if self._sent.get("expectedPly") != ply:
            move = self._choose(history)
            message_id = f"{self._seat} {ply}"
            self._sent = {"type": "submit-move", "move": move, "expectedPly": ply, "clientMsgId": message_id}
        elif not is_again:
            return
        if self._rng.random() < NOISE:
            await _send(socket, {"type": "ping"})
            await _send(socket, {"type": "chat-message", "channel": "game", "text": f"move {ply}"})
        await _send(socket, self._sent)


async def _send(socket: ClientConnection, frame: Json) -> None:
    await socket.send(json.dumps(frame))


async def _post(client: httpx.AsyncClient, path: str, body: Json) -> httpx.Response:
    """Repeats the request if the server closes the idle connection in the same moment."""
    while True:
        with suppress(httpx.TransportError):
            return await client.post(path, json=body)


class Opponents:
    """Two people who play games of Hive with each other, one after the other. ``url`` is the server's."""

    def __init__(self, url: str, proxy: str, record: Record, seed: str) -> None:
        self._proxy, self._record, self._rng = proxy, record, random.Random(seed)  # noqa: S311 - repeatable
        self._http = httpx.AsyncClient(base_url=url, timeout=60)

    async def run(self) -> None:
        """Plays until cancelled."""
        async with self._http:
            while True:
                body = {**HIVE, "seats": [{"kind": "human"}, {"kind": "human"}]}
                opened = (await _post(self._http, "/api/games", body)).json()
                game = opened["gameId"]
                self._record.games.append(game)
                seats = [
                    {"gameId": game, "seat": index, "token": seat["token"]}
                    for index, seat in enumerate(opened["seats"])
                ]
                players = [Seat(self._proxy, self._record, seat, self._rng, self._choose) for seat in seats]
                await asyncio.gather(*(player.play() for player in players))
                self._record.results["between people"] += 1

    def _choose(self, history: list[str]) -> str:
        position = Position(HIVE["game"], HIVE["variant"])
        position.play(*history)
        return str(self._rng.choice(position.legal_moves()))


class BotAndOpponents:
    """A bot client with one bot, and people who play Wallwars with it at the same time. All of them always pass."""

    def __init__(self, number: int, people: int, url: str, proxy: str, record: Record, seed: str) -> None:
        self._names = (f"bot-{number}-{attempt}" for attempt in count())
        self._name = ""
        self._people, self._proxy, self._record = people, proxy, record
        self._rng = random.Random(seed)  # noqa: S311 - repeatable
        self._http = httpx.AsyncClient(base_url=url, timeout=60)
        self._answered: dict[str, tuple[Json, Json]] = {}
        """The last request of each session, with its answer, which is repeated."""
        self._plies: dict[str, int] = defaultdict(int)

    async def run(self) -> None:
        """Plays until cancelled."""
        async with self._http:
            await asyncio.gather(self._attend(), *(self._challenge() for _ in range(self._people)))

    # ---- the people ------------------------------------------------------------------------------

    async def _challenge(self) -> None:
        while True:
            await asyncio.sleep(RETRY_SECONDS)
            is_first = self._rng.random() < 0.5
            body = {"botId": f"{self._name}:b", "config": BOARD, "hostIsPlayer1": is_first}
            answer = await _post(self._http, "/api/bots/play", body)
            if answer.status_code == 201:
                opened = {**answer.json(), "seat": 0 if is_first else 1}
                self._record.games.append(opened["gameId"])
                await Seat(self._proxy, self._record, opened, self._rng, lambda history: "---").play()
                self._record.results["against bots"] += 1

    # ---- the bot ---------------------------------------------------------------------------------

    async def _attend(self) -> None:
        """Attaches with another id each time, since an id may attach three times in a minute."""
        while True:
            self._name = next(self._names)
            with suppress(OSError, TimeoutError, WebSocketException):
                url = f"{self._proxy}/ws/custom-bot"
                async with connect(url, compression=None, ping_interval=None) as socket:
                    await self._serve(socket)
            await asyncio.sleep(RETRY_SECONDS)

    async def _serve(self, socket: ClientConnection) -> None:
        entry = {"botId": "b", "name": "B", "username": None, "variants": {"standard": OFFER}}
        client = {"name": "frames", "version": "1"}
        attach = {"type": "attach", "protocolVersion": 3, "clientId": self._name, "client": client}
        await _send(socket, {**attach, "bots": [entry]})
        async with asyncio.timeout(10 * PATIENCE_SECONDS):
            while read(await socket.recv()).get("type") != "attached":
                pass
        async for message in socket:
            request = read(message)
            if "bgsId" in request:
                await _send(socket, self._answer(request))

    def _answer(self, request: Json) -> Json:
        session = str(request["bgsId"])
        last, answer = self._answered.get(session, ({}, {}))
        if request != last:
            answer = self._new_answer(session, request)
            self._answered[session] = request, answer
        return answer

    def _new_answer(self, session: str, request: Json) -> Json:
        """Refuses requests that have overtaken others."""
        answer: Json
        ply = self._plies[session]
        success = request.get("expectedPly", 0) == ply
        match request["type"]:
            case "start_game_session":
                self._plies[session] = 0
                answer, success = {"type": "game_session_started"}, True
            case "end_game_session":
                del self._plies[session]
                answer, success = {"type": "game_session_ended"}, True
            case "apply_move":
                self._plies[session] += success
                answer = {"type": "move_applied", "ply": self._plies[session]}
            case _:
                answer = {"type": "evaluate_response", "ply": ply, "bestMove": "---", "evaluation": 0.0}
        error = "" if success else f"the session is at ply {ply}"
        return {**answer, "bgsId": session, "success": success, "error": error}
