"""Attached bots in Carcassonne: whole games of three seats, with takebacks, players that leave, and evaluations."""

import asyncio
import json
import random
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import httpx
import pytest

from engines import Position
from tests.server.bot_peers import Bot, Json, a_bot, a_viewer, http, reached
from tests.server.serving import Served

CONFIG = {"tileCount": 14, "seed": 11}
OFFER = {"game": "carcassonne", "variants": {"standard": {}}}
PERSON, BUILT_IN, ATTACHED = (
    {"kind": "human"},
    {"kind": "bot", "bot": "plyhouse:easy"},
    {"kind": "bot", "bot": "c:b1"},
)


class Player:
    """Answers the requests of a server with the last legal move and a value for each seat."""

    def __init__(self, bot: Bot) -> None:
        self.bot = bot
        self.asked: list[Json] = []
        self.positions: dict[str, Position] = {}

    async def run(self) -> None:
        while True:
            asked = json.loads(await self.bot.connection.recv())
            self.asked.append(asked)
            if asked["type"] != "game_result":
                await self.answer(asked)

    async def answer(self, asked: Json) -> None:
        session = asked["bgsId"]
        match asked["type"]:
            case "start_game_session":
                self.positions[session] = Position("carcassonne", "standard", asked["config"])
                await self.bot.answer("game_session_started", asked)
            case "evaluate_position":
                position = self.positions[session]
                assert position.ply == asked["expectedPly"]
                values = [position.ply / 100, 0.5, -0.25]
                best = {"bestMove": position.legal_moves()[-1], "evaluation": values[0], "values": values}
                await self.bot.answer("evaluate_response", asked, ply=position.ply, **best)
            case "apply_move":
                self.positions[session].play(asked["move"])
                await self.bot.answer("move_applied", asked, ply=self.positions[session].ply)
            case "end_game_session":
                del self.positions[session]
                await self.bot.answer("game_session_ended", asked)

    def moves(self) -> list[str]:
        """The moves applied in the latest session."""
        starts = [index for index, asked in enumerate(self.asked) if asked["type"] == "start_game_session"]
        return [asked["move"] for asked in self.asked[starts[-1] :] if asked["type"] == "apply_move"]


@asynccontextmanager
async def playing(served: Served) -> AsyncIterator[Player]:
    """An attached bot that answers until the end of the block."""
    async with a_bot(served) as bot:
        assert (await bot.attach("c", OFFER, results=True))["type"] == "attached"
        player = Player(bot)
        answering = asyncio.create_task(player.run())
        yield player
        assert not answering.done(), answering.exception()
        answering.cancel()


class Table:
    """A game and the tokens of its people."""

    def __init__(self, client: httpx.AsyncClient, opened: Json) -> None:
        self.client = client
        self.id = str(opened["gameId"])
        self.config = opened["config"]
        self.tokens = [seat.get("token") for seat in opened["seats"]]

    async def post(self, seat: int, call: str, **body: object) -> Json:
        headers = {"Authorization": f"Bearer {self.tokens[seat]}"}
        answer = await self.client.post(f"/api/games/{self.id}/{call}", json=body, headers=headers)
        assert answer.status_code == 200, answer.text
        return dict(answer.json())

    async def turn_of(self, *seats: int) -> Json:
        """Waits until one of these seats is to move or the game is over; returns the position."""
        async with asyncio.timeout(60):
            while True:
                found = (await self.client.get(f"/api/games/{self.id}")).json()["position"]
                if found["status"] != "playing" or set(found["toAct"]) & set(seats):
                    return dict(found)
                await asyncio.sleep(0.01)

    async def play_on(self, *seats: int, until: int = 1000) -> Json:
        """Plays random moves for people until the game is over or so many moves have been played."""
        while (position := await self.turn_of(*seats))["status"] == "playing" and position["ply"] < until:
            move = random.Random(position["ply"]).choice(position["legal"])
            await self.post(position["toAct"][0], "moves", move=move, expectedPly=position["ply"])
        return position


async def opened(client: httpx.AsyncClient, *seats: Json) -> Table:
    body = {"game": "carcassonne", "config": {"seats": len(seats), **CONFIG}, "seats": seats}
    answer = await client.post("/api/games", json=body)
    assert answer.status_code == 201, answer.text
    return Table(client, answer.json())


