"""The analysis board in a real browser: own moves, variations, the engine's lines, links, files and set-up."""

import json
import re
from pathlib import Path
from typing import Any

import httpx
import pytest
from playwright.sync_api import FilePayload, Page, expect

from tests.web.conftest import OpenPage, Server
from tests.web.test_accessibility import faults
from tests.web.test_analysis import import_game
from tests.web.test_keyboard import Listener
from tests.web.test_page import act as pick

Json = dict[str, Any]
GAMES = ["carcassonne", "hive", "pyrat", "wallwars"]


def moves(page: Page) -> list[str]:
    """The moves of the tree, each variation after the move that it replaces."""
    # Not the inner texts: those of moves that are scrolled away are empty.
    return [" ".join(text.split()) for text in page.locator("move-tree button.move").all_text_contents()]


def open_board(page: Page, address: str) -> None:
    page.goto(address)
    expect(page.locator("move-tree")).to_be_visible()


def tried(page: Page) -> None:
    """Two moves of White and one of Black: the second White one is tried instead of the first."""
    open_board(page, "/board/hive")
    pick(page, "White ant, 3 in hand", "White ant 1 opens the game")
    expect(page.locator("move-tree .shown")).to_have_text("wA1")
    page.locator("analysis-lines li button").first.click()
    expect(page.locator("move-tree button.move")).to_have_count(2)
    page.keyboard.press("Home")
    pick(page, "White beetle, 2 in hand", "White beetle 1 opens the game")
    expect(page.locator("move-tree .line .shown")).to_have_text("wB1")


def test_variations_are_kept_and_shared(open_page: OpenPage, tmp_path: Path) -> None:
    page = open_page()
    tried(page)
    before = moves(page)
    assert before[:2] == ["wA1", "wB1"]
    page.get_by_role("button", name="?!", exact=True).click()
    page.get_by_role("button", name="Comment").click()
    page.get_by_label("Comment on the move").fill("too early")
    page.get_by_role("button", name="Make main line").click()
    expect(page.locator("move-tree .comment")).to_have_text("too early")
    expect(page.locator("move-tree .main > .whole").first).to_contain_text("wB1?!")
    better = moves(page)
    with page.expect_download() as download:
        page.get_by_role("button", name="Save file").click()
    file = tmp_path / download.value.suggested_filename
    download.value.save_as(file)
    expect(page).to_have_url(re.compile("move=wB1$"))
    shared = page.url
    page.reload()
    expect(page.locator("move-tree .shown")).to_have_text("wB1?!")
    assert moves(page) == better
    page.keyboard.press("ArrowDown")
    expect(page.locator("move-tree .line .shown")).to_have_text("wA1")
    page.get_by_role("button", name="Delete from here").click()
    expect(page.locator("move-tree button.move")).to_have_count(1)
    other = open_page()
    open_board(other, shared)
    page.get_by_label("Open file").set_input_files(file)
    page.get_by_role("button", name="Replace all moves").click()
    expect(page.locator("move-tree button.move")).to_have_count(len(better))
    assert moves(page) == better
    other.get_by_label("Open file").set_input_files(file)
    other.get_by_role("button", name="Replace all moves").click()
    expect(other.locator("move-tree button.move")).to_have_count(len(better))


def test_tiles_that_nobody_knows_are_drawn(open_page: OpenPage) -> None:
    page = open_page()
    config = '{"seats":2,"tileCount":20,"tile":"K"}'
    open_board(page, f"/board/carcassonne#config={config}&move=-1,0,180")
    expect(page.locator("move-tree .shown")).to_have_text(re.compile(r"-1,0,180 \+[A-X]"))
    expect(page.locator("analysis-lines li").first).to_be_visible()
    page.locator("analysis-lines li button").first.click()
    expect(page.locator("move-tree .shown")).to_have_text(re.compile(r" \+[A-X]"))
    expect(page.locator("move-tree button.move")).to_have_count(2)
    expect(page.locator("analysis-lines li").first).to_be_visible()


