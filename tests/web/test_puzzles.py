"""Puzzles and mistakes in a real browser: solved, failed, given up, and learnt from."""

import json
import re
from collections.abc import Callable

import httpx
import pytest
from playwright.sync_api import Page, expect

from engines.puzzles.library import shipped_puzzles
from engines.puzzles.puzzle import Puzzle
from tests.web.conftest import OpenPage, Server
from tests.web.test_accessibility import faults

HIVE = "hive-board"
SAID = ".said"


def puzzle_where(fits: Callable[[Puzzle], bool]) -> Puzzle:
    """The one whose game is the shortest: some tests have it analysed."""
    return min(filter(fits, shipped_puzzles()["hive"].puzzles), key=lambda one: len(one.moves))


def walks(puzzle: Puzzle) -> bool:
    """Whether the best move and its rival move pieces on the ground that are in play, and nothing is stacked."""
    kinds = {"placement", "throw", "climb"}
    rival, position = puzzle.rival, puzzle.position("hive")
    pieces = [cell["pieces"] for cell in position.view()["cells"]]
    own = "wb"[puzzle.seat]
    return (
        len(puzzle.solution) == 1
        and all(len(stack) == 1 for stack in pieces)
        and not kinds & set(puzzle.themes)
        and rival.startswith(own)
        and [rival.split()[0]] in pieces
        and any(sign in rival.split()[1] for sign in "-/\\")
    )


def open_puzzle(page: Page, puzzle: Puzzle) -> None:
    page.goto(f"/puzzles/hive?id={puzzle.id}")
    expect(page.locator(HIVE)).to_be_visible()
    expect(page.get_by_role("button", name="Solution")).to_be_visible()


def make(page: Page, move: str) -> None:
    """Makes a move of a piece in play on the board of Hive, by the names of the piece and of the place."""
    board = page.locator(HIVE)
    expect(page.locator(f"{HIVE} .piece").first).to_be_visible()
    place = str(board.evaluate("(board, move) => board.spell(move)", move))
    name = re.match(r"(White|Black) \w+( \d)?", place)
    assert name is not None, place
    page.get_by_role("button", name=re.compile(f"^{name[0]}(?![ \\d]*in hand)")).first.click()
    page.get_by_role("button", name=place, exact=True).click()


def pick(page: Page, move: str) -> None:
    """Picks one of the legal moves of the board, as clicks do."""
    board = page.locator(HIVE)
    expect(board).to_have_js_property("hint", None)
    page.wait_for_function(
        "([tag, move]) => {"
        "  const find = (root) => root.querySelector(tag) ??"
        "    [...root.querySelectorAll('*')].map((one) => one.shadowRoot && find(one.shadowRoot)).find(Boolean);"
        "  return find(document)?.legal.includes(move);"
        "}",
        arg=[HIVE, move],
    )
    board.evaluate("(board, move) => board.dispatchEvent(new CustomEvent('action', { detail: move }))", move)


@pytest.mark.quick
def test_a_puzzle_is_solved(open_page: OpenPage) -> None:
    puzzle = puzzle_where(walks)
    page = open_page()
    open_puzzle(page, puzzle)
    assert faults(page) == []
    make(page, puzzle.solution[0])
    expect(page.locator(SAID)).to_contain_text("Right.")
    expect(page.locator(".streak")).to_contain_text("In a row: 1")
    link = page.get_by_role("link", name="Try moves on the analysis board")
    expect(link).to_have_attribute("href", re.compile(r"^/board/hive#variant="))
    assert faults(page) == []
    page.get_by_role("button", name="Next puzzle").click()
    expect(page).not_to_have_url(re.compile(puzzle.id))
    expect(page.locator(SAID)).to_be_empty()
    page.reload()
    expect(page.locator(".streak")).to_contain_text("In a row: 1")


def test_a_wrong_move_is_answered(open_page: OpenPage) -> None:
    puzzle = puzzle_where(walks)
    page = open_page(color_scheme="dark")
    open_puzzle(page, puzzle)
    make(page, puzzle.rival)
    expect(page.locator(SAID)).to_contain_text("Not the best.")
    expect(page.locator(SAID)).to_contain_text("The answer is")
    expect(page.locator(".streak")).to_contain_text("In a row: 0")
    assert faults(page) == []
    page.get_by_role("button", name="Try again").click()
    expect(page.locator(SAID)).to_be_empty()
    page.get_by_role("button", name="Solution").click()
    expect(page.locator(SAID)).to_contain_text("The best move is")
    expect(page.locator(HIVE)).to_have_js_property("hint", puzzle.solution[0])
    expect(page.locator(".streak")).to_contain_text("In a row: 0")


