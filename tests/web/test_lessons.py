"""The lessons: their positions and tasks by the rules, and the page that shows them."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect

from engines import Position, games
from tests.web.conftest import OpenPage
from tests.web.test_carcassonne import is_as_wide_as_the_screen

FOLDER = Path(__file__).parents[2] / "web/src/texts/en/lessons"
LESSONS = {path.stem: json.loads(path.read_text()) for path in sorted(FOLDER.glob("*.json"))}
READER, OTHER = 0, 1

Step = dict[str, Any]

ALL = [
    pytest.param(game, step, id=f"{game}: {step['title']}")
    for game, lesson in LESSONS.items()
    for step in lesson["steps"] + lesson["puzzles"]
]


def start_of(game: str, step: Step) -> Position:
    start = step["start"]
    position = Position(game, start.get("variant"), start.get("config", {}))
    for move in start.get("moves", []):
        position.play(move)
    return position


def turns(position: Position, rest: str = "", seat: int | None = None) -> dict[str, Position]:
    """The position after each whole move of the seat to act, by the move as it is recorded, without ``rest``."""
    found = {}
    for move in whole_moves(position, position.to_act[0] if seat is None else seat):
        after = _after(position, move + rest)
        found[after.history[-1].removesuffix(rest)] = after
    return found


def whole_moves(position: Position, seat: int) -> list[str]:
    """Carcassonne, Hive and PyRat list whole moves; Wallwars lists the actions of a turn."""
    if position.game != "wallwars":
        return position.legal(seat, "")
    first = position.legal(seat, "")
    return [*first, *(f"{one}.{other}" for one in first for other in position.legal(seat, one))]


def wins(position: Position, seat: int) -> bool:
    return position.outcome is not None and list(position.outcome.winners) == [seat]


def can_win(position: Position, seat: int) -> bool:
    """Whether the seat to act wins with its next move."""
    moves = [move for move in whole_moves(position, seat) if position.game != "wallwars" or "C" in move]
    return any(wins(_after(position, move), seat) for move in moves)


def _after(position: Position, move: str) -> Position:
    after = position.copy()
    after.play(move)
    return after


def winning_moves(position: Position, left: int, known: dict[tuple[Any, int], set[str]]) -> set[str]:
    """The reader's moves that win a game of PyRat within ``left`` turns, whatever the other player does."""
    at = (position.key, left)
    if at not in known:
        known[at] = {
            move
            for move in position.legal(READER, "")
            if all(_is_won(position, f"{move}/{reply}", left, known) for reply in position.legal(OTHER, ""))
        }
    return known[at]


def _is_won(position: Position, turn: str, left: int, known: dict[tuple[Any, int], set[str]]) -> bool:
    after = _after(position, turn)
    if after.outcome is not None:
        return wins(after, READER)
    return left > 1 and winning_moves(after, left - 1, known) != set()


def test_every_game_has_a_lesson_with_puzzles() -> None:
    assert set(LESSONS) == {game.name for game in games() if game.listed}
    for lesson in LESSONS.values():
        assert len(lesson["steps"]) >= 8
        assert len(lesson["puzzles"]) == 3


@pytest.mark.parametrize(("game", "step"), ALL)
def test_the_task_can_be_solved_and_missed(game: str, step: Step) -> None:
    position = start_of(game, step)
    assert READER in position.to_act
    after = turns(position, step.get("rest", ""), READER)
    solved = solutions(step, position, after)
    assert solved
    if step["wrong"]:
        assert solved != set(after)
    for move in set(after) - solved:
        assert any(re.fullmatch(pattern, move) for pattern, _ in step["wrong"]), move


def solutions(step: Step, position: Position, after: dict[str, Position]) -> set[str]:
    """The moves that solve a task; where it has a goal, checks that they are all that reach it."""
    accepted = {move for move in after if re.fullmatch(step.get("accept", ""), move)}
    match step.get("goal"):
        case "win":
            return {move for move, result in after.items() if wins(result, READER)}
        case "safe":
            assert can_win(_passed(position), OTHER)
            safe = {
                move
                for move, result in after.items()
                if result.outcome is None and not can_win(result, OTHER)
            }
            assert accepted == safe
        case "forced":
            assert accepted == winning_moves(position, position.config["maxTurns"], {})
    return accepted


