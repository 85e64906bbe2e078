"""The page in a real browser, against a real server: play, watch, take back, resign, lose the connection."""

import re
import time

import pytest
from playwright.sync_api import Locator, Page, Route, expect

from tests.web.conftest import OpenPage, Server, too_wide


def start_game(page: Page, opponent: str, *, size: int = 4) -> None:
    """Starts a game on a small board as the first player."""
    page.goto("/new")
    page.get_by_role("radio", name=opponent, exact=True).check()
    page.get_by_label("Columns").fill(str(size))
    page.get_by_label("Rows").fill(str(size))
    page.get_by_role("button", name="Play" if opponent == "Engine" else "Create game").click()
    expect(page.locator("wallwars-board svg").first).to_be_visible()


def act(page: Page, *actions: str) -> None:
    """Picks actions on the board by their names."""
    for action in actions:
        page.get_by_role("button", name=action, exact=True).click()


def moves(page: Page) -> Locator:
    """The moves in the list."""
    return page.locator("move-list button.move")


def status(page: Page) -> Locator:
    """The line with the status of the game."""
    return page.locator(".now")


@pytest.mark.quick
def test_a_game_against_the_engine(open_page: OpenPage) -> None:
    page = open_page()
    start_game(page, "Engine")
    expect(status(page)).to_have_text("Your turn.")

    act(page, "Cat to b4")
    expect(page.locator(".piece.cat.next")).to_have_count(1)
    page.get_by_role("button", name="Undo action").click()
    expect(page.locator(".piece.cat.next")).to_have_count(0)
    act(page, "Cat to a3", "Wall right of c1")
    expect(moves(page)).to_have_count(2)
    expect(moves(page).first).to_have_text("Ca3.>c1")
    expect(page.locator("line.wall.seat-0")).to_have_count(1)

    page.get_by_role("button", name="Takeback").click()
    expect(moves(page)).to_have_count(0)
    expect(page.locator("line.wall")).to_have_count(0)

    page.reload()
    expect(status(page)).to_have_text("Your turn.")
    act(page, "Cat to a3", "Wall above d2")
    expect(moves(page)).to_have_count(2)
    page.get_by_role("button", name="Resign").click()
    page.get_by_role("button", name="Resign the game?").click()
    expect(status(page)).to_have_text("Plyhouse easy wins by resignation.")
    expect(page.locator(".target")).to_have_count(0)

    page.get_by_role("button", name="Rematch").click()
    expect(moves(page)).to_have_count(1)
    expect(status(page)).to_have_text("Your turn.")
    expect(page.locator("player-strip .score")).to_have_text(["1", "0"])


@pytest.mark.quick
def test_the_bar_follows_the_game(open_page: OpenPage) -> None:
    page = open_page()
    start_game(page, "Engine", size=5)
    bar, fill = page.locator("eval-bar .bar"), page.locator("eval-bar .fill")
    expect(bar).to_have_attribute("aria-valuetext", "off")
    width = page.locator("wallwars-board").bounding_box()

    page.get_by_role("switch", name="Evaluation").check()
    expect(bar).to_have_class(re.compile("live"))
    before = fill.get_attribute("style")
    assert before is not None
    act(page, "Cat to b5", "Cat to c5")
    expect(moves(page)).to_have_count(2)
    expect(fill).not_to_have_attribute("style", before)
    assert page.locator("wallwars-board").bounding_box() == width, "the board has moved"

    page.get_by_role("switch", name="Evaluation").uncheck()
    expect(bar).to_have_attribute("aria-valuetext", "off")


