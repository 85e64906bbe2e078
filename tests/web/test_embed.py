"""A page of another site that embeds a board and an evaluation bar, as ``examples/embed.html`` does."""

import re
from http.server import ThreadingHTTPServer
from pathlib import Path

import httpx
from playwright.sync_api import expect

from tests.web.conftest import OpenPage, Server

EXAMPLE = Path(__file__).parents[2] / "examples" / "embed.html"
POLICY = (
    "default-src 'none'; style-src 'unsafe-inline'; "
    "script-src {own}; connect-src {own} {socket}; style-src-attr 'unsafe-inline'"
)
"""A strict site's, with the directives for the elements that the docs name; the first style is the example's own."""


def test_another_site_shows_a_game(
    open_page: OpenPage, server: Server, other_site: ThreadingHTTPServer, tmp_path: Path
) -> None:
    own = f"http://127.0.0.1:{server.port}"
    body = {
        "game": "wallwars",
        "config": {"boardWidth": 5, "boardHeight": 5},
        "seats": [{"kind": "human", "name": "Ada"}, {"kind": "human", "name": "Bo"}],
    }
    game = httpx.post(f"{own}/api/games", json=body).json()
    example = EXAMPLE.read_text()
    assert "http://localhost:8000" in example
    shown = example.replace("http://localhost:8000", own).replace("GAME", game["gameId"])
    policy = POLICY.format(own=own, socket=own.replace("http", "ws"))
    shown = shown.replace("<head>", f'<head><meta http-equiv="Content-Security-Policy" content="{policy}" />')
    (tmp_path / "index.html").write_text(shown)
    (tmp_path / "favicon.ico").touch()

    page = open_page()
    page.goto(f"http://localhost:{other_site.server_port}/")
    expect(page.get_by_text("Ada vs Bo. Ada to move.")).to_be_visible()
    expect(page.locator("plyhouse-board .piece")).to_have_count(4)
    expect(page.locator("plyhouse-board .target")).to_have_count(0)
    bar = page.locator("plyhouse-eval-bar .bar")
    expect(bar).to_have_class(re.compile("live"))

    bearer = {"Authorization": f"Bearer {game['seats'][0]['token']}"}
    httpx.post(f"{own}/api/games/{game['gameId']}/moves", json={"move": "Cb5.>c3"}, headers=bearer)
    expect(page.get_by_text("Ada vs Bo. Bo to move.")).to_be_visible()
    expect(page.locator("plyhouse-board line.wall")).to_have_count(1)
    page.locator("plyhouse-board").evaluate("board => { board.ply = 0 }")
    expect(page.locator("plyhouse-board line.wall")).to_have_count(0)
    page.locator("plyhouse-eval-bar").evaluate("bar => { bar.on = false }")
    expect(bar).to_have_attribute("aria-valuetext", "off")


def test_another_site_shows_hive(
    open_page: OpenPage, server: Server, other_site: ThreadingHTTPServer, tmp_path: Path
) -> None:
    own = f"http://127.0.0.1:{server.port}"
    game = {"gameString": r"Base;InProgress;White[3];wA1;bA1 wA1-;wQ \wA1;bQ bA1/"}
    body = {
        "game": "hive",
        "variant": "Base",
        "config": game,
        "seats": [{"kind": "human"}, {"kind": "human"}],
    }
    game_id = httpx.post(f"{own}/api/games", json=body).json()["gameId"]
    shown = EXAMPLE.read_text().replace("http://localhost:8000", own).replace("GAME", game_id)
    (tmp_path / "index.html").write_text(shown)
    (tmp_path / "favicon.ico").touch()

    page = open_page()
    page.goto(f"http://localhost:{other_site.server_port}/")
    expect(page.get_by_text("White vs Black. White to move.")).to_be_visible()
    expect(page.get_by_role("img", name="Black queen", exact=True)).to_be_visible()
    trays = page.locator("plyhouse-board .tray")
    expect(trays.last).to_have_attribute("aria-label", "White's pieces in hand")
    page.locator("plyhouse-board").evaluate("board => { board.flipped = true }")
    expect(trays.last).to_have_attribute("aria-label", "Black's pieces in hand")
    expect(page.locator("plyhouse-board .source")).to_have_count(0)
