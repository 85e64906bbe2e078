"""What a server shows of a running game with a hidden order: nothing that depends on what nobody has seen.

Two games with different seeds are played whose first draws are the same. Everything that any client receives of one
must be equal to what it receives of the other: positions, evaluations, bots' moves, analyses, records, refusals.
"""

import asyncio
import json
import re
from collections.abc import Iterator
from contextlib import AsyncExitStack
from typing import Any

import httpx
import pytest
from websockets.asyncio.client import ClientConnection, connect

from engines import Position
from tests.server.bot_peers import Json, http
from tests.server.serving import Served
from tests.server.test_bots_carcassonne import Player, Table, playing

SEEDS = (7_316_004_514_045, 7_316_004_515_916)
"""With these, the first six tiles are the same, and the seventh is not."""

CONFIG = {"seats": 3, "tileCount": 12}
SEATS = [
    {"kind": "bot", "bot": "c:b1"},
    {"kind": "bot", "bot": "plyhouse:easy"},
    {"kind": "human", "name": "Ada"},
]
PLIES = 5


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with Served(tmp_path_factory.mktemp("hidden"), PLYHOUSE_SAMPLES="30", PLYHOUSE_BOT_SEED="1") as child:
        yield child


def rest_of(seed: int, history: list[str]) -> list[str]:
    """The tiles that follow in this game, as their moves name them."""
    position = Position("carcassonne", None, {**CONFIG, "seed": seed})
    position.play(*history)
    while position.to_act:
        position.play(position.legal_moves()[0])
    return [word for move in position.history[len(history) :] for word in move.split(" ") if word[0] in "+-"]


def entries_of(frames: list[str]) -> list[str]:
    """The evaluations in these frames by ply: when the history ends and updates begin depends on the time."""
    entries: dict[int, Json] = {}
    for frame in map(json.loads, frames):
        new = frame.get("entries", [frame] if frame["type"] == "eval-update" else [])
        entries.update({entry["ply"]: {**entry, "type": ""} for entry in new})
    return [json.dumps(entries[ply], sort_keys=True) for ply in sorted(entries)]


class Recorder:
    """Everything that the clients of one game receive, by channel."""

    def __init__(self, served: Served, client: httpx.AsyncClient, table: Table) -> None:
        self.served = served
        self.client = client
        self.table = table
        self.frames: dict[str, list[str]] = {}
        self.sockets: list[ClientConnection] = []
        self.bodies: list[str] = []

    async def open(self, stack: AsyncExitStack, name: str, path: str, *first: Json) -> None:
        """Opens a socket and records its frames."""
        socket = await stack.enter_async_context(connect(f"{self.served.socket_url}{path}", compression=None))
        for message in first:
            await socket.send(json.dumps(message))
        frames = self.frames[name] = []
        self.sockets.append(socket)

        async def read() -> None:
            async for frame in socket:
                frames.append(str(frame))  # noqa: PERF401 - the list is read meanwhile

        reading = asyncio.create_task(read())
        stack.callback(reading.cancel)

    async def ask(self, method: str, path: str, **more: Any) -> None:
        """Records the answer to a request about the game."""
        answer = await self.client.request(method, path.replace("ID", self.table.id), **more)
        self.bodies.append(f"{path} {answer.status_code} {answer.text}")

    async def settled(self, name: str, text: str) -> None:
        """Waits for a frame that contains this text."""
        async with asyncio.timeout(60):
            while not any(text in frame for frame in self.frames[name]):  # noqa: ASYNC110 - there is no event
                await asyncio.sleep(0.01)

    def texts(self) -> list[str]:
        """All of it, as it was sent."""
        return [*self.bodies, *(frame for frames in self.frames.values() for frame in frames)]

    def is_about(self, frame: str) -> bool:
        """Whether a frame of the lobby is about this game alone."""
        return self.table.id in frame and '"snapshot"' not in frame

    def plain(self, text: str) -> str:
        """A text without what differs between any two games: ids, tokens and times."""
        for token in filter(None, self.table.tokens):
            text = text.replace(token, "TOKEN")
        text = re.sub(
            r'"(socketId|analysisId|token|senderId)":"[^"]*"', r'"\1":""', text.replace(self.table.id, "GAME")
        )
        text = re.sub(r'"spectatorCount":\d+', '"spectatorCount":0', text)
        if '"match-status"' in text:  # depends on who has connected by now
            text = re.sub(r'"(connected|status|seq)":("?)[\w-]+\2', "", text)
        return re.sub(r"\b1[0-9]{12}\b", "TIME", text)

    def seen(self) -> dict[str, list[str]]:
        """What each channel has shown. Of frames that other games or viewers cause, only the last of each type."""
        seen = {"http": [self.plain(body) for body in self.bodies]}
        for name, frames in self.frames.items():
            if name == "bot":
                seen[name] = [self.plain(frame) for frame in frames]
            elif name == "eval":
                seen[name] = entries_of(frames)
            else:
                own = [frame for frame in frames if name != "lobby" or self.is_about(frame)]
                last = {json.loads(frame)["type"]: self.plain(frame) for frame in own}
                seen[name] = [last[kind] for kind in sorted(last)]
        return seen


