"""A page of another site that embeds a board and an evaluation bar, as ``examples/embed.html`` does."""

import re
from http.server import ThreadingHTTPServer
from pathlib import Path

import httpx
import pytest
from playwright.sync_api import Locator, expect

from tests.web.conftest import OpenPage, Server
from tests.web.test_touch import requests_of

EXAMPLE = Path(__file__).parents[2] / "examples" / "embed.html"
POLICY = (
    "default-src 'none'; style-src 'unsafe-inline'; "
    "script-src {own}; connect-src {own} {socket}; style-src-attr 'unsafe-inline'"
)
"""The policy of a strict site, with the directives that the docs name; the first style is the example's own."""


@pytest.mark.quick
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
    bar = page.locator("plyhouse-bar .bar")
    expect(bar).to_have_class(re.compile("live"))

    bearer = {"Authorization": f"Bearer {game['seats'][0]['token']}"}
    httpx.post(f"{own}/api/games/{game['gameId']}/moves", json={"move": "Cb5.>c3"}, headers=bearer)
    expect(page.get_by_text("Ada vs Bo. Bo to move.")).to_be_visible()
    expect(page.locator("plyhouse-board line.wall")).to_have_count(1)
    page.locator("plyhouse-board").evaluate("board => { board.ply = 0 }")
    expect(page.locator("plyhouse-board line.wall")).to_have_count(0)
    page.locator("plyhouse-board").evaluate("board => { board.evaluation = false }")
    expect(bar).to_have_count(0)


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


LAYOUTS = """<!doctype html><meta charset="utf-8"><title>Games</title>
    <script src="OWN/embed/plyhouse.js"></script>
    <style>
        body { margin: 8px }
        #low { width: 600px; height: 260px }
        #low plyhouse-board { height: 100% }
        #row { display: grid; grid-template-columns: auto 320px; width: 360px }
        #own { --seat-0: rgb(1, 2, 3) }
    </style>
    <div id="low"><plyhouse-board game-id="GAME" evaluation></plyhouse-board></div>
    <div id="row">
        <plyhouse-eval-bar game-id="GAME" on></plyhouse-eval-bar><plyhouse-board game-id="GAME"></plyhouse-board>
    </div>
    <plyhouse-board id="own" game-id="GAME" evaluation style="max-width: 300px"></plyhouse-board>
"""


def box_of(part: Locator) -> tuple[float, float, float, float]:
    """Left, top, right and bottom of an element."""
    box = part.bounding_box()
    assert box is not None
    return box["x"], box["y"], box["x"] + box["width"], box["y"] + box["height"]


@pytest.mark.parametrize(
    ("game", "colour"), [("wallwars", "rgb(196, 71, 47)"), ("hive", "rgb(220, 203, 159)")]
)
def test_a_board_fits_its_container(
    open_page: OpenPage,
    server: Server,
    other_site: ThreadingHTTPServer,
    tmp_path: Path,
    game: str,
    colour: str,
) -> None:
    own = f"http://127.0.0.1:{server.port}"
    body = {"game": game, "seats": [{"kind": "human"}, {"kind": "human"}]}
    game_id = httpx.post(f"{own}/api/games", json=body).json()["gameId"]
    (tmp_path / "index.html").write_text(LAYOUTS.replace("OWN", own).replace("GAME", game_id))
    (tmp_path / "favicon.ico").touch()
    page = open_page(viewport={"width": 700, "height": 700})
    page.goto(f"http://localhost:{other_site.server_port}/")
    board, bar = page.locator(f"{game}-board"), page.locator("plyhouse-bar, plyhouse-eval-bar")
    expect(board).to_have_count(3)
    expect(page.locator(".bar.live")).to_have_count(3)

    low, beside = box_of(board.nth(0)), box_of(bar.nth(0))
    assert low[3] <= 8 + 260
    assert low[2] - low[0] > 100
    assert beside[1] == pytest.approx(low[1])
    assert beside[3] == pytest.approx(low[3])
    assert low[0] - beside[2] == pytest.approx(8)
    row = box_of(board.nth(1))
    assert row[2] - row[0] == pytest.approx(320)
    assert row[3] - row[1] > 280
    last = box_of(board.nth(2))
    assert last[2] - last[0] == pytest.approx(300 - 26 - 8)

    fills = [
        fill.evaluate("fill => getComputedStyle(fill).backgroundColor")
        for fill in page.locator(".fill").all()
    ]
    assert fills == [colour, colour, "rgb(1, 2, 3)"]


def test_a_bar_asks_for_no_evaluation_while_players_move_together(
    open_page: OpenPage, server: Server
) -> None:
    body = {"game": "pyrat", "variant": "tiny", "seats": [{"kind": "human"}, {"kind": "human"}]}
    game = httpx.post(f"http://127.0.0.1:{server.port}/api/games", json=body).json()
    page = open_page()
    # While the history does not come, the server's own pages ask for the position that they show.
    pending = '{"type": "eval-pending", "totalMoves": 0}'
    page.route_web_socket("**/ws/eval/*", lambda socket: socket.on_message(lambda _: socket.send(pending)))
    sent = requests_of(page)
    page.goto(f"/embed/game/{game['gameId']}")
    bar = f'<plyhouse-eval-bar game-id="{game["gameId"]}" on></plyhouse-eval-bar>'
    page.locator("body").evaluate("(body, bar) => body.insertAdjacentHTML('beforeend', bar)", bar)
    expect(page.locator("plyhouse-eval-bar .bar")).to_be_visible()
    page.wait_for_timeout(500)
    assert [url for url in sent if "/api/analysis" in url] == []
