"""Analyses over HTTP: shape and numbers, shared requests, events, cancelling, and memory."""

import asyncio
import json
import time
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from engines import Position
from engines.pool import EnginePool, Limits
from server.analysts.pool_analyst import PoolAnalyst, SearchSettings
from server.services.evaluation import analysis_service
from server.services.evaluation.analysis_plan import AnalysisPlan
from server.services.evaluation.analysis_run import Analysis, Progress
from tests.server.services import host_of, opened, settings
from tests.server.serving import Served

Json = dict[str, Any]
SMALL = {"boardWidth": 4, "boardHeight": 4}
MOVES = ["Cb4.>a1", "Cc4", "Cb3", "---"]


@pytest.fixture
async def client(tmp_path: Path) -> AsyncIterator[httpx.AsyncClient]:
    async with opened(settings(tmp_path, samples=100)) as client:
        yield client


async def analysed(client: httpx.AsyncClient, **wish: object) -> Json:
    body = {"game": "wallwars", "config": SMALL, "moves": MOVES, **wish}
    answer = await client.post("/api/analysis?wait=1", json=body)
    assert answer.status_code == 200, answer.text
    return dict(answer.json())


async def ask(client: httpx.AsyncClient, body: Json) -> str:
    answer = await client.post("/api/analysis", json=body)
    assert answer.status_code == 202, answer.text
    return str(answer.json()["analysisId"])


def events_of(text: str) -> tuple[list[str], list[Json]]:
    """Returns the names and the data of server-sent events, without those that only set the retry time."""
    events = [dict(line.split(": ", 1) for line in event.split("\n")) for event in text.strip().split("\n\n")]
    told = [event for event in events if "event" in event]
    return [event["event"] for event in told], [json.loads(event["data"]) for event in told]


async def test_every_position_is_evaluated(client: httpx.AsyncClient) -> None:
    result = await analysed(client, multipv=3)
    assert result["status"] == "done"
    assert [one["ply"] for one in result["positions"]] == [0, 1, 2, 3, 4]
    for one in result["positions"]:
        assert set(one) == {
            "ply",
            "toAct",
            "played",
            "evaluation",
            "values",
            "chances",
            "bestMove",
            "lines",
            "samples",
            "inherited",
            "source",
        }
        assert one["values"] == [one["evaluation"], -one["evaluation"]]
        assert sum(one["chances"]) == pytest.approx(1.0)
        assert (one["chances"][0] > 0.5) == (one["evaluation"] > 0.0)
        assert one["lines"][0]["move"] == one["bestMove"]
        assert len(one["lines"]) == 3
        assert one["lines"][0]["pv"][0] == one["bestMove"]
        assert one["source"] == "native"
        assert one["toAct"] == [one["ply"] % 2]
        assert one["samples"] >= 100 > one["inherited"] >= 0
    assert [one["seat"] for one in result["summary"]] == [0, 1]
    assert all(0 <= one["accuracy"] <= 100 for one in result["summary"])


async def test_only_the_requested_part_is_searched(client: httpx.AsyncClient) -> None:
    whole = await analysed(client)
    part = await analysed(client, fromPly=1, toPly=3)
    assert [one["ply"] for one in part["positions"]] == [1, 2, 3]
    assert whole["positions"][1]["inherited"] > 1 >= part["positions"][0]["inherited"]
    assert part["positions"][0]["played"] == []
    for one, same in zip(part["positions"][1:], whole["positions"][2:4], strict=True):
        assert (one["toAct"], one["played"][0]["seat"]) == (same["toAct"], same["played"][0]["seat"])


async def test_equal_requests_share_an_analysis(client: httpx.AsyncClient) -> None:
    body = {"game": "wallwars", "config": SMALL, "moves": MOVES, "samples": 5000}
    asked = await asyncio.gather(*(client.post("/api/analysis", json=body) for _ in range(10)))
    assert {answer.status_code for answer in asked} == {202}
    assert len({answer.json()["analysisId"] for answer in asked}) == 1
    other = await client.post("/api/analysis", json={**body, "samples": 5001})
    assert other.json()["analysisId"] != asked[0].json()["analysisId"]


