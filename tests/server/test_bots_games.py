"""Attached bots in other kinds of games: simultaneous sealed moves, and a hidden order."""

from collections.abc import Iterator

import pytest

from tests.server.bot_peers import a_bot, a_viewer, http, reached, submit
from tests.server.serving import Served


@pytest.fixture(scope="module")
def services(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A server on which unlisted games can be opened too."""
    with Served(tmp_path_factory.mktemp("games")) as served:
        yield served


async def test_a_bot_commits_its_own_half_of_a_joint_move(services: Served) -> None:
    async with a_bot(services) as bot, http(services) as client:
        await bot.attach("both", {"game": "toy-goofspiel", "variants": {"standard": {}}})
        answer = await client.post(
            "/api/bots/play?game=toy-goofspiel", json={"botId": "both:b1", "config": {}}
        )
        assert answer.status_code == 201, answer.text
        game = answer.json()
        sealed = await submit(client, game, "2", 0)
        assert sealed.json() == {"ply": 0, "pending": [1]}
        seen = await client.get(f"/api/games/{game['gameId']}")
        assert (seen.json()["position"]["history"], seen.json()["position"]["toAct"]) == ([], [1])
        start = await bot.started()
        assert start["config"] == {"game": "toy-goofspiel", "variant": "standard", "cards": 4}
        await bot.evaluated(0, "1/4")
        await bot.applied(0, "2/4")
        assert (await reached(client, game["gameId"], ply=1))["history"] == ["2/4"]
        await bot.evaluated(1, "4/1")
        await bot.silent(0.1)
        assert (await submit(client, game, "4", 1)).json()["position"]["history"] == ["2/4", "4/1"]


async def test_a_bot_sees_only_what_was_drawn(services: Served) -> None:
    async with a_bot(services) as bot, http(services) as client:
        await bot.attach("draw", {"game": "toy-draw", "variants": {"standard": {}}})
        body = {"botId": "draw:b1", "config": {"seed": 3, "seats": 2}}
        game = (await client.post("/api/bots/play?game=toy-draw", json=body)).json()
        async with a_viewer(services, game["gameId"]) as viewer:
            shake = {"type": "eval-handshake", "gameId": game["gameId"], "variant": "standard"}
            await submit(client, game, "take", 0)
            start = await bot.started()
            assert start["config"] == {"game": "toy-draw", "variant": "standard", "seats": 2, "first": 7}
            await bot.evaluated(0, "take")
            await bot.applied(0, "take +8")
            await bot.evaluated(1, "take")
            await bot.applied(1, "take +5")
            await bot.evaluated(2, "take", 0.5)
            assert (await reached(client, game["gameId"], ply=2))["history"] == ["take +8", "take +5"]
            await viewer.send(shake)
            assert (await viewer.next())["type"] == "eval-handshake-accepted"
            assert [entry["evaluation"] for entry in await viewer.history()] == [0.0, 0.0, 0.5]
