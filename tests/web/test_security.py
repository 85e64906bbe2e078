"""What a real browser allows the page, and other sites' pages, to do."""

from http.server import ThreadingHTTPServer
from pathlib import Path
from typing import Any

import httpx
import pytest
from playwright.sync_api import Page, expect

from tests.web.conftest import FOREIGN_NAME, OpenPage, Server

Json = dict[str, Any]

WATCH = """
window.violations = [];
addEventListener("securitypolicyviolation", (event) => violations.push(event.effectiveDirective));
"""


def a_game(server: Server, **more: Any) -> Json:
    body = {"game": "wallwars", "seats": [{"kind": "human"}, {"kind": "open"}], **more}
    return dict(httpx.post(f"http://127.0.0.1:{server.port}/api/games", json=body).json())


def status(server: Server, game: Json) -> str:
    shown = httpx.get(f"http://127.0.0.1:{server.port}/api/games/{game['gameId']}").json()
    return str(shown["position"]["status"])


def violations(page: Page) -> list[str]:
    found: list[str] = page.evaluate("violations")
    return found


@pytest.mark.parametrize("path", ["/", "/game/{}", "/analysis/{}", "/analysis", "/nothing"])
def test_the_page_does_not_violate_its_policy(open_page_anyhow: OpenPage, server: Server, path: str) -> None:
    game = a_game(server, seats=[{"kind": "human"}, {"kind": "human"}])
    page = open_page_anyhow()
    page.add_init_script(WATCH)
    page.goto(path.format(game["gameId"]))
    expect(page.locator("ply-app main > *")).to_be_visible()
    if "{}" in path:
        expect(page.locator(".piece")).to_have_count(4)
    assert violations(page) == []


def test_foreign_scripts_do_not_run_in_the_page(open_page_anyhow: OpenPage) -> None:
    page = open_page_anyhow()
    page.add_init_script(WATCH)
    page.goto("/")
    page.evaluate(
        """() => {
            for (const attributes of [{ textContent: "ran = true" }, { src: "https://evil.example/x.js" }])
                document.body.append(Object.assign(document.createElement("script"), attributes));
            document.body.insertAdjacentHTML("beforeend", `<img src="/x" onerror="ran = true">`);
        }"""
    )
    page.wait_for_function("violations.length === 3")
    assert page.evaluate("window.ran") is None


def test_an_unknown_address_shows_that_there_is_no_page(open_page_anyhow: OpenPage) -> None:
    page = open_page_anyhow()
    answer = page.goto("/no/such/page")
    assert answer is not None
    assert answer.status == 404
    expect(page.get_by_role("link", name="Plyhouse")).to_be_visible()


def test_another_site_cannot_frame_the_page(
    open_page_anyhow: OpenPage, server: Server, other_site: ThreadingHTTPServer, tmp_path: Path
) -> None:
    (tmp_path / "index.html").write_text(f'<iframe src="{server.url}"></iframe>')
    page = open_page_anyhow()
    with page.expect_console_message(lambda said: "frame-ancestors" in said.text):
        page.goto(f"http://{FOREIGN_NAME}:{other_site.server_port}/")
    expect(page.frame_locator("iframe").locator("ply-app")).to_have_count(0)


def test_a_form_on_another_site_cannot_take_a_seat(
    open_page_anyhow: OpenPage, server: Server, other_site: ThreadingHTTPServer, tmp_path: Path
) -> None:
    game = a_game(server)
    action = f"{server.url}api/games/{game['gameId']}/join"
    form = f'<form method="post" action="{action}" enctype="text/plain"><button>Win a prize</button></form>'
    (tmp_path / "index.html").write_text(form)
    page = open_page_anyhow()
    page.goto(f"http://{FOREIGN_NAME}:{other_site.server_port}/")
    page.get_by_role("button").click()
    expect(page.get_by_text("forbidden-origin")).to_be_visible()
    assert status(server, game) == "open"


def test_an_unknown_host_name_is_refused(open_page_anyhow: OpenPage, server: Server) -> None:
    page = open_page_anyhow()
    answer = page.goto(f"http://{FOREIGN_NAME}:{server.port}/")
    assert answer is not None
    assert answer.status == 403
    expect(page.get_by_text("forbidden-origin")).to_be_visible()
