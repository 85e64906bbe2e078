"""Boards under a hand in a real browser: where walls are picked, staged turns, drags, moves in advance, and notes."""

import json
from dataclasses import dataclass
from typing import Any

import httpx
import pytest
from playwright.sync_api import Locator, Page, expect

from tests.web.conftest import OpenPage, Server
from tests.web.test_page import act, moves, status
from tests.web.test_touch import middle, requests_of, settle

PERSON = {"kind": "human"}
CLOCK = {"initialSeconds": 600, "incrementSeconds": 0}
STAGED = "line.wall.next, .piece.next"
WALL_SHARE = """(board) => {
    const root = board.shadowRoot;
    const ground = root.querySelector(".ground").getBoundingClientRect();
    const cell = ground.width / 8;
    const steps = [...Array(40).keys()].map((step) => (step + 0.5) / 40);
    const points = steps.flatMap((x) => steps.map((y) => [ground.x + (4 + x) * cell, ground.y + (4 + y) * cell]));
    const walls = points.filter(([x, y]) => root.elementFromPoint(x, y).closest(".target.wall"));
    return walls.length / points.length;
}"""


@dataclass
class Game:
    """A game of people; the test also plays for them over HTTP."""

    server: Server
    id: str
    tokens: list[str]

    def path(self, seat: int) -> str:
        """The page of a seat."""
        return f"/game/{self.id}?token={self.tokens[seat]}"

    def play(self, seat: int, *moves: str) -> None:
        """Plays moves for a seat and the other one in turn."""
        for index, move in enumerate(moves):
            token = self.tokens[(seat + index) % len(self.tokens)]
            headers = {"Authorization": f"Bearer {token}"}
            address = f"http://127.0.0.1:{self.server.port}/api/games/{self.id}/moves"
            answer = httpx.post(address, json={"move": move}, headers=headers)
            assert answer.status_code == 200, answer.text


def new_game(server: Server, game: str, **more: Any) -> Game:
    """Creates a game of two people."""
    body = {"game": game, "seats": [PERSON, PERSON], **more}
    answer = httpx.post(f"http://127.0.0.1:{server.port}/api/games", json=body)
    assert answer.status_code == 201, answer.text
    created = answer.json()
    return Game(server, created["gameId"], [seat["token"] for seat in created["seats"]])


def wallwars(server: Server, size: int = 5, **more: Any) -> Game:
    return new_game(server, "wallwars", config={"boardWidth": size, "boardHeight": size}, **more)


def drag(page: Page, start: Locator, end: Locator, button: Any = "left") -> None:
    """Drags one element to another; the second one may appear only then."""
    expect(start).to_be_attached()
    settle(page)
    x, y = middle(start)
    page.mouse.move(x, y)
    page.mouse.down(button=button)
    page.mouse.move(x + 15, y + 15)
    expect(end).to_be_attached()
    page.mouse.move(*middle(end))
    page.mouse.up(button=button)


def test_the_centre_of_a_cell_is_for_pieces(open_page: OpenPage, server: Server) -> None:
    page = open_page()
    page.goto(wallwars(server, 8).path(0))
    board = page.locator("wallwars-board")
    expect(board.locator(".target").first).to_be_attached()
    assert 0.4 < board.evaluate(WALL_SHARE) < 0.6


def test_a_turn_is_staged_without_requests_and_sent_once(open_page: OpenPage, server: Server) -> None:
    page = open_page()
    frames: list[str] = []
    page.on("websocket", lambda line: line.on("framesent", lambda text: frames.append(str(text))))
    page.goto(wallwars(server).path(0))
    expect(page.locator(".target").first).to_be_attached()
    sent = requests_of(page)
    act(page, "Wall right of c3")
    page.locator(".undo").click()
    expect(page.locator(STAGED)).to_have_count(0)
    act(page, "Cat to b5")
    expect(page.get_by_role("button", name="Cat to c5", exact=True)).to_be_attached()
    page.locator(".piece.next").click()
    expect(page.locator(STAGED)).to_have_count(0)
    assert sent == []
    act(page, "Cat to b5", "Cat to c5")
    expect(moves(page)).to_have_text(["Cc5"])
    assert sent == []
    assert [json.loads(frame)["move"] for frame in frames if '"submit-move"' in frame] == ["Cb5.Cc5"]


