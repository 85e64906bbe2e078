"""The longest time for which one request of one client keeps the event loop busy, for every door and every game.

The clients run in a thread of this process, the server on its main thread and on uvloop, as always. A callback that
runs once in each turn of the loop reads the processor time of the loop's thread, so the figure is of work, not of
waiting for a processor. Each request uses the largest input that its door accepts. The largest of three tries counts.

    python -m benchmarks.longest_block [--only TEXT]
"""

import asyncio
import json
import socket
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Annotated, Any, TypeVar

import httpx
import typer
import uvicorn
import uvloop
from websockets.asyncio.client import connect

from benchmarks.largest_inputs import LargestGame, largest_games
from engines import Position
from server.app import create_app
from server.running import MAX_FRAME_BYTES, SWITCH_SECONDS, Server
from server.services.games.games import Games
from server.settings import Settings
from server.web.connection_limit import ConnectionLimit
from server.web.http_connection import HttpConnection
from server.web.web_socket import WebSocketConnection

GOAL_MS = 10.0
TRIES = 3
LIVE_PLIES = 2000
MUD_OF_A_SHORT_BODY = 2500
"""What fits into a body of 64 KiB."""
QUIET_SECONDS = 0.3
"""How long the loop is watched after an answer, since some work follows it."""

JSON = {"content-type": "application/json"}
Call = Callable[[], Awaitable[Any]]
T = TypeVar("T")


class Meter:
    """Measures the longest turn of an event loop in milliseconds of its thread's processor time."""

    def __init__(self) -> None:
        self._before = 0.0
        self.longest_ms = 0.0

    def start(self) -> None:
        """Begins to measure the running loop."""
        self._before = time.thread_time()
        self._turn()

    def _turn(self) -> None:
        now = time.thread_time()
        self.longest_ms = max(self.longest_ms, (now - self._before) * 1000)
        self._before = now
        asyncio.get_running_loop().call_soon(self._turn)


@dataclass(frozen=True, slots=True)
class Measured:
    """The server under test."""

    url: str
    meter: Meter
    games: Games
    loop: asyncio.AbstractEventLoop

    @property
    def sockets(self) -> str:
        """The beginning of the addresses of sockets."""
        return self.url.replace("http", "ws", 1)


async def serve(measure: Callable[[Measured], Coroutine[Any, Any, T]]) -> T:
    """Runs a server on the running loop, and ``measure`` on a loop of another thread; returns its result."""
    with tempfile.TemporaryDirectory() as folder, socket.create_server(("127.0.0.1", 0)) as listener:
        settings = Settings(database=f"sqlite:///{folder}/plyhouse.sqlite3", message_burst=100_000, samples=1)
        app = create_app(settings, ())
        http: Any = partial(HttpConnection, limit=ConnectionLimit(0, ()))
        config = uvicorn.Config(
            app,
            http=http,
            ws=WebSocketConnection,
            ws_max_size=MAX_FRAME_BYTES,
            ws_per_message_deflate=False,
            log_config=None,
            server_header=False,
            proxy_headers=False,
        )
        server, meter = Server(config, app, settings), Meter()
        serving = asyncio.ensure_future(server.serve(sockets=[listener]))
        while not server.started:  # noqa: ASYNC110 - uvicorn has no event for it
            await asyncio.sleep(0.05)
        server.collection.stop()  # It waits for an idle loop, which this one never is.
        meter.start()
        url, loop = f"http://127.0.0.1:{listener.getsockname()[1]}", asyncio.get_running_loop()
        measured = Measured(url, meter, app.state.services.games, loop)
        try:
            return await asyncio.to_thread(lambda: asyncio.run(measure(measured)))
        finally:
            server.should_exit = True
            await serving


async def longest_ms(meter: Meter, call: Call) -> float:
    """Returns the longest turn of the loop while ``call`` is answered, the largest of ``TRIES``."""
    await asyncio.sleep(QUIET_SECONDS)
    meter.longest_ms = 0.0
    for _ in range(TRIES):
        await call()
        await asyncio.sleep(QUIET_SECONDS)
    return meter.longest_ms


