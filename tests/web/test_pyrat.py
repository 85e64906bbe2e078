"""PyRat in a real browser: sealed moves of two people, a bot and a spectator, clocks, keys, the mouse and touch."""

import json
import re
from typing import Any

import httpx
import pytest
from playwright.sync_api import Page, expect

from tests.web.conftest import OpenPage, Server, too_wide
from tests.web.test_carcassonne import is_as_wide_as_the_screen
from tests.web.test_page import moves, status
from tests.web.test_touch import middle, requests_of, touch, until

BOARD = "pyrat-board"
TABLE = f"{BOARD} .table > svg"
WORLD = f"{BOARD} .world"
PHONE: dict[str, Any] = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
PERSON = {"kind": "human"}

# A corridor along the bottom, closed above the third cell, and mud between the fourth and the fifth.
MAZE = {
    "width": 5,
    "height": 5,
    "walls": [[[2, 0], [2, 1]]],
    "mud": [[[3, 0], [4, 0], 2]],
    "cheese": [[2, 0], [2, 2], [2, 4]],
    "maxTurns": 40,
}


def open_game(server: Server, *seats: dict[str, str], config: dict[str, Any], **more: Any) -> list[str]:
    """A new game; returns the paths of the pages of all people."""
    body = {"game": "pyrat", "config": config, "seats": seats, **more}
    answer = httpx.post(f"http://127.0.0.1:{server.port}/api/games", json=body)
    assert answer.status_code == 201, answer.text
    game = answer.json()
    return [f"/game/{game['gameId']}?token={seat['token']}" for seat in game["seats"] if "token" in seat]


def open_two(
    open_page: OpenPage, server: Server, *, config: dict[str, Any] = MAZE, **more: Any
) -> tuple[Page, Page]:
    """The pages of two people who play in the small maze."""
    pages = open_page(), open_page()
    for page, path in zip(pages, open_game(server, PERSON, PERSON, config=config, **more), strict=True):
        page.goto(path)
        expect(status(page)).to_have_text("Your turn.")
        expect(page.locator(f"{BOARD} .target").first).to_be_visible()
    return pages


def positions_of(page: Page) -> list[dict[str, Any]]:
    """Collects the positions that a page gets over its sockets, from now on."""
    found: list[dict[str, Any]] = []

    def read(text: str | bytes) -> None:
        frame = json.loads(text)
        found.extend([frame["position"]] if "position" in frame else [])

    page.on("websocket", lambda socket: socket.on("framereceived", read))
    return found


def steer(page: Page, key: str) -> None:
    """Presses a key once the page takes it."""
    expect(status(page)).to_have_text("Your turn.")
    expect(page.locator(f"{BOARD} .target").first).to_be_visible()
    page.keyboard.press(key)


def test_the_form_starts_a_game_of_two_people(open_page: OpenPage) -> None:
    rat, python, guest = open_page(), open_page(), open_page()
    rat.goto("/new/pyrat")
    rat.get_by_label("Variant").select_option("Tiny")
    rat.get_by_role("radio", name="Friend", exact=True).check()
    rat.get_by_role("button", name="Create game").click()
    expect(status(rat)).to_have_text("Waiting for an opponent.")
    link = rat.get_by_label("Link for your friend").input_value()
    seen = positions_of(python)
    python.goto(link)
    python.get_by_role("button", name="Join this game").click()
    guest.goto(link)
    for page in (rat, python):
        expect(status(page)).to_have_text("Your turn.")
    expect(guest.get_by_text("You are watching.")).to_be_visible()

    rat.get_by_role("button", name="Stay").click()
    expect(status(rat)).to_have_text("Waiting for Python.")
    expect(rat.locator(f"{BOARD} .sealed")).to_have_count(1)
    expect(guest.locator(".now")).to_have_text("Python to move.")
    for page in (python, guest):
        expect(page.locator("player-strip", has_text="Rat").get_by_text("moved")).to_be_visible()
        expect(page.locator(f"{BOARD} .sealed, {BOARD} .last")).to_have_count(0)
    expect(moves(python)).to_have_count(0)
    before, *_, after = (one for one in seen if one["status"] == "playing")
    changed = {"toAct": [1], "pending": [1], "legal": {"1": before["legal"]["1"]}}
    assert after == {**before, **changed}, "the move shows somewhere"


