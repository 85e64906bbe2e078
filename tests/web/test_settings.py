"""The settings sheet in a real browser: what it changes, what it keeps, and what a player hears and is told."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.web.conftest import OpenPage, Server
from tests.web.test_boards import CLOCK, new_game, wallwars
from tests.web.test_page import act, moves, status

HEARD = """
    window.heard = [];
    window.OscillatorNode = class extends OscillatorNode {
        constructor(context, options) { super(context, options); heard.push(options.frequency); }
    };
"""
TOLD = """
    window.told = [];
    window.Notification = class {
        static permission = "granted";
        static requestPermission = async () => "granted";
        constructor(title, { body }) { told.push(`${title}: ${body}`); }
    };
    Object.defineProperty(document, "hidden", { get: () => true });
"""
MOVE, SCORE, TURN, LOW, END = [240], [660, 990], [440, 587], [880, 880, 880], [523, 392, 262]


def open_sheet(page: Page) -> None:
    page.get_by_role("button", name="Settings").click()
    expect(page.get_by_role("heading", name="Settings")).to_be_visible()


def switch(page: Page, name: str) -> None:
    """Turns a setting over."""
    open_sheet(page)
    page.get_by_role("switch", name=name).click()
    page.get_by_role("button", name="Done").click()


def property_of(page: Page, name: str) -> str:
    """A property of the whole page."""
    return str(page.evaluate(f"getComputedStyle(document.documentElement).getPropertyValue('{name}')"))


def test_settings_are_kept_in_the_browser(open_page: OpenPage, server: Server) -> None:
    page = open_page()
    page.goto(wallwars(server).path(0))
    labels = page.locator("wallwars-board .labels")
    expect(labels).to_be_visible()
    open_sheet(page)
    page.get_by_label("Theme").select_option("Dark")
    page.get_by_role("switch", name="Coordinates").uncheck()
    page.get_by_role("switch", name="Animations").uncheck()
    page.keyboard.press("Escape")
    expect(page.get_by_role("heading", name="Settings")).to_be_hidden()
    for _ in ("at once", "after a reload"):
        expect(page.locator("wallwars-board .target").first).to_be_attached()
        expect(labels).to_be_hidden()
        assert property_of(page, "color-scheme") == "dark"
        assert property_of(page, "--motion") == "0"
        page.reload()
    open_sheet(page)
    expect(page.get_by_label("Theme")).to_have_value("dark")
    expect(page.get_by_role("switch", name="Coordinates")).not_to_be_checked()


@pytest.mark.parametrize("motion", ["reduce", "no-preference"])
def test_nothing_glides_if_the_system_wants_less_motion(
    open_page: OpenPage, server: Server, motion: str
) -> None:
    page = open_page(reduced_motion=motion)
    page.goto(wallwars(server).path(0))
    cat = page.locator(".piece.cat").first
    expect(cat).to_be_attached()
    length = cat.evaluate("cat => parseFloat(getComputedStyle(cat).transitionDuration)")
    assert (length == 0) == (motion == "reduce")


def test_a_complete_move_waits_if_it_is_to_be_confirmed(open_page: OpenPage, server: Server) -> None:
    page = open_page()
    page.goto(wallwars(server).path(0))
    switch(page, "Confirm moves")
    act(page, "Cat to b5", "Cat to c5")
    confirm = page.get_by_role("button", name="Play move")
    expect(confirm).to_be_enabled()
    page.get_by_role("button", name="Undo action").click()
    act(page, "Cat to b4")
    confirm.click()
    expect(moves(page)).to_have_text(["Cb4"])

    page.goto(new_game(server, "hive").path(0))
    act(page, "White ant, 3 in hand", "White ant 1 opens the game")
    expect(confirm).to_be_enabled()
    expect(moves(page)).to_have_count(0)
    confirm.click()
    expect(moves(page)).to_have_count(1)


def heard(page: Page, *sounds: list[int]) -> None:
    """Waits until the page has made these sounds and no others."""
    notes = [note for sound in sounds for note in sound]
    page.wait_for_function("notes => heard.length >= notes.length", arg=notes)
    assert page.evaluate("heard.splice(0)") == notes


def test_a_player_hears_the_game(open_page: OpenPage, server: Server) -> None:
    page = open_page()
    page.add_init_script(HEARD)
    game = new_game(server, "wallwars", variant="classic", config={"boardWidth": 4, "boardHeight": 4})
    page.goto(game.path(0))
    act(page, "Cat to b4", "Cat to c4")
    heard(page, MOVE)
    game.play(1, "---")
    heard(page, TURN)
    switch(page, "Sounds")
    act(page, "Cat to d4", "Cat to d3")
    expect(moves(page)).to_have_count(3)
    switch(page, "Sounds")
    game.play(1, "---")
    heard(page, TURN)
    act(page, "Cat to d2", "Cat to d1")
    heard(page, END)

    config = {"width": 5, "height": 5, "walls": [], "mud": [], "cheese": [[1, 0], [2, 4], [2, 0]]}
    game = new_game(server, "pyrat", config=config)
    page.goto(game.path(0))
    page.get_by_role("button", name="Right", exact=True).click()
    expect(status(page)).to_have_text("Waiting for Python.")
    game.play(1, "STAY")
    heard(page, SCORE)


def test_a_player_hears_that_time_gets_low(open_page: OpenPage, server: Server) -> None:
    page = open_page()
    page.add_init_script(HEARD)
    game = wallwars(server, timeControl={"initialSeconds": 21, "incrementSeconds": 0})
    page.goto(game.path(1))
    page.locator("wallwars-board").click()
    game.play(0, "---")
    heard(page, TURN, LOW)


def test_a_hidden_page_tells_whose_turn_it_is(open_page: OpenPage, server: Server) -> None:
    page = open_page()
    page.add_init_script(TOLD)
    game = wallwars(server, timeControl=CLOCK)
    # A secure address, without which browsers notify of nothing.
    page.goto(f"http://127.0.0.1:{server.port}{game.path(1)}")
    expect(page).to_have_title(re.compile("^Player 1 to move"))
    switch(page, "Notifications")
    game.play(0, "---")
    expect(page).to_have_title(re.compile("^● Your turn"))
    (told,) = page.evaluate("told")
    assert told.startswith("Your turn: Wallwars, Standard")


def test_the_sheet_says_why_nothing_can_be_notified(open_page: OpenPage) -> None:
    page = open_page()
    page.goto("/")
    open_sheet(page)
    page.get_by_role("switch", name="Notifications").click()
    expect(page.get_by_role("alert")).to_have_text(
        "This browser notifies only for pages with an https address."
    )
    expect(page.get_by_role("switch", name="Notifications")).not_to_be_checked()


@pytest.mark.parametrize(("game", "corner"), [("pyrat", "0"), ("carcassonne", "-1")])
def test_other_boards_have_coordinates_too(
    open_page: OpenPage, server: Server, game: str, corner: str
) -> None:
    page = open_page()
    page.goto(new_game(server, game).path(0))
    label = page.locator(f"{game}-board .label.column").first
    expect(label).to_have_text(corner)
    open_sheet(page)
    page.get_by_role("switch", name="Coordinates").uncheck()
    page.keyboard.press("Escape")
    expect(label).to_be_hidden()
