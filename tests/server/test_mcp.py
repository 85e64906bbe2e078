"""``/mcp``: agents play at the server itself, with the checks and limits of any other request."""

import asyncio
import json
import logging
import math
import signal
import subprocess
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from subprocess import PIPE
from typing import Any

import httpx
import pytest
from fastapi import FastAPI
from mcp import Client
from starlette.types import Message, Scope
from typer.testing import CliRunner

from commands.cli import app as command
from examples.agent import harness, scripted
from examples.agent.harness import Refused, create
from tests.server.program import PLYHOUSE, ROOT
from tests.server.services import app_with, opened, settings
from tests.server.serving import Served

BOT = "plyhouse:beginner"
SMALL = {"boardWidth": 3, "boardHeight": 3}
HEADERS = {"Accept": "application/json, text/event-stream"}


def tool(name: str, /, **arguments: object) -> dict[str, Any]:
    """The body of a call."""
    return {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "tools/call",
        "params": {"name": name, "arguments": arguments},
    }


async def answer(client: httpx.AsyncClient, address: str, name: str, **arguments: object) -> tuple[bool, str]:
    """Whether a tool refused the call of a client with this address, and its text."""
    headers = {**HEADERS, "X-Forwarded-For": address}
    response = await client.post("/mcp", json=tool(name, **arguments), headers=headers)
    assert response.status_code == 200, response.text
    result = response.json()["result"]
    return result["isError"], result["content"][0]["text"]


async def open_game(client: httpx.AsyncClient) -> dict[str, Any]:
    """What a player of a game that waits for an opponent needs for each call."""
    body = {"game": "wallwars", "config": SMALL, "seats": [{"kind": "human"}, {"kind": "open"}]}
    created = (await client.post("/api/games", json=body)).json()
    return {"game_id": created["gameId"], "token": created["seats"][0]["token"]}


@pytest.mark.parametrize("mode", ["auto", "legacy"])
async def test_an_agent_plays_at_the_server(tmp_path: Path, mode: str) -> None:
    with Served(tmp_path, "--mcp", PLYHOUSE_MCP_RETRIES="0") as served:
        async with Client(f"{served.url}/mcp", mode=mode) as client:
            shown = await harness.play(
                client, scripted.random_move, "wallwars", opponents=[BOT], config=SMALL
            )
            assert "you are seat 0; the game is over" in shown
            seat, _ = await create(client, "wallwars", opponents=[BOT], config=SMALL)
            with pytest.raises(Refused, match="your seat has resigned"):
                await seat.call("play", move="I think Cb3")
        assert "httpx" not in served.log


async def test_a_server_that_stops_ends_the_waits(tmp_path: Path) -> None:
    async with left_alone(tmp_path) as (app, client):
        access = await open_game(client)
        waiting = asyncio.create_task(answer(client, "203.0.113.1", "wait_for_turn", seconds=55, **access))
        app.state.services.readiness.stop()
        assert await waiting == (True, "Refused (unavailable): The server is stopping.")


async def test_limits_are_those_of_the_client(tmp_path: Path) -> None:
    wanted = settings(tmp_path, mcp=True, games_per_address=1, trust_proxy=["127.0.0.1"])
    game = {"game": "wallwars", "opponents": [BOT], "config": SMALL}
    async with opened(wanted) as client:
        assert not (await answer(client, "203.0.113.1", "create_game", **game))[0]
        is_refused, text = await answer(client, "203.0.113.1", "create_game", **game)
        assert (is_refused, "too-many-requests" in text) == (True, True)
        over_http = {"game": "wallwars", "config": SMALL, "seats": [{"kind": "human"}, {"kind": "bot"}]}
        refused = await client.post("/api/games", json=over_http, headers={"X-Forwarded-For": "203.0.113.1"})
        assert refused.status_code == 429
        assert not (await answer(client, "203.0.113.2", "create_game", **game))[0]


