"""Frames on pages of other people, which can look at games and do nothing else."""

import re
from http.server import ThreadingHTTPServer
from pathlib import Path
from typing import Any

import httpx
import pytest
from playwright.sync_api import Request, WebSocket, expect

from tests.web.conftest import OpenPage, Server
from tests.web.test_accessibility import AXE

Json = dict[str, Any]

PAGE = '<!doctype html><html lang="en"><meta charset="utf-8"><title>Elsewhere</title><main>{}</main></html>'

FRAME = '<iframe src="{}" title="Game" width="{}" height="{}"></iframe>'


def a_game(server: Server, moves: tuple[str, ...] = ("Cb5.>c3", "---", "Cc5", "---")) -> Json:
    """A game in progress between Ada and Bo."""
    own = f"http://127.0.0.1:{server.port}"
    seats = [{"kind": "human", "name": "Ada"}, {"kind": "human", "name": "Bo"}]
    body = {"game": "wallwars", "config": {"boardWidth": 5, "boardHeight": 5}, "seats": seats}
    game: Json = httpx.post(f"{own}/api/games", json=body).json()
    for ply, move in enumerate(moves):
        bearer = {"Authorization": f"Bearer {game['seats'][ply % 2]['token']}"}
        answer = httpx.post(f"{own}/api/games/{game['gameId']}/moves", json={"move": move}, headers=bearer)
        assert answer.status_code == 200, answer.text
    return game


def elsewhere(site: ThreadingHTTPServer, folder: Path, contents: str) -> str:
    """The address of a page of another site."""
    (folder / "index.html").write_text(PAGE.format(contents))
    (folder / "favicon.ico").touch()
    return f"http://localhost:{site.server_port}/"


def test_a_frame_shows_a_game_to_others(
    open_page: OpenPage, server: Server, other_site: ThreadingHTTPServer, tmp_path: Path
) -> None:
    game = a_game(server)
    token = game["seats"][0]["token"]
    source = f"{server.url}embed/game/{game['gameId']}?ply=1"
    page = open_page(viewport={"width": 700, "height": 800})
    # Ada's browser knows her token, as she plays here.
    page.goto(f"/game/{game['gameId']}?token={token}")
    expect(page.locator("wallwars-board .target").first).to_be_visible()

    told: list[Request | WebSocket] = []
    page.on("request", lambda request: told.append(request))
    page.on("websocket", lambda socket: told.append(socket))
    page.goto(elsewhere(other_site, tmp_path, FRAME.format(source, 600, 700)))
    frame = page.frame_locator("iframe")
    expect(frame.get_by_text("Ada vs Bo. Ada to move.")).to_be_visible()
    expect(frame.get_by_text("1 of 4")).to_be_visible()
    expect(frame.locator("line.wall")).to_have_count(1)
    expect(frame.locator(".target, input, textarea, form")).to_have_count(0)
    assert [one.url for one in told if token in one.url] == []
    assert [one.url for one in told if isinstance(one, Request) and one.method != "GET"] == []
    assert [one.url for one in told if isinstance(one, Request) and "authorization" in one.headers] == []

    buttons = frame.get_by_role("button")
    assert [button.get_attribute("aria-label") for button in buttons.all()] == [
        "First position", "Previous move", "Next move", "Last position"
    ]  # fmt: skip
    buttons.first.focus()
    page.keyboard.press("Enter")
    expect(frame.get_by_text("0 of 4")).to_be_visible()
    expect(frame.locator("line.wall")).to_have_count(0)
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(frame.get_by_text("1 of 4")).to_be_visible()
    frame.get_by_role("button", name="Last position").click()
    expect(frame.get_by_text("4 of 4")).to_be_visible()

    home = frame.get_by_role("link", name="Plyhouse")
    assert home.get_attribute("href") == f"{server.url}game/{game['gameId']}"
    with page.context.expect_page() as opened:
        home.click()
    expect(opened.value.get_by_text("Bo", exact=True).first).to_be_visible()
    assert opened.value.evaluate("window.opener") is None
    assert opened.value.evaluate("document.referrer") == ""


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_a_frame_shows_a_graph(
    open_page: OpenPage, server: Server, other_site: ThreadingHTTPServer, tmp_path: Path, theme: str
) -> None:
    game = a_game(server)
    source = f"{server.url}embed/analysis/{game['gameId']}?theme={theme}"
    page = open_page(viewport={"width": 700, "height": 900}, has_touch=True, is_mobile=True)
    page.goto(elsewhere(other_site, tmp_path, FRAME.format(source, 390, 800)))
    frame = page.frame_locator("iframe")
    expect(frame.locator("plyhouse-bar .bar")).to_have_class(re.compile("live"))
    expect(frame.locator("plyhouse-graph .dot.each")).to_have_count(5)
    for part in (*frame.get_by_role("button").all(), frame.get_by_role("link")):
        box = part.bounding_box()
        assert box is not None
        assert min(box["width"], box["height"]) >= 44
    graph = frame.get_by_role("slider", name="Evaluation graph").bounding_box()
    assert graph is not None
    page.mouse.click(graph["x"] + 2, graph["y"] + graph["height"] / 2)
    expect(frame.get_by_text("0 of 4")).to_be_visible()
    assert frame.get_by_role("link").get_attribute("href") == f"{server.url}analysis/{game['gameId']}"
    inner = page.frames[1]
    inner.evaluate(AXE)
    found = inner.evaluate("axe.run(document, {resultTypes: ['violations']})")
    assert [(fault["id"], fault["help"], fault["nodes"][0]["target"]) for fault in found["violations"]] == []


