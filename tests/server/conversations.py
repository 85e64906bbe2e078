"""Replays a conversation with a server: requests with their answers, and frames of sockets.

``tests/golden/server/README.md`` describes the lines of a conversation.
"""

import asyncio
import json
import shlex
import signal
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import httpx
import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import InvalidStatus

from tests.patterns import Names
from tests.server.bot_peers import Bot
from tests.server.serving import Served

METHODS = ("GET", "POST", "PUT", "PATCH", "DELETE")
SECONDS = 60
"""How long a line may take."""


def served_by(folder: Path, words: str) -> Served:
    """A server with these options and variables of its environment, not started yet."""
    options = [word for word in words.split() if "=" not in word]
    return Served(folder, *options, **dict(word.split("=", 1) for word in words.split() if "=" in word))


class Conversation:
    """One conversation with a running server. Raises AssertionError at the first line that is not as written."""

    def __init__(self, served: Served) -> None:
        self._served = served
        self._names = Names(server=served.url)
        self._headers: dict[str, str] = {}
        self._peers: dict[str, tuple[Bot, AsyncExitStack]] = {}
        self._client = httpx.AsyncClient(timeout=SECONDS)
        self._answer: httpx.Response
        self._asked: dict[str, Any] = {}

    async def run(self, lines: list[str]) -> None:
        """Carries out every line."""
        async with self._client, AsyncExitStack() as self._stack:
            for line in lines:
                try:
                    async with asyncio.timeout(SECONDS):
                        await self._line(line)
                except Exception as error:
                    error.add_note(line)
                    raise

    async def _line(self, line: str) -> None:
        first, _, rest = line.partition(" ")
        second, _, last = rest.partition(" ")
        if first == "until":
            while not await self._is_answered(rest):  # noqa: ASYNC110 - there is no event to wait for
                await asyncio.sleep(0.02)
        elif first in METHODS or second in METHODS:
            await self._request(line)
        elif second == "times":
            for _ in range(int(first)):
                await self._line(last)
        elif first[-1] == ">":
            await self._peers[first[:-1]][0].connection.send(self._names.text(rest))
        elif "<" in first:
            await self._frame(first, json.loads(rest))
        elif first == "game":
            await self._open_game(second, self._names.filled(json.loads(last or "{}")))
        elif first in ("let", "keep", "headers", "answered", "lacks", "crash", "restart"):
            self._word(first, rest)
        else:
            await self._socket(first, second, last)

    def _word(self, what: str, rest: str) -> None:
        """Names a value, chooses headers, examines the last answer once more, or starts the server again."""
        match what:
            case "let":
                name, _, value = rest.partition(" ")
                self._names.values[name] = self._names.filled(json.loads(value))
            case "keep":
                self._names.match(f"${rest}", self._answer.text)
            case "headers":
                self._headers = self._names.filled(json.loads(rest))
            case "answered":
                self._names.match(json.loads(rest), dict(self._answer.headers))
            case "lacks":
                assert json.loads(rest) not in self._answer.text, self._answer.text
            case _:
                self._served.stop(signal.SIGKILL if what == "crash" else signal.SIGTERM)
                self._served.start()
                self._names.values["server"] = self._served.url

    # ---- requests --------------------------------------------------------------------------------

    async def _request(self, line: str) -> None:
        """A request such as ``0 POST moves {"move": "Cb2"} -> 200 {"ply": 1}``."""
        line, _, expected = line.partition(" -> ")
        who, line = ("", line) if line.split(" ")[0] in METHODS else line.split(" ", 1)
        method, path, body = [*line.split(" ", 2), ""][:3]
        if not path.startswith("/"):
            path = f"/api/games/$game{path[1:] if path.startswith('.') else f'/{path}'}"
        headers = {"Content-Type": "application/json"} if body else {}
        if who:
            headers["Authorization"] = f"Bearer {self._names.values.get(who, who)}"
        url, content = self._served.url + self._names.filled(path), self._names.text(body) if body else None
        self._answer = await self._client.request(
            method, url, content=content, headers=headers | self._headers
        )
        status, _, pattern = expected.partition(" ")
        code = self._answer.status_code
        assert code == int(status) if status else code < 300, (code, self._answer.text)
        if pattern:
            is_json = self._answer.headers["content-type"] == "application/json"
            self._names.match(json.loads(pattern), self._answer.json() if is_json else self._answer.text)

    async def _is_answered(self, line: str) -> bool:
        before = dict(self._names.values)
        try:
            await self._request(line)
        except AssertionError:
            self._names.values = before
            return False
        return True

    async def _open_game(self, name: str, more: dict[str, Any]) -> None:
        """Opens a game, by default for two people, and names it and the tokens of its seats."""
        seats = [{"kind": "human"}, {"kind": "human"}]
        await self._request(
            "POST /api/games " + json.dumps({"game": name, "seats": seats, **more}) + " -> 201"
        )
        game = self._answer.json()
        tokens = {str(seat["seat"]): seat.get("token") for seat in game["seats"]}
        self._names.values |= {"game": game["gameId"], "opened": game, **tokens}

    # ---- sockets ---------------------------------------------------------------------------------

    async def _socket(self, name: str, what: str, rest: str) -> None:
        """What a client of a socket does, or what happens to it."""
        match what:
            case "opens":
                path, _, refusal = f"{rest} ".partition("-> ")
                path = path if path.startswith("/") else f"/ws/games/$game{path}"
                await self._connect(name, path.strip(), refusal.strip())
            case "joins":
                await self._connect(name, f"/ws/games/$game{rest}", "")
                for kind in ("welcome", "state", "match-status"):
                    await self._frame(f"{name}<", {"type": kind})
            case "leaves":
                await self._peers[name][1].aclose()
            case "closed":
                code, _, reason = rest.partition(" ")
                assert await self._peers[name][0].closed() == (int(code), reason)
            case "says":
                self._names.match(rest, str(await self._peers[name][0].connection.recv()))
            case "quiet":
                peer = self._peers[name][0]
                await peer.send({"type": "ping"})
                while (frame := await peer.next())["type"] != "pong":
                    assert frame["type"] == "match-status", frame
            case "attaches":
                await self._connect(name, "/ws/custom-bot", "")
                client_id, _, entry = rest.partition(" ")
                attached = await self._peers[name][0].attach(client_id, json.loads(entry or "{}"))
                assert attached["type"] == "attached", attached
            case _:
                await self._bot(self._peers[name][0], what, rest)

    async def _bot(self, bot: Bot, what: str, rest: str) -> None:
        """What an attached bot is asked and answers, such as ``starts`` or ``evaluates 0 Cb2 0.5``."""
        match what, *([] if rest.startswith("{") else shlex.split(rest)):
            case ["asked"]:
                self._asked = await bot.expect("evaluate_position")
                self._names.match(json.loads(rest), self._asked)
            case ["starts"]:
                self._names.match(json.loads(rest or "{}"), await bot.started())
            case "evaluates", ply, move, *value:
                await bot.evaluated(int(ply), move, *map(float, value))
            case "answers", ply, move:
                values = {"ply": int(ply), "bestMove": move, "evaluation": 0}
                await bot.answer("evaluate_response", self._asked, **values)
            case "applies", ply, move:
                await bot.applied(int(ply), move)
            case "ends", *how:
                await bot.ended(success=how != ["badly"])
            case _:
                raise ValueError(what)

    async def _connect(self, name: str, path: str, refusal: str) -> None:
        stack = await self._stack.enter_async_context(AsyncExitStack())
        url = f"{self._served.socket_url}{self._names.filled(path)}"
        opening = connect(url, compression=None, ping_interval=None, additional_headers=self._headers)
        if not refusal:
            self._peers[name] = Bot(await stack.enter_async_context(opening)), stack
            return
        with pytest.raises(InvalidStatus) as refused:
            await opening
        status, _, pattern = refusal.partition(" ")
        response = refused.value.response
        assert response.status_code == int(status), response.body
        self._names.match(json.loads(pattern), json.loads(response.body))

    async def _frame(self, name: str, pattern: Any) -> None:
        """Reads the next frame, with ``<<`` the next one of its type, with ``<*`` the next one that matches."""
        peer = self._peers[name.split("<")[0]][0]
        frame = await peer.next()
        while name.endswith("<<") and frame["type"] != pattern["type"]:
            frame = await peer.next()
        while name.endswith("<*") and not self._names.is_match(pattern, frame):
            frame = await peer.next()
        self._names.match(pattern, frame)