class Doors:
    """Calls every door with the largest games."""

    def __init__(self, server: Measured, client: httpx.AsyncClient) -> None:
        self._server = server
        self._client = client

    async def calls(self, largest: LargestGame) -> dict[str, Call]:
        """Returns the calls with this game, by name."""
        live, finished = await self._live(largest), await self._imported(largest)
        moves = [*largest.moves]
        start = {**largest.start, "config": self._short(largest), "moves": moves[:1000]}
        record = {"text": self._record(largest)}
        calls: dict[str, Call] = {
            "create a game": partial(self._post, "/api/games", self._new_game(largest)),
            "position": partial(self._post, "/api/positions", start),
            "analysis": partial(self._post, "/api/analysis", {**start, "samples": 1, "toPly": 1}),
            "analysis of all": partial(
                self._post, "/api/analysis", {**start, "moves": moves, "samples": 1, "toPly": 1}
            ),
            "import": partial(self._post, "/api/games/import", record),
            "list": partial(self._get, "/api/games"),
        }
        for name, game_id in {"live": live, "finished": finished}.items():
            path = f"/api/games/{game_id}"
            middle = len(largest.moves) // 2
            whole = {"gameId": game_id, "samples": 20, "multipv": 20, "toPly": min(middle, 1000)}
            calls |= {
                f"result of an analysis, {name}": partial(self._result, whole),
                f"whole bar, {name}": partial(self._history, f"/ws/eval/{game_id}", game_id, largest),
                f"read, {name}": partial(self._get, path),
                f"read ply, {name}": partial(self._get, f"{path}?ply={middle}", 404),
                f"record, {name}": partial(self._get, f"{path}/record"),
                f"open socket, {name}": partial(self._open, f"/ws/games/{game_id}?ext=1&since=0", None),
                f"open bar, {name}": partial(
                    self._open, f"/ws/eval/{game_id}", self._handshake(game_id, largest)
                ),
                f"analysis, {name}": partial(
                    self._post, "/api/analysis", {"gameId": game_id, "samples": 1, "toPly": 0}
                ),
            }
        return calls

    def _new_game(self, largest: LargestGame) -> dict[str, Any]:
        seats = [{"kind": "human"} for _ in range(largest.config.get("seats", 2))]
        config = {name: value for name, value in self._short(largest).items() if name != "seats"}
        return {**largest.start, "config": config, "seats": seats, "listed": False}

    def _short(self, largest: LargestGame) -> dict[str, Any]:
        """Returns the configuration for doors that accept short bodies only."""
        mud = largest.config.get("mud", [])[:MUD_OF_A_SHORT_BODY]
        return {**largest.config, "mud": mud} if mud else largest.config

    async def _live(self, largest: LargestGame) -> str:
        """Creates a game and plays its moves but the last, at most ``LIVE_PLIES``."""
        created = await self._post("/api/games", self._new_game(largest))
        game_id = str(created["gameId"])
        playing = self._play(game_id, largest.moves[: min(len(largest.moves) - 1, LIVE_PLIES)])
        await asyncio.wrap_future(asyncio.run_coroutine_threadsafe(playing, self._server.loop))
        return game_id

    async def _play(self, game_id: str, moves: Sequence[str]) -> None:
        games = self._server.games
        for move in moves:
            state = await games.get(game_id)
            parts = move.split("/") if len(state.to_act) > 1 else [state.position.submitted(move)]
            for seat, part in zip(state.to_act, parts, strict=True):
                await games.move(game_id, seat, part)

    async def _imported(self, largest: LargestGame) -> str:
        return str((await self._post("/api/games/import", {"text": self._record(largest)}))["gameId"])

    def _record(self, largest: LargestGame) -> str:
        return json.dumps({**largest.start, "moves": largest.moves}, separators=(",", ":"))

    def _handshake(self, game_id: str, largest: LargestGame) -> str:
        position = Position(largest.game, largest.variant, largest.config)
        sizes: dict[str, Any] = {
            name: position.config[name] for name in ("boardWidth", "boardHeight") if name in position.config
        }
        frame: dict[str, Any] = {
            "type": "eval-handshake",
            "gameId": game_id,
            "variant": position.variant,
            **sizes,
        }
        return json.dumps(frame)

    async def _result(self, body: dict[str, Any]) -> None:
        """Reads the result of an analysis once it is complete."""
        found = await self._post("/api/analysis?wait=1", body)
        await self._get(f"/api/analysis/{found['analysisId']}")

    async def _history(self, path: str, game_id: str, largest: LargestGame) -> None:
        """Waits for the evaluations of a whole game."""
        async with connect(self._server.sockets + path, max_size=None) as ws, asyncio.timeout(100):
            await ws.send(self._handshake(game_id, largest))
            while json.loads(await ws.recv())["type"] != "eval-history":
                continue

    async def _post(self, path: str, body: dict[str, Any]) -> dict[str, Any]:
        answer = await self._client.post(
            self._server.url + path, content=json.dumps(body, separators=(",", ":")), headers=JSON
        )
        if answer.status_code not in (200, 201, 202, 429):
            raise SystemExit(f"{path}: {answer.status_code} {answer.text[:300]}")
        found: dict[str, Any] = answer.json()
        return found

    async def _get(self, path: str, *allowed: int) -> None:
        answer = await self._client.get(self._server.url + path)
        if answer.status_code not in (200, *allowed):
            raise SystemExit(f"{path}: {answer.status_code} {answer.text[:300]}")

    async def _open(self, path: str, first: str | None) -> None:
        async with connect(self._server.sockets + path, max_size=None) as ws:
            if first is not None:
                await ws.send(first)
            async with asyncio.timeout(30):
                await ws.recv()
            await asyncio.sleep(0.2)


async def _measure(server: Measured, *, only: str) -> float:
    worst = 0.0
    async with httpx.AsyncClient(timeout=200) as client:
        for largest in largest_games():
            calls = await Doors(server, client).calls(largest)
            for name, call in calls.items():
                if only in f"{largest.name} {name}":
                    found = await longest_ms(server.meter, call)
                    worst = max(worst, found)
                    print(f"{largest.name:32} {name:32} {found:8.1f} ms", flush=True)
    return worst


def main(only: Annotated[str, typer.Option(help="Only the rows that contain this text.")] = "") -> None:
    """Prints the longest block of each door, in milliseconds of processor time, and the longest of all."""
    sys.setswitchinterval(SWITCH_SECONDS)
    worst = uvloop.run(serve(partial(_measure, only=only)))
    print(f"longest: {worst:.1f} ms (goal {GOAL_MS:g})")


if __name__ == "__main__":
    typer.run(main)
