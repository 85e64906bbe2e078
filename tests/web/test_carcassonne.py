"""Carcassonne in a real browser: a game of three seats against two bots, with a mouse, by keyboard and by touch."""

import re
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import httpx
import pytest
from playwright.sync_api import Locator, Page, expect

from tests.web.conftest import OpenPage, Server
from tests.web.test_touch import middle, touch, until

BOARD = "carcassonne-board"
TABLE = f"{BOARD} .table > svg"
PHONE: dict[str, Any] = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
DESKTOP: dict[str, Any] = {"viewport": {"width": 1280, "height": 800}}
BOT = {"kind": "bot", "bot": "plyhouse:easy"}

Press = Callable[[Locator], None]


def open_game(server: Server, *, tiles: int) -> str:
    """A short game of a person against two bots; returns the path of the person's page."""
    return open_seats(server, {"kind": "human"}, BOT, BOT, tiles=tiles)[0]


def open_seats(server: Server, *seats: dict[str, str], tiles: int) -> list[str]:
    """A short game; returns the paths of the pages of all people."""
    config = {"seats": len(seats), "tileCount": tiles, "seed": 4}
    body = {"game": "carcassonne", "config": config, "seats": seats}
    answer = httpx.post(f"http://127.0.0.1:{server.port}/api/games", json=body)
    assert answer.status_code == 201, answer.text
    game = answer.json()
    return [f"/game/{game['gameId']}?token={seat['token']}" for seat in game["seats"] if "token" in seat]


def click(part: Locator) -> None:
    part.click()


def tap(part: Locator) -> None:
    part.tap()


def press_enter(part: Locator) -> None:
    """Presses Enter on a part; a tile on the table is turned first."""
    part.focus()
    if part.get_attribute("aria-pressed") == "true":
        part.press("r")
    part.press("Enter")


def aim(target: Locator, press: Press) -> None:
    """Presses a cell until it is aimed at, as people do: the board may move under the finger when tiles arrive."""
    for _ in range(3):
        press(target)
        with suppress(AssertionError):
            expect(target).to_have_attribute("aria-pressed", "true", timeout=3000)
            return
    expect(target).to_have_attribute("aria-pressed", "true")


def place_tile(page: Page, press: Press) -> None:
    """Puts the tile in hand on the first cell that is offered, turned to the second rotation that fits."""
    target = page.locator(f"{BOARD} .target").first
    aim(target, press)
    press(target)
    if press is not press_enter:
        press(page.get_by_role("button", name="Confirm"))
    expect(page.locator(f"{BOARD} .target")).to_have_count(0)


def play_to_the_end(page: Page, press: Press) -> None:
    """Plays every turn of the person, with meeples where they can stand."""
    target, spot = page.locator(f"{BOARD} .target"), page.locator(f"{BOARD} .spot")
    end = page.locator(f"{BOARD} .breakdown")
    finish = page.get_by_role("button", name="Finish turn")
    expect(target.or_(end).first).to_be_visible()
    while not end.is_visible():
        place_tile(page, press)
        expect(finish).to_be_enabled()
        press(spot.first if spot.count() > 0 else finish)
        expect(spot).to_have_count(0)
        expect(target.or_(end).first).to_be_visible()
    expect(page.locator(".now")).to_have_text(re.compile(r"wins? by points\.$"))
    expect(end.locator("tbody tr")).to_have_count(3)


def is_as_wide_as_the_screen(page: Page) -> bool:
    """Whether the page needs no scrolling sideways. What the board shows only in part does not count."""
    return bool(page.evaluate("document.documentElement.scrollWidth === innerWidth"))


def what_is_seen(page: Page) -> list[list[str]]:
    """The points and meeples of each seat, and the tiles and meeples on the table."""
    parts = [f"{BOARD} .seat", f"{BOARD} .breakdown td", f"{BOARD} .tiles", f"{BOARD} .standing"]
    look = "found => found.map((one) => one.innerHTML.replace(/<!--.*?-->/g, ''))"
    return [page.locator(part).evaluate_all(look) for part in parts]


@pytest.mark.parametrize(
    ("kind", "press"),
    [(DESKTOP, click), pytest.param(DESKTOP, press_enter, marks=pytest.mark.soak), (PHONE, tap)],
    ids=["mouse", "keys", "touch"],
)
def test_a_game_against_two_bots_with_a_spectator(
    open_page: OpenPage, server: Server, kind: dict[str, Any], press: Press
) -> None:
    page, spectator = open_page(**kind), open_page(**DESKTOP)
    path = open_game(server, tiles=11)
    page.goto(path)
    spectator.goto(path.split("?")[0])
    expect(spectator.get_by_text("You are watching.")).to_be_visible()
    play_to_the_end(page, press)
    expect(page.locator(f"{BOARD} .tiles use")).to_have_count(12)
    expect(spectator.locator(f"{BOARD} .breakdown")).to_be_visible()
    assert what_is_seen(spectator) == what_is_seen(page)
    result = page.locator(".now").inner_text()
    expect(spectator.locator(".now")).to_have_text(result.replace("You win", "Player 1 wins"))
    assert is_as_wide_as_the_screen(page)
    assert is_as_wide_as_the_screen(spectator)