def test_both_steps_are_shown_once_both_have_moved(open_page: OpenPage, server: Server) -> None:
    rat, python = open_two(open_page, server)
    steer(rat, "d")
    expect(status(rat)).to_have_text("Waiting for Python.")
    rat.keyboard.press("ArrowLeft")
    steer(python, "ArrowDown")
    for page in (rat, python):
        expect(page.locator("move-list .part")).to_have_text(["RIGHT", "DOWN"])
        expect(page.locator(f"{BOARD} .last.arrow")).to_have_count(2)
        expect(page.locator(f"{BOARD} .sealed")).to_have_count(0)
        expect(page.get_by_text("Rat right, Python down")).to_have_count(1)

    # Rat collects the cheese at the foot of the wall; Python stays.
    steer(rat, "ArrowRight")
    python.get_by_role("button", name="Stay").click()
    for page in (rat, python):
        expect(page.locator(f"{BOARD} .last.ring.seat-1")).to_have_count(1)
        expect(page.locator(f"{BOARD} .scoreboard")).to_have_attribute(
            "aria-label", "Rat 1, Python 0, cheese left: 2 of 3"
        )
    rat.keyboard.press("ArrowUp")
    expect(status(rat)).to_have_text("Your turn.")
    expect(moves(python)).to_have_count(2)


def test_turns_are_browsed_taken_back_and_resigned(open_page: OpenPage, server: Server) -> None:
    rat, python = open_two(open_page, server)
    for keys in ("da", "ds", "dd"):
        steer(rat, keys[0])
        steer(python, keys[1])
    expect(moves(rat)).to_have_count(3)
    rat.get_by_role("button", name="Previous move").click()
    expect(rat.get_by_text("Position after move 2 of 3")).to_be_visible()
    expect(rat.locator(f"{BOARD} .target")).to_have_count(0)
    expect(rat.locator(f"{BOARD} .player").first).to_have_attribute("aria-label", "Rat on 2, 0, points: 1")
    rat.keyboard.press("ArrowLeft")
    expect(rat.get_by_text("Position after move 1 of 3")).to_be_visible()
    moves(rat).last.click()

    rat.get_by_role("button", name="Stay").click()
    expect(status(rat)).to_have_text("Waiting for Python.")
    python.get_by_role("button", name="Takeback").click()
    rat.get_by_role("button", name="Accept").click()
    for page in (rat, python):
        expect(moves(page)).to_have_count(2)
        expect(status(page)).to_have_text("Your turn.")
    expect(rat.locator(f"{BOARD} .sealed")).to_have_count(0)

    steer(rat, "d")
    expect(status(rat)).to_have_text("Waiting for Python.")
    rat.get_by_role("button", name="Resign").click()
    rat.get_by_role("button", name="Resign the game?").click()
    expect(status(rat)).to_have_text("Python wins by resignation.")
    expect(status(python)).to_have_text("You win by resignation.")
    expect(moves(python)).to_have_count(2)


def test_the_clocks_of_both_run(open_page: OpenPage, server: Server) -> None:
    control = {"initialSeconds": 600, "incrementSeconds": 0, "startsAtOnce": True}
    rat, python = open_two(open_page, server, timeControl=control)
    for page in (rat, python):
        expect(page.locator("game-clock .running")).to_have_count(2)
    steer(rat, "d")
    for page in (rat, python):
        expect(page.locator("game-clock .running")).to_have_count(1)
    steer(python, "a")
    for page in (rat, python):
        expect(page.locator("game-clock .running")).to_have_count(2)


