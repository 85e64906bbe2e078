"""Requests that the fast path answers get the same answers as from all other middleware, which gets the others."""

from collections.abc import AsyncIterator, Awaitable
from ipaddress import ip_network
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import httpx
import pytest
from fastapi import APIRouter, FastAPI
from starlette.types import ASGIApp, Receive, Scope, Send

from server.domain.errors import ApiError, Code
from server.domain.origins import Origins
from server.routes import direct, errors
from server.routes.client_origin import Clients
from server.routes.middleware.fast_path import FastPath
from server.routes.middleware.observation import Observation
from server.routes.middleware.origins import OriginCheck
from server.services.payer import payer
from tests.server.services import Json, app_with, opening, settings

Headers = dict[str, str]
JSON: Headers = {"content-type": "application/json"}
ANY: Headers = {"host": "services", "accept-encoding": "identity"}
MOVE = b'{"move":"Cb2","expectedPly":0,"clientMsgId":"a"}'


class Both:
    """An application; whether its fast path has answered the last request, or passed it on."""

    def __init__(self, whole: FastAPI) -> None:
        self.whole = whole
        self.chain = FastAPI()
        self.is_fast = True

    async def behind(self, scope: Scope, receive: Receive, send: Send) -> None:
        """What is behind the fast path."""
        self.is_fast = False
        await self.chain(scope, receive, send)

    async def ask(self, method: str, path: str, headers: Headers, body: bytes) -> tuple[int, Any, bytes]:
        """The answer, which has to be the same without the fast path."""
        self.is_fast = True
        found = [await _asked(app, method, path, headers, body) for app in (self.whole, self._slow)]
        assert found[0] == found[1]
        return found[0]

    async def _slow(self, scope: Scope, receive: Receive, send: Send) -> None:
        scope["app"] = self.whole
        await self.chain(scope, receive, send)


async def _asked(app: Any, method: str, path: str, headers: Headers, body: bytes) -> tuple[int, Any, bytes]:
    transport = httpx.ASGITransport(app, raise_app_exceptions=False)
    async with httpx.AsyncClient(transport=transport, base_url="http://services", timeout=60) as client:
        if headers.get("transfer-encoding") == "chunked":
            answer = await client.request(method, path, headers=headers, content=_parts(body))
        else:
            answer = await client.request(method, path, headers=headers, content=body)
    return answer.status_code, answer.headers.raw, answer.content


async def _parts(body: bytes) -> AsyncIterator[bytes]:
    yield body


@pytest.fixture
async def both(tmp_path: Path) -> AsyncIterator[Both]:
    app = app_with(settings(tmp_path))
    async with app.router.lifespan_context(app):
        whole = app.build_middleware_stack()
        assert isinstance(whole, Observation)
        stack = whole._app
        assert isinstance(stack, FastPath)
        found = Both(app)
        found.chain, stack._app = stack._app, found.behind  # type: ignore[assignment]
        app.middleware_stack = stack
        yield found


REQUESTS: list[tuple[str, str, Headers, bytes, int, bool]] = [
    ("POST", "/moves", JSON, MOVE, 200, True),
    ("POST", "/moves", JSON, b'{"move":"nonsense"}', 422, True),
    ("POST", "/moves", JSON, b"{}", 400, False),
    ("POST", "/moves", {**JSON, "authorization": "Bearer wrong"}, MOVE, 403, True),
    ("POST", "/moves", {**JSON, "origin": "http://localhost:5173"}, MOVE, 200, False),
    ("POST", "/moves", {**JSON, "origin": "https://evil.example"}, MOVE, 403, False),
    ("POST", "/moves", {**JSON, "sec-fetch-site": "cross-site"}, MOVE, 403, False),
    ("POST", "/moves", {**JSON, "sec-fetch-site": "same-origin"}, MOVE, 200, True),
    ("POST", "/moves", {**JSON, "host": "evil.example"}, MOVE, 403, False),
    ("POST", "/moves", JSON, MOVE + b" " * 65_536, 413, False),
    ("POST", "/moves", {**JSON, "content-length": "-1"}, MOVE, 413, False),
    ("POST", "/moves", {**JSON, "transfer-encoding": "chunked"}, MOVE, 200, False),
    ("POST", "/moves", {**JSON, "transfer-encoding": "chunked"}, MOVE + b" " * 65_536, 413, False),
    ("POST", "/moves?a=%00", JSON, MOVE, 400, False),
    ("PUT", "/moves", JSON, MOVE, 405, False),
    ("GET", "", {}, b"", 200, True),
    ("GET", "", {"accept-encoding": "gzip"}, b"", 200, True),
    ("GET", "", {"accept-encoding": "gzip", "authorization": ""}, b"", 200, False),
    ("GET", "", {"origin": "http://localhost:5173"}, b"", 200, False),
    ("GET", "", {"host": "evil.example"}, b"", 403, False),
    ("GET", "?ply=1&staged=%00", {}, b"", 400, False),
    ("GET", "/%00", {}, b"", 400, False),
    ("HEAD", "", {}, b"", 200, False),
]


