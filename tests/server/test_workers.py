"""Evaluations by workers: the searches, the protocol, and workers, lines and servers that fail."""

import asyncio
import json
import signal
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from engines import Evaluation, Position
from engines.pool import Priority
from engines.puzzles.library import shipped_puzzles
from protocols.bgs import messages as bgs
from protocols.bgs.effects import RefusalError
from protocols.values import ClockReading
from server.analysts import worker_analyst
from server.analysts.pool_analyst import PoolAnalyst, SearchSettings
from server.services.bots import attached_analyst
from tests.server.bot_peers import Json, a_bot, a_viewer, challenge, http
from tests.server.program import ForkedCommand
from tests.server.serving import Served
from tests.server.worker_servers import (
    ENDLESS,
    SECRET,
    Relay,
    Server,
    a_worker,
    cancelled,
    scripted,
    serving,
    setup,
    until,
    working,
)

MOVES = ("wG1", "bG1 wG1-")

GAMES: dict[str, tuple[Json, set[str]]] = {
    "hive": ({"game": "hive", "moves": list(MOVES)}, {"seat", "loss", "judgement"}),
    "carcassonne": (
        {
            "game": "carcassonne",
            "config": {"tileCount": 8, "tile": "D"},
            "moves": ["-1,0,0 +K", "-2,0,180 +R"],
        },
        {"seat", "loss", "judgement", "pointsLost", "error"},
    ),
}
"""Games to analyse, and what is known of each move."""


@pytest.fixture
async def server(tmp_path: Path) -> AsyncIterator[Server]:
    async with serving(tmp_path) as one:
        yield one


@pytest.mark.parametrize(
    ("game", "variant"),
    [
        ("hive", None),
        ("wallwars", None),
        ("wallwars", "survival"),
        ("carcassonne", None),
        ("pyrat", None),
    ],
)
async def test_a_worker_evaluates_as_the_pool_of_the_server(
    server: Server, game: str, variant: str | None
) -> None:
    of, position = setup(game, variant), Position(game, variant)
    async with working(server.url) as pool:
        await server.has(1)
        here = PoolAnalyst(server.services.pool, SearchSettings(), analyst_id="own").session("g", "", of)
        there = await server.opened(of=of)
        await here.open()
        for ply in range(4):
            found = await there.evaluate()
            assert found == await here.evaluate()
            assert found.samples > 0
            is_joint = len(position.to_act) > 1
            position = position.copy() if is_joint else position.after(found.best_move)
            if is_joint:
                position.play(found.best_move)
            for session in (here, there):
                await session.advance(position.history[ply])
        assert (len(pool), server.workers.evaluations, server.workers.failures) == (1, 4, 0)
        await here.close()
        await there.close()
        await until(lambda: len(pool) == 0)


@pytest.mark.parametrize("game", GAMES)
async def test_candidate_moves_chances_and_losses_come_from_the_worker(server: Server, game: str) -> None:
    body, known = GAMES[game]
    body = {**body, "samples": 200, "multipv": 3}
    async with http(server) as client:
        async with working(server.url):
            await server.has(1)
            by_worker = (await client.post("/api/analysis?wait=1", json=body)).json()
            assert server.workers.evaluations == 3
            assert [one["played"][0].keys() for one in by_worker["positions"][1:]] == [known] * 2
        await server.has(0)
        body["samples"] = 201
        by_server = (await client.post("/api/analysis?wait=1", json=body)).json()
    for one, other in zip(by_worker["positions"], by_server["positions"], strict=True):
        assert one.keys() == other.keys()
        assert len(one["lines"]) == 3
        assert "chances" in one
    assert server.workers.evaluations == 3


async def test_a_worker_is_told_what_follows(server: Server) -> None:
    puzzle = next(puzzle for puzzle in shipped_puzzles()["hive"].puzzles if puzzle.id == "d5b96251c4")
    of = setup("hive", puzzle.variant, 400)
    own = PoolAnalyst(server.services.pool, SearchSettings(), analyst_id="own")
    found: list[Evaluation] = []
    async with working(server.url):
        await server.has(1)
        for number, following in enumerate((puzzle.solution[:1], puzzle.solution)):
            for session in (await server.opened(of=of), own.session(f"g{number}", "", of)):
                await session.open()
                for move in puzzle.moves:
                    await session.advance(move)
                found.append(await session.evaluate(following=following))
                await session.close()
        assert server.workers.evaluations == 2
    assert found[0] == found[1] != found[2] == found[3]


