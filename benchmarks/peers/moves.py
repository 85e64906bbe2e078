"""The least that a server of moves does with the same libraries: it knows no rules, and keeps nothing but the log.

Each move is read as JSON, appended to SQLite by a thread that commits all that wait together, and sent to both players
once it is durable: to its player as the acknowledgement, to the opponent as the state. Prints its address.

    python -m benchmarks.peers.moves FILE
"""

import asyncio
import json
import queue
import sqlite3
import sys
import threading

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route, WebSocketRoute
from starlette.websockets import WebSocket, WebSocketDisconnect

from benchmarks.peers.listening import serve

Row = tuple[str, int, str]
"""A move: its game, its number and its text."""

games: dict[str, list[WebSocket | None]] = {}
"""The sockets of both players, by game."""


class Log:
    """The thread that writes."""

    def __init__(self, file: str) -> None:
        self._file = file
        self._jobs: queue.SimpleQueue[tuple[Row, asyncio.Future[None]]] = queue.SimpleQueue()
        threading.Thread(target=self._run, daemon=True).start()

    async def append(self, row: Row) -> None:
        """Returns once the move is durable."""
        done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._jobs.put((row, done))
        await done

    def _run(self) -> None:
        database = sqlite3.connect(self._file, isolation_level=None)
        database.execute("PRAGMA journal_mode=WAL")
        database.execute("PRAGMA synchronous=FULL")
        database.execute(
            "CREATE TABLE moves (game TEXT, number INTEGER, text TEXT, PRIMARY KEY (game, number))"
        )
        while True:
            group = [self._jobs.get()]
            while not self._jobs.empty():
                group.append(self._jobs.get())
            database.execute("BEGIN IMMEDIATE")
            database.executemany("INSERT INTO moves VALUES (?, ?, ?)", [row for row, _ in group])
            database.execute("COMMIT")
            futures = [done for _, done in group]
            futures[0].get_loop().call_soon_threadsafe(_resolve, futures)


def _resolve(futures: list[asyncio.Future[None]]) -> None:
    for one in futures:
        if not one.cancelled():
            one.set_result(None)


async def create(_: Request) -> JSONResponse:
    """Creates a game; the tokens of its seats are their numbers."""
    game = f"g{len(games):07}"
    games[game] = [None, None]
    return JSONResponse({"gameId": game, "seats": [{"token": "0"}, {"token": "1"}]})


async def play(websocket: WebSocket) -> None:
    """The connection of one player."""
    log: Log = websocket.app.state.log
    game, seat = websocket.path_params["game"], int(websocket.query_params["token"])
    players = games[game]
    await websocket.accept()
    players[seat] = websocket
    await websocket.send_text('{"type":"state"}')
    try:
        async for text in websocket.iter_text():
            move = json.loads(text)
            ply = move["expectedPly"] + 1
            await log.append((game, ply, move["move"]))
            await websocket.send_text(json.dumps({"type": "move-taken", "ply": ply}, separators=(",", ":")))
            opponent = players[1 - seat]
            if opponent is not None:
                state = {"type": "state", "ply": ply, "move": move["move"]}
                await opponent.send_text(json.dumps(state, separators=(",", ":")))
    except WebSocketDisconnect:
        return


def main(file: str) -> None:
    """Serves until a signal arrives."""
    routes = [Route("/api/games", create, methods=["POST"]), WebSocketRoute("/ws/games/{game}", play)]
    app = Starlette(routes=routes)
    app.state.log = Log(file)
    serve(app)


if __name__ == "__main__":
    main(sys.argv[1])
