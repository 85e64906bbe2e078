"""Clients of a running server: a scripted bot, a player on the game socket, a viewer of the eval bar."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import httpx
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

from tests.server.serving import Address

Json = dict[str, Any]

SIZES = {"boardWidth": {"min": 3, "max": 9}, "boardHeight": {"min": 3, "max": 9}}
OFFER = {**SIZES, "recommended": [{"boardWidth": 5, "boardHeight": 5}]}
BOARD = {"variant": "standard", "boardWidth": 3, "boardHeight": 3}

SECONDS = 60.0
"""How long a client waits for an expected frame."""


class Peer:
    """A client that sends and receives JSON frames."""

    def __init__(self, connection: ClientConnection) -> None:
        self.connection = connection

    async def send(self, message: Json | str | bytes) -> None:
        await self.connection.send(json.dumps(message) if isinstance(message, dict) else message)

    async def next(self) -> Json:
        async with asyncio.timeout(SECONDS):
            return dict(json.loads(await self.connection.recv()))

    async def until(self, kind: str) -> Json:
        while (frame := await self.next())["type"] != kind:
            pass
        return frame

    async def silent(self, seconds: float = 0.3) -> None:
        """Expects no frame for a while."""
        try:
            async with asyncio.timeout(seconds):
                frame = await self.connection.recv()
        except TimeoutError:
            return
        raise AssertionError(f"unexpected frame: {frame!r}")

    async def closed(self) -> tuple[int | None, str | None]:
        """Reads until the server closes; returns the code and the reason."""
        async with asyncio.timeout(SECONDS):
            try:
                while True:
                    await self.connection.recv()
            except ConnectionClosed:
                return self.connection.close_code, self.connection.close_reason


class Bot(Peer):
    """A scripted client with one or more bots."""

    async def attach(self, client_id: str, *bots: Json, secret: str | None = None, **more: Any) -> Json:
        entries = [
            {"botId": "b1", "name": "B", "username": None, "variants": {"standard": OFFER}, **bot}
            for bot in bots or ({},)
        ]
        client = {"name": "t", "version": "1"}
        if secret is not None:
            more["resumeSecret"] = secret
        message = {"type": "attach", "protocolVersion": 3, "clientId": client_id, "client": client}
        await self.send({**message, "bots": entries, **more})
        return await self.next()

    async def started(self, *, success: bool = True) -> Json:
        """Expects the start of a session and answers it."""
        asked = await self.expect("start_game_session")
        await self.answer("game_session_started", asked, success=success)
        return asked

    async def evaluated(self, ply: int, best: str, value: float = 0.0) -> Json:
        """Expects an evaluation at ``ply`` and answers it."""
        asked = await self.expect("evaluate_position")
        assert asked["expectedPly"] == ply, asked
        await self.answer("evaluate_response", asked, ply=ply, bestMove=best, evaluation=value)
        return asked

    async def applied(self, ply: int, move: str) -> Json:
        """Expects ``move`` at ``ply`` and acknowledges it."""
        asked = await self.expect("apply_move")
        assert (asked["expectedPly"], asked["move"]) == (ply, move), asked
        await self.answer("move_applied", asked, ply=ply + 1)
        return asked

    async def moved(self) -> None:
        """Follows a game that began with Ma2, and answers with Mc2."""
        await self.evaluated(0, "---")
        await self.applied(0, "Ma2")
        await self.evaluated(1, "Mc2")
        await self.applied(1, "Mc2")
        await self.evaluated(2, "---")

    async def ended(self, *, success: bool = True) -> Json:
        """Expects the end of a session and answers it."""
        asked = await self.expect("end_game_session")
        await self.answer("game_session_ended", asked, success=success)
        return asked

    async def expect(self, kind: str) -> Json:
        asked = await self.next()
        assert asked["type"] == kind, asked
        return asked

    async def answer(self, kind: str, asked: Json, **fields: Any) -> None:
        success = fields.get("success", True)
        verdict = {"success": success, "error": "" if success else "no"}
        await self.send({"type": kind, "bgsId": asked["bgsId"], **verdict, **fields})


async def evaluating(bot: Bot, move: str = "---") -> None:
    """Answers whatever the bot is asked; always makes the same move, by default passes."""
    kinds = {"start_game_session": "game_session_started", "end_game_session": "game_session_ended"}
    while True:
        asked = await bot.next()
        match asked["type"]:
            case "apply_move":
                is_forfeit = asked["move"].startswith("!")
                await bot.answer("move_applied", asked, ply=asked["expectedPly"] + (not is_forfeit))
            case "game_result":
                pass
            case "evaluate_position":
                ply = asked["expectedPly"]
                await bot.answer("evaluate_response", asked, ply=ply, bestMove=move, evaluation=0.5)
            case kind:
                await bot.answer(kinds[kind], asked)


class Player(Peer):
    """A player on the game socket."""

    async def opened(self) -> Json:
        """Reads the three opening frames; returns the state."""
        assert (await self.next())["type"] == "welcome"
        state = await self.next()
        assert (await self.next())["type"] == "match-status"
        return state

    async def play(self, **action: Any) -> None:
        """Sends a move in the site's form; by default, one step of the cat."""
        await self.send({"type": "submit-move", "move": action["move"]})

    async def state(self, plies: int) -> Json:
        """Reads until the state after this many moves."""
        while True:
            frame = await self.until("state")
            if frame["state"]["moveCount"] == plies:
                return dict(frame["state"])

    async def finished(self) -> Json:
        """Reads until the game is over; returns the result."""
        while True:
            frame = await self.until("state")
            if frame["state"]["status"] == "finished":
                return dict(frame["state"]["result"])


