"""The client of a request, with and without a proxy."""

import signal
from pathlib import Path

import httpx
import pytest
from starlette.requests import HTTPConnection

from server.routes.client_origin import Clients
from server.settings import Settings
from tests.server.run_here import run_here
from tests.server.services import SITE_BODY
from tests.server.serving import Served

TRUSTED = Settings(trust_proxy=("10.0.0.0/8",)).trust_proxy


def request(peer: tuple[str, int] | None, **headers: str) -> HTTPConnection:
    raw = [(name.replace("_", "-").encode(), value.encode()) for name, value in headers.items()]
    scope = {"type": "http", "scheme": "http", "path": "/", "headers": [(b"host", b"play.example"), *raw]}
    return HTTPConnection({**scope, "client": peer})


def test_the_address_is_the_peers_or_that_given_by_a_trusted_proxy() -> None:
    clients = Clients(TRUSTED)
    assert clients.address(request(("203.0.113.7", 1), x_forwarded_for="198.51.100.1")) == "203.0.113.7"
    assert clients.address(request(("10.0.0.1", 1), x_forwarded_for="198.51.100.1")) == "198.51.100.1"
    assert clients.address(request(("127.0.0.1", 1), x_forwarded_for="198.51.100.1")) is None
    assert clients.address(request(None)) is None


def test_the_scheme_is_given_by_a_trusted_or_local_proxy() -> None:
    clients = Clients(TRUSTED)
    for peer, url in [
        ("10.0.0.1", "https://play.example/"),
        ("127.0.0.1", "https://play.example/"),
        ("203.0.113.7", "http://play.example/"),
    ]:
        assert clients.base_url(request((peer, 1), x_forwarded_proto="https")) == url
    assert (
        clients.base_url(request(("10.0.0.1", 1), x_forwarded_proto="javascript")) == "http://play.example/"
    )


def test_a_local_proxy_gives_links_their_scheme(tmp_path: Path) -> None:
    headers = {"X-Forwarded-Proto": "https", "Host": "play.example"}
    with Served(tmp_path, "--allow-origin", "https://play.example") as served:
        game = httpx.post(f"{served.url}/api/games", json=SITE_BODY, headers=headers).json()
    assert game["shareUrl"].startswith("https://play.example/game/")


def test_the_log_names_the_actual_peer(tmp_path: Path) -> None:
    with Served(tmp_path) as served:
        httpx.get(f"{served.url}/healthz", headers={"X-Forwarded-For": "203.0.113.99"})
        served.stop(signal.SIGTERM)
        assert "203.0.113.99" not in served.log


def ends(*options: str, **environment: str) -> tuple[int, str]:
    ended = run_here("serve", *options, environment=environment)
    return ended.returncode, ended.stderr


@pytest.mark.parametrize("network", ["10.0.0.0/99", "10.0.0.1/8", "proxy.example"])
def test_an_invalid_proxy_network_is_reported(network: str) -> None:
    status, said = ends("--port", "0", "--trust-proxy", "10.0.0.0/8", "--trust-proxy", network)
    assert status == 2
    assert network in said


def test_an_invalid_proxy_network_in_the_environment_is_reported() -> None:
    status, said = ends("--port", "0", PLYHOUSE_TRUST_PROXY='["10.0.0.0/99"]')
    assert status == 2
    assert "PLYHOUSE_TRUST_PROXY" in said
