"""Requests and sockets have ids, are counted, and leave one or two lines in the log."""

import json
import re
import signal
from contextlib import nullcontext
from pathlib import Path

import httpx
import pytest
from starlette.types import Message, Receive, Scope, Send
from websockets.asyncio.client import connect
from websockets.exceptions import InvalidStatus

from server.routes.middleware.observation import Observation
from server.services.recorded_metrics import LongestLately
from tests.server.game_peers import SMALL, new_game
from tests.server.program import ROOT
from tests.server.services import app_with, settings
from tests.server.serving import Served
from tests.server.test_operating import Labels, figures, of
from tests.server.uhp_clients import TcpPeer, opened, raw_tcp, small_buffer, tcp

RUNNING = (ROOT / "docs" / "running.md").read_text()
RULES = re.findall(r"```yaml\n(groups:.*?)```", RUNNING, re.DOTALL)[0]


SOCKET = "server.routes.middleware.observation: "


async def test_error_answers_have_an_id(client: httpx.AsyncClient) -> None:
    first, second = [await client.get("/api/games/nogame") for _ in range(2)]
    ids = [answer.headers["X-Request-Id"] for answer in (first, second)]
    assert all(re.fullmatch("[0-9a-f]{16}", one) for one in ids)
    assert ids[0] != ids[1]
    assert "X-Request-Id" not in (await client.get("/healthz")).headers


@pytest.mark.parametrize(
    ("given", "is_used"),
    [("from-the-proxy.1", True), ("short", False), ("x" * 65, False), ('"quoted" id', False)],
)
async def test_the_id_of_a_request_is_kept_if_it_is_plain(
    client: httpx.AsyncClient, given: str, is_used: str
) -> None:
    answer = await client.get("/api/games/nogame", headers={"X-Request-Id": given})
    assert (answer.headers["X-Request-Id"] == given) == bool(is_used)


async def test_requests_are_counted_by_route_and_status(client: httpx.AsyncClient) -> None:
    def count(found: dict[tuple[str, Labels], float], **labels: str) -> float:
        return found.get(of("plyhouse_http_requests_total", **labels), 0)

    read = {"route": "/api/games/{game_id}", "method": "GET", "status": "404"}
    other = {"route": "other", "method": "other", "status": "405"}
    before = await figures(client)
    for _ in range(3):
        await client.get("/api/games/nogame")
    status = (await client.request("INVENTED", "/no/such/path")).status_code
    after = await figures(client)
    assert count(after, **read) - count(before, **read) == 3
    other["status"] = str(status)
    assert count(after, **other) - count(before, **other) == 1
    seconds = of("plyhouse_http_request_seconds_count", route=read["route"])
    assert after[seconds] - before.get(seconds, 0) == 3
    assert after[of("plyhouse_database_bytes")] > 4096
    assert after[of("plyhouse_disk_free_bytes")] > 0
    assert after[of("plyhouse_tasks")] > 0


def test_the_longest_lag_is_that_of_the_last_two_minutes() -> None:
    time = [0.0]
    longest = LongestLately(lambda: time[0])
    seen = []
    for now, value in [(0, 5), (30, 1), (70, 2), (130, 1), (400, None)]:
        time[0] = now
        if value is not None:
            longest.add(value)
        seen.append(longest.get())
    assert seen == [5, 5, 5, 2, 0]


async def test_a_socket_has_a_line_when_it_is_opened_and_one_with_the_reason_of_its_end(
    tmp_path: Path,
) -> None:
    with Served(tmp_path) as served:
        game, (token, _) = await new_game(served, config=SMALL)
        path = f"/ws/games/{game}"
        async with connect(f"{served.socket_url}{path}") as peer:
            await peer.recv()
            await peer.close(1000, "bye\nbye")
        with pytest.raises(InvalidStatus) as refused:
            async with connect(f"{served.socket_url}{path}?token=wrong"):
                pass
        assert re.fullmatch("[0-9a-f]{16}", refused.value.response.headers["X-Request-Id"])
        async with connect(f"{served.socket_url}{path}?token={token}") as peer:
            await peer.recv()
            await peer.send(b"bytes")
            await peer.wait_closed()
        async with connect(f"{served.socket_url}{path}") as peer:
            await peer.recv()
            served.stop(signal.SIGTERM)
        lines = [line.split(SOCKET)[1] for line in served.log.splitlines() if SOCKET in line]
        plain = [re.sub(r"^[\d.:]+ - |[\d.]+ s|\[[0-9a-f]{16}\]", "", line).strip() for line in lines]
        named = f'"WebSocket {path}"'
        assert sorted(plain) == sorted(
            [
                *[f"{named} opened"] * 3,
                f"{named} ended after : closed by the client: 1000 bye\\nbye",
                f"{named} refused: 401",
                f"{named} ended after : closed by the server: 1008 text frames only",
                f"{named} ended after : closed by the server: 1001 reconnect",
            ]
        )
        assert "connection open" not in served.log
        assert "[accepted]" not in served.log


