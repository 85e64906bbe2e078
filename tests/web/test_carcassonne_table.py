"""A table of Carcassonne full of tiles in a real browser: readable, and played by touch or with keys alone."""

from dataclasses import dataclass
from typing import Any

import httpx
import pytest
from playwright.sync_api import FloatRect, Locator, Page, expect

from plyhouse import Position
from tests.web.conftest import OpenPage, Server
from tests.web.test_carcassonne import BOARD, BOT, PHONE, TABLE, is_as_wide_as_the_screen, open_seats
from tests.web.test_touch import middle, touch, until

LANDSCAPE = {**PHONE, "viewport": {"width": 844, "height": 390}}
TILES = 69
EASY_TO_HIT = 40
"""The least width of something to tap, in CSS pixels."""
OUTLINE = 1


@dataclass
class Game:
    """A game of two people with few tiles left; seat 0 is to move."""

    server: Server
    id: str
    tokens: list[str]

    @property
    def path(self) -> str:
        """The page of seat 0."""
        return f"/game/{self.id}?token={self.tokens[0]}"

    def play(self, seat: int, move: str) -> None:
        """Plays a move for a seat."""
        headers = {"Authorization": f"Bearer {self.tokens[seat]}"}
        self._post(f"/{self.id}/moves", {"move": move}, headers)

    def legal(self) -> list[str]:
        """The legal moves now."""
        answer = httpx.get(f"http://127.0.0.1:{self.server.port}/api/games/{self.id}")
        return list(answer.json()["position"]["legal"])

    def _post(self, path: str, body: Any, headers: dict[str, str]) -> None:
        address = f"http://127.0.0.1:{self.server.port}/api/games{path}"
        answer = httpx.post(address, json=body, headers=headers)
        assert answer.status_code == 200, answer.text


@pytest.fixture
def game(server: Server) -> Game:
    config = {"seats": 2, "seed": 4}
    seats = [{"kind": "human"}, {"kind": "human"}]
    body = {"game": "carcassonne", "config": config, "seats": seats}
    address = f"http://127.0.0.1:{server.port}/api/games"
    with httpx.Client(timeout=60) as client:
        created = client.post(address, json=body).json()
        tokens = [seat["token"] for seat in created["seats"]]
        position = Position("carcassonne", config=config)
        while position.ply < TILES - 1:
            seat, move = position.ply % 2, min(position.legal(), key=distance)
            headers = {"Authorization": f"Bearer {tokens[seat]}"}
            client.post(f"{address}/{created['gameId']}/moves", json={"move": move}, headers=headers)
            position.play(move)
    return Game(server, created["gameId"], tokens)


def distance(move: str) -> int:
    """The square of the distance between a move's cell and the start tile."""
    x, y, _ = move.split(" ")[0].split(",")
    return int(x) ** 2 + int(y) ** 2


def box_of(part: Locator) -> FloatRect:
    box = part.bounding_box()
    assert box is not None
    return box


def in_picture(page: Page, parts: Locator) -> list[Locator]:
    """The parts that are wholly in the picture, but for half an outline, and not behind the tools over it."""
    table = box_of(page.locator(TABLE))
    right, bottom = table["x"] + table["width"], table["y"] + table["height"] - 76

    def is_seen(box: FloatRect) -> bool:
        is_aside = box["x"] >= table["x"] - OUTLINE and box["x"] + box["width"] <= right + OUTLINE
        return is_aside and box["y"] >= table["y"] - OUTLINE and box["y"] + box["height"] <= bottom + OUTLINE

    return [part for part in parts.all() if is_seen(box_of(part))]


def settle(page: Page) -> None:
    """Waits until the picture has stopped moving."""
    page.locator(f"{BOARD} .world").evaluate(
        "world => Promise.all(world.getAnimations().map((one) => one.finished.catch(() => null)))"
    )


@pytest.mark.parametrize(
    "kind", [PHONE, pytest.param(LANDSCAPE, marks=pytest.mark.soak)], ids=["upright", "landscape"]
)
def test_a_full_table_is_played_by_touch(open_page: OpenPage, game: Game, kind: dict[str, Any]) -> None:
    page = open_page(**kind)
    page.goto(game.path)
    target, cell = page.locator(f"{BOARD} .target"), page.locator(f"{BOARD} .target .area")
    tiles = page.locator(f"{BOARD} .tiles use")
    expect(tiles).to_have_count(TILES)
    expect(cell).not_to_have_count(0)
    settle(page)
    near = in_picture(page, cell)
    assert near
    assert min(box_of(one)["width"] for one in near) >= EASY_TO_HIT
    assert in_picture(page, page.locator(f"{BOARD} .last"))

    page.get_by_role("button", name="Show everything").tap()
    settle(page)
    assert len(in_picture(page, tiles)) == TILES
    assert len(in_picture(page, cell)) == cell.count()
    target.last.tap()
    settle(page)
    expect(target.last).to_have_attribute("aria-pressed", "true")
    assert box_of(cell.last)["width"] >= EASY_TO_HIT

    x, y = middle(page.locator(TABLE))
    before = box_of(cell.last)
    touch(page, *([(x - 10 * step, y)] for step in range(6)))
    assert box_of(cell.last)["x"] < before["x"] - 20
    assert page.evaluate("[scrollX, scrollY]") == [0, 0]
    page.get_by_role("button", name="Confirm").tap()
    spot = page.locator(f"{BOARD} .spot")
    expect(page.get_by_role("button", name="Finish turn")).to_be_enabled()
    settle(page)
    assert all(box_of(part)["width"] >= EASY_TO_HIT for part in spot.all())
    page.get_by_role("button", name="Finish turn").tap()
    expect(tiles).to_have_count(TILES + 1)
    assert is_as_wide_as_the_screen(page)