class Viewer(Peer):
    """A viewer of the eval bar."""

    async def shake(self, game_id: str, **other: object) -> Json:
        await self.send({"type": "eval-handshake", "gameId": game_id, **BOARD, **other})
        return await self.next()

    async def history(self) -> list[Json]:
        return list((await self.until("eval-history"))["entries"])


@asynccontextmanager
async def a_bot(served: Address, **options: Any) -> AsyncIterator[Bot]:
    """Connects a bot client without attaching it; ``options`` are those of ``connect``."""
    url = f"{served.socket_url}/ws/custom-bot"
    async with connect(url, compression=None, ping_interval=None, **options) as connection:
        yield Bot(connection)


@asynccontextmanager
async def a_player(served: Address, game: Json, more: str = "") -> AsyncIterator[Player]:
    """Connects a player to the socket of a game; ``more`` is added to the query."""
    async with connect(
        f"{served.socket_url}/ws/games/{game['gameId']}?token={game['token']}{more}", ping_interval=None
    ) as connection:
        yield Player(connection)


@asynccontextmanager
async def a_viewer(served: Address, game_id: str) -> AsyncIterator[Viewer]:
    """Connects a viewer without a handshake."""
    async with connect(f"{served.socket_url}/ws/eval/{game_id}", ping_interval=None) as connection:
        yield Viewer(connection)


@asynccontextmanager
async def http(served: Address) -> AsyncIterator[httpx.AsyncClient]:
    """An HTTP client of the server."""
    async with httpx.AsyncClient(base_url=served.url, timeout=SECONDS) as client:
        yield client


async def challenge(
    client: httpx.AsyncClient, bot_id: str, *, is_first: bool = True, **board: object
) -> Json:
    """Creates a game against a bot."""
    body = {"botId": bot_id, "config": {**BOARD, **board}, "hostIsPlayer1": is_first}
    answer = await client.post("/api/bots/play", json=body)
    assert answer.status_code == 201, answer.text
    return dict(answer.json())


async def submit(client: httpx.AsyncClient, game: Json, move: str, ply: int | None = None) -> httpx.Response:
    """Plays a move over HTTP."""
    headers = {"Authorization": f"Bearer {game['token']}"}
    body = {"move": move} if ply is None else {"move": move, "expectedPly": ply}
    return await client.post(f"/api/games/{game['gameId']}/moves", json=body, headers=headers)


async def position(client: httpx.AsyncClient, game_id: str) -> Json:
    """Returns the public position of a game."""
    return dict((await client.get(f"/api/games/{game_id}")).json()["position"])


async def reached(client: httpx.AsyncClient, game_id: str, *, ply: int = 0, status: str = "playing") -> Json:
    """Waits for this number of moves and this status; returns the position."""
    async with asyncio.timeout(SECONDS):
        while True:
            found = await position(client, game_id)
            if found["ply"] >= ply and found["status"] == status:
                return found
            await asyncio.sleep(0.02)


async def between_people(client: httpx.AsyncClient, *moves: str) -> list[Json]:
    """A game of two people after these moves, and the tokens of both."""
    body = {
        "game": "wallwars",
        "config": {"boardWidth": 3, "boardHeight": 3},
        "seats": [{"kind": "human"}, {"kind": "human"}],
    }
    opened = (await client.post("/api/games", json=body)).json()
    players = [{"gameId": opened["gameId"], "token": seat["token"]} for seat in opened["seats"]]
    for ply, move in enumerate(moves):
        assert (await submit(client, players[ply % 2], move, ply)).status_code == 200
    return players


async def listed(client: httpx.AsyncClient, **query: str | int) -> list[str]:
    """Returns the ids of the attached bots that are listed."""
    answer = await client.get("/api/bots", params=query)
    return [bot["id"] for bot in answer.json()["bots"] if bot["clientId"] != "plyhouse"]
