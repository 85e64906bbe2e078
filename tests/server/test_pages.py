"""The page and its files, and what concerns browsers in all responses: headers, ``HEAD``, caches and compression."""

import gzip
import re
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from server.routes.middleware.compression import SMALLEST
from tests.server.services import Json, bearer, opened, opening, settings
from tests.server.serving import Served

SCRIPT = "export {};" * 200


@pytest.fixture(scope="module")
async def page(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[httpx.AsyncClient]:
    """A server with a built page."""
    place = tmp_path_factory.mktemp("page")
    folder = place / "web"
    (folder / "assets").mkdir(parents=True)
    (folder / "embed").mkdir()
    (folder / "index.html").write_text("<!doctype html><title>Plyhouse</title>")
    (folder / "favicon.ico").write_bytes(b"\0\0\1\0")
    for name in ("assets/main-Ab3d.js", "embed/plyhouse.js"):
        (folder / name).write_text(SCRIPT)
    (folder / "assets/main-Ab3d.js.gz").write_bytes(gzip.compress(SCRIPT.encode()))
    async with opened(settings(place, allow_origin=["https://club.example"])) as client:
        yield client


def policy(answer: httpx.Response) -> dict[str, str]:
    directives = (
        part.strip().partition(" ") for part in answer.headers["content-security-policy"].split(";")
    )
    return {name: value for name, _, value in directives}


# ---- addresses -----------------------------------------------------------------------------------


async def test_the_page_is_served_at_its_addresses(page: httpx.AsyncClient) -> None:
    for path in ("/", "/game/Ab3dEf9h", "/analysis", "/analysis/Ab3dEf9h"):
        answer = await page.get(path)
        assert (answer.status_code, "Plyhouse" in answer.text) == (200, True)
        assert answer.headers["cache-control"] == "no-cache"
    assert (await page.get("/assets/../../plyhouse.sqlite3")).status_code == 404


@pytest.mark.parametrize("path", ["/nothing", "/game/a/b", "/analysis/a/b/c", "/favicon.png"])
async def test_unknown_addresses_show_the_page(page: httpx.AsyncClient, path: str) -> None:
    browser = await page.get(path, headers={"Accept": "text/html,application/xhtml+xml,*/*;q=0.8"})
    assert (browser.status_code, browser.headers["content-type"]) == (404, "text/html; charset=utf-8")
    assert "Plyhouse" in browser.text
    assert "default-src" in policy(browser)
    program = await page.get(path)
    assert (program.status_code, program.json()["code"]) == (404, "not-found")


@pytest.mark.parametrize("path", ["/api/nothing", "/api/games/nobody", "/ws/nothing"])
async def test_api_addresses_answer_browsers_in_json(page: httpx.AsyncClient, path: str) -> None:
    answer = await page.get(path, headers={"Accept": "text/html"})
    assert (answer.status_code, answer.json()["code"]) == (404, "not-found")


async def test_a_server_without_a_page_answers_in_json(client: httpx.AsyncClient) -> None:
    answer = await client.get("/nothing", headers={"Accept": "text/html"})
    assert (answer.status_code, answer.json()["code"]) == (404, "not-found")


@pytest.mark.parametrize("path", ["/nothing", "/api/nothing", "/ws/games/nobody", "/assets/none.js"])
@pytest.mark.parametrize("method", ["PUT", "POST", "OPTIONS"])
async def test_an_unknown_address_is_unknown_by_any_method(
    page: httpx.AsyncClient, path: str, method: str
) -> None:
    answer = await page.request(method, path)
    assert (answer.status_code, answer.headers.get("allow")) == (404, None)


@pytest.mark.parametrize("path", ["/", "/game/x", "/favicon.ico", "/docs", "/healthz"])
async def test_a_known_address_names_its_methods(page: httpx.AsyncClient, path: str) -> None:
    answer = await page.put(path)
    assert (answer.status_code, answer.headers["allow"]) == (405, "GET, HEAD")


async def test_an_address_that_is_only_written_to_is_not_unknown(page: httpx.AsyncClient) -> None:
    answer = await page.get("/api/games/nobody/moves")
    assert (answer.status_code, answer.headers["allow"]) == (405, "POST")


# ---- HEAD ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "path",
    ["/", "/nothing", "/favicon.ico", "/assets/main-Ab3d.js", "/docs", "/openapi.json", "/healthz", "/api/rules",
     "/api/games", "/api/games/nobody", "/api/bots"],
)  # fmt: skip
async def test_head_is_answered_as_get_without_a_body(page: httpx.AsyncClient, path: str) -> None:
    head, get = await page.head(path), await page.get(path)
    assert (head.status_code, head.content) == (get.status_code, b"")
    told = ("content-type", "content-length", "cache-control", "content-security-policy")
    assert [head.headers.get(name) for name in told] == [get.headers.get(name) for name in told]