async def test_answers_are_the_same(both: Both) -> None:
    for method, what, headers, body, status, is_fast in REQUESTS:
        transport = httpx.ASGITransport(both.whole)
        async with httpx.AsyncClient(transport=transport, base_url="http://services") as client:
            game = await opening(client, config={"boardWidth": 3, "boardHeight": 3})
        own = {"authorization": f"Bearer {game['seats'][0]['token']}"}
        sent = {name: value for name, value in {**ANY, **own, **headers}.items() if value}
        path = f"/api/games/{game['gameId']}{what}"
        found, answered, _ = await both.ask(method, path, sent, body)
        assert (method, what, headers, found, both.is_fast) == (method, what, headers, status, is_fast)
        names = [name.lower() for name, _ in answered]
        for name in (b"content-security-policy", b"x-content-type-options", b"referrer-policy"):
            assert names.count(name) == 1


@pytest.mark.slow
async def test_no_other_address_is_taken_for_a_game(both: Both) -> None:
    for path, methods in both.whole.openapi()["paths"].items():
        if "{" in path:
            continue
        for method in methods:
            both.is_fast = True
            await _asked(both.whole, method.upper(), path, ANY, b"")
            assert (path, both.is_fast) == (path, False) or path == "/api/positions"


# ---- what an operation sees ----------------------------------------------------------------------


async def never(_: Json) -> None:
    raise AssertionError("the framework got a plain request")


def answered(plain: direct.Plain) -> Awaitable[Any]:
    async def found() -> bytes:
        if plain.body == b'"refused"':
            raise ApiError(Code.TOO_MANY_REQUESTS, "later", retry_after_ms=1500)
        if plain.body == b'"defect"':
            raise RuntimeError("a defect")
        return repr(payer.get()).encode()

    return found()


@pytest.fixture
def small() -> ASGIApp:
    """An application with one operation, of which only the fast path is used, behind a trusted proxy."""
    app, router = FastAPI(), APIRouter()
    router.post("/")(never)
    direct.install(app.router, router, {never: answered}, is_paid=False)
    errors.install(app)
    origins = OriginCheck(app, Origins())
    clients = Clients((ip_network("127.0.0.0/8"),))
    path = FastPath(app, app, tuple(direct.operations(app.router.routes)), origins, clients)
    app.state.services = SimpleNamespace(out_of_service=SimpleNamespace(is_out=False))

    async def served(scope: Scope, receive: Receive, send: Send) -> None:
        await path({**scope, "app": app}, receive, send)

    return served


@pytest.mark.parametrize(
    ("forwarded", "address"),
    [({}, b"'127.0.0.1'"), ({"x-forwarded-for": "203.0.113.1, 203.0.113.2"}, b"'203.0.113.2'")],
)
async def test_the_client_pays(small: ASGIApp, forwarded: Headers, address: bytes) -> None:
    headers = {"host": "localhost", **JSON, **forwarded}
    assert (await _asked(small, "POST", "/", headers, b"1"))[2] == address


@pytest.mark.parametrize(("body", "status"), [(b'"refused"', 429), (b'"defect"', 500)])
async def test_errors_are_answered_with_all_headers(small: ASGIApp, body: bytes, status: int) -> None:
    found, headers, _ = await _asked(small, "POST", "/", {"host": "localhost", **JSON}, body)
    assert found == status
    assert {b"content-security-policy", b"x-frame-options", b"vary"} <= {name.lower() for name, _ in headers}
    assert (status == 429) == ((b"Retry-After".lower(), b"2") in [(a.lower(), b) for a, b in headers])


async def test_a_defect_reaches_the_web_server(small: ASGIApp) -> None:
    with pytest.raises(RuntimeError, match="a defect"):
        async with httpx.AsyncClient(
            transport=httpx.ASGITransport(small), base_url="http://localhost"
        ) as client:
            await client.post("/", content=b'"defect"', headers=JSON)