def test_passing_asks_and_is_never_where_a_turn_is_finished(open_page: OpenPage, server: Server) -> None:
    page = open_page()
    page.goto(wallwars(server).path(0))
    page.get_by_role("button", name="Pass", exact=True).click()
    right = [
        box["x"] + box["width"]
        for box in (
            page.get_by_role("button", name=name).bounding_box() for name in ("Do not pass", "Pass the turn")
        )
        if box is not None
    ]
    page.get_by_role("button", name="Do not pass").click()
    act(page, "Cat to b5")
    finish = page.get_by_role("button", name="Finish turn").bounding_box()
    assert finish is not None
    assert finish["x"] > max(right)
    page.get_by_role("button", name="Undo action").click()
    page.get_by_role("button", name="Pass", exact=True).click()
    expect(moves(page)).to_have_count(0)
    page.get_by_role("button", name="Pass the turn").click()
    expect(moves(page)).to_have_text(["---"])


def test_pieces_are_dragged_to_their_places(open_page: OpenPage, server: Server) -> None:
    page = open_page()
    page.goto(wallwars(server).path(0))
    cat = page.locator(".piece.cat.seat-0")
    drag(page, cat, page.locator('[data-action="Cb5"]'))
    expect(page.locator(".piece.cat.next")).to_have_count(1)
    drag(page, page.locator(".piece.cat.next"), page.locator('[data-action="Cb4"]'))
    expect(moves(page)).to_have_text(["Cb4"])

    page.goto(new_game(server, "hive").path(0))
    ant = page.get_by_role("button", name="White ant, 3 in hand")
    drag(page, ant, page.get_by_role("button", name="White ant 1 opens the game"))
    expect(moves(page)).to_have_text(["wA1"])

    page.goto(new_game(server, "carcassonne").path(0))
    target = page.locator("carcassonne-board .target").first
    drag(page, page.locator("carcassonne-board .hand"), target)
    expect(target).to_have_attribute("aria-pressed", "true")

    config = {"width": 5, "height": 5, "walls": [], "mud": [], "cheese": [[2, 2], [2, 4], [2, 0]]}
    page.goto(new_game(server, "pyrat", config=config).path(0))
    stay = page.get_by_role("button", name="Stay", exact=True)
    drag(page, stay, page.get_by_role("button", name="Right", exact=True))
    expect(status(page)).to_have_text("Waiting for Python.")
    expect(page.locator("pyrat-board .sealed.arrow")).to_have_count(1)


def test_hive_says_that_pieces_come_from_the_hand(open_page: OpenPage, server: Server) -> None:
    page = open_page()
    page.goto(new_game(server, "hive").path(0))
    invitation = page.get_by_text("Choose a piece from your hand below")
    expect(invitation).to_be_visible()
    page.get_by_role("button", name="White ant, 3 in hand").click()
    expect(invitation).to_have_count(0)
    page.get_by_role("button", name="White ant 1 opens the game").click()
    expect(moves(page)).to_have_count(1)
    expect(invitation).to_have_count(0)


def test_a_turn_is_made_in_advance(open_page: OpenPage, server: Server) -> None:
    page = open_page()
    game = wallwars(server, timeControl=CLOCK)
    page.goto(game.path(1))
    act(page, "Cat to d5")
    page.locator(".piece.next").click()
    expect(page.locator(STAGED)).to_have_count(0)
    act(page, "Cat to d5", "Wall right of b2")
    expect(page.get_by_text("Premove: played when it is your turn")).to_be_visible()
    game.play(0, "Cb5.Mb1")
    expect(moves(page)).to_have_text(["Cb5.Mb1", "Cd5.>b2"])

    act(page, "Wall right of c2")
    page.get_by_role("button", name="Finish turn").click()
    game.play(0, ">c2")
    expect(status(page)).to_have_text("Your turn.")
    expect(page.locator(STAGED)).to_have_count(0)
    expect(moves(page)).to_have_count(3)


def test_a_game_without_a_clock_takes_no_moves_in_advance(open_page: OpenPage, server: Server) -> None:
    page = open_page()
    page.goto(wallwars(server).path(1))
    expect(status(page)).to_have_text("Player 1 to move.")
    expect(page.locator(".target")).to_have_count(0)


def test_a_hive_move_made_in_advance_keeps_its_place(open_page: OpenPage, server: Server) -> None:
    page = open_page()
    game = new_game(server, "hive", timeControl=CLOCK)
    game.play(0, "wS1", "bS1 wS1-", "wQ -wS1")
    page.goto(game.path(0))
    page.get_by_role("button", name="White ant, 3 in hand").click()
    page.get_by_role("button", name="White ant 1 west of white queen").click()
    expect(page.get_by_text("Premove: played when it is your turn")).to_be_visible()
    game.play(1, "bQ bS1-")
    expect(moves(page)).to_have_count(5)
    expect(moves(page).last).to_have_text("wA1 -wQ")


