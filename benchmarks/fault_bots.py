"""The attached bots of ``benchmarks.faults``, and the people who play against them."""

import asyncio
import json
import random
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from itertools import count

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import WebSocketException

from benchmarks.fault_players import (
    HIVE,
    HUMAN,
    PLIES,
    POLL_SECONDS,
    RETRY_SECONDS,
    Acknowledged,
    Json,
    Player,
)
from engines import Position
from programs.bot.config import SINGLE_BOT, SOCKET_PATH, ClientIdentity, of_engine
from protocols.bgs import client
from protocols.session import Effect, Send


class AttachedBot:
    """The client of a bot that plays random moves in Hive.

    Like ``plyhouse bot``, it attaches again with its secret whenever it loses the connection, here to the next server.
    """

    def __init__(self, name: str, urls: Sequence[str], home: int, rng: random.Random) -> None:
        identity = ClientIdentity(name, official_token=None)
        attach = of_engine("none", urls[0], identity, HIVE["game"], is_timed=False).attach
        self.id = f"{name}:{SINGLE_BOT}"
        self._client = client.BotClient(attach)
        self._urls, self._home, self._rng = urls, home, rng
        self._sessions: dict[str, Position] = {}

    async def run(self) -> None:
        """Stays attached until cancelled."""
        for attempt in count(self._home):
            url = self._urls[attempt % len(self._urls)].replace("http", "ws", 1)
            with suppress(OSError, TimeoutError, WebSocketException):
                async with connect(f"{url}{SOCKET_PATH}", compression=None) as socket:
                    await self._serve(socket)
            await asyncio.sleep(RETRY_SECONDS)

    async def _serve(self, socket: ClientConnection) -> None:
        effects = self._client.notify(client.Connected())
        try:
            await self._perform(socket, effects)
            async for frame in socket:
                await self._perform(socket, self._client.receive(str(frame)))
        finally:
            self._client.notify(client.ConnectionLost())

    async def _perform(self, socket: ClientConnection, effects: Sequence[Effect]) -> None:
        for effect in effects:
            match effect:
                case Send(text=text):
                    await socket.send(text)
                case client.ToEngine(bot_id=bot_id, line=line):
                    answer = json.dumps(self._answer(json.loads(line)))
                    await self._perform(socket, self._client.notify(client.EngineLine(bot_id, answer)))

    def _answer(self, asked: Json) -> Json:
        """The answer to a request. A server that was suspended may make one about a session as it was before."""
        session = asked["bgsId"]
        done = {"bgsId": session, "success": True, "error": ""}
        if asked["type"] == "start_game_session":
            config = asked["config"]
            self._sessions[session] = Position(config["game"], config["variant"], config)
            return {"type": "game_session_started", **done}
        if asked["type"] == "end_game_session":
            self._sessions.pop(session, None)
            return {"type": "game_session_ended", **done}
        position = self._sessions.get(session)
        if position is None or position.ply != asked["expectedPly"]:
            ply = 0 if position is None else position.ply
            done |= {"success": False, "error": f"the session is at ply {ply}"}
            return {**_UNCHANGED[asked["type"]], "ply": ply, **done}
        if asked["type"] == "apply_move":
            position.play(asked["move"])
            return {"type": "move_applied", "ply": position.ply, **done}
        best = {"bestMove": self._rng.choice(position.legal_moves()), "evaluation": 0}
        return {"type": "evaluate_response", "ply": position.ply, **best, **done}


_UNCHANGED: Mapping[str, Json] = {
    "apply_move": {"type": "move_applied"},
    "evaluate_position": {"type": "evaluate_response", "bestMove": "", "evaluation": 0},
}


class AttachedBotOpponent(Player):
    """A person against an attached bot. Both play random moves, until the person resigns."""

    def __init__(self, number: int, seed: int, urls: Sequence[str], acknowledged: Acknowledged) -> None:
        super().__init__(number, seed, urls, acknowledged)
        rng = random.Random(f"{seed}:{number}:bot")  # noqa: S311 - repeatable
        # The person begins at another server than the bot.
        self._bot = AttachedBot(f"bot-{number}", urls, number + 1, rng)

    async def run(self) -> None:
        """Plays until cancelled; an error of the bot ends this as well."""
        async with asyncio.TaskGroup() as group:
            group.create_task(self._bot.run())
            await super().run()

    async def _play(self) -> None:
        table = await self._open(HIVE, HUMAN, {"kind": "bot", "bot": self._bot.id})
        game, token, position = table["gameId"], table["seats"][0]["token"], table["position"]
        asked = time.monotonic()
        while position["status"] == "playing" and position["ply"] < PLIES:
            if position["toAct"] == [0]:
                if position["ply"]:
                    self._acknowledged.attached_replies.append(time.monotonic() - asked)
                position = await self._move_on(game, token, position)
                asked = time.monotonic()
            else:
                await asyncio.sleep(POLL_SECONDS)
                position = await self._shown(game, token)
            self._acknowledged.show(game, position["history"])
        await self._send("POST", f"/{game}/resign", token)

    async def _move_on(self, game: str, token: str, shown: Json) -> Json:
        position = Position(HIVE["game"], HIVE["variant"])
        position.play(*shown["history"])
        move = self._rng.choice(position.legal_moves())
        return await self._move(game, token, move, shown["ply"]) or await self._shown(game, token)
