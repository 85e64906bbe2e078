"""How games of bots end: the note of one that could not go on, and what the bots' clients are told."""

from collections.abc import Iterator

import pytest

from tests.server.bot_peers import a_bot, a_player, challenge, http, position, reached, submit
from tests.server.serving import Served

Json = dict[str, object]


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A house that waits a second for an answer of a bot."""
    with Served(tmp_path_factory.mktemp("results"), PLYHOUSE_BOT_TIMEOUT_SECONDS="1") as served:
        yield served


def lost(note: str) -> Json:
    return {"winners": [0], "reason": "resignation", "note": note}


async def test_an_illegal_move_is_named(house: Served) -> None:
    async with a_bot(house) as bot, http(house) as client:
        await bot.attach("illegal")
        game = await challenge(client, "illegal:b1")
        await submit(client, game, "Cb2")
        await bot.started()
        await bot.evaluated(0, "---")
        await bot.applied(0, "Cb2")
        await bot.evaluated(1, "Cb9")
        over = await reached(client, game["gameId"], ply=1, status="finished")
        assert over["result"] == lost("illegal move 'Cb9': Cb9 is off the 3x3 board")


async def test_a_refusal_is_quoted_without_characters_that_cannot_be_shown(house: Served) -> None:
    async with a_bot(house) as bot, http(house) as client:
        await bot.attach("refusal")
        game = await challenge(client, "refusal:b1")
        await submit(client, game, "Cb2")
        asked = await bot.expect("start_game_session")
        error = "no \u202eboard\x07 " + "so long" * 100
        await bot.answer("game_session_started", asked, success=False, error=error)
        over = await reached(client, game["gameId"], ply=1, status="finished")
        assert over["result"] == lost(("no ?board? " + "so long" * 100)[:200])


async def test_a_time_out_is_named(house: Served) -> None:
    async with a_bot(house) as bot, http(house) as client:
        await bot.attach("late")
        game = await challenge(client, "late:b1")
        await submit(client, game, "Cb2")
        await bot.expect("start_game_session")
        over = await reached(client, game["gameId"], ply=1, status="finished")
        assert over["result"] == lost("the bot did not answer in time")


async def test_a_lost_connection_is_named(house: Served) -> None:
    async with http(house) as client:
        async with a_bot(house) as bot:
            await bot.attach("gone")
            game = await challenge(client, "gone:b1")
        await reached(client, game["gameId"], status="finished")
        assert (await position(client, game["gameId"]))["result"] == lost("the bot disconnected")


async def test_clients_of_the_site_get_the_result_that_they_know(house: Served) -> None:
    async with a_bot(house) as bot, http(house) as client:
        await bot.attach("site")
        game = await challenge(client, "site:b1")
        async with a_player(house, game) as player:
            await bot.started(success=False)
            assert await player.finished() == {"winner": 1, "reason": "resignation"}


async def test_a_client_that_asks_for_results_is_told_of_each(house: Served) -> None:
    async with a_bot(house) as bot, a_bot(house) as other, http(house) as client:
        await bot.attach("curious", results=True)
        await other.attach("indifferent")
        for bot_id in ("curious:b1", "indifferent:b1"):
            aborted, resigned = [await challenge(client, bot_id, is_first=False) for _ in range(2)]
            for game, how in ((aborted, "abort"), (resigned, "resign")):
                headers = {"Authorization": f"Bearer {game['token']}"}
                await client.post(f"/api/games/{game['gameId']}/{how}", json={}, headers=headers)
            told = {"type": "game_result", "botId": "b1", "seat": 0}
            if bot_id == "curious:b1":
                assert await bot.next() == {**told, "gameId": aborted["gameId"], "result": None}
                result = {"winners": [0], "reason": "resignation"}
                assert await bot.next() == {**told, "gameId": resigned["gameId"], "result": result}
        await other.silent()
        forfeited = await challenge(client, "curious:b1")
        await submit(client, forfeited, "Cb2")
        await bot.started(success=False)
        while (frame := await bot.next())["type"] != "game_result":
            pass
        assert (frame["seat"], frame["result"]) == (1, lost("no"))