def test_a_solution_of_several_moves(open_page: OpenPage) -> None:
    puzzle = puzzle_where(lambda one: len(one.solution) > 1)
    page = open_page()
    open_puzzle(page, puzzle)
    for number, move in enumerate(puzzle.asked_moves, start=1):
        pick(page, move)
        last = number == len(puzzle.asked_moves)
        expect(page.locator(SAID)).to_contain_text("Right." if last else "go on")
        if not last:
            expect(page.locator(".task")).to_contain_text(f"Move {number + 1} of {len(puzzle.asked_moves)}")
    expect(page.get_by_role("button", name="Next puzzle")).to_be_visible()


def test_puzzles_are_chosen_by_difficulty_and_theme(open_page: OpenPage) -> None:
    page = open_page()
    page.goto("/puzzles/hive")
    expect(page.get_by_role("button", name="Solution")).to_be_visible()
    with page.expect_response(lambda answer: "difficulty=hard" in answer.url) as drawn:
        page.get_by_label("Difficulty").select_option("hard")
    ids = {one["id"] for one in drawn.value.json()["puzzles"]}
    expect(page).to_have_url(re.compile("|".join(ids)))


def test_what_is_not_there(open_page_anyhow: OpenPage) -> None:
    page = open_page_anyhow()
    page.goto("/puzzles/hive?id=0123456789")
    expect(page.get_by_role("alert")).to_contain_text("There is no puzzle 0123456789.")
    page.get_by_role("button", name="Next puzzle").click()
    expect(page.get_by_role("button", name="Solution")).to_be_visible()
    page.goto("/puzzles/chess")
    expect(page.get_by_role("alert")).to_contain_text("There is no game chess.")


@pytest.mark.parametrize("game", sorted(shipped_puzzles()))
def test_every_game_shows_its_puzzles(open_page: OpenPage, game: str) -> None:
    page = open_page(viewport={"width": 390, "height": 844}, color_scheme="dark")
    page.goto("/")
    page.get_by_role("link", name=re.compile(f"Puzzles of {game}", re.IGNORECASE)).click()
    expect(page.locator(f"{game}-board")).to_be_visible()
    page.get_by_role("button", name="Solution").click()
    expect(page.locator(SAID)).to_contain_text("The best move is")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_a_mistake_is_learnt_from(open_page: OpenPage, server: Server) -> None:
    puzzle = puzzle_where(walks)
    page = open_page()
    learn(page, server, puzzle)
    pick(page, puzzle.rival)
    expect(page.locator(SAID)).to_contain_text("That is what was played")
    assert faults(page) == []
    page.get_by_role("button", name="Try again").click()
    pick(page, puzzle.solution[0])
    expect(page.locator(SAID)).to_contain_text("Good.")
    expect(page.locator(SAID)).to_contain_text("at once in 0 of")
    page.get_by_role("button", name="Back to the analysis").click()
    expect(page.locator("analysis-summary")).to_be_visible()


def learn(page: Page, server: Server, puzzle: Puzzle) -> None:
    """Has a game analysed that ends with the rival, and goes to that mistake."""
    record = {"game": "hive", "variant": puzzle.variant, "moves": [*puzzle.moves, puzzle.rival]}
    answer = httpx.post(
        f"http://127.0.0.1:{server.port}/api/games/import",
        json={"format": "json", "text": json.dumps(record)},
    )
    assert answer.status_code == 201, answer.text
    page.goto(f"/analysis/{answer.json()['gameId']}")
    page.get_by_role("button", name="Quick").click()
    name = ("White", "Black")[puzzle.seat]
    page.get_by_role("button", name=f"Learn from mistakes: {name}").click()
    go_to_last(page)


def go_to_last(page: Page) -> None:
    """Gives up all mistakes but the last."""
    heading = page.get_by_role("heading", name=re.compile("Learn from mistakes"))
    expect(heading).to_be_visible()
    found = re.search(r"of (\d+)", heading.inner_text())
    assert found is not None
    for number in range(1, int(found[1])):
        page.get_by_role("button", name="Solution").click()
        page.get_by_role("button", name="Next mistake").click()
        expect(heading).to_contain_text(f"{number + 1} of")


def test_a_refused_judgement_keeps_the_answer(open_page_anyhow: OpenPage, server: Server) -> None:
    puzzle = puzzle_where(walks)
    page = open_page_anyhow()
    learn(page, server, puzzle)
    refusal = {"error": "Too many analyses are running.", "code": "too-many-requests"}
    page.route("**/api/analysis?wait=1", lambda route: route.fulfill(status=429, json=refusal), times=1)
    moves = puzzle.position("hive").legal_moves()
    pick(page, next(move for move in reversed(moves) if move not in (puzzle.rival, puzzle.solution[0])))
    expect(page.locator(SAID)).to_contain_text("Too many analyses are running. Your move is kept")
    page.get_by_role("button", name="Judge it again").click()
    expect(page.locator(SAID)).to_contain_text(re.compile("Good|Not yet"))
