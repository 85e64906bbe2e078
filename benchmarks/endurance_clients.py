"""The clients of ``benchmarks.endurance`` besides those that play as in ``benchmarks.faults``."""

import asyncio
import itertools
import random
from contextlib import suppress

import httpx
from websockets.asyncio.client import connect
from websockets.exceptions import WebSocketException

from benchmarks.attack_client import text_of
from benchmarks.fault_players import HUMAN, Json, Player

LOOK_SECONDS = 20.0
"""How long a spectator or a bar follows a game."""
PAUSE_SECONDS = 1.0
SAMPLES = 200
LISTS = (
    "/api/games",
    "/api/games?status=live",
    "/api/games/past?ext=1",
    "/api/games/matchmaking",
    "/api/bots",
)


class TileOpponents(Player):
    """Two people who play Carcassonne to its end."""

    async def _play(self) -> None:
        table = await self._open({"game": "carcassonne"}, HUMAN, HUMAN)
        game, tokens = table["gameId"], [seat["token"] for seat in table["seats"]]
        shown = await self._shown(game, tokens[0])
        while shown["status"] == "playing":
            move = self._rng.choice(shown["legal"])
            after = await self._move(game, tokens[shown["toAct"][0]], move, shown["ply"])
            shown = after or await self._shown(game, tokens[0])


class Watchers:
    """Spectators and evaluation bars, each at one live game after the other, and readers of lists and analyses."""

    def __init__(self, url: str, seed: int) -> None:
        self._url, self._sockets = url, url.replace("http", "ws", 1)
        self._rng = random.Random(seed)  # noqa: S311 - repeatable
        self._http = httpx.AsyncClient(base_url=url, timeout=60)
        self._live: list[Json] = []
        self.frames = 0
        """The frames received by spectators and bars."""

    async def close(self) -> None:
        """Closes the connections of requests."""
        await self._http.aclose()

    async def read_lists(self) -> None:
        """Reads all lists for ever; the games being played are those that the others watch."""
        for path in itertools.cycle(LISTS):
            with suppress(httpx.TransportError):
                self._live = (await self._http.get("/api/games?status=live")).json()["games"] or self._live
                await self._http.get(path)
            await asyncio.sleep(PAUSE_SECONDS)

    async def watch(self) -> None:
        """Watches one game after the other."""
        while True:
            await self._follow("/ws/games/{}?ext=1")

    async def evaluate(self) -> None:
        """Opens one evaluation bar after the other."""
        while True:
            await self._follow("/ws/eval/{}", is_bar=True)

    async def _follow(self, path: str, *, is_bar: bool = False) -> None:
        """Follows a live game for some time."""
        await asyncio.sleep(self._rng.uniform(0, PAUSE_SECONDS))
        if not self._live:
            return
        game = self._rng.choice(self._live)["gameId"]
        with suppress(OSError, TimeoutError, WebSocketException, httpx.TransportError):
            first = await self._handshake(game) if is_bar else None
            async with connect(self._sockets + path.format(game), compression=None) as socket:
                if first is not None:
                    await socket.send(first)
                async with asyncio.timeout(LOOK_SECONDS):
                    async for _ in socket:
                        self.frames += 1

    async def _handshake(self, game: str) -> str:
        shown = (await self._http.get(f"/api/games/{game}")).json()
        sizes = {
            name: shown["config"][name] for name in ("boardWidth", "boardHeight") if name in shown["config"]
        }
        return text_of({"type": "eval-handshake", "gameId": game, "variant": shown["variant"], **sizes})

    async def analyse(self) -> None:
        """Requests analyses for ever."""
        for number in itertools.count():
            body = {"game": "wallwars", "moves": ["---"] * 20, "samples": SAMPLES + number % 50}
            with suppress(httpx.TransportError):
                await self._http.post("/api/analysis?wait=1", json=body)
            await asyncio.sleep(PAUSE_SECONDS)