async def test_one_client_has_so_many_calls_at_a_time(tmp_path: Path) -> None:
    wanted = settings(tmp_path, mcp=True, mcp_calls_per_address=1, trust_proxy=["127.0.0.1"])
    async with opened(wanted) as client:
        access = await open_game(client)
        headers = {**HEADERS, "X-Forwarded-For": "203.0.113.1"}
        body = tool("wait_for_turn", seconds=55, **access)
        calls = [asyncio.create_task(client.post("/mcp", json=body, headers=headers)) for _ in range(2)]
        (first,), (second,) = await asyncio.wait(calls, return_when=asyncio.FIRST_COMPLETED)
        refused = first.result()
        assert (refused.status_code, refused.json()["code"]) == (429, "too-many-requests")
        assert not (await answer(client, "203.0.113.2", "list_games"))[0]
        await client.post(f"/api/games/{access['game_id']}/abort", json={"token": access["token"]})
        assert "aborted" in (await second).text
        assert not (await answer(client, "203.0.113.1", "list_games"))[0]


class LeavingClient:
    """A client that sends one call, and leaves before it has the answer."""

    def __init__(self, call: dict[str, Any]) -> None:
        self.messages: list[Message] = [
            {"type": "http.request", "body": json.dumps(call).encode(), "more_body": False}
        ]
        self._leaves = asyncio.Event()

    def leave(self) -> None:
        """Disconnects."""
        self._leaves.set()

    async def receive(self) -> Message:
        """The body, and then nothing until the client has left."""
        if self.messages:
            return self.messages.pop()
        await self._leaves.wait()
        return {"type": "http.disconnect"}

    async def send(self, message: Message) -> None:
        """Does not matter."""


def scope_of(app: FastAPI) -> Scope:
    """A call of a client on this machine."""
    headers = [
        (b"host", b"services"),
        (b"accept", b"application/json"),
        (b"content-type", b"application/json"),
    ]
    return {
        "type": "http",
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "method": "POST",
        "scheme": "http",
        "path": "/mcp",
        "raw_path": b"/mcp",
        "query_string": b"",
        "root_path": "",
        "headers": headers,
        "server": ("services", 80),
        "client": ("203.0.113.1", 1),
        "app": app,
    }


async def test_a_client_that_leaves_ends_its_call(tmp_path: Path) -> None:
    async with left_alone(tmp_path) as (app, client):
        access = await open_game(client)
        waiting = LeavingClient(tool("wait_for_turn", seconds=55, **access))
        calling = asyncio.create_task(app(scope_of(app), waiting.receive, waiting.send))
        waiting.leave()
        async with asyncio.timeout(30):
            await calling


async def test_a_client_that_leaves_ends_its_analysis(tmp_path: Path) -> None:
    async with left_alone(tmp_path) as (app, client):
        game_id = await finished_game(client)
        asking = LeavingClient(tool("analyse", game_id=game_id, ply=0, samples=100_000))
        calling = asyncio.create_task(app(scope_of(app), asking.receive, asking.send))
        async with asyncio.timeout(30):
            await running(app, 1)
            asking.leave()
            await calling
            await running(app, 0)
        wish = {"gameId": game_id, "fromPly": 0, "toPly": 0, "samples": 100_000, "multipv": 3}
        again = (await client.post("/api/analysis", json=wish)).json()
        found = (await client.get(f"/api/analysis/{again['analysisId']}")).json()
        assert found["status"] == "running"


async def running(app: FastAPI, count: int) -> None:
    """Waits until so many analyses are running."""
    while app.state.services.analyses.running != count:  # noqa: ASYNC110 - nothing tells
        await asyncio.sleep(0.01)


async def test_a_client_that_leaves_before_its_call_is_read_costs_nothing(tmp_path: Path) -> None:
    async with left_alone(tmp_path) as (app, _):
        leaving = LeavingClient({})
        leaving.messages = []
        leaving.leave()
        await app(scope_of(app), leaving.receive, leaving.send)


@asynccontextmanager
async def left_alone(folder: Path) -> AsyncIterator[tuple[FastAPI, httpx.AsyncClient]]:
    """A server, and a client of it."""
    app = app_with(settings(folder, mcp=True))
    transport = httpx.ASGITransport(app)
    async with (
        app.router.lifespan_context(app),
        httpx.AsyncClient(transport=transport, base_url="http://services", timeout=60) as client,
    ):
        yield app, client