def test_the_form_gives_a_time_for_each_move(open_page: OpenPage) -> None:
    rat, python = open_page(), open_page()
    rat.goto("/new")
    rat.get_by_role("radio", name="PyRat", exact=True).check()
    rat.get_by_role("radio", name="Friend", exact=True).check()
    rat.get_by_label("Time").select_option("Fixed time per move")
    rat.get_by_label("Seconds per move").fill("3600")
    rat.get_by_role("button", name="Create game").click()
    python.goto(rat.get_by_label("Link for your friend").input_value())
    python.get_by_role("button", name="Join this game").click()
    for page in (rat, python):
        expect(status(page)).to_have_text("Your turn.")
        expect(page.get_by_role("timer")).to_have_text(["1:00:00", "1:00:00"])
        expect(page.locator("game-clock .running")).to_have_count(0)
    rat.get_by_role("button", name="Stay").click()
    for page in (rat, python):
        expect(page.get_by_role("timer").filter(has_text=re.compile("^59:"))).to_have_count(1)
        expect(page.locator("game-clock .running")).to_have_count(1)
    python.get_by_role("button", name="Stay").click()
    for page in (rat, python):
        expect(moves(page)).to_have_count(1)
        expect(page.locator("game-clock .running")).to_have_count(2)


def test_a_player_who_is_late_stays(open_page: OpenPage, server: Server) -> None:
    config = {**MAZE, "maxTurns": 3}
    rat, python = open_two(open_page, server, config=config, timeControl={"moveMs": 100})
    steer(rat, "d")
    for page in (rat, python):
        expect(moves(page)).to_have_count(3)
        expect(page.locator("move-list .part")).to_have_text(["RIGHT", *["STAY"] * 5])
        expect(status(page)).to_have_text("Draw by points at the limit of turns.")


@pytest.mark.quick
def test_a_person_plays_a_bot_while_another_watches_the_evaluation(
    open_page: OpenPage, server: Server
) -> None:
    person, guest = open_page(), open_page()
    bot = {"kind": "bot", "bot": "plyhouse:easy"}
    config = {**MAZE, "cheese": [[2, 0], [0, 2], [0, 3]], "maxTurns": 4}
    (path,) = open_game(server, PERSON, bot, config=config)
    person.goto(path)
    guest.goto(path.split("?")[0])
    guest.get_by_role("switch", name="Evaluation").check()
    bar = guest.locator("eval-bar .bar.live.known")
    expect(bar).to_be_visible()
    for turn, key in enumerate("dddd", 1):
        steer(person, key)
        expect(moves(person)).to_have_count(turn)
        expect(moves(guest)).to_have_count(turn)
    expect(status(person)).to_have_text(r"You win by points at the limit of turns.")
    expect(status(guest)).to_have_text("Rat wins by points at the limit of turns.")
    expect(bar).to_have_attribute("aria-valuenow", "100")
    expect(guest.locator(f"{BOARD} .held")).to_have_text("In mud: Rat for 2")
    assert too_wide(guest) == []


def test_mud_holds_a_player(open_page: OpenPage, server: Server) -> None:
    rat, python = open_two(open_page, server)
    for _ in range(4):
        steer(rat, "d")
        steer(python, "a")
    for turns in (2, 1):
        expect(rat.get_by_role("button", name="Stay, held by mud")).to_have_count(1)
        expect(rat.locator(f"{BOARD} .target")).to_have_count(1)
        expect(rat.locator(f"{BOARD} .hold")).to_have_text(str(turns))
        steer(rat, "w")
        steer(python, "Space")
        expect(rat.locator(f"{BOARD} .last.ring")).to_have_count(2)
    expect(rat.locator(f"{BOARD} .hold")).to_have_count(0)
    expect(rat.locator(f"{BOARD} .target")).to_have_count(3)