@pytest.mark.quick
def test_friends_play_and_a_spectator_watches(open_page: OpenPage) -> None:
    host, friend, guest = open_page(), open_page(), open_page()
    start_game(host, "Friend")
    expect(status(host)).to_have_text("Waiting for an opponent.")
    link = host.get_by_label("Link for your friend").input_value()

    friend.goto(link)
    friend.get_by_role("button", name="Join this game").click()
    expect(status(host)).to_have_text("Your turn.")
    act(host, "Cat to b4", "Mouse to b1")
    expect(status(friend)).to_have_text("Your turn.")
    act(friend, "Cat to c4")
    friend.get_by_role("button", name="Finish turn").click()
    expect(moves(host)).to_have_text(["Cb4.Mb1", "Cc4"])

    guest.goto(link)
    expect(moves(guest)).to_have_count(2)
    expect(guest.get_by_text("You are watching.")).to_be_visible()
    expect(guest.locator(".target")).to_have_count(0)
    expect(guest.get_by_role("button", name="Resign")).to_have_count(0)

    friend.get_by_role("button", name="Takeback").click()
    expect(friend.get_by_text("You asked")).to_be_visible()
    host.get_by_role("button", name="Decline").click()
    expect(friend.get_by_text("You asked")).to_have_count(0)
    friend.get_by_role("button", name="Takeback").click()
    host.get_by_role("button", name="Accept").click()
    for page in (host, friend, guest):
        expect(moves(page)).to_have_text(["Cb4.Mb1"])

    friend.get_by_label("Message").fill("Well played")
    friend.get_by_role("button", name="Send").click()
    expect(friend.get_by_role("log")).to_have_text("You: Well played")
    for page in (host, guest):
        expect(page.get_by_role("log")).to_have_text("Player 2: Well played")


def test_friends_play_a_rematch(open_page: OpenPage) -> None:
    host, friend, guest = open_page(), open_page(), open_page()
    start_game(host, "Friend")
    link = host.get_by_label("Link for your friend").input_value()
    friend.goto(link)
    friend.get_by_role("button", name="Join this game").click()
    act(host, "Cat to b4", "Mouse to b1")
    guest.goto(link)
    friend.get_by_role("button", name="Offer draw").click()
    host.get_by_role("button", name="Accept").click()
    expect(status(friend)).to_have_text("Draw by agreement.")

    host.get_by_role("button", name="Rematch").click()
    friend.get_by_role("button", name="Accept").click()
    expect(status(friend)).to_have_text("Your turn.")
    host.go_back()
    host.get_by_role("button", name="Go to the rematch").click()
    expect(status(host)).to_have_text("Player 1 to move.")
    expect(host.locator("player-strip .score")).to_have_text(["0.5", "0.5"])
    guest.get_by_role("button", name="Watch the rematch").click()
    act(friend, "Cat to b4", "Mouse to b1")
    expect(moves(guest)).to_have_text(["Cb4.Mb1"])

    friend.context.close()
    expect(host.locator(".away").first).to_be_visible()


def test_anyone_can_join_from_the_lobby(open_page: OpenPage) -> None:
    host, other = open_page(), open_page()
    host.goto("/new")
    expect(host.get_by_role("radio", name="During the game")).to_be_checked()
    host.get_by_role("radio", name="Anyone").check()
    expect(host.get_by_role("radio", name="After the game")).to_be_checked()
    host.get_by_label("Your name").fill("Ada of the lobby")
    host.locator("[name=clock]").select_option("blitz")
    host.get_by_role("button", name="Create game").click()
    expect(status(host)).to_have_text("Waiting for an opponent.")

    other.goto("/")
    expect(other.get_by_text("playing or watching")).to_be_visible()
    row = other.get_by_role("link", name="Ada of the lobby")
    expect(row).to_contain_text("3 + 2")
    row.click()
    other.get_by_role("button", name="Join this game").click()
    expect(status(host)).to_have_text("Your turn.")
    for page in (host, other):
        expect(page.get_by_text("no engine assistance")).to_be_visible()
        expect(page.get_by_role("switch", name="Evaluation")).to_be_disabled()
        expect(page.get_by_text("Evaluations are available after the game.")).to_be_visible()
    expect(host.get_by_role("timer")).to_have_text(["3:00", "3:00"])
    expect(host).to_have_title(re.compile("^● Your turn"))
    expect(status(other)).to_have_text("Ada of the lobby to move.")
    other.goto("/")
    expect(other.get_by_role("link", name="Ada of the lobby vs Player 2 Your game")).to_be_visible()
    host.get_by_role("button", name="Abort").click()
    host.get_by_role("button", name="Abort the game?").click()
    expect(status(host)).to_have_text("Game aborted.")
    expect(other.get_by_role("link", name="Ada of the lobby vs Player 2")).to_have_count(0)