async def test_without_a_worker_a_server_searches_itself(server: Server) -> None:
    session = await server.opened(of=setup())
    await session.advance(MOVES[0])
    assert (await session.evaluate()).samples > 0
    with pytest.raises(RefusalError, match="Failed to apply move"):
        await session.advance("wG1")
    await session.close()
    assert len(server.services.pool) == 0


async def test_a_clock_limits_the_time_of_an_evaluation(server: Server) -> None:
    async with working(server.url):
        await server.has(1)
        found = await (await server.opened()).evaluate(ClockReading(1000))
        assert 0 < found.samples < 1_000_000_000
        assert server.workers.evaluations == 1


async def test_sessions_are_shared_by_two_workers_and_the_rest_stays_here(server: Server) -> None:
    async with working(server.url, sessions=2) as one, working(server.url, sessions=2) as other:
        await server.has(2)
        sessions = [await server.opened(f"g{index}") for index in range(5)]
        tasks = [asyncio.ensure_future(session.evaluate()) for session in sessions]
        await until(lambda: [len(pool) for pool in (one, other, server.services.pool)] == [2, 2, 1])
        assert (server.workers.sessions, server.workers.free, server.workers.jobs) == (4, 0, 4)
        await cancelled(*tasks)
        for session in sessions:
            await session.close()
        await until(lambda: server.workers.free == 4)
        assert len(one) == len(other) == 0


async def test_a_worker_of_two_servers_has_its_sessions_once(server: Server, tmp_path: Path) -> None:
    async with serving(tmp_path / "second") as second, working(server.url, second.url, sessions=1) as pool:
        await server.has(1)
        await second.has(1)
        tasks = [asyncio.ensure_future((await server.opened()).evaluate())]
        await until(lambda: len(pool) == 1)
        tasks.append(asyncio.ensure_future((await second.opened()).evaluate()))
        await until(lambda: len(second.services.pool) == 1)
        assert (len(pool), len(server.services.pool), second.workers.failures) == (1, 0, 1)
        await cancelled(*tasks)


# ---- the protocol ------------------------------------------------------------------------------


async def test_a_session_starts_in_the_middle_of_a_game(server: Server) -> None:
    async with scripted(server, sessions=3) as worker:
        assert server.workers.free == 3
        session = await server.opened()
        for move in MOVES:
            await session.advance(move)
        task = asyncio.ensure_future(session.evaluate())
        start = await worker.expect("start_game_session")
        assert (start["botId"], start["moves"]) == ("b1", list(MOVES))
        await worker.answer("game_session_started", start, ply=2)
        asked = await worker.expect("evaluate_position")
        limits = {"samples": ENDLESS.limits.samples}
        wanted = {"expectedPly": 2, "limits": limits, "lines": 0, "priority": 0}
        assert asked == {"type": "evaluate_position", "bgsId": start["bgsId"], **wanted}
        line = {"move": "wQ -wG1", "visits": 7, "value": 0.5, "pv": ["wQ -wG1"]}
        more = {"lines": [line], "samples": 9, "inherited": 2, "source": "another"}
        await worker.answer("evaluate_response", asked, ply=2, bestMove="wQ -wG1", evaluation=0.5, **more)
        found = await task
        assert (found.values, found.lines[0].visits) == ((0.5, -0.5), 7)
        assert (found.samples, found.inherited, found.source) == (9, 2, "another")


async def test_an_engine_that_knows_no_moves_in_a_start_gets_them_one_by_one(server: Server) -> None:
    async with scripted(server) as worker:
        session = await server.opened()
        for move in MOVES:
            await session.advance(move)
        task = asyncio.ensure_future(session.evaluate())
        await worker.started()
        for ply, move in enumerate(MOVES):
            await worker.applied(ply, move)
        await worker.evaluated(2, "wQ -wG1", 0.5)
        assert (await task).values == (0.5, -0.5)