def test_a_frame_shows_a_position(
    open_page: OpenPage, server: Server, other_site: ThreadingHTTPServer, tmp_path: Path
) -> None:
    game = a_game(server)
    lines = ("variant=Base&move=wS1&move=bG1+-wS1", f"from={game['gameId']}&ply=1&move=---")
    page = open_page(viewport={"width": 700, "height": 800})
    for kind, line in zip(("hive", "wallwars"), lines, strict=True):
        source = f"{server.url}embed/board/{kind}#{line.replace('&', '&amp;')}"
        page.goto(f"{elsewhere(other_site, tmp_path, FRAME.format(source, 600, 700))}?{kind}")
        frame = page.frame_locator("iframe")
        expect(frame.get_by_text("2 of 2")).to_be_visible()
        frame.get_by_role("button", name="Previous move").click()
        expect(frame.get_by_text("1 of 2")).to_be_visible()
        expect(frame.locator(f"{kind}-board .target, {kind}-board .source")).to_have_count(0)
        home = frame.get_by_role("link", name="Plyhouse").get_attribute("href") or ""
        assert home.startswith(f"{server.url}board/{kind}#")
    expect(frame.locator("line.wall")).to_have_count(1)


def test_an_illegal_line_in_a_frame_is_named(open_page_anyhow: OpenPage, server: Server) -> None:
    page = open_page_anyhow()
    for path, why in (("hive#move=wQ9", "wQ9"), ("nothing", "There is no game nothing.")):
        page.goto(f"{server.url}embed/board/{path}")
        expect(page.get_by_role("alert")).to_contain_text(why)


def test_other_pages_stay_out_of_frames(
    open_page_anyhow: OpenPage, server: Server, other_site: ThreadingHTTPServer, tmp_path: Path
) -> None:
    game = a_game(server, ())
    paths = (f"embed/game/{game['gameId']}", f"game/{game['gameId']}")
    frames = "".join(f'<iframe src="{server.url}{path}" title="{path}"></iframe>' for path in paths)
    page = open_page_anyhow()
    page.goto(elsewhere(other_site, tmp_path, frames))
    expect(page.frame_locator("iframe >> nth=0").get_by_text("Ada vs Bo. Ada to move.")).to_be_visible()
    page.wait_for_load_state("load")
    assert page.frames[2].url.startswith("chrome-error:")


FAULTS = """
    <script src="OWN/embed/plyhouse.js"></script>
    <plyhouse-board></plyhouse-board>
    <plyhouse-board game-id="nobody12"></plyhouse-board>
    <plyhouse-board game-id="x" server="http://["></plyhouse-board>
    <plyhouse-board game-id="x" server="http://localhost:9"></plyhouse-board>
    <plyhouse-eval-bar></plyhouse-eval-bar>
    <plyhouse-eval-bar on game-id="nobody12"></plyhouse-eval-bar>
    <plyhouse-eval-bar on game-id="x" server="http://localhost:9"></plyhouse-eval-bar>
"""


def test_an_element_without_a_game_says_why(
    open_page_anyhow: OpenPage, server: Server, other_site: ThreadingHTTPServer, tmp_path: Path
) -> None:
    own = f"http://127.0.0.1:{server.port}"
    page = open_page_anyhow()
    page.goto(elsewhere(other_site, tmp_path, FAULTS.replace("OWN", own)))
    boards, bars = page.locator("plyhouse-board"), page.locator("plyhouse-eval-bar")
    missing = "No game is shown: the attribute game-id is missing."
    for elements, texts in (
        (boards, (missing, "There is no game 'nobody12'.", "is no address", "The server does not respond.")),
        (bars, (missing, "There is no game 'nobody12'.", "The server does not respond.")),
    ):
        for number, text in enumerate(texts):
            expect(elements.nth(number).get_by_role("alert")).to_contain_text(text)
    assert all((box := board.bounding_box()) is not None and box["height"] >= 120 for board in boards.all())
    game = a_game(server, ())
    for element in (boards.first, bars.first):
        element.evaluate("(element, id) => { element.setAttribute('game-id', id) }", game["gameId"])
        expect(element.get_by_role("alert").filter(visible=True)).to_have_count(0)
    expect(boards.first.get_by_text("Ada vs Bo. Ada to move.")).to_be_visible()
    boards.first.evaluate("element => { element.removeAttribute('game-id') }")
    expect(boards.first.get_by_role("alert")).to_contain_text(missing)