def test_the_form_seats_three(open_page: OpenPage) -> None:
    page = open_page()
    page.goto("/new")
    page.get_by_role("radio", name="Carcassonne", exact=True).check()
    page.get_by_role("radio", name="3", exact=True).check()
    page.get_by_label("Player 3").select_option("Open seat")
    page.get_by_role("radio", name="Second", exact=True).check()
    expect(page.get_by_label("Player 1")).to_have_value("plyhouse:easy")
    page.get_by_role("button", name="Create game").click()
    expect(page.locator(".now")).to_have_text("Waiting for an opponent.")
    expect(page.locator("player-strip .name")).to_have_text(["Plyhouse easy", "Open seat", "You"])

    guest = open_page()
    guest.goto(page.get_by_label("Link for your friend").input_value())
    guest.get_by_role("button", name="Join this game").click()
    expect(guest.locator(f"{BOARD} .tiles use")).to_have_count(2)
    place_tile(page, click)
    page.get_by_role("button", name="Finish turn").click()
    place_tile(guest, click)


@pytest.mark.quick
def test_the_evaluation_has_a_band_for_each_seat(open_page: OpenPage, server: Server) -> None:
    page = open_page()
    page.goto(open_game(server, tiles=4))
    page.get_by_role("switch", name="Evaluation").check()
    expect(page.locator("eval-bar .bar.live .band")).to_have_count(3)
    worth = r"[<>]?\d+ % and \d+ points?"
    label = re.compile(rf"^Evaluation: player 1 {worth}, player 2 {worth}, player 3 {worth}$")
    expect(page.locator("eval-bar .bar")).to_have_attribute("aria-label", label)


@pytest.mark.quick
def test_keys_turn_and_place_the_tile(open_page: OpenPage, server: Server) -> None:
    page = open_page()
    page.goto(open_game(server, tiles=4))
    target = page.locator(f"{BOARD} .target").first
    target.focus()
    page.keyboard.press("Enter")
    expect(target).to_have_attribute("aria-pressed", "true")
    before = target.get_attribute("aria-label")
    page.keyboard.press("r")
    expect(target).to_have_attribute("aria-label", re.compile("turned by"))
    assert before != target.get_attribute("aria-label")
    page.keyboard.press("Enter")
    expect(page.locator(f"{BOARD} .spot").first).to_be_visible()
    page.keyboard.press("Escape")
    expect(target).to_be_visible()


def test_the_wheel_zooms_and_the_mouse_drags(open_page: OpenPage, server: Server) -> None:
    page = open_page()
    page.goto(open_game(server, tiles=4))
    table = page.locator(TABLE)
    world = page.locator(f"{BOARD} .world")
    expect(page.locator(f"{BOARD} .target").first).to_be_visible()
    x, y = middle(table)
    page.mouse.move(x, y)
    page.mouse.wheel(0, -200)
    expect(table).to_have_class("zoomed")
    before = world.get_attribute("style") or ""
    page.mouse.down()
    page.mouse.move(x + 60, y + 40, steps=6)
    page.mouse.up()
    expect(world).not_to_have_attribute("style", before)
    expect(page.locator(f"{BOARD} .target.aimed")).to_have_count(0)
    page.get_by_role("button", name="Show everything").click()
    expect(table).to_have_class("")


def test_fingers_scroll_pinch_and_pan(open_page: OpenPage, server: Server) -> None:
    page = open_page(**PHONE)
    page.goto(open_game(server, tiles=4))
    table = page.locator(TABLE)
    expect(page.locator(f"{BOARD} .target").first).to_be_visible()
    x, y = middle(table)
    touch(page, *([(x, y - 20 - 8 * step), (x, y + 20 + 8 * step)] for step in range(10)))
    expect(table).to_have_class("zoomed")
    before = page.locator(f"{BOARD} .world").get_attribute("style") or ""
    touch(page, *([(x - 10 * step, y)] for step in range(10)))
    expect(page.locator(f"{BOARD} .world")).not_to_have_attribute("style", before)
    assert page.evaluate("[scrollY, visualViewport.scale]") == [0, 1]
    expect(page.locator(f"{BOARD} .target.aimed")).to_have_count(0)
    page.get_by_role("button", name="Show everything").click()
    expect(table).to_have_class("")
    touch(page, *([(x, y - 15 * step)] for step in range(10)))
    until(page, "scrollY > 50")
