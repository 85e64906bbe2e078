"""The moves of a simultaneous game next to its evaluation, in a real browser: on both pages and embedded."""

from http.server import ThreadingHTTPServer
from pathlib import Path

import httpx
import pytest
from playwright.sync_api import Page, expect

from tests.web.conftest import OpenPage, Server

RECORD = Path(__file__).parents[1] / "golden" / "records" / "maze.pyrat"
SIZES = [{"width": 1280, "height": 800}, {"width": 390, "height": 844}]


@pytest.fixture
def game(server: Server) -> str:
    """The id of an imported game."""
    body = {"text": RECORD.read_text()}
    answer = httpx.post(f"http://127.0.0.1:{server.port}/api/games/import", json=body)
    assert answer.status_code == 201, answer.text
    return str(answer.json()["gameId"])


def check_columns(page: Page) -> None:
    """Each seat has a column within the window, side by side, whose shares are of one whole."""
    columns = page.locator("move-policies section")
    expect(columns.locator("li").first).to_be_visible()
    boxes = [column.bounding_box() for column in columns.all()]
    width = page.evaluate("innerWidth")
    assert len(boxes) == 2
    left, right = (box for box in boxes if box is not None)
    assert left["x"] + left["width"] <= right["x"]
    assert right["x"] + right["width"] <= width
    assert left["y"] == right["y"]
    for column in columns.all():
        shares = [int(text.removesuffix(" %")) for text in column.locator(".percent").all_inner_texts()]
        assert shares == sorted(shares, reverse=True)
        assert 33 <= sum(shares) <= 101
    expect(page.locator("move-policies .best")).to_have_count(2)


@pytest.mark.parametrize("viewport", SIZES)
def test_an_analysis_shows_them(open_page: OpenPage, game: str, viewport: dict[str, int]) -> None:
    page = open_page(viewport=viewport)
    page.goto(f"/analysis/{game}?ply=0")
    expect(page.locator("analysis-status")).to_contain_text("Done")
    check_columns(page)
    best = page.locator("move-policies .best .move").all_inner_texts()
    expect(page.locator("analysis-lines button").first).to_have_text("/".join(best))
    page.keyboard.press("End")
    expect(page.locator("move-policies li")).to_have_count(0)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


@pytest.mark.parametrize("viewport", SIZES)
def test_the_page_of_a_game_shows_them(open_page: OpenPage, game: str, viewport: dict[str, int]) -> None:
    page = open_page(viewport=viewport)
    page.goto(f"/game/{game}")
    page.get_by_role("switch", name="Evaluation").check()
    page.get_by_role("button", name="First position").click()
    check_columns(page)


def test_another_site_shows_them(
    open_page: OpenPage, server: Server, other_site: ThreadingHTTPServer, tmp_path: Path, game: str
) -> None:
    own = f"http://127.0.0.1:{server.port}"
    bar = f'<plyhouse-eval-bar server="{own}" game-id="{game}" ply="0" on moves></plyhouse-eval-bar>'
    script = f'<script src="{own}/embed/plyhouse.js"></script>'
    (tmp_path / "index.html").write_text(f'<!doctype html><meta charset="utf-8">{script}{bar}')
    (tmp_path / "favicon.ico").touch()
    page = open_page()
    page.goto(f"http://localhost:{other_site.server_port}/")
    check_columns(page)