async def observed(served: Served, client: httpx.AsyncClient, bot: Player, seed: int) -> Recorder:
    """Plays a game to the last ply that both games share, watched on every channel."""
    body = {"game": "carcassonne", "config": {**CONFIG, "seed": seed}, "seats": SEATS}
    created = await client.post("/api/games", json=body)
    recorder = Recorder(served, client, Table(client, created.json()))
    recorder.bodies.append(created.text)
    table, token = recorder.table, recorder.table.tokens[2]
    known = len(bot.asked)
    async with AsyncExitStack() as stack:
        handshake = {"type": "eval-handshake", "gameId": table.id, "variant": "standard"}
        await recorder.open(stack, "lobby", "/ws/live-games?ext=1")
        await recorder.open(stack, "spectator", f"/ws/games/{table.id}")
        await recorder.open(stack, "extended", f"/ws/games/{table.id}?ext=1&since=0")
        await recorder.open(stack, "player", f"/ws/games/{table.id}?ext=1&token={token}")
        await recorder.open(stack, "eval", f"/ws/eval/{table.id}", handshake)
        await table.play_on(2, until=PLIES)
        await look(recorder, f"Bearer {token}")
        await recorder.settled("eval", f'"ply":{PLIES},')
        await recorder.settled("lobby", f'"moveCount":{PLIES}')
        for name in ("spectator", "extended", "player"):
            await recorder.settled(name, f'"ply":{PLIES},')
        async with asyncio.timeout(60):
            while bot.asked[-1].get("expectedPly") != PLIES:  # noqa: ASYNC110 - there is no event
                await asyncio.sleep(0.01)
    recorder.frames["bot"] = [json.dumps(asked) for asked in bot.asked[known:]]
    return recorder


async def look(recorder: Recorder, bearer: str) -> None:
    """Asks for everything there is about a running game, and for what is refused."""
    headers = {"Authorization": bearer}
    position = (await recorder.client.get(f"/api/games/{recorder.table.id}")).json()["position"]
    move = position["legal"][0]
    for path in (
        "",
        f"?staged={move.split(' ')[0]}",
        "?ply=0",
        f"?ply={PLIES - 1}",
        "/record",
        "/record?format=json",
    ):
        await recorder.ask("GET", f"/api/games/ID{path}", headers=headers)
        await recorder.ask("GET", f"/api/games/ID{path}")
    for tail in (*"ABCDEFGHIJKLMNOPQRSTUVWX",):
        await recorder.ask("POST", "/api/games/ID/moves", headers=headers, json={"move": f"{move} +{tail}"})
    for bad in ("9,9,0", f"{move} city_N city_N", "!0", f"{move}/{move}", ""):
        await recorder.ask("POST", "/api/games/ID/moves", headers=headers, json={"move": bad})
    await recorder.ask("GET", "/game/ID")
    await recorder.ask("POST", "/api/games/ID/rematch", headers=headers)
    analysis = {"gameId": recorder.table.id, "samples": 20, "multipv": 5}
    await recorder.ask("POST", "/api/analysis?wait=1", json=analysis)
    again = {key: position[key] for key in ("game", "variant")} | {"config": recorder.table.config}
    for more in ([], [move], [f"{move} +A"]):
        await recorder.ask("POST", "/api/positions", json={**again, "moves": [*position["history"], *more]})


@pytest.mark.slow
async def test_two_orders_look_the_same_until_they_differ(served: Served) -> None:
    async with playing(served) as bot, http(served) as client:
        games = [await observed(served, client, bot, seed) for seed in SEEDS]
        one, other = (game.seen() for game in games)
        assert one.keys() == other.keys()
        assert all(one.values()), "every channel has shown something"
        for channel in one:
            assert one[channel] == other[channel], channel
        histories = [(await game.table.turn_of(2))["history"] for game in games]
        assert histories[0] == histories[1], "the bots of both games have moved alike"
        assert rest_of(SEEDS[0], histories[0]) != rest_of(SEEDS[1], histories[1])
        lists = [
            (await client.get(path)).text for path in ("/api/games", "/api/games/live?ext=1", "/metrics")
        ]
        shown = [*lists, served.log, *(text for game in games for text in game.texts())]
        for seed in SEEDS:
            assert not any(str(seed) in text or f"{seed:x}" in text for text in shown)


async def test_the_order_is_public_once_the_game_is_over(served: Served) -> None:
    people = [{"kind": "human"}] * 2
    body = {"game": "carcassonne", "config": {"tileCount": 3, "seed": SEEDS[0]}, "seats": people}
    async with http(served) as client:
        table = Table(client, (await client.post("/api/games", json=body)).json())
        await table.play_on(0, 1)
        game = (await client.get(f"/api/games/{table.id}")).json()
        record = (await client.get(f"/api/games/{table.id}/record")).json()
        assert game["config"]["seed"] == record["config"]["seed"] == SEEDS[0]
        Position("carcassonne", None, record["config"]).play(*record["moves"])


async def test_a_missing_seed_is_drawn(served: Served) -> None:
    """Also if the request has the member without a value, which the rules would take for their default."""
    people = [{"kind": "human"}] * 2
    async with http(served) as client:
        for config in ({}, {"seed": None}):
            body = {"game": "carcassonne", "config": {"tileCount": 1, **config}, "seats": people}
            table = Table(client, (await client.post("/api/games", json=body)).json())
            await table.play_on(0, 1)
            assert (await client.get(f"/api/games/{table.id}")).json()["config"]["seed"] > 0


async def test_the_first_tile_cannot_be_chosen_even_if_it_would_come_first(
    client: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("server.services.games.game_factory.secrets.randbits", lambda bits: 8)
    wish = {"game": "carcassonne", "seats": [{"kind": "human"}] * 2, "config": {"tile": "N"}}
    answer = await client.post("/api/games", json=wish)
    assert answer.status_code == 422
    assert "leave out what comes first" in answer.json()["error"]