def test_one_press_in_the_lobby_starts_a_game(open_page: OpenPage) -> None:
    page, watcher = open_page(), open_page()
    page.goto("/")
    page.get_by_role("button", name="Play Wallwars").click()
    expect(status(page)).to_have_text("Your turn.")
    expect(page.get_by_text("Each turn has two actions")).to_be_visible()
    act(page, "Cat to b8", "Cat to c8")
    expect(moves(page)).to_have_count(2)
    watcher.goto("/")
    expect(watcher.locator("live-preview").get_by_role("heading", name="Watch")).to_be_visible()
    expect(watcher.locator("live-preview .board > *")).to_be_visible()
    page.get_by_role("button", name="Resign").click()
    page.get_by_role("button", name="Resign the game?").click()
    expect(status(page)).to_contain_text("by resignation")
    page.goto("/")
    page.get_by_role("button", name="Play Wallwars").click()
    expect(status(page)).to_have_text("Your turn.")
    expect(page.get_by_text("Each turn has two actions")).to_have_count(0)
    expect(page.get_by_role("link", name="How to play")).to_be_visible()


def test_a_page_begins_at_its_top_and_is_returned_to_where_it_was(open_page: OpenPage) -> None:
    page = open_page(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    page.goto("/")
    # Pages that are short for a moment hide the fault.
    page.evaluate("document.body.style.minHeight = '3000px'")
    button = page.get_by_role("button", name="Play PyRat")
    button.scroll_into_view_if_needed()
    assert page.evaluate("scrollY") > 100
    button.tap()
    expect(status(page)).to_have_text("Your turn.")
    assert page.evaluate("scrollY") == 0
    page.go_back()
    expect(button).to_be_in_viewport()


def test_two_tabs_share_a_seat(open_page: OpenPage) -> None:
    one = open_page()
    start_game(one, "Engine")
    two = one.context.new_page()
    two.goto(one.url)
    act(one, "Cat to b4")
    expect(one.locator(".piece.cat.next")).to_have_count(1)
    act(two, "Cat to a3", "Wall right of c1")
    for page in (one, two):
        expect(moves(page)).to_have_count(2)
        expect(page.locator(".piece.cat.next")).to_have_count(0)
        expect(status(page)).to_have_text("Your turn.")
    one.bring_to_front()  # Chromium renders background tabs once a second.
    act(one, "Wall above d2", "Wall above c2")
    expect(moves(two)).to_have_count(4)


def test_earlier_positions_can_be_browsed(open_page: OpenPage) -> None:
    page = open_page()
    start_game(page, "Engine", size=5)
    page.get_by_role("switch", name="Evaluation").check()
    act(page, "Wall right of c3", "Wall above c3")
    expect(moves(page)).to_have_count(2)
    walls = page.locator("line.wall")
    now = walls.count()
    page.keyboard.press("ArrowLeft")
    expect(walls).to_have_count(2)
    expect(page.locator("button.move.shown")).to_have_text(">c3.^c3")
    expect(page.locator(".target")).to_have_count(0)
    page.keyboard.press("Home")
    expect(walls).to_have_count(0)
    expect(page.get_by_text("Position after move 0 of 2")).to_be_visible()
    page.get_by_role("button", name="Back to the game").click()
    expect(walls).to_have_count(now)
    expect(page.locator(".target")).not_to_have_count(0)


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.quick
def test_the_page_fits_a_phone(open_page: OpenPage, scheme: str) -> None:
    page = open_page(viewport={"width": 360, "height": 740}, has_touch=True, color_scheme=scheme)
    for path, shown in (("/", "Live games"), ("/new", "New game of Wallwars")):
        page.goto(path)
        expect(page.get_by_role("heading", name=shown)).to_be_visible()
        assert too_wide(page) == []
    start_game(page, "Engine", size=8)
    page.get_by_role("button", name="Mouse to a2", exact=True).tap()
    page.get_by_role("button", name="Wall right of d4", exact=True).tap()
    page.get_by_role("button", name="Confirm: Wall right of d4").tap()
    expect(moves(page)).to_have_count(2)
    expect(moves(page).first).to_have_text("Ma2.>d4")
    assert too_wide(page) == []


def test_a_phone_in_landscape_shows_the_board_and_the_status(open_page: OpenPage) -> None:
    page = open_page(viewport={"width": 740, "height": 360}, has_touch=True)
    start_game(page, "Engine", size=8)
    for part in (page.locator("wallwars-board"), page.get_by_role("button", name="Pass")):
        box = part.bounding_box()
        assert box is not None
        assert box["y"] >= 0
        assert box["y"] + box["height"] <= 360
    assert too_wide(page) == []


def test_wallwars_can_be_played_by_keyboard(open_page: OpenPage) -> None:
    page = open_page()
    start_game(page, "Engine")
    page.get_by_role("button", name="Cat to a3", exact=True).focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    expect(page.locator("line.wall.next")).to_have_count(1)
    expect(page.locator(".target:focus")).to_have_count(1)
    page.keyboard.press("Escape")
    expect(page.locator("line.wall.next")).to_have_count(0)
    expect(page.locator(".target:focus")).to_have_count(1)
    page.keyboard.press("Enter")
    expect(page.locator("line.wall.next, .piece.next")).to_have_count(1)
    expect(page.locator(".target:focus")).to_have_count(1)
    page.keyboard.press("ArrowDown")
    page.keyboard.press(" ")
    expect(moves(page)).to_have_count(2)
    expect(page.locator(".target:focus")).to_have_count(1)


def test_the_focus_moves_to_the_nearest_target(open_page: OpenPage) -> None:
    page = open_page()
    start_game(page, "Engine")
    page.get_by_role("button", name="Wall right of a1", exact=True).focus()
    page.keyboard.press("Enter")
    expect(page.locator("line.wall.next")).to_have_count(1)
    expect(page.locator(".target:focus")).to_have_attribute("aria-label", re.compile("(a|b)1$|above [ab]1$"))
    page.get_by_role("button", name="Wall right of c1", exact=True).focus()
    page.keyboard.press("Enter")
    expect(moves(page)).to_have_count(2)
    expect(page.locator(".target:focus")).to_have_attribute("aria-label", re.compile("[cd]1$"))

    page.keyboard.press("Enter")
    undo = page.get_by_role("button", name="Undo action")
    expect(undo).to_be_enabled()
    undo.focus()
    page.keyboard.press("Enter")
    expect(undo).to_have_count(0)
    expect(page.get_by_role("button", name="Pass")).to_be_focused()
    page.get_by_role("button", name="Resign").focus()
    page.keyboard.press("Enter")
    page.get_by_role("button", name="Keep playing").press("Enter")
    expect(page.get_by_role("button", name="Resign")).to_be_focused()
    page.keyboard.press("Enter")
    page.keyboard.press("Enter")
    expect(page.locator("game-actions :is(a, button):focus")).to_have_count(1)


def test_errors_are_shown_as_sentences(open_page_anyhow: OpenPage) -> None:
    page = open_page_anyhow()
    page.goto("/game/nowhere")
    expect(page.get_by_role("alert")).to_have_text("There is no game 'nowhere'.")
    page.goto("/new/chess")
    expect(page.get_by_role("alert")).to_have_text("This server has no game named chess.")
    page.goto("/learn/chess")
    expect(page.get_by_role("alert")).to_have_text("There is no lesson for chess.")
    page.goto("/learn/chess/rules")
    expect(page.get_by_role("alert")).to_have_text("This server has no game named chess.")
    page.goto("/learn/hive?step=99")
    expect(page.get_by_text("This lesson has 16 steps.")).to_be_visible()
    page.goto("/game/%E0")
    expect(page.get_by_text("Page not found.")).to_be_visible()
    page.get_by_role("link", name="New game").click()
    page.get_by_label("Columns").fill("2")
    expect(page.get_by_text("Choose 3 to 20 columns.")).to_be_visible()
    expect(page.get_by_role("button", name="Play")).to_be_disabled()
    page.get_by_label("Columns").fill("4")
    page.get_by_role("radio", name="Attached bot").check()
    expect(page.get_by_text("No attached bot plays this board.")).to_be_visible()
    expect(page.get_by_role("button", name="Play")).to_be_disabled()


def test_a_killed_server_loses_nothing(open_page_anyhow: OpenPage, server: Server) -> None:
    page = open_page_anyhow()
    start_game(page, "Engine")
    act(page, "Cat to b4", "Wall above b2")
    expect(moves(page)).to_have_count(2)
    before = moves(page).all_inner_texts()

    server.kill()
    expect(page.get_by_text("Reconnecting…")).to_be_visible()
    expect(moves(page)).to_have_text(before)
    server.start()
    expect(page.get_by_text("Reconnecting…")).to_be_hidden()
    expect(moves(page)).to_have_text(before)
    page.get_by_role("button", name="Pass").click()
    page.get_by_role("button", name="Pass the turn").click()
    expect(moves(page)).to_have_count(4)


def answer_late(route: Route) -> None:
    """Delays a request for a moment, so that the page loads piece by piece."""
    time.sleep(0.1)
    route.continue_()


SHIFTS = """
    window.shifts = 0;
    const add = (entry) => { if (!entry.hadRecentInput) window.shifts += entry.value; };
    new PerformanceObserver((list) => list.getEntries().forEach(add))
        .observe({ type: "layout-shift", buffered: true });
"""


def test_nothing_jumps_while_a_page_loads(open_page: OpenPage) -> None:
    page = open_page()
    start_game(page, "Engine", size=5)
    act(page, "Cat to b5", "Wall above d2")
    expect(moves(page)).to_have_count(2)
    game = page.url
    page.get_by_role("button", name="Resign").click()
    page.get_by_role("button", name="Resign the game?").click()
    page.get_by_role("link", name="Analysis").click()
    expect(page.locator("analysis-status")).to_contain_text("Done")
    analysis = page.url

    page.add_init_script(SHIFTS)
    page.route("**/api/**", answer_late)
    for width, height in ((1280, 800), (390, 844), (844, 390)):
        page.set_viewport_size({"width": width, "height": height})
        for url, last in (
            ("/", "game-list a"),
            ("/new", "new-game button"),
            ("/learn/wallwars", ".contents a"),
            (game, "game-actions a"),
            (analysis, ".accuracy"),
        ):
            page.goto(url)
            expect(page.locator(last).first).to_have_text(re.compile(r"\w"))
            expect(page.locator(".intro, form, .board > *").first).to_be_visible()
            assert page.evaluate("shifts") <= 0.02, (width, url)


def test_a_game_is_requested_before_its_code_and_the_catalogue_once(open_page: OpenPage) -> None:
    page = open_page()
    page.goto("/new/carcassonne")
    page.get_by_role("button", name="Play", exact=True).click()
    expect(page.locator("carcassonne-board svg").first).to_be_visible()
    sent: list[str] = []
    page.on("request", lambda request: sent.append(request.url))
    page.reload()
    expect(page.locator("carcassonne-board svg").first).to_be_visible()
    paths = [re.sub(r"^https?://[^/]+|[?].*", "", url) for url in sent]
    game = next(index for index, path in enumerate(paths) if path.startswith("/api/games/"))
    code = next(index for index, path in enumerate(paths) if path.startswith("/assets/game-page"))
    assert game < code
    assert len([path for path in paths if path.startswith("/api/games/")]) == 1