async def test_events_report_each_ply_and_then_the_end(client: httpx.AsyncClient) -> None:
    asked = await client.post("/api/analysis", json={"game": "wallwars", "config": SMALL, "moves": MOVES})
    analysis_id = asked.json()["analysisId"]
    answer = await client.get(f"/api/analysis/{analysis_id}/events")
    assert answer.headers["content-type"].startswith("text/event-stream")
    names, told = events_of(answer.text)
    assert names == ["position"] * 5 + ["done"]
    result = (await client.get(f"/api/analysis/{analysis_id}")).json()
    assert told[:5] == result["positions"]
    assert told[5] == {"status": "done", "summary": result["summary"]}


async def test_a_reconnecting_reader_gets_the_missing_events(client: httpx.AsyncClient) -> None:
    asked = await client.post("/api/analysis", json={"game": "wallwars", "config": SMALL, "moves": MOVES})
    path = f"/api/analysis/{asked.json()['analysisId']}/events"
    whole = (await client.get(path)).text
    assert "id: 3\n" in whole
    for last, names in (
        ("3", ["position"] * 2 + ["done"]),
        ("99", ["done"]),
        ("x", ["position"] * 5 + ["done"]),
    ):
        rest = await client.get(path, headers={"Last-Event-ID": last})
        assert events_of(rest.text)[0] == names
        assert whole.endswith(rest.text.removeprefix("retry: 1000\n\n"))


LONG: Json = {
    "game": "wallwars",
    "config": {"boardWidth": 8, "boardHeight": 8},
    "moves": ["---"] * 15,
    "samples": 100_000,
}


def bearer(asked: Json) -> dict[str, str]:
    return {"Authorization": f"Bearer {asked['token']}"}


async def test_ids_and_tokens_cannot_be_guessed(client: httpx.AsyncClient) -> None:
    one, other = [(await client.post("/api/analysis", json=LONG)).json() for _ in range(2)]
    assert one["analysisId"] == other["analysisId"]
    assert one["token"] != other["token"]
    for asked in (one, other):
        path = f"/api/analysis/{asked['analysisId']}"
        await client.delete(path, headers=bearer(asked))
    again = (await client.post("/api/analysis", json=LONG)).json()
    assert again["analysisId"] != one["analysisId"]


async def test_withdrawing_the_last_request_stops_and_drops_it(client: httpx.AsyncClient) -> None:
    one, other = [(await client.post("/api/analysis", json=LONG)).json() for _ in range(2)]
    path = f"/api/analysis/{one['analysisId']}"
    waiting = asyncio.ensure_future(client.get(f"{path}/events"))
    await asyncio.sleep(0.1)
    assert (await client.get(path)).json()["status"] == "running"
    for headers, status in (
        ({}, 401),
        (bearer({"token": "guess"}), 401),
        (bearer(one), 204),
        (bearer(one), 401),
    ):
        assert (await client.delete(path, headers=headers)).status_code == status
    assert (await client.get(path)).json()["status"] == "running"
    assert (await client.delete(path, headers=bearer(other))).status_code == 204
    async with asyncio.timeout(60):
        assert events_of((await waiting).text)[1][-1]["status"] == "cancelled"
    assert (await client.get(path)).status_code == 404


@pytest.mark.slow
async def test_reading_the_result_keeps_an_analysis_running(tmp_path: Path) -> None:
    async with opened(settings(tmp_path, analysis_look_seconds=2.0)) as client:
        watched, forgotten = [
            (await client.post("/api/analysis", json={**LONG, "samples": samples})).json()["analysisId"]
            for samples in (100_000, 99_999)
        ]
        until = time.monotonic() + 2.8
        while time.monotonic() < until:
            assert (await client.get(f"/api/analysis/{watched}")).json()["status"] == "running"
            await asyncio.sleep(0.1)
        assert (await client.get(f"/api/analysis/{forgotten}")).status_code == 404