def test_a_spectator_scrolls_past_a_full_table(open_page: OpenPage, game: Game) -> None:
    page = open_page(**PHONE)
    page.goto(game.path.split("?")[0])
    expect(page.locator(f"{BOARD} .tiles use")).to_have_count(TILES)
    x, y = middle(page.locator(TABLE))
    page.get_by_role("button", name="Zoom in").tap()
    settle(page)
    tile = page.locator(f"{BOARD} .tiles use").first
    before = box_of(tile)
    touch(page, *([(x, y - 15 * step)] for step in range(6)))
    assert box_of(tile)["y"] < before["y"] - 20
    assert page.evaluate("scrollY") == 0
    page.get_by_role("button", name="Show everything").tap()
    page.get_by_role("button", name="Show the last tile").tap()
    touch(page, *([(x, y - 15 * step)] for step in range(10)))
    until(page, "scrollY > 50")


@pytest.mark.parametrize("size", [(320, 568), (844, 390)], ids=["small", "landscape"])
def test_the_points_of_five_seats_fit(open_page: OpenPage, server: Server, size: tuple[int, int]) -> None:
    page = open_page(**{**PHONE, "viewport": {"width": size[0], "height": size[1]}})
    page.goto(open_seats(server, {"kind": "human"}, *[BOT] * 4, tiles=4)[0])
    seats = page.locator(f"{BOARD} .seat")
    expect(seats).to_have_count(5)
    right = box_of(page.locator(f"{BOARD} .board"))
    for seat in seats.all():
        box, points = box_of(seat), box_of(seat.locator("b"))
        assert points["x"] + points["width"] <= box["x"] + box["width"]
        assert box["x"] + box["width"] <= right["x"] + right["width"]


def test_the_tile_of_the_opponent_comes_into_the_picture(open_page: OpenPage, game: Game) -> None:
    page = open_page(**PHONE)
    page.goto(game.path)
    last = page.locator(f"{BOARD} .last")
    expect(last).to_have_count(1)
    game.play(0, min(game.legal(), key=distance))
    expect(page.locator(f"{BOARD} .seat-0 > .last")).to_have_count(1)
    page.get_by_role("button", name="Zoom in").tap()
    game.play(1, max(game.legal(), key=distance))
    expect(page.locator(f"{BOARD} .seat-1 > .last")).to_have_count(1)
    settle(page)
    assert in_picture(page, last)


def test_keys_move_the_picture(open_page: OpenPage, game: Game) -> None:
    page = open_page(**PHONE)
    page.goto(game.path)
    tile = page.locator(f"{BOARD} .tiles use").first
    table = page.locator(TABLE)
    expect(tile).to_be_attached()
    table.focus()

    def press(key: str) -> FloatRect:
        page.keyboard.press(key)
        settle(page)
        return box_of(tile)

    start = press("Escape")
    larger = press("+")
    assert larger["width"] > start["width"]
    assert press("ArrowRight")["x"] < larger["x"]
    assert press("ArrowUp")["y"] > larger["y"]
    assert press("-")["width"] == pytest.approx(start["width"], abs=0.1)
    assert press("0")["width"] < start["width"]
    assert press("0")["width"] == pytest.approx(start["width"], abs=0.1)


def test_the_picture_follows_the_focus(open_page: OpenPage, game: Game) -> None:
    page = open_page(**PHONE)
    page.goto(game.path)
    target = page.locator(f"{BOARD} .target")
    expect(target.first).to_be_attached()
    page.locator(TABLE).focus()
    page.keyboard.press("Tab")
    reached = set()
    for key in ("ArrowLeft", "ArrowUp", "ArrowRight", "ArrowDown") * 4:
        page.keyboard.press(key)
        settle(page)
        focused = page.locator(f"{BOARD} .target:focus")
        reached.add(focused.get_attribute("data-reach"))
        assert in_picture(page, focused.locator(".area"))
    assert len(reached) > 2


def test_more_than_two_seats_are_told_apart_by_numbers(open_page: OpenPage, server: Server) -> None:
    page = open_page()
    page.goto(open_seats(server, {"kind": "human"}, *[BOT] * 4, tiles=4)[0])
    expect(page.locator(f"{BOARD} .scoreboard .digit")).to_have_text(["1", "2", "3", "4", "5"])
    strips = page.locator("player-strip .swatch")
    assert sorted(strips.all_inner_texts()) == ["1", "2", "3", "4", "5"]
    page.goto(open_seats(server, {"kind": "human"}, BOT, tiles=4)[0])
    expect(page.locator(f"{BOARD} .scoreboard .seat")).to_have_count(2)
    expect(page.locator(f"{BOARD} .digit")).to_have_count(0)
