"""The opening explorer on the analysis board."""

import re
from typing import Any

import httpx
from playwright.sync_api import Page, expect

from tests.web.conftest import OpenPage, Server
from tests.web.test_accessibility import faults

CONFIG = {"boardWidth": 5, "boardHeight": 5}
BOARD = "/board/wallwars#variant=classic&config=%7B%22boardWidth%22%3A5%2C%22boardHeight%22%3A5%7D"


def api(server: Server, method: str, path: str, body: Any = None, token: str | None = None) -> Any:
    headers = {} if token is None else {"Authorization": f"Bearer {token}"}
    address = f"http://127.0.0.1:{server.port}/api/{path}"
    answer = httpx.request(method, address, json=body, headers=headers, timeout=30)
    assert answer.is_success, answer.text
    return answer.json()


def begin(server: Server, *moves: str, **more: Any) -> tuple[str, list[str]]:
    """A game after these moves; returns its id and the tokens of its seats."""
    seats = [{"kind": "human", "name": "Ada"}, {"kind": "human", "name": "Bo"}]
    body = {"game": "wallwars", "variant": "classic", "config": CONFIG, "seats": seats, **more}
    game = api(server, "POST", "games", body)
    tokens = [seat["token"] for seat in game["seats"]]
    for ply, move in enumerate(moves):
        api(server, "POST", f"games/{game['gameId']}/moves", {"move": move}, tokens[ply % 2])
    return game["gameId"], tokens


def end(server: Server, *moves: str) -> str:
    game_id, tokens = begin(server, *moves)
    api(server, "POST", f"games/{game_id}/resign", {}, tokens[1])
    return game_id


def wait_until_counted(page: Page, server: Server, games: int) -> None:
    asked = {"game": "wallwars", "variant": "classic", "config": CONFIG}
    for _ in range(600):
        if api(server, "POST", "explorer", asked)["games"] >= games:
            return
        page.wait_for_timeout(50)
    raise AssertionError("the games were not counted")


def test_moves_are_played_from_the_list(open_page: OpenPage, server: Server) -> None:
    game_id = end(server, "Cb5", "Cd5")
    end(server, "Cb5", "Cd4")
    page = open_page(viewport={"width": 390, "height": 844}, has_touch=True)
    wait_until_counted(page, server, 2)
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(BOARD)
    heading = page.get_by_text("Opening explorer")
    expect(heading).to_be_visible()
    assert not any("/api/explorer" in url for url in asked)
    heading.click()
    table = page.get_by_role("table", name="Moves from this position")
    expect(table.get_by_role("row")).to_have_count(2)
    expect(page.get_by_text(re.compile(r"^2 games\."))).to_be_visible()
    expect(page.get_by_role("link", name="Ada – Bo")).to_have_count(1)
    assert faults(page) == []
    table.get_by_role("button").first.click()
    expect(table.get_by_role("row")).to_have_count(3)
    expect(page).to_have_url(re.compile("move=Cb5"))
    links = page.get_by_role("link", name="Ada – Bo")
    expect(links).to_have_count(2)
    assert links.last.get_attribute("href") == f"/game/{game_id}"
    table.get_by_role("button").last.click()
    expect(page.get_by_text("No game went on from here.")).to_be_visible()
    page.get_by_label("Games of").select_option("bots")
    expect(page.get_by_text("No game reached this position.")).to_be_visible()
    page.reload()
    expect(page.get_by_text("No game reached this position.")).to_be_visible()  # Both choices were kept.
    self_play = page.get_by_role("button", name="Look at self-play")
    self_play.click()
    expect(page.get_by_label("Games of").locator("option:checked")).to_have_text("Engine against itself")
    expect(self_play).to_have_count(0)


def test_self_play_is_told_apart(open_page: OpenPage, server: Server) -> None:
    page = open_page(color_scheme="dark")
    page.goto("/board/wallwars")
    expect(page.locator(".world").first).to_be_visible()
    page.get_by_text("Opening explorer").click()
    page.get_by_label("Games of").select_option(label="Engine against itself")
    expect(
        page.get_by_text(re.compile("of the engine against itself, at level .*, not played on this server"))
    ).to_be_visible()
    expect(page.get_by_role("table", name="Moves from this position")).to_be_visible()
    expect(page.get_by_role("heading", name="Latest games")).to_have_count(0)
    assert faults(page) == []


def test_a_running_game_without_assistance_has_none(open_page: OpenPage, server: Server) -> None:
    game_id, tokens = begin(server, "Ca4", assistance="none")
    page = open_page()
    page.goto(f"/board/wallwars#from={game_id}&ply=1")
    expect(page.get_by_text("played without assistance")).to_be_visible()
    expect(page.get_by_text("Opening explorer")).to_have_count(0)
    api(server, "POST", f"games/{game_id}/resign", {}, tokens[1])
    page.reload()
    expect(page.get_by_text("Opening explorer")).to_be_visible()


def test_what_goes_wrong_is_said(open_page_anyhow: OpenPage) -> None:
    page = open_page_anyhow()
    page.route(
        "**/api/explorer",
        lambda route: route.fulfill(status=422, json={"error": "No such thing.", "code": "bad-config"}),
    )
    page.goto("/board/hive")
    page.get_by_text("Opening explorer").click()
    expect(page.get_by_role("alert").filter(has_text="No such thing.")).to_be_visible()
