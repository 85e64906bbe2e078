"""Turns of Carcassonne that do not go as usual: two pages of one seat, a reload, a takeback, players who leave."""

from playwright.sync_api import Page, expect

from tests.web.conftest import OpenPage, Server
from tests.web.test_carcassonne import BOARD, BOT, click, open_game, open_seats, place_tile, play_to_the_end
from tests.web.test_page import moves, status

PERSON = {"kind": "human"}
TARGET = f"{BOARD} .target"
SPOT = f"{BOARD} .spot"
TILES = f"{BOARD} .tiles use"


def place_and_stay(page: Page) -> None:
    """Places the tile, but does not finish the turn."""
    place_tile(page, click)
    expect(page.get_by_role("button", name="Finish turn")).to_be_enabled()


def finish(page: Page) -> None:
    page.get_by_role("button", name="Finish turn").click()


def resign(page: Page) -> None:
    page.get_by_role("button", name="Resign").click()
    page.get_by_role("button", name="Resign the game?").click()


def test_a_turn_finished_on_another_page_of_the_seat(open_page: OpenPage, server: Server) -> None:
    path = open_game(server, tiles=11)
    one, other = open_page(), open_page()
    one.goto(path)
    other.goto(path)
    place_and_stay(one)
    place_and_stay(other)
    finish(other)
    for page in (one, other):
        expect(moves(page)).to_have_count(3)
        expect(page.locator(TILES)).to_have_count(4)
        expect(page.locator(SPOT)).to_have_count(0)
        expect(page.locator(TARGET).first).to_be_visible()
    place_and_stay(one)
    finish(one)
    expect(moves(other)).to_have_count(6)


def test_a_reload_starts_the_turn_again(open_page: OpenPage, server: Server) -> None:
    page = open_page()
    page.goto(open_game(server, tiles=4))
    place_and_stay(page)
    expect(page.locator(TILES)).to_have_count(2)
    page.reload()
    expect(page.locator(TARGET).first).to_be_visible()
    expect(page.locator(TILES)).to_have_count(1)
    place_and_stay(page)
    finish(page)
    expect(moves(page)).to_have_count(3)


def test_a_takeback_during_a_turn(open_page: OpenPage, server: Server) -> None:
    page = open_page()
    page.goto(open_game(server, tiles=11))
    first = page.locator(f"{BOARD} .hand use").get_attribute("href")
    place_and_stay(page)
    finish(page)
    expect(moves(page)).to_have_count(3)
    place_and_stay(page)
    page.get_by_role("button", name="Takeback").click()
    expect(moves(page)).to_have_count(0)
    expect(page.locator(TILES)).to_have_count(1)
    expect(page.locator(SPOT)).to_have_count(0)
    expect(page.locator(f"{BOARD} .hand use")).to_have_attribute("href", first or "")
    place_and_stay(page)
    finish(page)
    expect(moves(page)).to_have_count(3)


def test_a_game_goes_on_without_a_player_who_resigns(open_page: OpenPage, server: Server) -> None:
    paths = open_seats(server, PERSON, PERSON, BOT, tiles=7)
    one, other = open_page(), open_page()
    one.goto(paths[0])
    other.goto(paths[1])
    place_and_stay(one)
    finish(one)
    place_and_stay(other)
    finish(other)
    expect(moves(one)).to_have_count(3)
    place_and_stay(one)
    resign(other)
    expect(one.locator("player-strip .left")).to_have_text("left")
    expect(one.get_by_role("button", name="Offer draw")).to_have_count(0)
    expect(one.locator(TILES)).to_have_count(5)
    expect(status(other)).to_have_text("You have left the game. Player 1 to move.")
    expect(other.get_by_role("button", name="Takeback")).to_have_count(0)
    finish(one)
    expect(moves(one)).to_have_count(5)
    play_to_the_end(one, click)
    expect(other.locator(f"{BOARD} .breakdown")).to_be_visible()
    expect(other.get_by_role("button", name="Rematch")).to_be_visible()


def test_the_last_player_wins(open_page: OpenPage, server: Server) -> None:
    paths = open_seats(server, PERSON, PERSON, PERSON, tiles=7)
    pages = [open_page() for _ in paths]
    for page, path in zip(pages, paths, strict=True):
        page.goto(path)
    place_and_stay(pages[0])
    finish(pages[0])
    for page in pages[1:]:
        expect(moves(page)).to_have_count(1)
    resign(pages[1])
    expect(status(pages[2])).to_have_text("Your turn.")
    resign(pages[0])
    expect(status(pages[2])).to_have_text("You win by resignation.")
    expect(status(pages[0])).to_have_text("Player 3 wins by resignation.")
    expect(pages[2].locator(TARGET)).to_have_count(0)