@pytest.mark.parametrize("name", ["PGN", "SGF"])
def test_variations_are_saved_as_records(name: str, open_page: OpenPage, tmp_path: Path) -> None:
    page = open_page()
    tried(page)
    before = moves(page)
    with page.expect_download() as download:
        page.get_by_role("button", name=f"Save {name}").click()
    file = tmp_path / download.value.suggested_filename
    assert file.suffix == f".{name.lower()}"
    download.value.save_as(file)
    page.get_by_role("button", name="Delete all moves").or_(page.get_by_text("Delete from here")).click()
    expect(page.locator("move-tree button.move")).to_have_count(2)
    page.get_by_label("Open file").set_input_files(file)
    page.get_by_role("button", name="Replace all moves").click()
    expect(page.locator("move-tree button.move")).to_have_text(before)


GAME_STRING = "Base+MLP;InProgress;White[2];wS1;bS1 wS1-"


@pytest.mark.parametrize("sign", ["?", "#"])
def test_a_record_in_the_address_opens_on_a_board(sign: str, open_page: OpenPage) -> None:
    page = open_page()
    page.goto("/bots")
    page.goto(f"/analysis{sign}uhp={GAME_STRING}")
    expect(page.locator("move-tree .shown")).to_have_text("bS1 wS1-")
    expect(page).to_have_url(re.compile(r"/board/hive#record=\w+&variant=Base%2BMLP&move=wS1&move=bS1"))
    page.go_back()
    expect(page).to_have_url(re.compile("/bots$"))


def test_an_unreadable_record_in_the_address_can_be_corrected(open_page_anyhow: OpenPage) -> None:
    page = open_page_anyhow()
    page.goto("/analysis?uhp=Base;InProgress;White[2];wS1;wS2 wS1-")
    expect(page.get_by_role("alert").filter(has_text="it is Black's turn")).to_be_visible()
    page.get_by_label("Record").fill("Base;InProgress;White[2];wS1;bS1 wS1-")
    page.get_by_role("button", name="Open on a board").click()
    expect(page.locator("move-tree button.move")).to_have_count(2)
    page.get_by_role("button", name="Delete all moves").click()
    page.get_by_role("button", name="Delete them all").click()
    expect(page.locator("move-tree button.move")).to_have_count(0)


def test_what_is_no_file_of_variations_is_refused(open_page_anyhow: OpenPage) -> None:
    page = open_page_anyhow()
    tried(page)
    before = moves(page)
    content = b'{"format": "another"}'
    wrong = FilePayload(name="game.json", mimeType="application/json", buffer=content)
    page.get_by_label("Open file").set_input_files(wrong)
    page.get_by_role("button", name="Keep them").click()
    page.get_by_label("Open file").set_input_files(wrong)
    page.get_by_role("button", name="Replace all moves").click()
    expect(page.get_by_role("alert").filter(has_text='format must be "plyhouse-record"')).to_be_visible()
    assert moves(page) == before


def set_up(page: Page, game: str) -> None:
    open_board(page, f"/board/{game}")
    page.get_by_role("button", name="Set up").click()
    expect(page.locator("set-up-tools")).to_be_visible()


def place(page: Page, tool: str, right: float = 0.5, down: float = 0.5) -> None:
    """Clicks at a place of the picture, in fractions of its size, once the board shows what was placed before."""
    page.get_by_role("button", name=re.compile(f"^{tool}")).click()
    box = page.locator("svg:has(.world)").bounding_box()
    assert box is not None
    page.mouse.click(box["x"] + box["width"] * right, box["y"] + box["height"] * down)


def draft(page: Page) -> Json:
    """The configuration that is being set up."""
    return dict(json.loads(page.get_by_label("Configuration").input_value()))


