"""Hive in a real browser: play, throw, pass, watch, on a phone and by keyboard, and the analysis of a GameString."""

import re
from dataclasses import dataclass

import httpx
import pytest
from playwright.sync_api import Page, expect

from tests.web.conftest import OpenPage, Server, too_wide
from tests.web.test_page import act as pick
from tests.web.test_page import moves, status

BOARD = "hive-board"
# The white mosquito touches a black pillbug and may throw the black mosquito.
THROW = r"Base+MLP;InProgress;White[5];wM;bM \wM;wB1 wM-;bQ -bM;wB2 wB1\;bP \bM;wQ /wB2;bP bQ" + "\\"
# Black has a full hand and no cell for it.
STUCK = r"Base+MLP;InProgress;Black[4];wB1;bM wB1/;wQ -wB1;bQ \bM;wP \wQ;bQ -bM;wB1 bM"
# A white beetle stands on a black ladybug.
GAME = (
    r"Base+MLP;InProgress;Black[10];wG1;bL /wG1;wM wG1/;bM /bL;wA1 wM\;bQ bL\;wQ \wM;bP /bQ;wP /wQ;bA1 -bP;"
    r"wM bQ\;bM wA1\;wB1 wQ\;bA2 /bP;wB2 wM-;bA1 wB2\;wB1 wG1;bA2 wQ-;wB1 bL"
)


@dataclass(frozen=True)
class Opened:
    """A game between two people: the page of each of them, and the spectators' page."""

    white: str
    black: str
    watch: str


def open_game(server: Server, start: str) -> Opened:
    """Creates a game that continues a GameString."""
    variant = start.split(";", 1)[0]
    body = {
        "game": "hive",
        "variant": variant,
        "config": {"gameString": start},
        "seats": [{"kind": "human"}, {"kind": "human"}],
    }
    answer = httpx.post(f"http://127.0.0.1:{server.port}/api/games", json=body)
    assert answer.status_code == 201, answer.text
    game = answer.json()
    watch = f"/game/{game['gameId']}"
    white, black = (f"{watch}?token={seat['token']}" for seat in game["seats"])
    return Opened(white, black, watch)


def start_game(page: Page) -> None:
    """Starts a game against the engine as White."""
    page.goto("/new/hive")
    expect(page.get_by_role("heading", name="New game of Hive")).to_be_visible()
    expect(page.get_by_label("Columns")).to_have_count(0)
    page.get_by_role("button", name="Play", exact=True).click()
    expect(page.locator(f"{BOARD} svg").first).to_be_visible()


@pytest.mark.quick
def test_a_game_against_the_engine(open_page: OpenPage) -> None:
    page = open_page()
    start_game(page)
    expect(status(page)).to_have_text("Your turn.")
    pick(page, "White ant, 3 in hand")
    expect(page.locator(f"{BOARD} .target")).to_have_count(1)
    pick(page, "White ant 1 opens the game")
    expect(moves(page)).to_have_count(2)
    expect(moves(page).first).to_have_text("wA1")
    expect(page.locator(f"{BOARD} .piece")).to_have_count(2)
    expect(page.get_by_role("button", name="White ant, 2 in hand")).to_be_visible()

    page.get_by_role("button", name="Takeback").click()
    expect(moves(page)).to_have_count(0)
    expect(page.locator(f"{BOARD} .piece")).to_have_count(0)
    pick(page, "White beetle, 2 in hand", "White beetle 1 opens the game")
    expect(moves(page)).to_have_count(2)
    page.get_by_role("switch", name="Evaluation").check()
    expect(page.locator("eval-bar .bar")).to_have_class(re.compile("live"))
    page.get_by_role("button", name="Resign").click()
    page.get_by_role("button", name="Resign the game?").click()
    expect(status(page)).to_have_text(re.compile("wins by resignation.$"))
    expect(page.locator(f"{BOARD} .source")).to_have_count(0)

    page.get_by_role("button", name="Rematch").click()
    expect(moves(page)).to_have_count(1)
    expect(page.locator(f"{BOARD} .tray").last).to_have_attribute("aria-label", "Black's pieces in hand")
    page.goto("/")
    row = page.locator("game-list").filter(has_text="Finished").get_by_role("listitem").first
    expect(row).to_contain_text("Hive")


def test_a_throw_is_shown_to_spectators(open_page: OpenPage, server: Server) -> None:
    game = open_game(server, THROW)
    white, black, guest = open_page(), open_page(), open_page()
    for page, path in ((white, game.white), (black, game.black), (guest, game.watch)):
        page.goto(path)
    expect(guest.get_by_text("You are watching.")).to_be_visible()
    expect(guest.get_by_text("White to move.")).to_be_visible()
    expect(guest.locator(f"{BOARD} .source")).to_have_count(0)
    expect(white.locator(f"{BOARD} .source.foreign")).to_have_count(1)
    expect(black.locator(f"{BOARD} .source")).to_have_count(0)

    pick(white, "Black mosquito", "Black mosquito north-west of white beetle 1")
    for page in (white, black, guest):
        expect(moves(page)).to_have_text([r"bM \wB1"])
        expect(page.locator(f"{BOARD} .arrival")).to_have_count(1)
        expect(page.locator(f"{BOARD} .origin")).to_have_count(1)
        expect(page.locator(f"{BOARD} .rest")).to_have_count(1)
    expect(status(black)).to_have_text("Your turn.")
    white.context.close()
    expect(black.locator(".away").first).to_be_visible()


