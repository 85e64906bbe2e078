"""A stage at a server: peers connect over memory, TCP or WebSockets, and everything else happens on the page."""

import asyncio
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager, AsyncExitStack
from typing import Any

import httpx

from engines import Position
from protocols.uhp.game_string import COLORS, parse, play, replay, write
from tests.server.uhp_clients import MemoryPeer, Peer

LONG = "x" * 20_000


class Site:
    """One game and its peers. ``open_peer`` connects a peer with a handshake."""

    def __init__(
        self, client: httpx.AsyncClient, open_peer: Callable[[str], AbstractAsyncContextManager[Peer]]
    ) -> None:
        self._client = client
        self._open_peer = open_peer
        self._peers: dict[str, Peer] = {}
        self._connections: dict[str, AsyncExitStack] = {}
        self._game: dict[str, str] = {}
        self._moves: asyncio.Queue[str] = asyncio.Queue()
        self._engines: list[asyncio.Task[None]] = []

    async def __aenter__(self) -> "Site":
        return self

    async def __aexit__(self, *_: object) -> None:
        for engine in self._engines:
            engine.cancel()
        for name in [*self._connections]:
            await self.leave(name)

    async def open(self, peer: str, handshake: str) -> None:
        await self.leave(peer)
        stack = self._connections[peer] = AsyncExitStack()
        self._peers[peer] = await stack.enter_async_context(self._open_peer(handshake))

    async def leave(self, peer: str) -> None:
        if peer in self._connections:
            await self._connections.pop(peer).aclose()

    async def say(self, peer: str, line: str) -> None:
        await self._peers[peer].send(line)

    async def hear(self, peer: str) -> str | None:
        try:
            return await self._peers[peer].line()
        except EOFError:
            return None

    def unheard(self, peer: str) -> list[str]:
        one = self._peers[peer]
        return one.unread if isinstance(one, MemoryPeer) else []

    async def act(self, word: str, rest: list[str]) -> dict[str, str]:
        match word, rest:
            case "game", [kind, *options]:
                return await self._create(kind, dict(option.split("=") for option in options))
            case "page", [color, what, *more]:
                method, path = ("DELETE", "draw") if what == "decline" else ("POST", what)
                await self._page(method, color, path, **({"move": " ".join(more)} if more else {}))
            case "takeback", [ply]:
                for color in COLORS:
                    await self._page("POST", color.lower(), "takeback", toPly=int(ply))
            case "over", [winner, reason]:
                await self._over([] if winner == "draw" else [COLORS.index(winner.title())], reason)
            case "engines", []:
                await self._open_engines()
            case "named", move:
                self._moves.put_nowait(" ".join(move))
            case "lost", [peer]:
                await self.say(peer, LONG)
            case _:
                assert word == "time", word
        return {}

    async def _create(self, kind: str, options: dict[str, str]) -> dict[str, str]:
        body: dict[str, Any] = {"game": "hive", "variant": kind, "seats": [{"kind": "human"}] * 2}
        if "open" in options:
            body["seats"] = [{"kind": "human"}, {"kind": "open"}]
        if "plyLimit" in options:
            body["config"] = {"plyLimit": int(options["plyLimit"])}
        if "tc" in options:
            base, increment = map(int, options["tc"].split("+"))
            control = {"initialSeconds": base, "incrementSeconds": increment, "startsAtOnce": True}
            body["timeControl"] = control
        answer = await self._client.post("/api/games", json=body)
        assert answer.status_code == 201, answer.text
        game = answer.json()
        tokens = [seat.get("token", "") for seat in game["seats"]]
        self._game = {"game": game["gameId"], "white": tokens[0], "black": tokens[1]}
        return self._game

    async def _page(self, method: str, color: str, what: str, **body: object) -> None:
        token = self._game[color]
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        path = f"/api/games/{self._game['game']}/{what}"
        answer = await self._client.request(method, path, json=body, headers=headers)
        assert answer.is_success, answer.text

    async def _over(self, winners: list[int], reason: str) -> None:
        async with asyncio.timeout(60):
            while True:
                position = (await self._client.get(f"/api/games/{self._game['game']}")).json()["position"]
                if position["status"] != "playing":
                    break
                await asyncio.sleep(0.02)
        assert (position["result"]["winners"], position["result"]["reason"]) == (winners, reason)

    async def _open_engines(self) -> None:
        for number, color in enumerate(("white", "black")):
            await self.open(str(number), f"role=engine token={self._game[color]}")
            self._engines.append(asyncio.ensure_future(self._obey(self._peers[str(number)])))

    async def _obey(self, engine: Peer) -> None:
        """An engine that does what it is asked; its moves are those that the transcript names."""
        position = Position("hive")
        for line in ("id Scripted 1", "Mosquito;Ladybug;Pillbug", "ok"):
            await engine.send(line)
        assert await engine.line() == "ok"
        while True:
            word, _, rest = (await engine.line()).partition(" ")
            answer = await self._moves.get() if word == "bestmove" else None
            match word:
                case "newgame":
                    position = replay(parse(rest))
                case "play" | "pass":
                    play(position, rest or "pass")
                case "undo":
                    for _ in range(int(rest)):
                        position.undo()
            await engine.send(answer or write(position))
            await engine.send("ok")