def test_pieces_are_set_up_by_hand(open_page_anyhow: OpenPage) -> None:
    page = open_page_anyhow()
    set_up(page, "hive")
    page.get_by_text("As text").click()
    place(page, "White queen")
    expect(page.locator("hive-board .world .tile.Q")).to_have_count(1)
    place(page, "Black beetle")
    expect(page.locator("hive-board .world .tile.B.seat-1")).to_have_count(1)
    tools = page.locator("set-up-tools")
    expect(tools.get_by_role("button", name="White queen")).to_have_count(0)
    page.get_by_role("button", name="Give the turn to Black").click()
    place(page, "Black queen", 0.9)
    expect(page.get_by_role("alert").filter(has_text="not connected")).to_be_visible()
    expect(tools.get_by_role("button", name="Black queen")).to_be_visible()
    assert draft(page) == {"cells": [{"q": 0, "r": 0, "pieces": ["wQ", "bB1"]}], "toMove": 1}
    page.get_by_role("button", name="Analyse this position").click()
    expect(page).to_have_url(re.compile("#variant=Base%2BMLP&config=.*cells"))
    expect(page.locator("analysis-lines li").first).to_contain_text("b")
    page.reload()
    expect(page.locator("hive-board .world .tile.B.seat-1")).to_have_count(1)
    assert faults(page) == []


def test_walls_are_set_up_by_hand(open_page: OpenPage) -> None:
    page = open_page()
    set_up(page, "wallwars")
    page.get_by_text("As text").click()
    place(page, "Player 1: cat", 0.44, 0.44)
    expect(page.get_by_label("Configuration")).to_have_value(re.compile(r'"p1":\{"cat":\[3,3\]'))
    wall = {"cell": [2, 1], "orientation": "vertical", "playerId": 2}
    place(page, "Player 2: wall", 0.25, 0.31)
    expect(page.get_by_label("Configuration")).to_have_value(re.compile('"playerId":2'))
    assert draft(page)["initialState"]["walls"] == [wall]
    place(page, "Neutral wall", 0.25, 0.31)
    expect(page.get_by_label("Configuration")).to_have_value(re.compile(r'"walls":\[\]'))
    page.get_by_role("button", name="Cancel").click()
    expect(page).to_have_url(re.compile("/board/wallwars$|#variant=standard$"))


def test_mazes_are_set_up_by_hand_and_as_text(open_page_anyhow: OpenPage) -> None:
    page = open_page_anyhow()
    open_board(page, "/board/pyrat#variant=tiny")
    page.get_by_role("button", name="Set up").click()
    page.get_by_text("As text").click()
    page.get_by_role("button", name="Remove walls and mud").click()
    text = page.get_by_label("Configuration")
    expect(text).to_have_value(re.compile(r'"walls":\[\],"mud":\[\]'))
    for mud in (r"\[\[\[5,4\],\[5,5\],2\]\]", r"\[\[\[5,4\],\[5,5\],3\]\]"):
        place(page, "Mud", 0.5, 0.455)
        expect(text).to_have_value(re.compile(f'"mud":{mud}'))
    place(page, "Wall", 0.5, 0.455)
    expect(text).to_have_value(re.compile(r'"walls":\[\[\[5,4\],\[5,5\]\]\],"mud":\[\]'))
    before = draft(page)
    for wrong, why in (("{", "not a JSON object"), ('{"width": 1}', "width")):
        text.fill(wrong)
        text.blur()
        expect(page.get_by_role("alert").filter(has_text=why)).to_be_visible()
    text.fill(json.dumps({**before, "mudModel": "doc", "cheese": [[0, 1]]}))
    text.blur()
    expect(page.locator("pyrat-board")).to_contain_text("1 of 1 cheese")
    page.get_by_role("button", name=re.compile("^Cheese")).click()
    box = page.locator("svg:has(.world)").bounding_box()
    assert box is not None
    for share in (0.3, 0.5, 0.7):  # Faster than the server answers.
        page.mouse.click(box["x"] + share * box["width"], box["y"] + box["height"] / 2)
    text.evaluate("field => field.focus()")
    page.get_by_role("button", name="Analyse this position").click()
    expect(page).to_have_url(re.compile("mudModel%22%3A%22doc"))
    expect(page.locator("pyrat-board")).to_contain_text("4 of 4 cheese")


