"""The eval bar over real sockets: games of people, of bots and finished ones, takebacks and failures."""

from collections.abc import Iterator
from contextlib import AsyncExitStack
from pathlib import Path

import pytest

from tests.server.bot_peers import (
    BOARD,
    Viewer,
    a_bot,
    a_player,
    a_viewer,
    between_people,
    challenge,
    http,
    reached,
    submit,
)
from tests.server.readers import Reader
from tests.server.services import opened, opening, play, settings
from tests.server.serving import Served

SECRET = "open sesame"  # noqa: S105 - of the tests only


@pytest.fixture(scope="module")
def services(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A server with quick evaluations and a time limit of one second for answers of bots."""
    environment = {
        "PLYHOUSE_BOT_TIMEOUT_SECONDS": "1",
        "PLYHOUSE_SAMPLES": "30",
        "OFFICIAL_BOT_TOKEN": SECRET,
    }
    with Served(tmp_path_factory.mktemp("eval"), **environment) as served:
        yield served


async def accepted(viewer: Viewer, game_id: str) -> None:
    assert await viewer.shake(game_id) == {"type": "eval-handshake-accepted"}


async def test_a_game_between_people(services: Served) -> None:
    async with http(services) as client:
        players = await between_people(client, "Cb2", "---")
        game_id = players[0]["gameId"]
        async with a_viewer(services, game_id) as first, a_viewer(services, game_id) as second:
            await accepted(first, game_id)
            assert await first.next() == {"type": "eval-pending", "totalMoves": 2}
            history = await first.history()
            assert [entry["ply"] for entry in history] == [0, 1, 2]
            members = {"ply", "evaluation", "bestMove", "chances", "source", "samples"}
            assert all(set(entry) == members for entry in history)
            await accepted(second, game_id)
            assert await second.history() == history
            await submit(client, players[0], "---")
            update = await first.next()
            assert (update["type"], update["ply"]) == ("eval-update", 3)
            assert await second.next() == update


async def test_the_eval_bar_and_analyses_agree(services: Served) -> None:
    async with http(services) as client:
        players = await between_people(client, "Cb2", "Mc2", "Ma2", "---")
        game_id = players[0]["gameId"]
        async with a_viewer(services, game_id) as viewer:
            await accepted(viewer, game_id)
            history = await viewer.history()
        result = (await client.post("/api/analysis?wait=1", json={"gameId": game_id})).json()
        members = ("ply", "evaluation", "bestMove", "chances", "source", "samples")
        assert [{name: one[name] for name in members} for one in result["positions"]] == history


async def test_a_takeback_sends_a_new_history(services: Served) -> None:
    async with http(services) as client:
        players = await between_people(client, "Cb2", "---", "---")
        game_id = players[0]["gameId"]
        async with a_viewer(services, game_id) as viewer:
            await accepted(viewer, game_id)
            assert len(await viewer.history()) == 4
            for seat in (0, 1):
                headers = {"Authorization": f"Bearer {players[seat]['token']}"}
                await client.post(f"/api/games/{game_id}/takeback", json={"toPly": 1}, headers=headers)
            frame = await viewer.next()
            assert (frame["type"], len(frame["entries"])) == ("eval-history", 2)
            await submit(client, players[1], "Mc2")
            assert (await viewer.next())["ply"] == 2


async def test_the_last_position_of_a_finished_game_is_worth_its_result(services: Served) -> None:
    async with http(services) as client:
        players = await between_people(client, "Ma2", "Cb2")
        game_id = players[0]["gameId"]
        async with a_viewer(services, game_id) as viewer:
            await accepted(viewer, game_id)
            await viewer.history()
            await submit(client, players[0], "---")
            assert (await viewer.next())["ply"] == 3
            await submit(client, players[1], "Ca2")
            assert await viewer.next() == {
                "type": "eval-update",
                "ply": 4,
                "evaluation": -1.0,
                "bestMove": "",
                "chances": [0.0, 1.0],
            }
        async with a_viewer(services, game_id) as late:
            await accepted(late, game_id)
            assert await late.next() == {"type": "eval-pending", "totalMoves": 4}
            history = await late.history()
            assert [entry["ply"] for entry in history] == [0, 1, 2, 3, 4]
            assert history[-1] == {"ply": 4, "evaluation": -1.0, "bestMove": "", "chances": [0.0, 1.0]}


async def test_a_resigned_game_is_evaluated_to_its_last_position(services: Served) -> None:
    async with http(services) as client:
        players = await between_people(client, "Cb2")
        game_id = players[0]["gameId"]
        headers = {"Authorization": f"Bearer {players[1]['token']}"}
        await client.post(f"/api/games/{game_id}/resign", headers=headers)
        async with a_viewer(services, game_id) as viewer:
            await accepted(viewer, game_id)
            assert [bool(entry["bestMove"]) for entry in await viewer.history()] == [True, True]


async def test_all_viewers_get_the_same_frames_to_the_end(services: Served) -> None:
    """The last evaluation is outstanding when the game ends."""
    async with http(services) as client, AsyncExitStack() as stack:
        players = await between_people(client)
        game_id = players[0]["gameId"]
        viewers = [await stack.enter_async_context(a_viewer(services, game_id)) for _ in range(3)]
        for viewer in viewers:
            await accepted(viewer, game_id)
            assert len(await viewer.history()) == 1
        await submit(client, players[0], "Cb2", 0)
        headers = {"Authorization": f"Bearer {players[1]['token']}"}
        await client.post(f"/api/games/{game_id}/resign", headers=headers)
        for viewer in viewers:
            assert (await viewer.until("eval-update"))["ply"] == 1
            await viewer.send({"type": "ping"})
            assert await viewer.next() == {"type": "pong"}


async def test_a_viewer_that_stops_reading_gets_every_ply_in_order(tmp_path: Path) -> None:
    async with opened(settings(tmp_path, samples=1)) as client:
        game = await opening(client, config={"boardWidth": 3, "boardHeight": 3})
        shake = {"type": "eval-handshake", "gameId": game["gameId"], **BOARD}
        slow, quick = (Reader(client, f"/ws/eval/{game['gameId']}") for _ in range(2))
        for reader in (slow, quick):
            reader.send(**shake)
            await reader.until("eval-history")
        slow.reads.clear()
        for ply in range(40):
            assert (await play(client, game, ply % 2, "---"))[0] == 200
            await quick.until("eval-update", ply + 1)
        slow.reads.set()
        for reader in (slow, quick):
            updates = await reader.until("eval-update", 40)
            assert [frame["ply"] for frame in updates] == list(range(1, 41))
            await reader.leave()


async def test_mismatched_handshakes_are_refused(services: Served) -> None:
    async with http(services) as client:
        game_id = (await between_people(client))[0]["gameId"]
        async with a_viewer(services, game_id) as viewer:
            codes = [
                (await viewer.shake("other"))["code"],
                (await viewer.shake(game_id, variant="classic"))["code"],
                (await viewer.shake(game_id, boardWidth=9))["code"],
                (await viewer.shake(game_id, boardWidth="wide"))["code"],
            ]
            assert codes == ["GAME_NOT_FOUND", "UNSUPPORTED_VARIANT", "UNSUPPORTED_VARIANT", "INTERNAL_ERROR"]
            await viewer.send({"type": "ping"})
            assert await viewer.next() == {"type": "pong"}
            await viewer.send({"type": "eval-request", "requestId": "r", "state": {}})
            error = await viewer.next()
            assert (error["type"], error["code"], error["requestId"]) == ("eval-error", "INTERNAL_ERROR", "r")
            await accepted(viewer, game_id)
        async with a_viewer(services, "nothere0") as viewer:
            assert (await viewer.shake("nothere0"))["code"] == "GAME_NOT_FOUND"


async def test_a_bots_own_session_feeds_the_bar(services: Served) -> None:
    async with a_bot(services) as bot, http(services) as client:
        await bot.attach("seen")
        game = await challenge(client, "seen:b1")
        game_id = game["gameId"]
        async with a_viewer(services, game_id) as viewer, a_player(services, game) as player:
            await player.opened()
            await bot.started()
            asked = await bot.expect("evaluate_position")
            await accepted(viewer, game_id)
            assert await viewer.next() == {"type": "eval-pending", "totalMoves": 0}
            await bot.answer("evaluate_response", asked, ply=0, bestMove="Cb2", evaluation=0.25)
            first = {"ply": 0, "evaluation": 0.25, "bestMove": "Cb2"}
            assert await viewer.next() == {"type": "eval-history", "entries": [first]}
            await submit(client, game, "Ma2")
            await bot.applied(0, "Ma2")
            await bot.evaluated(1, "---", -0.5)
            assert (await viewer.next())["ply"] == 1
            await bot.applied(1, "---")
            asked = await bot.expect("evaluate_position")
            await viewer.silent(0.2)
            await bot.answer("evaluate_response", asked, ply=2, bestMove="---", evaluation=1)
            assert (await viewer.next())["evaluation"] == 1
            async with a_viewer(services, game_id) as late:
                await accepted(late, game_id)
                assert len(await late.history()) == 3


async def test_what_a_bot_tells_of_its_evaluation_is_shown_under_its_name(services: Served) -> None:
    line = {"move": "Cb2", "visits": 7, "value": 0.25, "pv": ["Cb2", "Cb2"]}
    told = {"lines": [line], "samples": 9, "inherited": 0, "source": "net", "chances": [0.6, 0.4]}
    async with a_bot(services) as bot, http(services) as client:
        await bot.attach("teller", {"name": "Teller"})
        game = await challenge(client, "teller:b1")
        async with a_viewer(services, game["gameId"]) as viewer, a_player(services, game):
            await bot.started()
            asked = await bot.expect("evaluate_position")
            await accepted(viewer, game["gameId"])
            await bot.answer("evaluate_response", asked, ply=0, bestMove="Cb2", evaluation=0.25, **told)
            entry = {"ply": 0, "evaluation": 0.25, "bestMove": "Cb2", "chances": [0.6, 0.4]}
            assert await viewer.history() == [{**entry, "source": "Teller", "samples": 9}]


async def test_the_bar_reports_why_it_stops(services: Served) -> None:
    async with http(services) as client:
        async with a_bot(services) as bot:
            await bot.attach("silent")
            game = await challenge(client, "silent:b1")
            async with a_viewer(services, game["gameId"]) as viewer, a_player(services, game):
                await accepted(viewer, game["gameId"])
                assert (await viewer.until("eval-error"))["code"] == "TIMEOUT"
        async with a_bot(services) as bot:
            await bot.attach("leaver")
            game = await challenge(client, "leaver:b1")
            async with a_viewer(services, game["gameId"]) as viewer, a_player(services, game):
                await bot.started()
                await accepted(viewer, game["gameId"])
                await bot.connection.close()
                assert (await viewer.until("eval-error"))["code"] == "BOT_DISCONNECTED"
                await reached(client, game["gameId"], status="finished")
                await accepted(viewer, game["gameId"])
                assert len(await viewer.history()) == 1


async def test_an_official_bot_evaluates_games_of_people_in_one_session(services: Served) -> None:
    async with a_bot(services) as bot, http(services) as client:
        await bot.attach("judge", {"officialToken": SECRET})
        players = await between_people(client, "Cb2")
        game_id = players[0]["gameId"]
        async with a_viewer(services, game_id) as first, a_viewer(services, game_id) as second:
            await accepted(first, game_id)
            await accepted(second, game_id)
            assert (await bot.started())["bgsId"] == game_id
            await bot.evaluated(0, "Cb2", 0.5)
            await bot.applied(0, "Cb2")
            await bot.evaluated(1, "---", 0.25)
            entries = [
                {"ply": 0, "evaluation": 0.5, "bestMove": "Cb2"},
                {"ply": 1, "evaluation": 0.25, "bestMove": "---"},
            ]
            assert await first.history() == await second.history() == entries
            headers = {"Authorization": f"Bearer {players[0]['token']}"}
            await client.post(f"/api/games/{game_id}/resign", headers=headers)
            assert (await bot.ended())["bgsId"] == game_id
        async with a_viewer(services, game_id) as late:
            await accepted(late, game_id)
            replayed = (await bot.started())["bgsId"]
            assert replayed.startswith(f"{game_id}_guest_")
            await bot.evaluated(0, "Cb2", 0.5)
            await bot.applied(0, "Cb2")
            await bot.evaluated(1, "---", 0.25)
            assert await late.history() == entries
            assert (await bot.ended())["bgsId"] == replayed


async def test_viewers_of_a_finished_game_share_a_session(services: Served) -> None:
    async with a_bot(services) as bot, http(services) as client:
        await bot.attach("referee", {"officialToken": SECRET})
        players = await between_people(client, "Cb2")
        game_id = players[0]["gameId"]
        headers = {"Authorization": f"Bearer {players[0]['token']}"}
        await client.post(f"/api/games/{game_id}/resign", headers=headers)
        async with a_viewer(services, game_id) as second, a_viewer(services, game_id) as third:
            async with a_viewer(services, game_id) as first:
                await accepted(first, game_id)
                replayed = (await bot.started())["bgsId"]
                for viewer in (second, third):
                    await accepted(viewer, game_id)
                    assert await viewer.next() == {"type": "eval-pending", "totalMoves": 1}
            await bot.evaluated(0, "Cb2", 0.5)
            await bot.applied(0, "Cb2")
            await bot.evaluated(1, "---", 0.25)
            assert (await bot.ended())["bgsId"] == replayed
            assert await second.history() == await third.history()
        async with a_viewer(services, game_id) as leaving:
            await accepted(leaving, game_id)
            again = (await bot.started())["bgsId"]
            assert again != replayed
            asked = await bot.expect("evaluate_position")
        await bot.answer("evaluate_response", asked, ply=0, bestMove="Cb2", evaluation=0.5)
        assert (await bot.ended())["bgsId"] == again


async def test_an_id_that_timed_out_is_not_used_again(services: Served) -> None:
    async with a_bot(services) as bot, http(services) as client:
        await bot.attach("sleepy", {"officialToken": SECRET})
        game_id = (await between_people(client))[0]["gameId"]
        async with a_viewer(services, game_id) as viewer:
            await accepted(viewer, game_id)
            await bot.started()
            await bot.expect("evaluate_position")
            assert (await viewer.until("eval-error"))["code"] == "TIMEOUT"
            await bot.ended()
            await accepted(viewer, game_id)
            assert (await bot.started())["bgsId"] == f"{game_id}~2"
            await bot.evaluated(0, "---")
            assert len(await viewer.history()) == 1


async def test_a_built_in_bots_game_is_evaluated_at_full_strength(services: Served) -> None:
    async with http(services) as client:
        game = await challenge(client, "plyhouse:easy")
        async with a_viewer(services, game["gameId"]) as viewer:
            await accepted(viewer, game["gameId"])
            history = await viewer.history()
            assert history[0]["samples"] >= 30
            await submit(client, game, "Ma2")
            assert [(await viewer.next())["ply"] for _ in range(2)] == [1, 2]


async def test_a_game_without_an_engine_is_not_evaluated(services: Served) -> None:
    async with http(services) as client:
        body = {"game": "toy-goofspiel", "seats": [{"kind": "human"}, {"kind": "human"}]}
        game = (await client.post("/api/games", json=body)).json()
        async with a_viewer(services, game["gameId"]) as viewer:
            shake = {"type": "eval-handshake", "gameId": game["gameId"], "variant": game["variant"]}
            await viewer.send(shake)
            assert (await viewer.next())["code"] == "NO_BOT"


async def test_a_game_continues_when_its_viewers_leave(services: Served) -> None:
    async with http(services) as client:
        players = await between_people(client)
        game_id = players[0]["gameId"]
        for ply in range(3):
            async with a_viewer(services, game_id) as viewer:
                await accepted(viewer, game_id)
                await viewer.history()
            await submit(client, players[ply % 2], "---", ply)
        assert BOARD["variant"] == (await client.get(f"/api/games/{game_id}")).json()["variant"]


async def test_an_idle_bar_yields_its_session(tmp_path: Path) -> None:
    with Served(tmp_path, "--sessions", "1", PLYHOUSE_SAMPLES="30", PLYHOUSE_SPARE_SECONDS="0") as services:
        async with http(services) as client:
            players = await between_people(client, "Cb2")
            game_id = players[0]["gameId"]
            async with a_viewer(services, game_id) as viewer, a_viewer(services, game_id) as late:
                await accepted(viewer, game_id)
                history = await viewer.history()
                own = await challenge(client, "plyhouse:easy", is_first=False)
                await reached(client, own["gameId"], ply=1)
                await accepted(late, game_id)
                assert await late.next() == {"type": "eval-history", "entries": history}
                await submit(client, players[1], "---")
                assert (await viewer.next())["ply"] == (await late.next())["ply"] == 2


async def test_a_bar_without_a_free_session_fails_immediately(tmp_path: Path) -> None:
    with Served(tmp_path, "--sessions", "1", PLYHOUSE_SAMPLES="30") as services:
        async with http(services) as client:
            game = await challenge(client, "plyhouse:easy", is_first=False)
            await reached(client, game["gameId"], ply=1)
            game_id = (await between_people(client))[0]["gameId"]
            async with a_viewer(services, game_id) as viewer:
                await accepted(viewer, game_id)
                assert await viewer.next() == {
                    "type": "eval-error",
                    "code": "INTERNAL_ERROR",
                    "message": "The engine is busy.",
                    "retryAfterMs": 5000,
                }
                headers = {"Authorization": f"Bearer {game['token']}"}
                await client.post(f"/api/games/{game['gameId']}/resign", headers=headers)
                while True:  # The session ends a moment after the game.
                    await accepted(viewer, game_id)
                    if (await viewer.next())["type"] != "eval-error":
                        break
                assert len(await viewer.history()) == 1