async def test_a_client_that_disconnects_withdraws_its_request(tmp_path: Path) -> None:
    # The requests of this test must not count as watching for longer than they last.
    with Served(tmp_path, PLYHOUSE_ANALYSIS_LOOK_SECONDS="0.01") as served:
        async with httpx.AsyncClient(base_url=served.url, timeout=60) as client:
            asked = (await client.post("/api/analysis", json=LONG)).json()
            with pytest.raises(httpx.ReadTimeout):
                await client.post("/api/analysis?wait=1", json=LONG, timeout=0.3)
            path = f"/api/analysis/{asked['analysisId']}"
            await client.delete(path, headers=bearer(asked))
            async with asyncio.timeout(60):
                while (answer := await client.get(path)).status_code == 200:
                    # Not done: it takes longer than this test. Cancelled is shown until it is removed.
                    assert answer.json()["status"] in {"running", "cancelled"}
                    await asyncio.sleep(0.05)


async def test_an_analysis_cancelled_before_it_runs_ends() -> None:
    pool, host = EnginePool(threads=1), host_of(8)
    analyst = PoolAnalyst(pool, SearchSettings(Limits(samples=10)), analyst_id="a")
    start = Position("wallwars", "standard", SMALL)
    analysis = Analysis(AnalysisPlan(start, start, 10, 1, 0, 0), host, analyst)
    try:
        analysis.cancel()
        async with asyncio.timeout(60):
            await analysis.run()
        assert (analysis.progress, analysis.found, len(host)) == (Progress.CANCELLED, (), 0)
    finally:
        await host.stop()
        pool.stop()


async def test_no_free_session_is_refused_immediately(tmp_path: Path) -> None:
    async with opened(settings(tmp_path, sessions=1)) as client:
        wishes = [{"game": "wallwars", "config": SMALL, "samples": 20_000 + more} for more in range(2)]
        answers = await asyncio.gather(*(client.post("/api/analysis", json=wish) for wish in wishes))
        assert sorted(answer.status_code for answer in answers) == [202, 503]


async def test_the_default_number_of_samples_is_capped(tmp_path: Path) -> None:
    async with opened(settings(tmp_path, analysis_cost=100)) as client:
        result = await analysed(client)
        assert all(20 <= one["samples"] - one["inherited"] < 60 for one in result["positions"])


async def test_a_search_out_of_memory_reports_it(tmp_path: Path) -> None:
    async with opened(settings(tmp_path, session_megabytes=1, analysis_cost=0)) as client:
        answer = await client.post("/api/analysis", json={"game": "wallwars", "samples": 10_000})
        assert answer.status_code == 422, "it is announced"
        more = {"game": "wallwars", "moves": ["---"] * 9, "samples": answer.json()["limit"]}
        result = (await client.post("/api/analysis?wait=1", json=more)).json()
        cut = [one for one in result["positions"] if "limitedBy" in one]
        assert (result["status"], len(result["positions"])) == ("done", 10)
        assert all(one["limitedBy"] == "memory" and one["samples"] > 0 for one in cut)


async def test_the_memory_of_all_analyses_is_limited(tmp_path: Path) -> None:
    async with opened(settings(tmp_path, session_megabytes=200, analyses_megabytes=60)) as client:
        wishes = [{**LONG, "samples": 100_000 - more} for more in range(3)]
        answers = [await client.post("/api/analysis", json=wish) for wish in wishes]
        assert [answer.status_code for answer in answers] == [202, 202, 503]
        assert answers[2].json()["retryAfterMs"] > 0
        path = f"/api/analysis/{answers[0].json()['analysisId']}"
        await client.delete(path, headers=bearer(answers[0].json()))
        async with asyncio.timeout(60):
            while (  # noqa: ASYNC110 - there is no event to wait for
                await client.post("/api/analysis", json=wishes[2])
            ).status_code != 202:
                await asyncio.sleep(0.02)