async def test_head_without_get_is_not_allowed(client: httpx.AsyncClient) -> None:
    assert (await client.head("/api/games/nobody/moves")).status_code == 405


def test_head_of_a_stream_ends(served: Served) -> None:
    body = {"game": "wallwars", "moves": [], "samples": 10}
    with httpx.Client(base_url=served.url, timeout=60) as client:
        analysis_id = client.post("/api/analysis?wait=1", json=body).json()["analysisId"]
        head = client.head(f"/api/analysis/{analysis_id}/events")
        assert head.headers["content-type"].startswith("text/event-stream")
        assert client.get("/healthz").status_code == 200
    assert "ERROR" not in served.log


# ---- policies ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "path", ["/", "/nothing", "/api/games", "/api/nothing", "/assets/main-Ab3d.js", "/docs"]
)
async def test_every_response_has_browser_policies(page: httpx.AsyncClient, path: str) -> None:
    answer = await page.get(path)
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert answer.headers["referrer-policy"] == "no-referrer"
    assert answer.headers["x-frame-options"] == "DENY"
    assert policy(answer)["default-src"] == "'none'"
    assert len(answer.headers.get_list("content-security-policy")) == 1


async def test_refusals_have_browser_policies_too(page: httpx.AsyncClient) -> None:
    for refused in (
        await page.post("/api/games", headers={"origin": "https://evil.example"}),
        await page.post("/api/games", content=b"x" * 70_000),
    ):
        assert refused.is_client_error
        assert refused.headers["x-content-type-options"] == "nosniff"


async def test_the_page_loads_only_from_this_server(page: httpx.AsyncClient) -> None:
    told = policy(await page.get("/"))
    assert policy(await page.get("/index.html")) == told
    assert {value for name, value in told.items() if name in ("script-src", "style-src", "connect-src")} == {
        "'self'"
    }
    assert not any("http" in value for name, value in told.items() if name != "frame-ancestors")


async def test_allowed_sites_may_frame_only_the_page(page: httpx.AsyncClient) -> None:
    assert policy(await page.get("/"))["frame-ancestors"] == "https://club.example"
    for path in ("/api/games", "/docs"):
        assert policy(await page.get(path))["frame-ancestors"] == "'none'"


async def test_no_site_may_frame_the_page_by_default(tmp_path: Path) -> None:
    (tmp_path / "web").mkdir()
    (tmp_path / "web" / "index.html").write_text("<!doctype html>")
    async with opened(settings(tmp_path)) as client:
        assert policy(await client.get("/"))["frame-ancestors"] == "'none'"


# ---- caches and compression ----------------------------------------------------------------------


async def test_files_named_by_their_content_are_cached_permanently(page: httpx.AsyncClient) -> None:
    forever = "public, max-age=31536000, immutable"
    assert (await page.get("/assets/main-Ab3d.js")).headers["cache-control"] == forever
    for path in ("/", "/embed/plyhouse.js", "/favicon.ico"):
        assert (await page.get(path)).headers["cache-control"] == "no-cache"
    assert "cache-control" not in (await page.get("/assets/gone-Xy.js")).headers