def test_moves_of_an_analysed_game_are_tried(open_page: OpenPage, server: Server) -> None:
    page = open_page()
    page.goto(f"/analysis/{import_game(server)}?ply=2")
    page.get_by_role("link", name="Try moves").click()
    expect(page.locator("move-tree button.move")).to_have_count(8)
    expect(page.locator("move-tree .shown")).to_have_text("Cc4")
    page.get_by_role("button", name="Pass", exact=True).click()
    expect(page.locator("move-tree .line .shown")).to_have_text("---")
    expect(page).to_have_url(re.compile(r"#from=[\w-]+&ply=2&move=---$"))


def test_no_engine_helps_in_a_game_without_assistance(open_page: OpenPage, server: Server) -> None:
    people = [{"kind": "human"}, {"kind": "human"}]
    body = {"game": "hive", "seats": people, "assistance": "none"}
    game = httpx.post(f"http://127.0.0.1:{server.port}/api/games", json=body).json()
    page = open_page()
    open_board(page, f"/board/hive#from={game['gameId']}&ply=0")
    expect(page.get_by_text("no engine helps on this board")).to_be_visible()
    expect(page.locator("analysis-lines")).to_have_count(0)
    expect(page.get_by_role("button", name="Set up")).to_have_count(0)
    pick(page, "White ant, 3 in hand", "White ant 1 opens the game")
    expect(page.locator("move-tree .shown")).to_have_text("wA1")
    expect(page.locator("hive-board .hint")).to_have_count(0)


def test_the_engine_can_be_switched_off(open_page: OpenPage) -> None:
    page = open_page()
    open_board(page, "/board/wallwars#config=%7B%22boardWidth%22%3A4%2C%22boardHeight%22%3A4%7D")
    expect(page.locator("analysis-lines li")).to_have_count(3)
    page.get_by_label("Lines").select_option("5")
    expect(page.locator("analysis-lines li")).to_have_count(5)
    page.get_by_label("Engine").uncheck()
    expect(page.locator("analysis-lines")).to_have_count(0)
    page.get_by_role("button", name="Pass", exact=True).click()
    expect(page.locator("move-tree .shown")).to_have_text("---")


def test_seats_that_act_together_move_one_after_the_other(open_page: OpenPage) -> None:
    page = open_page()
    open_board(page, "/board/pyrat#variant=small")
    for key in ("w", "s"):
        expect(page.locator("pyrat-board .target").first).to_be_visible()
        page.locator("pyrat-board").press(key)
    expect(page.locator("move-tree .shown")).to_have_text("UP/DOWN")


@pytest.mark.parametrize("game", GAMES)
def test_the_board_is_accessible_on_a_phone(open_page: OpenPage, game: str) -> None:
    page = open_page(viewport={"width": 390, "height": 844}, has_touch=True)
    open_board(page, f"/board/{game}")
    page.locator("analysis-lines li button").first.click()
    expect(page.locator("move-tree button.move")).to_have_count(1)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert faults(page) == []


def test_what_cannot_be_shown_is_said(open_page_anyhow: OpenPage) -> None:
    """The console reports the answers, which are errors."""
    page = open_page_anyhow()
    for address, why in (
        ("/board/chess", "no game chess"),
        ("/board/hive#variant=Chess", "Chess"),
        ("/board/hive#from=nothing", "nothing"),
        ("/board/hive#move=wZ9", "wZ9"),
    ):
        page.goto("about:blank")
        page.goto(address)
        expect(page.get_by_role("alert").first).to_contain_text(why)


