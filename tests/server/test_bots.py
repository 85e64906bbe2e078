"""Attached bots over real sockets: the protocol's example game, and all kinds of failures."""

import asyncio
import json
from collections.abc import Iterator

import pytest

from tests.server.bot_peers import (
    BOARD,
    OFFER,
    Json,
    a_bot,
    a_player,
    challenge,
    http,
    listed,
    reached,
    submit,
)
from tests.server.serving import Served

SECRET = "open sesame"  # noqa: S105 - of the tests only


@pytest.fixture(scope="module")
def services(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A server with a time limit of one second for answers of bots."""
    environment = {"PLYHOUSE_BOT_TIMEOUT_SECONDS": "1", "OFFICIAL_BOT_TOKEN": SECRET}
    with Served(tmp_path_factory.mktemp("bots"), **environment) as served:
        yield served


def cat(row: int, column: int) -> dict[str, object]:
    return {"actions": [{"type": "cat", "target": [row, column]}]}


START = {
    "pawns": {"p1": {"cat": [0, 0], "mouse": [2, 0]}, "p2": {"cat": [0, 2], "mouse": [2, 2]}},
    "walls": [],
}


async def test_the_protocols_example_game(services: Served) -> None:
    async with a_bot(services) as bot, http(services) as client:
        attached = await bot.attach("c1")
        assert (attached["type"], attached["protocolVersion"]) == ("attached", 3)
        assert attached["limits"] == {"maxMessageBytes": 65536, "minClientMessageIntervalMs": 200}
        game = await challenge(client, "c1:b1")
        await bot.silent()
        async with a_player(services, game) as player:
            assert (await player.opened())["state"]["status"] == "playing"
            start = await bot.started()
            assert start == {
                "type": "start_game_session",
                "bgsId": game["gameId"],
                "botId": "b1",
                "config": {**BOARD, "initialState": START},
            }
            await bot.evaluated(0, "Cb2", 0.1)
            await player.play(move=cat(1, 1))
            assert (await player.state(1))["turn"] == 2
            await bot.applied(0, "Cb2")
            await bot.evaluated(1, "Cb2", 0.6)
            await bot.applied(1, "Cb2")
            await bot.evaluated(2, "Cc1", 0.0)
            assert [move["notation"] for move in (await player.state(2))["history"]] == ["Cb2", "Cb2"]
            await player.play(move=cat(2, 2))
            assert await player.finished() == {"reason": "one-move-rule"}
            await bot.ended()
            await bot.silent()


async def test_a_bots_move_is_shown_once_the_position_after_it_is_evaluated(services: Served) -> None:
    async with a_bot(services) as bot, http(services) as client:
        await bot.attach("ahead")
        game = await challenge(client, "ahead:b1", is_first=False)
        async with a_player(services, game) as player:
            await player.opened()
            await bot.started()
            await bot.evaluated(0, "Cb3")
            await bot.applied(0, "Cb3")
            asked = await bot.expect("evaluate_position")
            await player.silent()
            await bot.answer("evaluate_response", asked, ply=1, bestMove="---", evaluation=0)
            await player.state(1)


async def test_a_move_that_ends_the_game_is_not_sent_to_the_bot(services: Served) -> None:
    async with a_bot(services) as bot, http(services) as client:
        await bot.attach("ender")
        game = await challenge(client, "ender:b1")
        async with a_player(services, game) as player:
            await bot.started()
            await bot.evaluated(0, "---")
            await submit(client, game, "Ma2")
            await bot.applied(0, "Ma2")
            await bot.evaluated(1, "Cb2")
            await bot.applied(1, "Cb2")
            await bot.evaluated(2, "---")
            await reached(client, game["gameId"], ply=2)
            await submit(client, game, "---")
            await bot.applied(2, "---")
            await bot.evaluated(3, "Ca2")
            await bot.ended()
            assert await player.finished() == {"winner": 2, "reason": "capture"}


async def test_a_person_may_move_before_the_session_has_started(services: Served) -> None:
    async with a_bot(services) as bot, http(services) as client:
        await bot.attach("early")
        game = await challenge(client, "early:b1")
        assert (await submit(client, game, "Cb2", 0)).status_code == 200
        start = await bot.expect("start_game_session")
        await bot.answer("game_session_started", start)
        await bot.evaluated(0, "---")
        await bot.applied(0, "Cb2")
        await bot.evaluated(1, "---")
        await bot.applied(1, "---")
        await bot.evaluated(2, "---")
        assert (await reached(client, game["gameId"], ply=2))["history"] == ["Cb2", "---"]


@pytest.mark.parametrize("move", ["Ca1.Ca2.Ca3", "Cz9", "nonsense", "", ">c1"])
async def test_an_illegal_best_move_resigns(services: Served, move: str) -> None:
    async with a_bot(services) as bot, http(services) as client:
        await bot.attach("cheat")
        game = await challenge(client, "cheat:b1", is_first=False)
        async with a_player(services, game) as player:
            await bot.started()
            await bot.evaluated(0, move)
            assert await player.finished() == {"winner": 2, "reason": "resignation"}
            await bot.ended()


@pytest.mark.parametrize(
    "told",
    [
        {"lines": [{"move": "Cz9", "visits": 1, "value": 0, "pv": ["Cz9"]}]},
        {"lines": [{"move": "Cb2", "visits": 1, "value": 0, "pv": ["Cb2", "Ca9"]}]},
        {"policies": [{"Cz9": 1}, {}]},
    ],
)
async def test_an_illegal_move_in_lines_or_policies_resigns(services: Served, told: Json) -> None:
    async with a_bot(services) as bot, http(services) as client:
        await bot.attach("dreamer")
        game = await challenge(client, "dreamer:b1")
        async with a_player(services, game) as player:
            await bot.started()
            asked = await bot.expect("evaluate_position")
            await bot.answer("evaluate_response", asked, ply=0, bestMove="Cb2", evaluation=0, **told)
            assert await player.finished() == {"winner": 1, "reason": "resignation"}


async def test_a_refusal_resigns(services: Served) -> None:
    async with a_bot(services) as bot, http(services) as client:
        await bot.attach("refuser")
        game = await challenge(client, "refuser:b1")
        async with a_player(services, game) as player:
            await bot.started(success=False)
            assert await player.finished() == {"winner": 1, "reason": "resignation"}


async def test_a_wrong_ply_resigns(services: Served) -> None:
    async with a_bot(services) as bot, http(services) as client:
        await bot.attach("lost")
        game = await challenge(client, "lost:b1")
        async with a_player(services, game) as player:
            await bot.started()
            asked = await bot.expect("evaluate_position")
            await bot.answer("evaluate_response", asked, ply=3, bestMove="---", evaluation=0)
            assert await player.finished() == {"winner": 1, "reason": "resignation"}


async def test_a_bot_that_does_not_answer_in_time_resigns(services: Served) -> None:
    async with a_bot(services) as bot, http(services) as client:
        await bot.attach("slow")
        game = await challenge(client, "slow:b1")
        async with a_player(services, game) as player:
            asked = await bot.expect("start_game_session")
            assert await player.finished() == {"winner": 1, "reason": "resignation"}
            await bot.ended()
            await bot.answer("game_session_started", asked)
            await bot.silent(0.1)


async def test_a_bot_that_dies_resigns_all_its_games(services: Served) -> None:
    async with http(services) as client:
        async with a_bot(services) as bot:
            await bot.attach("mortal")
            games = [await challenge(client, "mortal:b1") for _ in range(3)]
            async with a_player(services, games[0]):
                await bot.started()
        for game in games:
            over = await reached(client, game["gameId"], status="finished")
            assert over["result"]["winners"] == [0]
        assert await listed(client) == []


async def test_ten_clients_at_most(services: Served) -> None:
    connections = [a_bot(services) for _ in range(11)]
    bots = [await connection.__aenter__() for connection in connections]
    answers = [await bot.attach(f"crowd{index}") for index, bot in enumerate(bots)]
    assert [answer.get("code") for answer in answers] == [None] * 10 + ["TOO_MANY_CLIENTS"]
    for connection in connections:
        await connection.__aexit__(None, None, None)


async def test_the_built_in_client_id_is_reserved(services: Served) -> None:
    async with a_bot(services) as bot:
        assert (await bot.attach("plyhouse"))["code"] == "INVALID_MESSAGE"


async def test_official_bots_need_the_secret(services: Served) -> None:
    async with a_bot(services) as bot, http(services) as client:
        assert (await bot.attach("fake", {"officialToken": "guess"}))["code"] == "INVALID_OFFICIAL_TOKEN"
        async with a_bot(services) as other:
            await other.attach("true", {"officialToken": SECRET}, {"botId": "b2", "name": "A"})
            found = (await client.get("/api/bots")).json()["bots"]
            ranks = [(bot["isOfficial"], bot["id"]) for bot in found if bot["clientId"] == "true"]
            assert ranks == [(True, "true:b1"), (False, "true:b2")]


async def test_a_hundred_unusable_messages_close_the_socket(services: Served) -> None:
    async with a_bot(services) as bot:
        await bot.attach("noisy")
        for index in range(100):
            await bot.send(b"\x00" if index % 3 == 0 else "{" if index % 3 == 1 else "x" * 65_537)
        assert await bot.closed() == (1008, "Too many unexpected messages")


async def test_a_takeback_while_the_bot_thinks(services: Served) -> None:
    async with a_bot(services) as bot, http(services) as client:
        await bot.attach("undone")
        game = await challenge(client, "undone:b1")
        headers = {"Authorization": f"Bearer {game['token']}"}
        await submit(client, game, "Cb2")
        await bot.started()
        await bot.evaluated(0, "---")
        await bot.applied(0, "Cb2")
        thinking = await bot.expect("evaluate_position")
        back = await client.post(f"/api/games/{game['gameId']}/takeback", json={"toPly": 0}, headers=headers)
        assert (back.status_code, back.json()["ply"]) == (200, 0)
        await bot.answer("evaluate_response", thinking, ply=1, bestMove="Cb2", evaluation=0)
        ended = await bot.ended()
        started = await bot.started()
        assert ended["bgsId"] == started["bgsId"] == game["gameId"]
        await bot.evaluated(0, "---")
        assert (await submit(client, game, "Ma2")).json()["ply"] == 1
        await bot.applied(0, "Ma2")
        await bot.evaluated(1, "Mc2")
        await bot.applied(1, "Mc2")
        await bot.evaluated(2, "---")
        assert (await reached(client, game["gameId"], ply=2))["history"] == ["Ma2", "Mc2"]


async def test_a_takeback_while_the_bots_own_move_is_being_evaluated(services: Served) -> None:
    async with a_bot(services) as bot, http(services) as client:
        await bot.attach("stale")
        game = await challenge(client, "stale:b1")
        headers = {"Authorization": f"Bearer {game['token']}"}
        await submit(client, game, "Cb2")
        await bot.started()
        await bot.evaluated(0, "---")
        await bot.applied(0, "Cb2")
        await bot.evaluated(1, "Mc2")
        await bot.applied(1, "Mc2")
        planned = await bot.expect("evaluate_position")
        await client.post(f"/api/games/{game['gameId']}/takeback", json={"toPly": 0}, headers=headers)
        await bot.answer("evaluate_response", planned, ply=2, bestMove="---", evaluation=0)
        await bot.ended()
        await bot.started()
        await bot.evaluated(0, "---")
        await bot.silent(0.1)
        assert (await reached(client, game["gameId"]))["history"] == []


async def test_resigning_while_the_bot_thinks_ends_its_session(services: Served) -> None:
    async with a_bot(services) as bot, http(services) as client:
        await bot.attach("spared")
        game = await challenge(client, "spared:b1")
        await submit(client, game, "Cb2")
        start = await bot.expect("start_game_session")
        headers = {"Authorization": f"Bearer {game['token']}"}
        await client.post(f"/api/games/{game['gameId']}/resign", headers=headers)
        await bot.answer("game_session_started", start)
        await bot.ended()
        await bot.silent(0.1)


async def test_two_attached_bots_play_each_other_in_separate_sessions(services: Served) -> None:
    async with a_bot(services) as bot, http(services) as client:
        await bot.attach("pair", {}, {"botId": "b2"})
        seats = [{"kind": "bot", "bot": "pair:b1"}, {"kind": "bot", "bot": "pair:b2"}]
        body = {"game": "wallwars", "config": {"boardWidth": 3, "boardHeight": 3}, "seats": seats}
        game_id = (await client.post("/api/games", json=body)).json()["gameId"]
        sessions: dict[str, str] = {}
        over = asyncio.ensure_future(reached(client, game_id, status="finished"))
        while len(sessions) < 2 or not over.done():
            try:
                async with asyncio.timeout(0.5):
                    asked = await bot.next()
            except TimeoutError:
                continue
            match asked["type"]:
                case "start_game_session":
                    sessions[asked["botId"]] = asked["bgsId"]
                    await bot.answer("game_session_started", asked)
                case "evaluate_position":
                    ply = asked["expectedPly"]
                    best = ["Cb2", "Mb1", "Cb1"][min(ply, 2)]
                    await bot.answer("evaluate_response", asked, ply=ply, bestMove=best, evaluation=0)
                case "apply_move":
                    await bot.answer("move_applied", asked, ply=asked["expectedPly"] + 1)
                case _:
                    await bot.answer("game_session_ended", asked)
        assert sessions == {"b1": f"{game_id}~s0", "b2": f"{game_id}~s1"}
        assert (await over)["history"] == ["Cb2", "Mb1", "Cb1"]


async def test_a_game_that_a_bot_does_not_offer_is_refused(services: Served) -> None:
    async with a_bot(services) as bot, http(services) as client:
        await bot.attach("small")
        config = {"variant": "standard", "boardWidth": 10, "boardHeight": 10}
        answer = await client.post("/api/bots/play", json={"botId": "small:b1", "config": config})
        assert (answer.status_code, answer.json()["code"]) == (422, "unsupported")
        absent = await client.post("/api/bots/play", json={"botId": "nobody:b1", "config": BOARD})
        assert (absent.status_code, absent.json()["code"]) == (404, "unknown-bot")
        for wrong in (
            {"variant": "standard"},
            {**BOARD, "boardWidth": "3"},
            {**BOARD, "variant": "draughts"},
        ):
            answer = await client.post("/api/bots/play", json={"botId": "small:b1", "config": wrong})
            assert (answer.status_code, answer.json()["code"]) == (400, "malformed"), answer.text
        timed = {
            "game": "wallwars",
            "config": {"boardWidth": 3, "boardHeight": 3},
            "seats": [{"kind": "human"}, {"kind": "bot", "bot": "small:b1"}],
            "timeControl": {"initialSeconds": 60, "incrementSeconds": 0},
        }
        answer = await client.post("/api/games", json=timed)
        assert (answer.status_code, answer.json()["code"]) == (422, "bad-time-control")


async def test_a_bot_that_only_one_user_sees_is_not_suggested(services: Served) -> None:
    async with a_bot(services) as bot, http(services) as client:
        await bot.attach("shy", {"username": "Ann"})
        answer = await client.post("/api/bots/play", json={"botId": "shy:b2", "config": BOARD})
        assert answer.json()["error"] == "There is no bot 'shy:b2' for wallwars."
        answer = await client.post("/api/bots/play", json={"botId": "plyhouse:esay", "config": BOARD})
        assert "did you mean 'plyhouse:easy'?" in answer.json()["error"]


async def test_listings(services: Served) -> None:
    looks = {"color": "gray", "catStyle": "cat1.svg"}
    classic = {
        "classic": {
            **OFFER,
            "recommended": [{"boardWidth": 7, "boardHeight": 5}, {"boardWidth": 4, "boardHeight": 4}],
        }
    }
    async with a_bot(services) as bot, http(services) as client:
        await bot.attach(
            "list", {"appearance": looks}, {"botId": "mine", "username": "Ann", "variants": classic}
        )
        assert await listed(client) == ["list:b1"]
        assert await listed(client, username="ann") == ["list:b1", "list:mine"]
        assert await listed(client, username="bob") == ["list:b1"]
        assert await listed(client, variant="classic", username="Ann") == ["list:mine"]
        assert await listed(client, boardWidth=12) == []
        assert await listed(client, game="hive") == []
        assert await listed(client, game="all") == ["list:b1"]
        entry = (await client.get("/api/bots?variant=standard")).json()["bots"][-1]
        assert entry == {
            "id": "list:b1",
            "clientId": "list",
            "botId": "b1",
            "name": "B",
            "game": "wallwars",
            "isOfficial": False,
            "timed": False,
            "appearance": looks,
            "variants": {"standard": OFFER},
        }
        found = (await client.get("/api/bots/recommended?variant=classic&username=ann")).json()["bots"]
        sizes = [(one["boardWidth"], one["boardHeight"]) for one in found if one["bot"]["clientId"] == "list"]
        assert sizes == [(4, 4), (7, 5)]
        assert json.dumps(found).count('"plyhouse:') == 6
