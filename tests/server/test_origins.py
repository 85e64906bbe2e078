"""Pages of other sites and foreign host names, and what a browser sends on their behalf."""

import json
import signal
from pathlib import Path

import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import InvalidStatus
from websockets.http11 import Response

from server.domain.origins import Origins, read_origin
from tests.server.services import Json
from tests.server.serving import Served
from tests.server.test_clients import ends

ORIGINS = Origins(["https://club.example", "http://lan:8080"], "https://play.example")
FOREIGN = {"origin": "https://evil.example"}


# ---- the rule ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("host", "known"),
    [
        ("127.0.0.1:8000", True),
        ("192.168.1.20", True),
        ("[::1]:8000", True),
        ("[2001:db8::7]", True),
        ("localhost", True),
        ("LocalHost.:8000", True),
        ("app.localhost:8000", True),
        ("play.example", True),
        ("Play.Example:443", True),
        ("club.example", True),
        ("lan", True),
        ("evil.example", False),
        ("evil.example:8000", False),
        ("localhost.evil.example", False),
        ("notlocalhost", False),
        ("evil.example@127.0.0.1", False),
        ("evil.example/127.0.0.1", False),
        ("127.0.0.1.evil.example", False),
        ("[evil.example]", False),
        ("", False),
    ],
)
def test_hosts(host: str, *, known: bool) -> None:
    assert ORIGINS.knows(host) is known


@pytest.mark.parametrize(
    ("origin", "host", "permitted"),
    [
        ("https://play.example", "127.0.0.1:8000", True),
        ("https://club.example", "play.example", True),
        ("http://localhost:5173", "play.example", True),
        ("http://192.168.1.20:8000", "192.168.1.20:8000", True),
        ("http://192.168.1.20:9000", "192.168.1.20:8000", False),
        ("http://play.example", "127.0.0.1", False),
        ("https://club.example:444", "play.example", False),
        ("https://localhost.evil.example", "play.example", False),
        ("chrome-extension://localhost", "play.example", False),
        ("null", "play.example", False),
        ("http://[::1", "play.example", False),
        ("", "play.example", False),
    ],
)
def test_pages(origin: str, host: str, *, permitted: bool) -> None:
    assert ORIGINS.permits(origin, host) is permitted


@pytest.mark.parametrize(
    ("text", "origin"),
    [
        ("https://Play.Example/", "https://play.example"),
        ("https://play.example:443", "https://play.example"),
        ("http://play.example:8080", "http://play.example:8080"),
        ("http://[::1]:80", "http://[::1]"),
    ],
)
def test_origins_are_read_as_browsers_write_them(text: str, origin: str) -> None:
    assert read_origin(text) == origin


@pytest.mark.parametrize(
    "text",
    ["", "play.example", "ftp://play.example", "https://", "https://a.example/b", "https://u@a.example",
     "https://a.example?b", "https://a.example:x", "https://a.example;script-src", "https://a b.example"],
)  # fmt: skip
def test_invalid_origins_are_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"origin|host"):
        read_origin(text)


# ---- sockets -------------------------------------------------------------------------------------


@pytest.mark.parametrize("path", ["/ws/custom-bot", "/ws/live-games", "/ws/eval/x", "/ws/games/x", "/uhp"])
@pytest.mark.parametrize(
    "headers",
    [FOREIGN, {"origin": "null"}, {"origin": "http://evil.example", "host": "evil.example"}],
)
async def test_pages_of_other_sites_cannot_open_sockets(served: Served, path: str, headers: Json) -> None:
    refusal = await _refusal(served, path, headers)
    assert (refusal.status_code, json.loads(refusal.body)["code"]) == (403, "forbidden-origin")


async def test_programs_open_sockets_by_a_known_host_name(served: Served) -> None:
    assert (await _refusal(served, "/ws/live-games", {"host": "plyhouse"})).status_code == 403
    for path, headers in (
        ("/ws/custom-bot", {"host": "plyhouse"}),
        ("/ws/custom-bot", {"origin": "http://localhost:5173"}),
        ("/ws/live-games", {"origin": served.url}),
    ):
        async with _connection(served, path, headers):
            pass


async def test_a_refused_socket_is_not_logged_as_an_error(tmp_path: Path) -> None:
    with Served(tmp_path) as served:
        for path, headers in (("/ws/live-games", FOREIGN), ("/ws/games/nobody", {}), ("/ws/nothing", {})):
            assert (await _refusal(served, path, headers)).status_code in (403, 404)
        served.stop(signal.SIGTERM)
        assert "ERROR" not in served.log


async def _refusal(served: Served, path: str, headers: Json) -> Response:
    with pytest.raises(InvalidStatus) as refused:
        async with _connection(served, path, headers):
            pass
    return refused.value.response


def _connection(served: Served, path: str, headers: Json) -> connect:
    """A connection whose request has this ``Host`` and ``Origin``, whatever its address."""
    named = f"ws://{headers.get('host', served.url.removeprefix('http://'))}{path}"
    host, _, port = served.url.removeprefix("http://").partition(":")
    more = {name: value for name, value in headers.items() if name != "host"}
    return connect(named, host=host, port=int(port), additional_headers=more, compression=None)


# ---- settings ------------------------------------------------------------------------------------


@pytest.mark.parametrize("option", ["--allow-origin", "--public-url"])
def test_an_invalid_public_url_stops_the_start(option: str) -> None:
    status, told = ends(option, "play.example")
    assert status == 2
    assert option in told
    assert "'play.example' is not an origin" in told