async def test_an_unchanged_file_is_not_sent_again(page: httpx.AsyncClient) -> None:
    for encoding in ("gzip", "identity"):
        headers = {"Accept-Encoding": encoding}
        first = await page.get("/assets/main-Ab3d.js", headers=headers)
        again = await page.get(
            "/assets/main-Ab3d.js", headers={**headers, "If-None-Match": first.headers["etag"]}
        )
        assert (again.status_code, again.content) == (304, b"")


@pytest.mark.parametrize(
    ("accepted", "encoding"),
    [("gzip, br", "gzip"), ("br", None), ("identity", None), ("gzip;q=0", None), ("GZIP;q=0.5", "gzip")],
)
async def test_a_precompressed_copy_is_sent_if_there_is_one(
    page: httpx.AsyncClient, accepted: str, encoding: str | None
) -> None:
    script = await page.get("/assets/main-Ab3d.js", headers={"Accept-Encoding": accepted})
    assert (script.text, script.headers.get("content-encoding")) == (SCRIPT, encoding)
    assert script.headers["content-type"].startswith("text/javascript")
    assert "Accept-Encoding" in script.headers["vary"]


@pytest.fixture(scope="module")
async def listed(client: httpx.AsyncClient) -> Json:
    """One of many games, whose list is long."""
    games = [await opening(client, seats=[{"kind": "human", "name": "x" * 64}] * 2) for _ in range(60)]
    return games[0]


@pytest.mark.usefixtures("listed")
async def test_long_responses_are_compressed_if_accepted(client: httpx.AsyncClient) -> None:
    packed = await client.get("/api/games", headers={"Accept-Encoding": "gzip"})
    plain = await client.get("/api/games", headers={"Accept-Encoding": "identity"})
    assert packed.headers["content-encoding"] == "gzip"
    assert "Accept-Encoding" in packed.headers["vary"]
    assert "content-encoding" not in plain.headers
    assert packed.json() == plain.json()
    assert int(packed.headers["content-length"]) * 4 < int(plain.headers["content-length"])
    assert int(plain.headers["content-length"]) > SMALLEST


@pytest.mark.parametrize("query", ["?token={}", "?%74oken={}", ""])
async def test_a_response_that_may_contain_a_token_is_not_compressed(
    client: httpx.AsyncClient, listed: Json, query: str
) -> None:
    headers: dict[str, Any] = {"Accept-Encoding": "gzip", **({} if query else bearer(listed, 0))}
    answer = await client.get("/api/games" + query.format(listed["seats"][0]["token"]), headers=headers)
    assert len(answer.content) > SMALLEST
    assert "content-encoding" not in answer.headers


async def test_short_responses_are_not_compressed(client: httpx.AsyncClient) -> None:
    answer = await client.get("/api/here", headers={"Accept-Encoding": "gzip"})
    assert answer.is_success
    assert "content-encoding" not in answer.headers


# ---- /docs ---------------------------------------------------------------------------------------


async def test_the_api_page_needs_nothing_but_itself(client: httpx.AsyncClient) -> None:
    page = await client.get("/docs")
    assert policy(page)["default-src"] == "'none'"
    assert "script-src" not in policy(page)
    assert not re.search(r"<script|<link|<img|https?://", page.text.replace("http://services", ""))


async def test_the_api_page_has_every_operation_and_model(client: httpx.AsyncClient) -> None:
    text = (await client.get("/docs")).text
    document = (await client.get("/openapi.json")).json()
    for path, operations in document["paths"].items():
        for method in operations:
            assert f"<h3>{method.upper()} {path}</h3>" in text
    models = set(document["components"]["schemas"])
    assert set(re.findall(r'<h3 id="(\w+)">', text)) == models
    assert set(re.findall(r'<a href="#(\w+)">', text)) <= models