async def finished_game(client: httpx.AsyncClient) -> str:
    """A large game that is over after no move."""
    body = {
        "game": "wallwars",
        "config": {"boardWidth": 12, "boardHeight": 12},
        "seats": [{"kind": "human"}, {"kind": "human"}],
    }
    created = (await client.post("/api/games", json=body)).json()
    headers = {"Authorization": f"Bearer {created['seats'][0]['token']}"}
    assert (await client.post(f"/api/games/{created['gameId']}/resign", headers=headers)).status_code == 200
    return str(created["gameId"])


async def test_what_cannot_be_sent_is_refused_and_not_logged(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async with opened(settings(tmp_path, mcp=True)) as client:
        for name, arguments in (
            ("check_move", {"game_id": "x", "token": "x", "move": "\N{SNOWMAN}" * 15_000}),
            ("position", {"game_id": "x", "token": "\N{SNOWMAN}"}),
            ("create_game", {"game": "wallwars", "config": {"boardWidth": math.nan}}),
            ("create_game", {"game": "wallwars", "config": {"boardWidth": "\ud800"}}),
            ("create_game", {"game": "wallwars", "name": "\ud800"}),
            ("position", {"game_id": "\0"}),
        ):
            for version in ("2025-06-18", "2026-07-28"):
                call = tool(name, **arguments)
                call["params"]["_meta"] = {
                    "io.modelcontextprotocol/protocolVersion": version,
                    "io.modelcontextprotocol/clientCapabilities": {},
                }
                headers = {
                    **HEADERS,
                    "Content-Type": "application/json",
                    "MCP-Protocol-Version": version,
                    "Mcp-Method": "tools/call",
                    "Mcp-Name": name,
                }
                answered = await client.post("/mcp", content=json.dumps(call), headers=headers)
                told = answered.json()
                assert "error" in told or told["result"]["isError"], (name, version, told)
    assert not [record for record in caplog.records if record.levelno >= logging.WARNING]


async def test_what_is_refused_before_a_call_is_read(tmp_path: Path) -> None:
    async with opened(settings(tmp_path, mcp=True)) as client:
        body = tool("list_games")
        for headers, status in (
            ({"Origin": "https://evil.example"}, 403),
            ({"Host": "evil.example"}, 403),
            ({"Content-Type": "text/plain"}, 400),
        ):
            sent = {"Content-Type": "application/json", **HEADERS, **headers}
            refused = await client.post("/mcp", content=json.dumps(body), headers=sent)
            assert refused.status_code == status, headers
        assert (await client.post("/mcp", json={**body, "more": "x" * 70_000})).status_code == 413
        assert (await client.get("/mcp", headers=HEADERS)).status_code == 405
        assert (await client.delete("/mcp")).status_code == 405


async def test_it_is_off_by_default(tmp_path: Path) -> None:
    async with opened(settings(tmp_path)) as client:
        assert (await client.post("/mcp", json=tool("list_games"), headers=HEADERS)).status_code in (404, 405)


def test_the_command_says_which_server_it_cannot_use() -> None:
    refused = CliRunner().invoke(command, ["mcp", "--server", "localhost:8000"])
    assert refused.exit_code == 2
    assert "does not begin with http:// or https://" in " ".join(refused.output.replace("│", " ").split())


def test_ctrl_c_ends_the_command() -> None:
    hello = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}
    greeting = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": hello}
    with subprocess.Popen([*PLYHOUSE, "mcp"], cwd=ROOT, stdin=PIPE, stdout=PIPE, stderr=PIPE) as child:
        assert child.stdin is not None
        assert child.stdout is not None
        assert child.stderr is not None
        child.stdin.write(json.dumps(greeting).encode() + b"\n")
        child.stdin.flush()
        assert b"serverInfo" in child.stdout.readline()
        child.send_signal(signal.SIGINT)
        try:
            assert child.wait(60) == -signal.SIGINT
        finally:
            child.kill()
        assert child.stderr.read() == b""
