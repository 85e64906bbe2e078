"""Games of bots across a restart: built-in bots continue immediately, games wait for attached ones."""

import signal
from pathlib import Path

import pytest

from tests.server.bot_peers import Player, a_bot, a_player, challenge, http, reached, submit
from tests.server.serving import Served


async def is_there(player: Player) -> bool:
    """Whether the next presence frame shows the bot as connected."""
    players = (await player.until("match-status"))["snapshot"]["players"]
    return bool(players[1]["connected"])


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGTERM])
async def test_an_attached_bot_returns_and_continues(tmp_path: Path, how: signal.Signals) -> None:
    with Served(tmp_path) as services:
        async with a_bot(services) as bot, http(services) as client:
            await bot.attach("back")
            game = await challenge(client, "back:b1")
            await submit(client, game, "Ma2")
            await bot.started()
            await bot.moved()
            await reached(client, game["gameId"], ply=2)
            await submit(client, game, "---")
            services.stop(how)
        services.start()
        async with a_bot(services) as bot, http(services) as client, a_player(services, game) as player:
            assert (await reached(client, game["gameId"], ply=3))["status"] == "playing"
            while await is_there(player):
                pass
            await bot.attach("back")
            while not await is_there(player):
                pass
            assert (await bot.ended(success=False))["bgsId"] == game["gameId"]
            assert (await bot.started())["bgsId"] == game["gameId"]
            await bot.evaluated(0, "---")
            for ply, move in enumerate(["Ma2", "Mc2", "---"]):
                await bot.applied(ply, move)
                await bot.evaluated(ply + 1, "Mc1" if ply == 2 else "---")
            await bot.applied(3, "Mc1")
            await bot.evaluated(4, "---")
            assert (await reached(client, game["gameId"], ply=4))["history"] == ["Ma2", "Mc2", "---", "Mc1"]


async def test_players_of_every_game_see_that_a_bot_is_away(tmp_path: Path) -> None:
    entry = {"game": "hive", "variants": {"Base": {}}}
    with Served(tmp_path) as services:
        async with a_bot(services) as bot, http(services) as client:
            await bot.attach("back", entry)
            body = {"botId": "back:b1", "config": {"variant": "Base"}}
            game = (await client.post("/api/bots/play?game=hive", json=body)).json()
            await submit(client, game, "wS1")
            await bot.started()
            services.stop(signal.SIGKILL)
        services.start()
        async with (
            a_bot(services) as bot,
            http(services) as client,
            a_player(services, game, "&ext=1") as player,
        ):
            while await is_there(player):
                pass
            seen = (await client.get(f"/api/games/{game['gameId']}")).json()["matchStatus"]
            assert [one["connected"] for one in seen["players"]] == [True, False]
            await bot.attach("back", entry)
            while not await is_there(player):
                pass
            await bot.ended(success=False)


async def test_an_attached_bot_that_does_not_return_resigns(tmp_path: Path) -> None:
    with Served(tmp_path, PLYHOUSE_BOT_REJOIN_SECONDS="0.3") as services:
        async with a_bot(services) as bot, http(services) as client:
            await bot.attach("gone")
            game = await challenge(client, "gone:b1")
            services.stop(signal.SIGKILL)
        services.start()
        async with http(services) as client:
            over = await reached(client, game["gameId"], status="finished")
            assert over["result"]["note"] == "the bot did not come back"


async def test_a_built_in_bot_continues_immediately(tmp_path: Path) -> None:
    with Served(tmp_path) as services:
        async with http(services) as client:
            game = await challenge(client, "plyhouse:easy", boardWidth=4, boardHeight=4)
            await submit(client, game, "---")
            services.stop(signal.SIGKILL)
        services.start()
        async with http(services) as client, a_player(services, game) as player:
            await player.opened()
            assert len((await reached(client, game["gameId"], ply=2))["history"]) == 2
            await submit(client, game, "---")
            await reached(client, game["gameId"], ply=4)
