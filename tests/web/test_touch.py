"""Touch in a real browser: swipes scroll, pinches zoom, and only deliberate taps are played."""

from collections.abc import Sequence

import httpx
import pytest
from playwright.sync_api import Locator, Page, expect

from tests.web.conftest import OpenPage, Server, too_wide
from tests.web.test_hive import GAME, open_game
from tests.web.test_page import moves, start_game

PHONE = {"viewport": {"width": 390, "height": 600}, "has_touch": True}
STAGED = "line.wall.next, .piece.next"


Point = tuple[float, float]


def middle(part: Locator) -> Point:
    """The centre of an element on the screen."""
    box = part.bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def touch(page: Page, *steps: Sequence[Point]) -> None:
    """Touches the screen at the points of the first step, moves through the others, and lifts the fingers."""
    browser = page.context.new_cdp_session(page)
    kinds = ["touchStart", *["touchMove"] * (len(steps) - 1), "touchEnd"]
    for kind, points in zip(kinds, [*steps, ()], strict=True):
        fingers = [{"x": x, "y": y, "id": finger} for finger, (x, y) in enumerate(points)]
        browser.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": fingers})
    browser.detach()


def slide(page: Page, part: Locator, distance: float) -> None:
    """Touches an element, moves so many pixels to the right, and lifts the finger."""
    x, y = middle(part)
    touch(page, [(x, y)], [(x + distance, y)])


def until(page: Page, condition: str) -> None:
    """Waits until a condition holds, checking it in every frame."""
    page.evaluate(
        f"""() => new Promise((resolve) => {{
            const look = () => {condition} ? resolve() : requestAnimationFrame(look);
            look();
        }})"""
    )


def settle(page: Page) -> None:
    """Waits until the picture and the pieces have stopped moving."""
    page.locator(".world").evaluate(
        "world => Promise.all(world.getAnimations({ subtree: true }).map((one) => one.finished.catch(() => null)))"
    )


def swipe_and_pinch(page: Page, board: Locator) -> None:
    """Scrolls down over the board, then zooms into the board and out; the page keeps its size."""
    x, y = middle(board)
    world = board.locator(".world")
    whole = world.get_attribute("style") or ""
    touch(page, *([(x, y - 15 * step)] for step in range(12)))
    until(page, "scrollY > 50")
    page.evaluate("scrollTo(0, 0)")
    touch(page, *([(x, y - 20 - 10 * step), (x, y + 20 + 10 * step)] for step in range(12)))
    expect(world).not_to_have_attribute("style", whole)
    assert page.evaluate("visualViewport.scale") == 1
    board.get_by_role("button", name="Show everything").tap()
    expect(world).to_have_attribute("style", whole)
    page.evaluate("scrollTo(0, 0)")


def requests_of(page: Page) -> list[str]:
    """Collects the requests of a page from now on."""
    sent: list[str] = []
    page.on("request", lambda request: sent.append(request.url))
    return sent


def test_a_swipe_over_the_board_plays_nothing(open_page: OpenPage) -> None:
    page = open_page(**PHONE)
    start_game(page, "Engine", size=8)
    board = page.locator("wallwars-board")
    wall = page.get_by_role("button", name="Wall right of d4", exact=True)
    expect(wall).to_be_attached()
    sent = requests_of(page)
    swipe_and_pinch(page, board)
    slide(page, wall, 12)
    expect(page.locator(".target.aimed")).to_have_count(0)
    assert sent == []

    slide(page, wall, 6)
    expect(page.locator(".target.aimed")).to_have_count(1)
    slide(page, wall, 12)
    assert sent == []
    expect(page.locator(STAGED)).to_have_count(0)


@pytest.mark.quick
def test_a_finger_sees_a_wall_before_it_stays(open_page: OpenPage) -> None:
    page = open_page(**PHONE)
    start_game(page, "Engine", size=8)
    wall = page.get_by_role("button", name="Wall right of d4", exact=True)
    mouse = page.get_by_role("button", name="Mouse to a2", exact=True)
    wall.tap()
    expect(wall).to_have_attribute("aria-pressed", "true")
    page.get_by_role("button", name="Cancel").tap()
    expect(page.locator(".target.aimed")).to_have_count(0)
    expect(page.locator(STAGED)).to_have_count(0)

    wall.tap()
    mouse.tap()
    expect(page.locator(".target.aimed")).to_have_count(0)
    expect(page.locator(STAGED)).to_have_count(1)
    wall.tap()
    expect(moves(page)).to_have_count(0)
    page.get_by_role("button", name="Confirm: Wall right of d4").tap()
    expect(moves(page).first).to_have_text("Ma2.>d4")
    assert too_wide(page) == []


