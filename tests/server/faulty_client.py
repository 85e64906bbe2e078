"""The example bot as a client that connects by itself, in this process, with a fault.

``FAULTS`` says which rows of a check each fault has to spoil.
"""

import asyncio
import json
from contextlib import suppress
from typing import Any

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

from engines import Position
from examples.random_bot import OFFERS, answer, attach
from tests.server.scripted import Exits
from tests.server.seat_kinds import ending_of

TRIAL, ATTACHES, RESULTS = "answers a trial game", "attaches", "reads results"
RETURNS, REPLACED = "comes back after a restart", "stops when it is replaced"

FAULTS: dict[str, set[str]] = {
    "answers before it attaches": {ATTACHES},
    "attaches without username": {ATTACHES},
    "attaches with another version": {ATTACHES},
    "recommends no board": {ATTACHES},
    "answers results": {RESULTS},
    "comes back as another": {RETURNS},
    "comes back always": {REPLACED},
    "sends binary frames": {TRIAL},
    "closes when asked": {TRIAL},
}
ELSEWHERE = "asks for another path"
"""A fault after which nothing can be checked."""

SILENT: dict[str, set[str]] = {"waits for ever": {RETURNS}}
"""Faults that are noticed only as nothing comes."""


class FaultyClient:
    """One client, in place of its process."""

    def __init__(self, fault: str, url: str) -> None:
        self.fault = fault
        self.url = f"{url}/ws/{'bots' if fault == ELSEWHERE else 'custom-bot'}"
        self.sessions: dict[str, Position] = {}
        self.runs = 0
        self.running = asyncio.ensure_future(self.run())

    async def run(self) -> None:
        """Connects, and again as often as the fault or a restart of the server demands."""
        code = 1001
        while code == 1001 or self.fault == "comes back always":
            self.runs += 1
            with suppress(ConnectionClosed):
                async with connect(self.url, compression=None) as socket:
                    await self.serve(socket)
            code = socket.close_code or 0
            if self.fault == "waits for ever":
                await asyncio.Event().wait()

    async def serve(self, socket: ClientConnection) -> None:
        await socket.send(json.dumps(self.first()))
        async for frame in socket:
            asked = json.loads(frame)
            if asked["type"] == "attach-rejected":
                return
            if asked["type"] == "game_result" and self.fault == "answers results":
                await socket.send('{"type":"thank_you"}')
            if "bgsId" in asked:
                if self.fault == "closes when asked":
                    return
                text = json.dumps(answer(self.sessions, asked))
                await socket.send(text.encode() if self.fault == "sends binary frames" else text)

    def first(self) -> dict[str, Any]:
        """The first message."""
        client_id = f"c{self.runs}" if self.fault == "comes back as another" else "c"
        message = {**attach("wallwars", client_id), "results": True}
        bot = message["bots"][0]
        match self.fault:
            case "answers before it attaches":
                return {"type": "game_session_ended", "bgsId": "x", "success": True, "error": ""}
            case "attaches without username":
                del bot["username"]
            case "attaches with another version":
                message["protocolVersion"] = 2
            case "recommends no board":
                bot["variants"] = {"standard": {**OFFERS["wallwars"]["standard"], "recommended": []}}
        return message

    async def exited(self) -> None:
        await asyncio.wait([self.running])

    async def ending(self) -> str:
        return ending_of(Exits(0))

    async def close(self) -> None:
        self.running.cancel()
        await asyncio.gather(self.running, return_exceptions=True)
