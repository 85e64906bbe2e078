"""Boards say in the rules' own words why something is not possible: a wall, a step, a tile, a meeple, a piece."""

from dataclasses import dataclass
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.web.conftest import OpenPage, Server
from tests.web.test_boards import new_game
from tests.web.test_page import moves
from tests.web.test_touch import settle

ON_SCREEN = """(world, [x, y]) => {
    const at = new DOMPoint(x, y).matrixTransform(world.getScreenCTM());
    return [at.x, at.y];
}"""

Place = tuple[float, float]


@dataclass
class Refusals:
    """A page whose board is tried at places in its own units."""

    page: Page
    played: int
    """The number of moves, which stays the same."""

    def point(self, place: Place) -> Place:
        world = self.page.locator(".world").first
        expect(world).to_be_visible()
        x, y = world.evaluate(ON_SCREEN, place)
        return x, y

    def click(self, place: Place) -> None:
        self.page.mouse.click(*self.point(place))

    def drag(self, part: str, place: Place) -> None:
        """Drops a piece at a place."""
        self.page.locator(part).first.hover()
        self.page.mouse.down()
        self.page.mouse.move(*self.point(place), steps=4)
        self.page.mouse.up()

    def says(self, sentence: str) -> None:
        expect(self.page.locator("game-status [role=alert]")).to_have_text(sentence)
        expect(moves(self.page)).to_have_count(self.played)


def open_board(open_page: OpenPage, server: Server, game: str, *played: str, **more: Any) -> Refusals:
    """The page of the first seat of a game of two people, who have played some moves."""
    created = new_game(server, game, **more)
    created.play(0, *played)
    page = open_page(viewport={"width": 1280, "height": 800})
    page.goto(created.path(0))
    expect(page.get_by_text("Your turn.").first).to_be_visible()
    expect(page.locator(".world").first).to_be_visible()  # Its code is loaded later, and listens to keys.
    return Refusals(page, len(played))


def test_walls_and_steps_of_wallwars(open_page_anyhow: OpenPage, server: Server) -> None:
    board = open_board(
        open_page_anyhow, server, "wallwars", ">a4.>b1", ">c1.^b2", config={"boardWidth": 4, "boardHeight": 4}
    )
    board.click((100, 50))
    board.says("A wall right of a4 is built already.")
    board.click((50, 100))
    board.says("A wall above a3 would close a cat's last way to its goal.")
    board.click((395, 50))
    board.says("A wall right of d4 would be on the border.")
    board.click((5, 50))
    board.says("A wall left of a4 would be on the border.")
    board.click((250, 395))
    board.says("A wall below c1 would be on the border.")
    board.click((150, 50))
    board.says("b4 is behind a wall.")
    board.click((350, 350))
    board.says("d1 is neither one nor two steps away.")
    board.drag(".piece.cat[data-drag]", (150, 150 + 120))
    board.says("b2 is neither one nor two steps away.")
    board.page.get_by_role("button", name="Mouse to a2", exact=True).click()
    expect(board.page.locator("game-status [role=alert]")).to_be_hidden()
    board.click((100, 50))
    board.says("A wall right of a4 is built already.")
    expect(board.page.locator(".piece.mouse.next")).to_have_count(1)


TILES = {"seats": 2, "seed": 20, "tileCount": 9}
"""The first tile is half a city and half a field; the third has a road across it."""


def test_a_tile_of_carcassonne(open_page_anyhow: OpenPage, server: Server) -> None:
    board = open_board(open_page_anyhow, server, "carcassonne", config=TILES)
    board.click((100, 0))
    board.says("This tile fits east of the start in no rotation: turned by 0°, field meets road in the west.")
    board.drag(".hand", (-100, -100))
    board.says("No tile is beside the cell 1 west, 1 north of the start.")


def test_a_meeple_of_carcassonne_is_dragged(open_page_anyhow: OpenPage, server: Server) -> None:
    board = open_board(open_page_anyhow, server, "carcassonne", "0,1,180 field_NEW", "0,-1,90", config=TILES)
    board.page.get_by_role("button", name="Tile to 0, 2").click()
    board.page.get_by_role("button", name="Confirm").click()
    expect(board.page.locator(".spot")).to_have_count(2)
    settle(board.page)
    board.drag(".hand", (0, -160))
    board.says("There is a meeple on the field in the south already.")
    board.drag(".hand", (0, -240))
    expect(moves(board.page).last).to_contain_text("0,2,90 field_N")


@pytest.mark.parametrize("way", ["key", "click", "swipe"])
def test_a_wall_of_pyrat(open_page_anyhow: OpenPage, server: Server, way: str) -> None:
    maze = {
        "width": 5,
        "height": 5,
        "walls": [[[0, 0], [0, 1]]],
        "mud": [],
        "cheese": [[2, 2]],
        "maxTurns": 40,
    }
    board = open_board(open_page_anyhow, server, "pyrat", config=maze)
    match way:
        case "key":
            board.page.keyboard.press("ArrowUp")
        case "click":
            board.click((50, 350))
        case "swipe":
            board.drag(".target[data-drag]", (50, 350))
    board.says("There is a wall in the way.")


def test_a_place_of_hive(open_page_anyhow: OpenPage, server: Server) -> None:
    board = open_board(open_page_anyhow, server, "hive", "wA1", "bA1 wA1-")
    board.page.get_by_role("button", name="White queen, 1 in hand").click()
    board.click((43, -75))
    board.says("A piece may not be placed beside an enemy piece, here Black ant 1.")