def _passed(position: Position) -> Position:
    """The position after some move of the reader that does nothing against a threat."""
    return next(after for after in turns(position).values() if can_win(after, OTHER))


@pytest.mark.parametrize(("game", "lesson"), LESSONS.items())
def test_texts_are_sentences(game: str, lesson: dict[str, list[Step]]) -> None:
    steps = lesson["steps"] + lesson["puzzles"]
    assert len({step["title"] for step in steps}) == len(steps)
    for step in steps:
        texts = [step[part] for part in ("rule", "scene", "task", "done") if part in step]
        for text in texts + [sentence for _, sentence in step["wrong"]]:
            assert re.fullmatch(r"[A-Z].*[.!?]", text), f"{game}: {text!r}"


# ---- on the page -----------------------------------------------------------------------------------


def test_a_lesson_begins_with_a_mistake(open_page: OpenPage) -> None:
    page = open_page()
    page.goto("/")
    page.get_by_role("link", name="Learn Wallwars").click()
    expect(page.get_by_role("heading", name="A race")).to_be_visible()
    page.get_by_role("button", name="Cat to a4", exact=True).click()
    page.get_by_role("button", name="Finish turn").click()
    expect(page.get_by_text("Your cat went down.")).to_be_visible()
    page.get_by_role("button", name="Cat to b5", exact=True).click()
    expect(page.get_by_text("never diagonally")).to_be_visible()
    page.get_by_role("link", name="Next", exact=True).click()
    expect(page.get_by_role("heading", name="Two actions a turn")).to_be_visible()
    expect(page.get_by_role("link", name="1: A race, solved")).to_be_visible()
    page.get_by_role("button", name="Cat to b5", exact=True).click()
    page.get_by_role("button", name="Undo").click()
    page.get_by_role("button", name="Cat to b5", exact=True).click()
    page.get_by_role("button", name="Cat to c5", exact=True).click()
    expect(page.get_by_text("turn a corner")).to_be_visible()


SOLUTIONS = {
    "wallwars": ["Cb5"],
    "hive": ["wA1 bL\\"],
    "carcassonne": ["1,0,90"],
    "pyrat": ["RIGHT"],
}
"""The actions that solve the first step of each lesson."""


@pytest.mark.parametrize(("game", "actions"), SOLUTIONS.items())
def test_the_first_step_on_a_phone(open_page: OpenPage, game: str, actions: list[str]) -> None:
    page = open_page(viewport={"width": 390, "height": 844}, has_touch=True)
    page.goto(f"/learn/{game}")
    board = page.locator(f"{game}-board")
    expect(board).to_be_visible()
    assert is_as_wide_as_the_screen(page)
    for action in actions:
        expect(board).not_to_have_js_property("legal", [])
        board.evaluate("(board, detail) => board.dispatchEvent(new CustomEvent('action', {detail}))", action)
    expect(page.get_by_text("Right.", exact=True)).to_be_visible()
    page.get_by_role("link", name="Next", exact=True).click()
    expect(page.get_by_role("heading", name=LESSONS[game]["steps"][1]["title"])).to_be_visible()
    page.get_by_role("link", name="All rules on one page").click()
    for step in LESSONS[game]["steps"]:
        expect(page.get_by_role("heading", name=step["title"], exact=True)).to_be_visible()
    assert is_as_wide_as_the_screen(page)


def test_a_piece_that_may_not_move_says_why(open_page_anyhow: OpenPage) -> None:
    page = open_page_anyhow()
    page.goto("/learn/hive?step=4")
    page.get_by_role("img", name="White ant 1").click()
    expect(page.get_by_text("The hive would break without White ant 1.")).to_be_visible()
