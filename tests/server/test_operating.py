"""The pages for operators: ``/readyz`` and ``/metrics``."""

import asyncio
import re
from itertools import count
from pathlib import Path

import httpx
import pytest
from prometheus_client.parser import text_string_to_metric_families

from server.store.sql_store import SqlStore
from tests.server.game_peers import SMALL, joined, new_game
from tests.server.program import ROOT
from tests.server.services import opened, opening, play, settings
from tests.server.serving import Served

Labels = frozenset[tuple[str, str]]
SEATS = [{"kind": "human"}, {"kind": "human"}]


async def figures(client: httpx.AsyncClient) -> dict[tuple[str, Labels], float]:
    """Returns every sample by its name and labels."""
    answer = await client.get("/metrics")
    assert answer.headers["content-type"].startswith("text/plain; version=")
    return {
        (sample.name, frozenset(sample.labels.items())): sample.value
        for family in text_string_to_metric_families(answer.text)
        for sample in family.samples
    }


def of(name: str, **labels: str) -> tuple[str, Labels]:
    return name, frozenset(labels.items())


async def test_a_working_server_is_ready(client: httpx.AsyncClient) -> None:
    answer = await client.get("/readyz")
    parts = {
        "process": "running",
        "store": "answers",
        "bus": "memory",
        "models": "native (core)",
        "engine": "0 of 256 sessions are open (bot moves 0, evaluation bars 0, analyses 0, games between bots 0)",
    }
    assert (answer.status_code, answer.json()) == (200, {"ready": True, "parts": parts})


async def test_a_missing_store_is_reported(tmp_path: Path) -> None:
    async with opened(settings(tmp_path)) as client:
        (tmp_path / "plyhouse.sqlite3").write_bytes(b"no database, and as long as the header of one" * 100)
        answer = await client.get("/readyz")
        body = answer.json()
        assert (answer.status_code, body["code"], body["ready"]) == (503, "unavailable", False)
        assert body["parts"]["bus"] == "memory"
        assert body["parts"]["store"] != "answers"
        assert body["retryAfterMs"] > 0
        assert (await client.get("/metrics")).status_code == 200


async def test_a_full_store_is_reported(tmp_path: Path) -> None:
    async with opened(settings(tmp_path, database_max_pages=40)) as client:
        game, status = await opening(client), 200
        for ply in count():
            status, _ = await play(client, game, ply % 2, "---", clientMsgId="x" * 100 + str(ply))
            if status != 200:
                break
        answer = await client.get("/readyz")
        assert (answer.status_code, answer.json()["ready"]) == (503, False)
        assert "full" in answer.json()["parts"]["store"]
        assert (await client.get(f"/api/games/{game['gameId']}")).status_code == 200


async def test_frequent_checks_do_not_write_often(
    own_client: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    written = 0
    try_writing = SqlStore.try_writing

    async def counted(store: SqlStore) -> None:
        nonlocal written
        written += 1
        await try_writing(store)

    monkeypatch.setattr(SqlStore, "try_writing", counted)
    answers = await asyncio.gather(*(own_client.get("/readyz") for _ in range(20)))
    assert [answer.status_code for answer in answers] == [200] * 20
    assert written == 1


async def test_games_and_moves_are_counted(own_client: httpx.AsyncClient) -> None:
    body = {"game": "wallwars", "config": SMALL, "seats": SEATS}
    game = (await own_client.post("/api/games", json=body)).json()
    for ply in range(2):
        headers = {"Authorization": f"Bearer {game['seats'][ply]['token']}"}
        move = {"move": "---", "expectedPly": ply, "clientMsgId": str(ply)}
        path = f"/api/games/{game['gameId']}/moves"
        for _ in range(2):
            assert (await own_client.post(path, json=move, headers=headers)).status_code == 200
    playing = await figures(own_client)
    assert playing[of("plyhouse_games_created_total", game="wallwars")] == 1
    assert playing[of("plyhouse_games_started_total", game="wallwars")] == 1
    assert playing[of("plyhouse_games", status="playing")] == 1
    assert playing[of("plyhouse_moves_total", game="wallwars")] == 2
    assert playing[of("plyhouse_move_seconds_count")] == 4, "a repeated message is acknowledged, too"
    assert playing[of("plyhouse_store_append_seconds_count")] == 3
    assert playing[of("plyhouse_games_loaded")] == 1

    headers = {"Authorization": f"Bearer {game['seats'][0]['token']}"}
    for what in ("resign", "rematch"):
        await own_client.post(f"/api/games/{game['gameId']}/{what}", headers=headers)
    over = await figures(own_client)
    assert over[of("plyhouse_games", status="finished")] == 1
    assert over[of("plyhouse_games_ended_total", game="wallwars", status="finished")] == 1


async def test_evaluations_are_counted(client: httpx.AsyncClient) -> None:
    wish = {"game": "wallwars", "config": SMALL, "moves": ["---"], "samples": 20}
    assert (await client.post("/api/analysis?wait=1", json=wish)).status_code == 200
    told = await figures(client)
    native = {"evaluator": "native", "provider": "core"}
    assert told[of("plyhouse_pool_evaluations_total", **native)] == 2
    assert told[of("plyhouse_pool_simulations_total", **native)] >= 40
    assert told[of("plyhouse_pool_sessions_limit")] == 256


async def test_the_process_is_measured(client: httpx.AsyncClient) -> None:
    await asyncio.sleep(0.1)
    told = await figures(client)
    assert told[of("process_resident_memory_bytes")] > 0
    assert told[of("plyhouse_event_loop_lag_seconds_count")] > 0
    assert told[of("plyhouse_bus_up", kind="memory")] == 1
    assert told[of("plyhouse_bus_lost_total")] == 0
    assert any(name == "python_gc_collections_total" for name, _ in told)


async def test_a_server_without_workers_counts_nothing_of_them(client: httpx.AsyncClient) -> None:
    counted = {name: value for (name, _), value in (await figures(client)).items() if "_worker" in name}
    assert len(counted) == 6
    assert set(counted.values()) == {0}


async def test_the_table_of_metrics_is_complete_and_true(client: httpx.AsyncClient) -> None:
    families = text_string_to_metric_families((await client.get("/metrics")).text)
    kinds = {
        f"{family.name}_total" if family.type == "counter" else family.name: family.type
        for family in families
        if family.name.startswith("plyhouse")
    }
    rows = re.findall(
        r"^\| `(plyhouse_\w+)` \| (\w+) ", (ROOT / "docs" / "running.md").read_text(), re.MULTILINE
    )
    assert dict(rows) == kinds


async def test_sockets_are_counted_by_address_without_ids(served: Served) -> None:
    game, (first, _) = await new_game(served)
    async with (
        httpx.AsyncClient(base_url=served.url, timeout=60) as client,
        joined(served, game, f"?token={first}") as one,
    ):
        await one.opening()
        assert (await figures(client))[of("plyhouse_sockets", path="/ws/games/{game_id}")] == 1
        text = (await client.get("/metrics")).text
    assert game not in text
    assert first not in text


@pytest.mark.parametrize("servers", [2])
async def test_every_server_has_its_own_metrics(tmp_path: Path, servers: int) -> None:
    for number in range(servers):
        folder = tmp_path / str(number)
        folder.mkdir()
        async with opened(settings(folder)) as client:
            await client.post("/api/games", json={"game": "wallwars", "seats": SEATS})
            assert (await figures(client))[of("plyhouse_games_created_total", game="wallwars")] == 1