def test_a_forced_pass(open_page: OpenPage, server: Server) -> None:
    game = open_game(server, STUCK)
    white, black = open_page(), open_page()
    white.goto(game.white)
    black.goto(game.black)
    pick(black, "Pass (no legal move)")
    expect(moves(white)).to_have_text(["pass"])
    expect(white.get_by_text("Black passed.")).to_be_visible()
    expect(white.locator(f"{BOARD} .source")).not_to_have_count(0)


def test_a_stack_is_spread_out(open_page: OpenPage, server: Server) -> None:
    page = open_page()
    page.goto(open_game(server, GAME).watch)
    stack = page.get_by_role("img", name="White beetle 1 on black ladybug")
    spread = page.locator(f"{BOARD} .spread .tile")
    expect(stack.locator(".height")).to_have_text("2")
    stack.hover()
    expect(spread).to_have_count(2)
    page.get_by_role("button", name="Flip").hover()
    expect(spread).to_have_count(0)
    page.get_by_role("button", name="Flip").click()
    expect(page.locator(f"{BOARD} .tray").last).to_have_attribute("aria-label", "Black's pieces in hand")


def test_the_page_fits_a_phone_in_dark_mode(open_page: OpenPage, server: Server) -> None:
    page = open_page(viewport={"width": 360, "height": 740}, has_touch=True, color_scheme="dark")
    start_game(page)
    page.get_by_role("button", name="White spider, 2 in hand").tap()
    page.get_by_role("button", name="White spider 1 opens the game").tap()
    expect(moves(page)).to_have_count(2)
    assert too_wide(page) == []

    page.goto(open_game(server, GAME).black)
    page.get_by_role("img", name="White beetle 1 on black ladybug").tap()
    expect(page.locator(f"{BOARD} .spread .tile")).to_have_count(2)
    page.get_by_role("button", name="Black ant 1", exact=True).tap()
    expect(page.locator(f"{BOARD} .spread")).to_have_count(0)
    place = page.get_by_role("button", name="Black ant 1 west of white queen")
    place.tap()
    page.get_by_role("button", name="Confirm: Black ant 1 west of white queen").tap()
    expect(moves(page)).to_have_count(1)
    assert too_wide(page) == []


def test_hive_can_be_played_by_keyboard(open_page: OpenPage) -> None:
    page = open_page()
    start_game(page)
    page.get_by_role("button", name="White ant, 3 in hand").focus()
    page.keyboard.press("ArrowRight")
    expect(page.get_by_role("button", name="White grasshopper, 3 in hand")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator(f"{BOARD} .target:focus")).to_have_count(1)
    page.keyboard.press("Escape")
    expect(page.locator(f"{BOARD} .target")).to_have_count(0)
    expect(page.get_by_role("button", name="White grasshopper, 3 in hand")).to_be_focused()
    page.keyboard.press(" ")
    page.keyboard.press("Enter")
    expect(moves(page)).to_have_count(2)
    expect(moves(page).first).to_have_text("wG1")
    expect(page.locator(f"{BOARD} :focus")).to_have_count(1)
    page.keyboard.press("Enter")
    page.keyboard.press("ArrowUp")
    page.keyboard.press("Enter")
    expect(moves(page)).to_have_count(4)


def test_a_pasted_game_string_is_analysed(open_page: OpenPage) -> None:
    page = open_page()
    page.goto("/analysis")
    page.get_by_label("Record").fill(GAME)
    page.get_by_role("button", name="Analyse").click()
    expect(page).to_have_url(re.compile(r"/analysis/[\w-]+\?ply=0$"))
    page.get_by_role("button", name="Quick").click()
    expect(page.locator("analysis-lines li").first).to_be_visible()
    expect(page.locator(f"{BOARD} .hint")).not_to_have_count(0)
    page.keyboard.press("End")
    expect(page.locator("move-list .shown")).to_have_text("wB1 bL")
    expect(page.get_by_role("img", name="White beetle 1 on black ladybug")).to_be_visible()
    expect(page.locator("analysis-status")).to_contain_text("Done")
    expect(page.locator(f"{BOARD} .pointed-out")).to_have_count(1)
    with page.expect_download() as download:
        page.get_by_role("link", name="GameString").click()
    assert download.value.path().read_text().startswith("Base+MLP;InProgress;Black[10];wG1;bL /wG1;")
