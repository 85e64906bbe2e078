"""A simultaneous game through histories, evaluation bars, analysis and records."""

from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from engines import Position
from tests.server.bot_peers import Viewer, a_bot, a_viewer, http, reached, submit
from tests.server.services import bearer
from tests.server.serving import Served

Json = dict[str, Any]
START: Json = {
    "width": 5,
    "height": 4,
    "maxTurns": 20,
    "mudModel": "rust",
    "walls": [[[0, 0], [1, 0]], [[2, 2], [2, 3]]],
    "mud": [[[1, 1], [1, 2], 3]],
    "cheese": [[1, 1], [2, 2], [3, 2]],
    "starts": [[0, 0], [4, 3]],
}
TURNS = ["UP/LEFT", "RIGHT/DOWN", "UP/STAY", "STAY/STAY", "STAY/LEFT"]
"""A game, in which seat 1 collects the most."""


@pytest.fixture(scope="module")
def services(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A server with short evaluations."""
    with Served(tmp_path_factory.mktemp("simultaneous"), PLYHOUSE_SAMPLES="50") as served:
        yield served


async def between_people(client: httpx.AsyncClient) -> Json:
    people = [{"kind": "human", "name": "Ada"}, {"kind": "open", "name": "Bo"}]
    body = {"game": "pyrat", "variant": "asymmetric", "config": START, "seats": people, "assistance": "open"}
    answer = await client.post("/api/games", json=body)
    assert answer.status_code == 201, answer.text
    game: Json = answer.json()
    joined = await client.post(f"/api/games/{game['gameId']}/join", json={"name": "Bo"})
    game["seats"][1]["token"] = joined.json()["token"]
    return game


async def take_turn(client: httpx.AsyncClient, game: Json, turn: str) -> None:
    for seat, direction in enumerate(turn.split("/")):
        path = f"/api/games/{game['gameId']}/moves"
        answer = await client.post(path, json={"move": direction}, headers=bearer(game, seat))
        assert answer.status_code == 200, answer.text


async def watched(viewer: Viewer, game: Json) -> list[Json]:
    """The first history that a viewer of the bar gets."""
    await viewer.send({"type": "eval-handshake", "gameId": game["gameId"], "variant": game["variant"]})
    answer = await viewer.next()
    assert answer["type"] == "eval-handshake-accepted", answer
    return await viewer.history()


def check_entry(entry: Json, at: Position) -> None:
    """The entry of a position that is not over: joint best move, values that add up to 0, a policy per seat."""
    assert entry["values"] == [entry["evaluation"], -entry["evaluation"]]
    best = entry["bestMove"].split("/")
    for seat, policy in enumerate(entry["policies"]):
        assert sum(policy.values()) == pytest.approx(1.0, abs=1e-4)
        assert {move for move, share in policy.items() if share > 0} <= set(at.legal(seat))
        assert best[seat] in policy
    assert len(best) == len(entry["policies"]) == 2


async def test_a_bar_shows_policies_and_follows_turns_and_takebacks(services: Served) -> None:
    at = Position("pyrat", "asymmetric", START)
    async with http(services) as client:
        game = await between_people(client)
        async with a_viewer(services, game["gameId"]) as viewer:
            (first,) = await watched(viewer, game)
            check_entry(first, at)
            for ply, turn in enumerate(TURNS, start=1):
                await take_turn(client, game, turn)
                update = await viewer.next()
                at.play(turn)
                assert (update["type"], update["ply"]) == ("eval-update", ply)
                if ply == 2:
                    await take_back(client, game, to_ply=1)
                    history = await viewer.history()
                    assert [entry["ply"] for entry in history] == [0, 1]
                    await take_turn(client, game, turn)
                    update = await viewer.next()
                if at.outcome is None:
                    check_entry(update, at)
            assert (update["evaluation"], update["bestMove"]) == (-1.0, "")
            assert "policies" not in update


async def take_back(client: httpx.AsyncClient, game: Json, to_ply: int) -> None:
    for seat in (0, 1):
        path = f"/api/games/{game['gameId']}/takeback"
        answer = await client.post(path, json={"toPly": to_ply}, headers=bearer(game, seat))
        assert answer.is_success, answer.text


async def test_an_attached_bot_gets_the_complete_start_and_whole_turns(services: Served) -> None:
    async with a_bot(services) as bot, http(services) as client:
        await bot.attach("maze", {"game": "pyrat", "variants": {"asymmetric": {}}})
        body = {"botId": "maze:b1", "config": {"variant": "asymmetric", **START}}
        answer = await client.post("/api/bots/play?game=pyrat", json=body)
        assert answer.status_code == 201, answer.text
        game = answer.json()
        await submit(client, game, "UP", 0)
        assert (await bot.started())["config"] == {"game": "pyrat", "variant": "asymmetric", **START}
        await bot.evaluated(0, "RIGHT/LEFT")
        await bot.applied(0, "UP/LEFT")
        await bot.evaluated(1, "RIGHT/DOWN")
        assert (await reached(client, game["gameId"], ply=1))["history"] == ["UP/LEFT"]
        # The bot's second half is in; taking the first turn back drops it, and the session starts again.
        headers = {"Authorization": f"Bearer {game['token']}"}
        path = f"/api/games/{game['gameId']}/takeback"
        taken = await client.post(path, json={"toPly": 0}, headers=headers)
        assert taken.json()["position"]["history"] == []
        await bot.ended()
        assert (await bot.started())["config"]["starts"] == START["starts"]
        await bot.evaluated(0, "RIGHT/DOWN")
        await submit(client, game, "LEFT", 0)
        await bot.applied(0, "STAY/DOWN")
        await bot.evaluated(1, "UP/LEFT")


async def test_an_analysis_judges_the_parts_of_joint_moves(services: Served) -> None:
    async with http(services) as client:
        body = {"game": "pyrat", "variant": "asymmetric", "config": START, "moves": TURNS, "multipv": 3}
        result = (await client.post("/api/analysis?wait=1", json={**body, "samples": 1000})).json()
    at = Position("pyrat", "asymmetric", START)
    positions, lost = result["positions"], False
    for ply, one in enumerate(positions[:-1]):
        check_entry(one, at)
        assert (one["ply"], one["toAct"], one["lines"][0]["move"]) == (ply, [0, 1], one["bestMove"])
        at.play(TURNS[ply])
        for move, part in zip(positions[ply + 1]["played"], TURNS[ply].split("/"), strict=True):
            if part == one["bestMove"].split("/")[move["seat"]]:
                assert (move["loss"], move["pointsLost"], move["judgement"]) == (0.0, 0.0, None)
            lost = lost or move["pointsLost"] > 0.0
    assert lost, "a part that was not the best one lost something"
    assert (positions[-1]["values"], positions[-1]["source"]) == ([-1.0, 1.0], "rules")
    assert [seat["accuracy"] is not None for seat in result["summary"]] == [True, True]


async def test_records_of_a_game_both_ways(services: Served) -> None:
    async with http(services) as client:
        game = await between_people(client)
        for turn in TURNS:
            await take_turn(client, game, turn)
        record = f"/api/games/{game['gameId']}/record"
        whole = await client.get(record)
        assert whole.json()["config"] == START
        assert whole.json()["moves"] == TURNS
        assert [max(parts) for parts in whole.json()["partTimes"]] == whole.json()["times"]
        replay = await client.get(f"{record}?format=prf")
        assert '[FinalScore "1-2"]' in replay.text
        assert "5. S/L (" in replay.text
        for text in (whole.text, replay.text):
            imported = await client.post("/api/games/import", json={"text": text})
            assert imported.status_code == 201, imported.text
            state = imported.json()
            assert (state["config"], state["position"]["history"]) == (START, TURNS)
            assert state["position"]["result"] == {"winners": [1], "reason": "majority", "scores": [1.0, 2.0]}
            again = await client.get(f"/api/games/{state['gameId']}/record?format=prf")
            assert again.text == replay.text


async def test_a_generated_maze_is_written_out(services: Served) -> None:
    """Neither bots nor records get the seed."""
    async with http(services) as client:
        body = {"game": "pyrat", "variant": "tiny", "seats": [{"kind": "human"}] * 2}
        game = (await client.post("/api/games", json=body)).json()
        config = (await client.get(f"/api/games/{game['gameId']}/record")).json()["config"]
    assert set(config) == set(START)
    assert Position("pyrat", "tiny", config).config == config