def test_a_step_of_pyrat_is_chosen_while_the_last_one_is_sealed(open_page: OpenPage, server: Server) -> None:
    page = open_page()
    config = {"width": 5, "height": 5, "walls": [], "mud": [], "cheese": [[2, 2], [2, 4], [2, 0]]}
    game = new_game(server, "pyrat", config=config, timeControl=CLOCK)
    page.goto(game.path(0))
    page.get_by_role("button", name="Right", exact=True).click()
    expect(status(page)).to_have_text("Waiting for Python.")
    page.get_by_role("button", name="Up", exact=True).click()
    expect(page.locator("pyrat-board .sealed.arrow")).to_have_count(2)
    game.play(1, "STAY")
    expect(status(page)).to_have_text("Waiting for Python.")
    expect(moves(page)).to_have_count(1)
    expect(page.locator("pyrat-board .sealed.arrow")).to_have_count(1)
    game.play(1, "STAY")
    expect(page.locator("move-list .part").nth(2)).to_have_text("UP")


@pytest.mark.parametrize(
    ("game", "cell"),
    [("wallwars", ".piece.cat"), ("hive", ".piece"), ("carcassonne", ".tiles use"), ("pyrat", ".player")],
)
def test_notes_are_drawn_with_the_right_button(
    open_page: OpenPage, server: Server, game: str, cell: str
) -> None:
    page = open_page()
    created = new_game(server, game)
    if game == "hive":
        created.play(0, "wS1", "bS1 wS1-")
    page.goto(created.path(0))
    board, here = page.locator(f"{game}-board"), page.locator(f"{game}-board {cell}").first
    expect(here).to_be_attached()
    settle(page)
    x, y = middle(here)
    page.mouse.click(x, y, button="right")
    expect(board.locator(".notes circle")).to_have_count(1)
    page.mouse.click(x, y, button="right")
    expect(board.locator(".notes circle")).to_have_count(0)
    page.mouse.move(x, y)
    page.mouse.down(button="right")
    page.mouse.move(x + 120, y)
    page.mouse.up(button="right")
    expect(board.locator(".notes .shaft")).to_have_count(1)
    page.mouse.click(*middle(board))
    expect(board.locator(".notes > *")).to_have_count(0)


def test_the_focus_goes_from_a_tile_to_its_meeple(open_page: OpenPage, server: Server) -> None:
    page = open_page()
    page.goto(new_game(server, "carcassonne").path(0))
    page.locator("carcassonne-board .target").first.focus()
    page.keyboard.press("Enter")
    page.keyboard.press("Enter")
    expect(page.locator("carcassonne-board .spot:focus")).to_have_count(1)


def test_points_stand_beside_the_score(open_page: OpenPage, server: Server) -> None:
    page = open_page(viewport={"width": 390, "height": 844})
    game = new_game(server, "carcassonne", config={"seats": 2, "seed": 4})
    page.goto(game.path(0))
    expect(page.locator("carcassonne-board .target").first).to_be_attached()
    overlap = page.locator("carcassonne-board .scoreboard").evaluate(
        """(row) => {
            const seat = row.querySelector(".seat");
            const gained = Object.assign(document.createElement("span"), { className: "gained", textContent: "+6" });
            seat.append(gained);
            return gained.getBoundingClientRect().bottom - seat.querySelector("b").getBoundingClientRect().top;
        }"""
    )
    assert overlap <= 0


def test_who_reaches_home_does_not_win_by_capture(open_page: OpenPage, server: Server) -> None:
    page = open_page()
    game = new_game(server, "wallwars", variant="classic", config={"boardWidth": 4, "boardHeight": 4})
    game.play(0, "Cb4.Cc4", "---", "Cd4.Cd3", "---", "Cd2.Cd1")
    page.goto(game.path(0))
    expect(status(page)).to_have_text("You win by reaching home.")


def test_the_board_zooms_with_keys_and_the_wheel(open_page: OpenPage, server: Server) -> None:
    page = open_page()
    for board, path in (("wallwars-board", wallwars(server, 20).path(0)), ("hive-board", None)):
        game = new_game(server, "hive")
        game.play(0, "wS1", "bS1 wS1-")
        page.goto(path or game.path(0))
        world = page.locator(f"{board} .world")
        expect(world).to_be_attached()
        whole = world.get_attribute("style") or ""
        page.mouse.move(*middle(page.locator(f"{board} .table > svg")))
        page.mouse.wheel(0, -300)
        expect(world).not_to_have_attribute("style", whole)
        page.locator(board).get_by_role("button", name="Show everything").click()
        expect(world).to_have_attribute("style", whole)