async def test_a_person_an_attached_bot_and_a_built_in_bot_play_a_whole_game(served: Served) -> None:
    async with playing(served) as bot, http(served) as client:
        table = await opened(client, PERSON, ATTACHED, BUILT_IN)
        await table.play_on(0, until=6)
        before = await table.turn_of(0)
        await table.post(0, "takeback", toPly=3)
        assert (await table.turn_of(0))["history"] == before["history"][:3]
        end = await table.play_on(0)
        assert (end["status"], end["result"]["reason"]) == ("finished", "points"), end["result"]
        assert len(end["result"]["scores"]) == 3
        assert "seed" not in json.dumps(bot.asked)
        starts = [asked for asked in bot.asked if asked["type"] == "start_game_session"]
        config = {"game": "carcassonne", "variant": "standard", "seats": 3, "tileCount": 14}
        assert [start["config"] for start in starts] == [{**config, "tile": table.config["tile"]}] * 2
        assert end["history"][: len(bot.moves())] == bot.moves()
        public = Position("carcassonne", "standard", table.config)
        public.play(*end["history"])
        assert public.view() == end["view"]
        assert public.outcome is not None


async def test_a_seat_leaves_and_its_bot_plays_on(served: Served) -> None:
    """The bar of an attached bot has one entry for each ply and one value for each seat, before and after."""
    async with playing(served) as bot, http(served) as client:
        table = await opened(client, PERSON, ATTACHED, PERSON)
        handshake = {"type": "eval-handshake", "gameId": table.id, "variant": "standard"}
        await table.play_on(0, 2, until=5)
        async with a_viewer(served, table.id) as viewer:
            await viewer.send(handshake)
            early = await viewer.history()
            await table.post(2, "resign")
            assert [entry["values"] for entry in early] == [[k / 100, 0.5, -0.25] for k in range(6)]
            again = await viewer.until("eval-update")
            assert (again["ply"], again["values"]) == (5, [0.05, 0.5, -0.25])
        end = await table.play_on(0)
        assert (end["result"]["reason"], end["history"].count("!2")) == ("points", 1), end["result"]
        assert "!2" in bot.moves()
        async with a_viewer(served, table.id) as viewer:
            await viewer.send(handshake)
            assert [entry["ply"] for entry in await viewer.history()] == list(range(15))
        body = {"gameId": table.id, "samples": 5}
        analysis = (await client.post("/api/analysis?wait=1", json=body)).json()
        assert [one["ply"] for one in analysis["positions"]] == list(range(15))
        assert analysis["positions"][5]["toAct"] == [0], "the tile passes to the next seat"
        movers = [one["played"][0]["seat"] for one in analysis["positions"][1:]]
        assert movers[:6] == [0, 1, 2, 0, 1, 0]
        assert analysis["positions"][-1]["values"] == [
            1 if seat in end["result"]["winners"] else -1 for seat in range(3)
        ]


@pytest.mark.parametrize("seats", [2, 5])
async def test_a_bot_that_knows_only_the_value_of_seat_0_can_play(served: Served, seats: int) -> None:
    async with a_bot(served) as bot, http(served) as client:
        await bot.attach("c", OFFER)
        table = await opened(client, PERSON, ATTACHED, *[PERSON] * (seats - 2))
        move = (await table.turn_of(0))["legal"][0]
        position = (await table.post(0, "moves", move=move))["position"]
        async with a_viewer(served, table.id) as viewer:
            await viewer.send({"type": "eval-handshake", "gameId": table.id, "variant": "standard"})
            await bot.started()
            await bot.evaluated(0, move, 0.5)
            await bot.applied(0, position["history"][0])
            await bot.evaluated(1, position["legal"][0], 0.5)
            shown = (await viewer.history())[0]
            assert shown.get("values", [0.5, -0.5]) == [0.5, *[(1.5 - seats) / (seats - 1)] * (seats - 1)]


async def test_a_tail_in_the_best_move_of_a_bot_is_illegal(served: Served) -> None:
    async with a_bot(served) as bot, http(served) as client:
        await bot.attach("c", OFFER)
        table = await opened(client, PERSON, ATTACHED)
        legal = (await table.turn_of(0))["legal"]
        position = (await table.post(0, "moves", move=legal[0]))["position"]
        await bot.started()
        await bot.evaluated(0, legal[0])
        await bot.applied(0, position["history"][0])
        await bot.evaluated(1, f"{position['legal'][0]} +A")
        await bot.ended()
        result = (await reached(client, table.id, ply=1, status="finished"))["result"]
        assert result["note"].startswith(f"illegal move '{position['legal'][0]} +A'")