async def test_another_engine_behind_a_bot_client_is_a_worker(server: Server, tmp_path: Path) -> None:
    bee: Json = {
        "botId": "bee",
        "name": "Bee",
        "username": None,
        "game": "hive",
        "variants": {"Base+MLP": {}},
    }
    file = tmp_path / "bots.json"
    file.write_text(json.dumps({"worker": True, "sessions": 5, "server": server.url, "bots": [bee]}))
    log = tmp_path / "log"
    client = ForkedCommand(["bot", "--config", str(file)], log, {})
    assert await asyncio.to_thread(client.wait) == 1
    assert "bot 'bee' of a worker needs the officialToken" in log.read_text()
    client = ForkedCommand(["bot", "--config", str(file), "--official-token", SECRET], log, {})
    await server.has(1)
    assert server.workers.sessions == 5
    there = await server.opened(of=setup())
    here = PoolAnalyst(server.services.pool, SearchSettings(), analyst_id="own").session("g", "", setup())
    await here.open()
    for session in (here, there):
        for move in MOVES:
            await session.advance(move)
    assert await there.evaluate() == await here.evaluate()
    assert (server.workers.evaluations, server.workers.failures) == (1, 0)
    assert await asyncio.to_thread(client.stop, signal.SIGTERM) == 0


async def test_nothing_follows_a_cancelled_evaluation_before_its_answer(server: Server) -> None:
    async with scripted(server) as worker:
        session = await server.opened()
        task = asyncio.ensure_future(session.evaluate())
        start = await worker.started()
        asked = await worker.expect("evaluate_position")
        await cancelled(task)
        assert await worker.next() == {"type": "cancel_evaluation", "bgsId": start["bgsId"]}
        await session.close()
        await worker.silent()
        await worker.answer("evaluate_response", asked, ply=0, bestMove="", evaluation=0, success=False)
        await worker.ended()
        await until(lambda: server.workers.free == server.workers.sessions)


@pytest.mark.parametrize(
    "wrong",
    [
        {"bestMove": "wX"},
        {"ply": 1},
        {"success": False},
        {"lines": [{"move": "wX", "visits": 1, "value": 0, "pv": ["wX"]}]},
        {"lines": [{"move": "wG1", "visits": 1, "value": 0, "pv": ["wG1", "wG1"]}]},
        {"policies": [{"wX": 1}, {}]},
        {"chances": [0.5]},
    ],
)
async def test_a_wrong_answer_of_a_worker_is_not_used(server: Server, wrong: Json) -> None:
    async with scripted(server, sessions=1) as worker:
        session = await server.opened(of=setup())
        task = asyncio.ensure_future(session.evaluate())
        await worker.started()
        asked = await worker.expect("evaluate_position")
        answer = {"ply": 0, "bestMove": "wG1", "evaluation": 0, **wrong}
        await worker.answer("evaluate_response", asked, **answer)
        assert (await task).source == "native"
        assert (server.workers.failures, len(server.services.pool)) == (1, 1)
        await worker.ended()