async def test_the_results_that_are_kept_are_limited_by_their_lines(
    client: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(analysis_service, "KEPT_LINES", 2 * 3 * (len(MOVES) + 1))
    found = [await analysed(client, multipv=3, samples=20 + number) for number in range(3)]
    paths = [f"/api/analysis/{one['analysisId']}" for one in found]
    statuses = [(await client.get(path)).status_code for path in paths]
    assert statuses == [404, 200, 200]


async def test_a_window_of_a_long_game(client: httpx.AsyncClient) -> None:
    small = {"config": {"boardWidth": 3, "boardHeight": 3}, "moves": ["---"] * 1200}
    result = await analysed(client, **small, samples=1, fromPly=150, toPly=1150)
    assert [one["ply"] for one in result["positions"]] == list(range(150, 1151))


async def test_a_thousand_plies(client: httpx.AsyncClient) -> None:
    result = await analysed(
        client, config={"boardWidth": 3, "boardHeight": 3}, moves=["---"] * 1000, samples=1
    )
    assert len(result["positions"]) == 1001


async def test_a_best_move_costs_nothing_where_moves_reveal_something(client: httpx.AsyncClient) -> None:
    position = Position("carcassonne", config={"seed": 5, "tileCount": 8})
    start = {"game": "carcassonne", "config": position.config, "samples": 4}
    result = await analysed(client, **start, moves=[])
    while (best := result["positions"][-1]["bestMove"]) != "":
        position.play(best)
        result = await analysed(client, **start, moves=position.history)
    played = [(move["loss"], move["pointsLost"], move.get("error")) for move in moves_in(result)]
    assert played == [(0.0, 0.0, None)] * 8
    assert [one["meanPointsLost"] for one in result["summary"]] == [0.0, 0.0]


async def test_a_bad_move_costs_points_where_moves_reveal_something(client: httpx.AsyncClient) -> None:
    position = Position("carcassonne", config={"seed": 5, "tileCount": 8})
    while position.outcome is None:
        position.play(next(move for move in position.legal_moves() if " " not in move))
    result = await analysed(
        client, game="carcassonne", config=position.config, moves=position.history, samples=40
    )
    for move in moves_in(result):
        assert move["pointsLost"] >= 0.0
        assert "error" not in move or move["pointsLost"] == 0.0 or move["pointsLost"] > move["error"]
    assert all(one["meanPointsLost"] > 1.0 and one["accuracy"] < 70.0 for one in result["summary"])
    assert sum(one["inaccuracies"] + one["mistakes"] + one["blunders"] for one in result["summary"]) > 0


def moves_in(result: dict[str, Any]) -> list[dict[str, Any]]:
    return [move for one in result["positions"] for move in one["played"]]


async def test_a_seat_that_leaves_is_no_ply(client: httpx.AsyncClient) -> None:
    position = Position("carcassonne", config={"seats": 3, "seed": 5, "tileCount": 8})
    for ply in range(8):
        if ply == 4:
            position.forfeit(1)
        position.play(position.legal_moves()[0])
    start = {"game": "carcassonne", "config": position.config, "moves": position.history, "samples": 4}
    whole = await analysed(client, **start)
    assert [one["ply"] for one in whole["positions"]] == list(range(9))
    assert [one["toAct"] for one in whole["positions"]] == [[0], [1], [2], [0], [2], [0], [2], [0], []]
    assert whole["positions"][-1]["source"] == "rules"
    part = await analysed(client, **start, fromPly=4, toPly=5)
    assert [(one["ply"], one["toAct"]) for one in part["positions"]] == [(4, [2]), (5, [0])]
    stream = await client.get(f"/api/analysis/{whole['analysisId']}/events")
    _, data = events_of(stream.text)
    assert data[:-1] == whole["positions"]
