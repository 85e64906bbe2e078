"""The results of bots' games: the note if a bot could not continue, and the messages to the bots' clients."""

from collections.abc import Iterator

import pytest

from tests.server.bot_peers import a_bot, a_player, a_viewer, challenge, http, position, reached, submit
from tests.server.serving import Served

Json = dict[str, object]


@pytest.fixture(scope="module")
def services(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A server with a time limit of one second for answers of bots."""
    with Served(tmp_path_factory.mktemp("results"), PLYHOUSE_BOT_TIMEOUT_SECONDS="1") as served:
        yield served


def lost(note: str) -> Json:
    return {"winners": [0], "reason": "resignation", "note": note}


async def test_an_illegal_move_is_named(services: Served) -> None:
    async with a_bot(services) as bot, http(services) as client:
        await bot.attach("illegal")
        game = await challenge(client, "illegal:b1")
        await submit(client, game, "Cb2")
        await bot.started()
        await bot.evaluated(0, "---")
        await bot.applied(0, "Cb2")
        await bot.evaluated(1, "Cb9")
        over = await reached(client, game["gameId"], ply=1, status="finished")
        assert over["result"] == lost("illegal move 'Cb9': Cb9 is off the 3x3 board")


@pytest.mark.parametrize(
    ("told", "note"),
    [
        ("Cb9", "illegal move 'Cb9': Cb9 is off the 3x3 board"),
        ("castle", "illegal move 'castle': "),
        ("", "illegal move '': "),
    ],
)
async def test_an_illegal_best_move_for_the_other_player_is_named_and_never_shown(
    services: Served, told: str, note: str
) -> None:
    async with a_bot(services) as bot, http(services) as client:
        await bot.attach("wrong")
        game = await challenge(client, "wrong:b1")
        async with a_viewer(services, game["gameId"]) as viewer:
            await viewer.shake(game["gameId"])
            await submit(client, game, "Cb2")
            await bot.started()
            await bot.evaluated(0, told)
            over = await reached(client, game["gameId"], ply=1, status="finished")
            assert over["result"]["reason"] == "resignation"
            assert over["result"]["note"].startswith(note)
            frame = await viewer.next()
            while frame["type"] == "eval-pending":
                frame = await viewer.next()
            assert frame["type"] == "eval-error"
            assert "illegal move" in frame["message"]


async def test_a_refusal_is_quoted_without_unprintable_characters(services: Served) -> None:
    async with a_bot(services) as bot, http(services) as client:
        await bot.attach("refusal")
        game = await challenge(client, "refusal:b1")
        await submit(client, game, "Cb2")
        asked = await bot.expect("start_game_session")
        error = "no \u202eboard\x07 " + "so long" * 100
        await bot.answer("game_session_started", asked, success=False, error=error)
        over = await reached(client, game["gameId"], ply=1, status="finished")
        assert over["result"] == lost(("no ?board? " + "so long" * 100)[:200])


@pytest.mark.parametrize(
    ("kind", "fields", "note"),
    [
        ("evaluate_response", {"ply": 7}, "the bot is at ply 7 instead of 0"),
        ("evaluate_response", {"evaluation": "high"}, "evaluate_response.evaluation must be a finite number"),
        ("evaluate_response", {"evaluation": float("nan")}, "the bot did not answer in time"),
        ("evaluate_response", {"success": False}, "no"),
        (
            "evaluate_response",
            {"bestMove": "x" * 70_000},
            "the answer is too long (70,125 of 65,536 characters)",
        ),
        ("move_applied", {"ply": 1}, "the bot answered evaluate_position with move_applied"),
    ],
)
async def test_an_invalid_answer_is_named(services: Served, kind: str, fields: Json, note: str) -> None:
    async with a_bot(services) as bot, http(services) as client:
        await bot.attach("useless")
        game = await challenge(client, "useless:b1")
        await submit(client, game, "Cb2")
        await bot.started()
        asked = await bot.expect("evaluate_position")
        await bot.answer(kind, asked, **{"ply": 0, "bestMove": "---", "evaluation": 0.5, **fields})
        await bot.ended()
        over = await reached(client, game["gameId"], ply=1, status="finished")
        assert over["result"] == lost(note)


async def test_a_time_out_is_named(services: Served) -> None:
    async with a_bot(services) as bot, http(services) as client:
        await bot.attach("late")
        game = await challenge(client, "late:b1")
        await submit(client, game, "Cb2")
        await bot.expect("start_game_session")
        over = await reached(client, game["gameId"], ply=1, status="finished")
        assert over["result"] == lost("the bot did not answer in time")


async def test_a_lost_connection_is_named(services: Served) -> None:
    async with http(services) as client:
        async with a_bot(services) as bot:
            await bot.attach("gone")
            game = await challenge(client, "gone:b1")
        await reached(client, game["gameId"], status="finished")
        assert (await position(client, game["gameId"]))["result"] == lost("the bot disconnected")


async def test_clients_of_the_site_get_their_own_result_message(services: Served) -> None:
    async with a_bot(services) as bot, http(services) as client:
        await bot.attach("site")
        game = await challenge(client, "site:b1")
        async with a_player(services, game) as player:
            await bot.started(success=False)
            assert await player.finished() == {"winner": 1, "reason": "resignation"}


async def test_a_client_that_subscribed_gets_every_result(services: Served) -> None:
    async with a_bot(services) as bot, a_bot(services) as other, http(services) as client:
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