async def test_an_overdue_evaluation_goes_on_elsewhere(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("server.analysts.worker_analyst.ANSWER_SECONDS", 0.2)
    of = setup(samples=1)
    async with scripted(server) as worker:
        task = asyncio.ensure_future((await server.opened(of=of)).evaluate())
        await worker.started()
        await worker.expect("evaluate_position")
        assert (await task).source == "native"
        await worker.expect("cancel_evaluation")


@pytest.mark.parametrize(("priority", "seconds"), [(Priority.EVAL_BAR, 20), (Priority.INTERACTIVE, 70)])
@pytest.mark.parametrize("limits", [bgs.EvaluationLimits(100, None), bgs.EvaluationLimits(None, 10_000)])
def test_analyses_may_take_longer_than_their_limits(
    limits: bgs.EvaluationLimits, priority: Priority, seconds: float
) -> None:
    request = bgs.EvaluatePosition("g", 0, limits=limits, priority=int(priority))
    assert worker_analyst._seconds_for(request) == seconds


@pytest.mark.parametrize(
    ("token", "worker", "code", "text"),
    [
        ({}, True, "INVALID_OFFICIAL_TOKEN", "bot 'b1' of a worker needs the officialToken of this server"),
        ({"officialToken": "no"}, True, "INVALID_OFFICIAL_TOKEN", "officialToken of bot 'b1' is not valid"),
        ({"officialToken": SECRET}, "yes", "INVALID_MESSAGE", "worker must be true or false"),
    ],
)
async def test_a_worker_needs_the_token(
    server: Server, token: Json, worker: object, code: str, text: str
) -> None:
    async with a_bot(server) as client:
        rejected = await client.attach("w", token, worker=worker)
        assert (rejected["type"], rejected["code"]) == ("attach-rejected", code)
        assert text in rejected["message"]
    assert server.workers.workers == 0


async def test_workers_are_no_listed_bots_and_no_clients(tmp_path: Path) -> None:
    unknown = {"botId": "new", "game": "a game of a later version", "officialToken": SECRET}
    known = {"game": "wallwars", "officialToken": SECRET, "variants": {"survival": WHOLE, "later": {}}}
    limits = {"bot_clients": 1, "bot_clients_per_address": 1}
    async with (
        serving(tmp_path, **limits) as server,
        http(server) as client,
        a_bot(server) as one,
        a_bot(server) as two,
        a_bot(server) as bot,
    ):
        for worker in (one, two):
            assert (await worker.attach("same", known, unknown, worker=True))["type"] == "attached"
        assert (await bot.attach("bot"))["type"] == "attached"
        bots = (await client.get("/api/bots?game=all")).json()["bots"]
        assert {entry["clientId"] for entry in bots} == {"plyhouse", "bot"}
        assert server.workers.workers == 2


SIDE = {"min": 8, "max": 8}
WHOLE = {"boardWidth": SIDE, "boardHeight": SIDE, "recommended": [{"boardWidth": 8, "boardHeight": 8}]}


# ---- failures ----------------------------------------------------------------------------------


async def test_another_worker_takes_over_from_one_that_is_killed(server: Server, tmp_path: Path) -> None:
    with a_worker(tmp_path / "log", server.url) as first:
        await server.has(1)
        session = await server.opened()
        await session.advance(MOVES[0])
        task = asyncio.ensure_future(session.evaluate())
        await until(lambda: server.workers.jobs == 1)
        async with working(server.url) as pool:
            await server.has(2)
            first.stop(signal.SIGKILL)
            await until(lambda: len(pool) == 1)
            assert (server.workers.workers, len(server.services.pool)) == (1, 0)
            await cancelled(task)


async def test_a_frozen_worker_loses_its_searches_and_attaches_again(
    server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with a_worker(tmp_path / "log", server.url) as worker:
        await server.has(1)
        session = await server.opened()
        task = asyncio.ensure_future(session.evaluate())
        await until(lambda: server.workers.jobs == 1)
        worker.send(signal.SIGSTOP)
        monkeypatch.setattr(attached_analyst, "PONG_SECONDS", 0.3)
        await until(lambda: len(server.services.pool) == 1)
        monkeypatch.undo()
        assert (server.workers.workers, server.workers.failures) == (0, 1)
        worker.send(signal.SIGCONT)
        await server.has(1)
        await cancelled(task)
        assert await asyncio.to_thread(worker.stop, signal.SIGTERM) == 0
        await server.has(0)


async def test_a_cut_line_loses_no_search(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    async with Relay(server.url) as line, working(line.url) as pool:
        await server.has(1)
        task = asyncio.ensure_future((await server.opened()).evaluate())
        await until(lambda: len(pool) == 1)
        line.cut()
        monkeypatch.setattr(attached_analyst, "PONG_SECONDS", 0.3)
        await until(lambda: len(server.services.pool) == 1)
        assert server.workers.workers == 0
        await cancelled(task)
        line.end()


async def test_a_worker_stops_the_searches_of_a_server_that_is_killed(tmp_path: Path) -> None:
    environment = {"PLYHOUSE_SAMPLES": "1000000000", "OFFICIAL_BOT_TOKEN": SECRET}
    with Served(tmp_path, **environment) as served:
        async with working(served.url) as pool, http(served) as client:
            game = await challenge(client, "plyhouse:easy")
            async with a_viewer(served, game["gameId"]) as viewer:
                await viewer.shake(game["gameId"])
                await until(lambda: len(pool) > 0)
                served.stop(signal.SIGKILL)
            await until(lambda: len(pool) == 0)