@pytest.mark.parametrize(
    ("error", "ending"), [(None, "the connection was lost"), (KeyError("defect"), "the server failed")]
)
async def test_a_peer_that_is_gone_when_it_is_written_to_is_not_the_server_s_failure(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, error: Exception | None, ending: str
) -> None:
    async def serve(scope: Scope, receive: Receive, send: Send) -> None:
        """Reads nothing, so that no message tells of the peer's end."""
        await send({"type": "websocket.accept"})
        if error is not None:
            raise error

    async def receive() -> Message:
        raise AssertionError("nothing is read")

    async def send(message: Message) -> None:
        assert message == {"type": "websocket.accept"}

    app = app_with(settings(tmp_path))
    async with app.router.lifespan_context(app):
        scope = {"type": "websocket", "headers": [], "path": "/uhp", "app": app, "client": ("192.0.2.1", 5)}
        caplog.set_level("INFO")
        with nullcontext() if error is None else pytest.raises(KeyError):
            await Observation(serve)(scope, receive, send)
    assert f": {ending}" in caplog.messages[-1]


async def test_uhp_over_tcp_has_the_same_lines(tmp_path: Path) -> None:
    with Served(tmp_path, "--uhp-port", "0") as served:
        async with opened(tcp, served, "role=viewer") as peer:
            assert isinstance(peer, TcpPeer)
            peer.writer.write_eof()
            await peer.end()
        async with tcp(served, "role=nobody") as peer:
            assert len(await peer.end()) == 1
        async with raw_tcp(served) as peer:
            small_buffer(peer)
            await peer.send("plyhouse/1 role=viewer")
            await peer.send("x" * (3 << 20))
            await peer.end()
        async with opened(tcp, served, "role=viewer") as peer:
            await peer.answer()
            served.stop(signal.SIGTERM)
        named = re.findall(r'server.web.uhp_tcp.access: [\d.:]+ - "UHP" (.*) \[[0-9a-f]{16}\]', served.log)
        assert sorted(re.sub(r"[\d.]+ s", "", line) for line in named) == sorted(
            [
                *["opened"] * 4,
                "ended after : closed by the client",
                "ended after : closed by the server: 1008 bad handshake",
                "ended after : closed by the server: lines are too long",
                "ended after : closed by the server: 1001 reconnect",
            ]
        )


async def test_the_log_can_be_json_without_requests(tmp_path: Path) -> None:
    options = ("--log-format", "json", "--no-access-log", "--log-level", "info", "--uhp-port", "0")
    with Served(tmp_path, *options) as served:
        async with opened(tcp, served, "role=viewer") as viewer:
            await viewer.answer()
        async with httpx.AsyncClient(base_url=served.url, timeout=60) as client:
            await client.get("/healthz")
        game, _ = await new_game(served, config=SMALL)
        async with connect(f"{served.socket_url}/ws/games/{game}") as peer:
            await peer.recv()
        served.stop(signal.SIGTERM)
        records = [json.loads(line) for line in served.log.splitlines()]
    assert "Application startup complete." in [record["message"] for record in records]
    assert {"time", "level", "logger", "message"} <= set(records[0])
    assert not [
        record["message"]
        for record in records
        if any(name in record["message"] for name in ("/healthz", "WebSocket", '"UHP"'))
    ]


async def test_the_log_can_be_limited_to_warnings(tmp_path: Path) -> None:
    with Served(tmp_path, PLYHOUSE_LOG_LEVEL="warning") as served:
        async with httpx.AsyncClient(base_url=served.url, timeout=60) as client:
            await client.get("/healthz")
        served.stop(signal.SIGTERM)
        assert "INFO" not in served.log


def test_the_alerts_use_metrics_that_the_page_describes() -> None:
    described = set(re.findall(r"^\| `(plyhouse_\w+)` \|", RUNNING, re.MULTILINE))
    used = set(re.findall(r"plyhouse_\w+", RULES))
    assert len(used) > 8
    assert {name.removesuffix("_bucket") for name in used} <= described