def test_a_line_is_shown_up_to_its_last_legal_move(open_page_anyhow: OpenPage) -> None:
    """The console reports the answer, which is an error."""
    page = open_page_anyhow()
    open_board(page, "/board/hive#variant=Base&move=wS1&move=wZ9&move=bG1")
    expect(page.locator("move-tree .shown")).to_have_text("wS1")
    expect(page.get_by_role("alert").first).to_contain_text("wZ9")
    assert moves(page) == ["wS1"]


# ---- setting up by the keyboard --------------------------------------------------------------------


def choose(listener: Listener, tool: str) -> None:
    """Chooses a tool and goes to the board, by keys only."""
    listener.tab_to(f'button "{tool}')
    listener.press("Enter")
    listener.tab_to(SPOT)


SPOT = r'^button "([a-e]\d|Right of|Above|Empty,|(White|Black) (?!.*left\))|\(\d|Between)'


@pytest.mark.parametrize(
    ("address", "steps", "expected"),
    [
        (
            '/board/wallwars#config={"boardWidth":5,"boardHeight":5}',
            [("Player 1: cat", "b3"), ("Player 2: wall", "Right of b3")],
            {"p1": [2, 1], "walls": [{"cell": [2, 1], "orientation": "vertical", "playerId": 2}]},
        ),
        (
            "/board/hive",
            [("White queen", "Empty, column 0, row 0"), ("Black queen", "Empty, column 1, row 0")],
            {"cells": [{"q": 0, "r": 0, "pieces": ["wQ"]}, {"q": 1, "r": 0, "pieces": ["bQ"]}]},
        ),
        (
            '/board/pyrat#variant=open&config={"width":5,"height":5,"cheeseCount":5}',
            [("Rat", r"\(2, 3\)"), ("Wall", r"Between \(2, 3\) and \(3, 3\)")],
            {"starts": [2, 3], "walls": [[2, 3], [3, 3]]},
        ),
    ],
)
def test_positions_are_set_up_by_the_keyboard(
    address: str, steps: list[tuple[str, str]], expected: Json, open_page: OpenPage
) -> None:
    page = open_page()
    open_board(page, address)
    page.get_by_role("button", name="Set up").click()
    page.get_by_role("button", name="Remove").or_(
        page.get_by_role("button", name="Empty board")
    ).first.click()
    page.get_by_text("As text").click()
    listener = Listener(page)
    field = page.get_by_label("Configuration")
    for tool, spot in steps:
        before = field.input_value()
        choose(listener, tool)
        listener.find(f'^button "{spot}')
        listener.press("Enter")
        expect(field).not_to_have_value(before)
        expect(page.locator(".place-spot:focus-visible")).to_have_count(1)
    assert faults(page) == []
    found = draft(page)
    if "p1" in expected:
        state = found["initialState"]
        assert (state["pawns"]["p1"]["cat"], state["walls"]) == (expected["p1"], expected["walls"])
    elif "cells" in expected:
        assert found["cells"] == expected["cells"]
    else:
        assert (found["starts"][0], expected["walls"] in found["walls"]) == (expected["starts"], True)
    listener.tab_to('^button "Analyse this position')
    listener.press("Enter")
    expect(page.locator("move-tree")).to_be_visible()


def test_a_position_of_text_is_set_up_by_the_keyboard(open_page: OpenPage) -> None:
    page = open_page()
    open_board(page, "/board/carcassonne")
    listener = Listener(page)
    listener.tab_to('^button "Set up')
    listener.press("Enter")
    listener.tab_to('^textbox "Configuration')
    listener.press("Control+a")
    page.keyboard.type('{"seats": 2, "tileCount": 20}')
    listener.tab_to('^button "Analyse this position')
    listener.press("Enter")
    expect(page).to_have_url(re.compile("tileCount%22%3A20"))