def test_the_wheel_zooms_and_the_mouse_drags(open_page: OpenPage, server: Server) -> None:
    page, _ = open_two(open_page, server)
    x, y = middle(page.locator(TABLE))
    before = page.locator(WORLD).get_attribute("style") or ""
    page.mouse.move(x, y)
    page.mouse.wheel(0, -200)
    expect(page.locator(WORLD)).not_to_have_attribute("style", before)
    before = page.locator(WORLD).get_attribute("style") or ""
    page.mouse.down()
    page.mouse.move(x + 60, y + 40, steps=6)
    page.mouse.up()
    expect(page.locator(WORLD)).not_to_have_attribute("style", before)
    page.get_by_role("button", name="Show everything").click()
    expect(page.get_by_role("button", name="Show everything")).to_be_disabled()
    expect(status(page)).to_have_text("Your turn.")


def test_fingers_swipe_tap_and_pinch(open_page: OpenPage, server: Server) -> None:
    page = open_page(**PHONE)
    path, other = open_game(server, PERSON, PERSON, config=MAZE)
    page.goto(path)
    rival = open_page()
    rival.goto(other)
    table, world = page.locator(TABLE), page.locator(WORLD)
    expect(page.locator(f"{BOARD} .target").first).to_be_visible()
    x, y = middle(table)

    touch(page, *([(x + 10 * step, y)] for step in range(10)))
    expect(status(page)).to_have_text("Waiting for Python.")
    steer(rival, "s")
    expect(moves(page)).to_have_count(1)
    expect(page.locator("move-list .part").first).to_have_text("RIGHT")

    sent = requests_of(page)
    before = world.get_attribute("style") or ""
    touch(page, *([(x, y - 20 - 8 * step), (x, y + 20 + 8 * step)] for step in range(10)))
    expect(world).not_to_have_attribute("style", before)
    touch(page, *([(x, y - 5 * step)] for step in range(3)))
    assert page.evaluate("[scrollY, visualViewport.scale]") == [0, 1]
    assert sent == []
    expect(status(page)).to_have_text("Your turn.")

    page.get_by_role("button", name="Show everything").tap()
    page.get_by_role("button", name="Left", exact=True).tap()
    expect(status(page)).to_have_text("Waiting for Python.")
    steer(rival, "s")
    expect(moves(page)).to_have_count(2)
    page.get_by_role("button", name="Stay", exact=True).tap()
    expect(status(page)).to_have_text("Waiting for Python.")
    assert too_wide(page) == []


def test_small_cells_need_a_second_tap_but_no_exact_swipe(open_page: OpenPage, server: Server) -> None:
    page = open_page(**PHONE)
    config = {"width": 64, "height": 64, "walls": [], "mud": [], "cheese": [[5, 5], [9, 9], [40, 3]]}
    path, _ = open_game(server, PERSON, PERSON, config=config)
    page.goto(path)
    up = page.get_by_role("button", name="Up", exact=True)
    expect(up).to_be_visible()
    page.get_by_role("button", name="Show everything").tap()
    expect(page.get_by_role("button", name="Show your surroundings")).to_be_visible()
    page.get_by_role("button", name="Show your surroundings").tap()
    up.tap()
    expect(up).to_have_attribute("aria-pressed", "true")
    page.get_by_role("button", name="Cancel").tap()
    expect(page.locator(f"{BOARD} .aimed")).to_have_count(0)
    up.tap()
    page.get_by_role("button", name="Confirm: Up").tap()
    expect(status(page)).to_have_text("Waiting for Python.")
    expect(page.locator(f"{BOARD} .sealed")).to_have_count(1)
    assert is_as_wide_as_the_screen(page)


def test_fingers_of_a_spectator_scroll(open_page: OpenPage, server: Server) -> None:
    page = open_page(**PHONE)
    path, _ = open_game(server, PERSON, PERSON, config=MAZE)
    page.goto(path.split("?")[0])
    expect(page.locator(f"{BOARD} .player")).to_have_count(2)
    x, y = middle(page.locator(TABLE))
    touch(page, *([(x, y - 15 * step)] for step in range(12)))
    until(page, "scrollY > 50")