def test_a_finger_takes_a_step_at_once(open_page: OpenPage) -> None:
    page = open_page(**PHONE)
    start_game(page, "Engine", size=8)
    step = page.get_by_role("button", name="Cat to b8", exact=True)
    box = step.bounding_box()
    assert box is not None
    assert min(box["width"], box["height"]) >= 40
    step.tap()
    expect(page.locator(".piece.cat.next")).to_have_count(1)
    expect(page.get_by_role("button", name="Confirm")).to_have_count(0)
    page.locator(".piece.cat.next").tap()
    expect(page.locator(STAGED)).to_have_count(0)


def test_small_cells_come_nearer_first(open_page: OpenPage) -> None:
    page = open_page(**PHONE)
    start_game(page, "Engine", size=20)
    step = page.get_by_role("button", name="Cat to a19", exact=True)
    step.tap()
    expect(page.locator(STAGED)).to_have_count(0)
    settle(page)
    box = step.bounding_box()
    assert box is not None
    assert box["width"] >= 40
    step.tap()
    expect(page.locator(".piece.cat.next")).to_have_count(1)


def test_a_swipe_over_the_hive_plays_nothing(open_page: OpenPage, server: Server) -> None:
    page = open_page(**PHONE)
    page.goto(open_game(server, GAME).black)
    ant = page.get_by_role("button", name="Black ant 1", exact=True)
    expect(ant).to_be_attached()
    sent = requests_of(page)
    swipe_and_pinch(page, page.locator("hive-board"))
    slide(page, ant, 12)
    expect(page.locator("hive-board .target")).to_have_count(0)

    ant.tap()
    place = page.get_by_role("button", name="Black ant 1 west of white queen", exact=True)
    slide(page, place, 12)
    place.tap()
    expect(place).to_have_attribute("aria-pressed", "true")
    assert sent == []
    page.get_by_role("button", name="Confirm").tap()
    expect(moves(page)).to_have_count(1)


SMALL_TARGETS = """() => {
    const all = (root) => [...root.querySelectorAll("*")].flatMap(
        (node) => [node, ...(node.shadowRoot ? all(node.shadowRoot) : [])]);
    const isHit = (node, x, y) => node.contains(node.getRootNode().elementFromPoint(x, y));
    const isSmall = (node) => {
        node.scrollIntoView({ block: "center" });
        const { x, y, width, height } = node.getBoundingClientRect();
        const [middle, centre] = [x + width / 2, y + height / 2];
        const across = width >= 43.5 || (isHit(node, middle - 21, centre) && isHit(node, middle + 21, centre));
        const down = height >= 43.5 || (isHit(node, middle, centre - 21) && isHit(node, middle, centre + 21));
        return width > 0 && !(across && down);
    };
    return all(document)
        .filter((node) => node.matches("button:not(.move), select, summary, .view label, nav a, a.button"))
        .filter(isSmall)
        .map((node) => node.outerHTML);
}"""
"""What a finger cannot hit within 44 pixels. Moves in a list have smaller places."""


@pytest.mark.parametrize("game", ["wallwars", "hive", "carcassonne", "pyrat"])
def test_fingers_have_room_in_landscape(open_page: OpenPage, server: Server, game: str) -> None:
    people = [{"kind": "human"}, {"kind": "human"}]
    answer = httpx.post(
        f"http://127.0.0.1:{server.port}/api/games", json={"game": game, "seats": people}
    ).json()
    page = open_page(viewport={"width": 844, "height": 390}, has_touch=True, is_mobile=True)
    page.goto(f"/game/{answer['gameId']}?token={answer['seats'][0]['token']}")
    expect(page.locator(f"{game}-board svg").first).to_be_visible()
    assert page.evaluate(SMALL_TARGETS) == []
