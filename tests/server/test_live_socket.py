"""The feed of live games over real sockets: folding its frames gives the list, also for slow readers."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from typing import Any

import httpx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from websockets.asyncio.client import ClientConnection, connect

from tests.server.readers import SERVERS, Reader
from tests.server.serving import Served

Json = dict[str, Any]
SMALL = {"boardWidth": 3, "boardHeight": 3}


class Watcher:
    """A client that folds the frames of the feed."""

    def __init__(self, connection: ClientConnection) -> None:
        self.connection = connection
        self.games: dict[str, Json] = {}
        self.frames: list[Json] = []

    async def read(self) -> Json:
        async with asyncio.timeout(60):
            frame: Json = json.loads(await self.connection.recv())
        self.frames.append(frame)
        match frame["type"]:
            case "snapshot":
                self.games = {game["id"]: game for game in frame["games"]}
            case "upsert":
                self.games[frame["game"]["id"]] = frame["game"]
            case "remove":
                self.games.pop(frame["gameId"], None)
        return frame

    async def until(self, kind: str, game_id: str) -> Json:
        """The next frame of this type about this game."""
        while (frame := await self.read())["type"] != kind or _about(frame) != game_id:
            pass
        return frame

    async def settle(self, client: httpx.AsyncClient, query: str) -> None:
        """Reads until the folded frames equal the list; fails on a timeout."""
        async with asyncio.timeout(60):
            while True:
                with suppress(TimeoutError):
                    async with asyncio.timeout(0.05):
                        while True:
                            await self.read()
                if self.games == await listed(client, query):
                    return


def _about(frame: Json) -> str:
    return str(frame["game"]["id"] if "game" in frame else frame.get("gameId"))


async def listed(client: httpx.AsyncClient, query: str = "") -> dict[str, Json]:
    games = (await client.get(f"/api/games/live{query}")).json()["games"]
    return {game["id"]: game for game in games}


@asynccontextmanager
async def watching(served: Served, query: str = "", **options: Any) -> AsyncIterator[Watcher]:
    async with connect(
        f"{served.socket_url}/ws/live-games{query}", compression=None, **options
    ) as connection:
        yield Watcher(connection)


async def new_game(client: httpx.AsyncClient, game: str = "wallwars", **more: Any) -> Json:
    body = {"game": game, "seats": [{"kind": "human"}, {"kind": "human"}], **more}
    return dict((await client.post("/api/games", json=body)).json())


async def command(client: httpx.AsyncClient, game: Json, what: str, seat: int, **body: Any) -> int:
    headers = {"Authorization": f"Bearer {game['seats'][seat]['token']}"}
    path = f"/api/games/{game['gameId']}/{what}"
    return (await client.post(path, json=body, headers=headers)).status_code


# ---- the law -------------------------------------------------------------------------------------

GAMES = st.integers(0, 3)
STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("open"), st.sampled_from(["wallwars", "wallwars", "toy-goofspiel"])),
        st.tuples(st.just("move"), GAMES),
        st.tuples(st.just("takeback"), GAMES),
        st.tuples(st.just("resign"), GAMES),
        st.tuples(st.just("watch"), GAMES),
        st.tuples(st.just("leave")),
        st.tuples(st.just("reconnect")),
        st.tuples(st.just("pause")),
    ),
    min_size=3,
    max_size=25,
)


class Play:
    """Executes steps on a running server; steps about games that do not exist do nothing."""

    def __init__(self, served: Served, client: httpx.AsyncClient) -> None:
        self._served = served
        self._client = client
        self._games: list[Json] = []
        self._moves: dict[str, int] = {}
        self._spectators: list[AsyncExitStack] = []

    async def do(self, step: tuple[Any, ...]) -> None:
        match step:
            case ("open", kind):
                game = await new_game(self._client, kind, **({"config": SMALL} if kind == "wallwars" else {}))
                self._games.append(game)
            case ("pause",):
                await asyncio.sleep(0.15)
            case ("leave",) if self._spectators:
                await self._spectators.pop().aclose()
            case (what, index) if index < len(self._games):
                await self._about(what, self._games[index])

    async def _about(self, what: str, game: Json) -> None:
        match what:
            case "move":
                ply = self._moves.setdefault(game["gameId"], 0)
                status = await command(self._client, game, "moves", ply % 2, move="---")
                self._moves[game["gameId"]] += status == 200
            case "watch":
                stack = AsyncExitStack()
                address = f"{self._served.socket_url}/ws/games/{game['gameId']}"
                await stack.enter_async_context(connect(address, compression=None))
                self._spectators.append(stack)
            case _:
                await command(self._client, game, what, 0)

    async def end(self) -> None:
        for stack in self._spectators:
            await stack.aclose()
        for game in self._games:
            await command(self._client, game, "resign", 0)


@given(STEPS)
@settings(max_examples=settings().max_examples // 4)
def test_folding_the_frames_gives_the_list(served: Served, steps: list[tuple[Any, ...]]) -> None:
    async def run() -> None:
        async with (
            httpx.AsyncClient(base_url=served.url, timeout=60) as client,
            watching(served) as plain,
            watching(served, "?ext=1") as extended,
            AsyncExitStack() as late,
        ):
            play, watchers = Play(served, client), [(plain, ""), (extended, "?ext=1")]
            for step in steps:
                await play.do(step)
                if step == ("reconnect",):
                    watchers.append((await late.enter_async_context(watching(served)), ""))
            await asyncio.gather(*(watcher.settle(client, query) for watcher, query in watchers))
            await play.end()
            await asyncio.gather(*(watcher.settle(client, query) for watcher, query in watchers))

    asyncio.run(run())


# ---- single frames -------------------------------------------------------------------------------


async def test_after_many_changes_the_last_one_is_sent(served: Served) -> None:
    async with httpx.AsyncClient(base_url=served.url, timeout=60) as client, watching(served) as watcher:
        game = await new_game(client, config={"boardWidth": 8, "boardHeight": 8})
        for ply in range(100):
            assert await command(client, game, "moves", ply % 2, move="---") == 200
        await watcher.settle(client, "")
        shown = [frame for frame in watcher.frames if _about(frame) == game["gameId"]]
        assert shown[-1]["game"]["moveCount"] == 100
        await command(client, game, "resign", 0)


# ---- limits --------------------------------------------------------------------------------------


@pytest.mark.parametrize("server", SERVERS)
async def test_a_client_that_stops_reading_gets_the_last_change_of_each_game(
    client: httpx.AsyncClient, server: str
) -> None:
    slow, quick = Reader(client, "/ws/live-games", server), Reader(client, "/ws/live-games", server)
    game = await new_game(client)
    for reader in (slow, quick):
        await reader.until("upsert")
    slow.reads.clear()
    for ply in range(40):
        assert await command(client, game, "moves", ply % 2, move="---") == 200
        await asyncio.sleep(0.02)
    while counts(quick)[-1] < 40:
        await quick.until("upsert", len(counts(quick)) + 1)
    assert len(counts(quick)) > 5
    slow.reads.set()
    while counts(slow)[-1] < 40:
        await slow.until("upsert", len(counts(slow)) + 1)
    assert counts(slow)[0] == 0
    assert len(counts(slow)) <= 4
    for reader in (slow, quick):
        await reader.leave()


def counts(reader: Reader) -> list[int]:
    return [frame["game"]["moveCount"] for frame in reader.of("upsert")]


async def test_changes_in_the_snapshot_are_not_sent_again(own_client: httpx.AsyncClient) -> None:
    first = Reader(own_client, "/ws/live-games")
    await new_game(own_client)
    await first.until("upsert")
    second_game = await new_game(own_client)
    async with asyncio.timeout(60):
        while second_game["gameId"] not in await listed(own_client):
            pass
    late = Reader(own_client, "/ws/live-games")
    (snapshot,) = await late.until("snapshot")
    assert len(snapshot["games"]) == 2
    assert await command(own_client, second_game, "moves", 0, move="---") == 200
    assert (await late.until("upsert"))[0]["game"]["moveCount"] == 1
    assert [frame["game"]["moveCount"] for frame in await first.until("upsert", 3)] == [0, 0, 1]
    for reader in (first, late):
        await reader.leave()
