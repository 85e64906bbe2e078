"""The pages of tournaments: creating one, entering, playing, and the table at the end."""

from playwright.sync_api import Page, expect

from tests.web.conftest import OpenPage
from tests.web.test_accessibility import faults


def fits(page: Page) -> bool:
    """Whether nothing is wider than the window."""
    return bool(page.evaluate("document.documentElement.scrollWidth <= innerWidth"))


def create(page: Page, name: str) -> None:
    """Creates a tournament with one game of each pair, on the page with the form."""
    page.get_by_label("Name", exact=True).fill(name)
    page.get_by_label("Games of each pair").fill("1")
    assert faults(page) == []
    assert fits(page)
    page.get_by_role("button", name="Create tournament").click()
    expect(page.get_by_role("heading", name=name)).to_be_visible()


def enter_bot(page: Page, name: str) -> None:
    page.locator("[name=bot]").select_option(label=f"{name} (plyhouse:{name.split()[-1]})")
    page.get_by_role("button", name="Enter bot").click()
    expect(page.get_by_role("row", name=name)).to_be_visible()


def test_a_tournament_of_a_person_and_a_level(open_page: OpenPage) -> None:
    page = open_page(viewport={"width": 390, "height": 844}, has_touch=True)
    page.goto("/tournaments")
    create(page, "Evening")
    page.get_by_label("Your name").fill("Ada")
    page.get_by_role("button", name="Enter", exact=True).click()
    expect(page.get_by_role("row", name="Ada person")).to_be_visible()
    enter_bot(page, "Plyhouse beginner")
    assert faults(page) == []
    assert fits(page)
    address = page.url
    page.get_by_role("button", name="Start").click()
    page.wait_for_url("**/game/*")  # It takes the person to the game.
    expect(page.get_by_role("button", name="Takeback")).to_have_count(0)
    watcher = open_page()
    watcher.goto(page.url.partition("?")[0])
    expect(watcher.get_by_role("link", name="Go to the tournament")).to_have_attribute(
        "href", address.removeprefix(address.partition("/tournaments")[0])
    )
    page.get_by_role("button", name="Resign").click()
    page.get_by_role("button", name="Resign the game?").click()
    expect(page.get_by_role("button", name="Rematch")).to_have_count(0)
    page.get_by_role("link", name="Go to the tournament").click()
    page.wait_for_url(address)
    expect(page.get_by_text("Finished")).to_be_visible()
    expect(page.get_by_role("row", name="1 Plyhouse beginner 1")).to_be_visible()
    assert faults(page) == []
    assert fits(page)
    page.get_by_role("link", name="All tournaments").click()
    expect(page.get_by_role("row", name="Evening Round robin")).to_contain_text("Finished")


def test_a_tournament_of_tables(open_page: OpenPage) -> None:
    """On a phone: three levels play one game of three, and a fourth one has a bye."""
    page = open_page(viewport={"width": 390, "height": 844}, has_touch=True)
    page.goto("/tournaments")
    expect(page.get_by_label("Seats of each game")).to_have_count(0)
    page.get_by_label("Name", exact=True).fill("Three at a table")
    page.locator("[name=game]").select_option(label="Carcassonne")
    page.get_by_label("Seats of each game").fill("3")
    page.get_by_label("Rounds").fill("1")
    page.get_by_label("Games of each table").fill("1")
    page.get_by_role("radio", name="Only I").check()
    assert faults(page) == []
    assert fits(page)
    page.get_by_role("button", name="Create tournament").click()
    expect(page.get_by_text("Round robin, 1 game of each table of 3")).to_be_visible()
    for level in ("beginner", "novice", "easy", "medium"):
        enter_bot(page, f"Plyhouse {level}")
    page.get_by_role("button", name="Start").click()
    expect(page.get_by_text("Finished")).to_be_visible(timeout=120_000)
    expect(page.get_by_role("link", name="Game", exact=True)).to_be_visible()
    expect(page.locator("details td.name div")).to_have_count(3)
    expect(page.get_by_text("Bye: Plyhouse medium")).to_be_visible()
    assert faults(page) == []
    assert fits(page)


def test_a_player_is_told_of_the_next_game(open_page: OpenPage) -> None:
    """On the page of a finished game, whose link leads to the next one."""
    page = open_page()
    page.goto("/tournaments")
    page.get_by_label("Name", exact=True).fill("Dusk")
    page.get_by_role("button", name="Create tournament").click()
    page.get_by_label("Your name").fill("Eve")
    page.get_by_role("button", name="Enter", exact=True).click()
    expect(page.get_by_role("row", name="Eve person")).to_be_visible()
    enter_bot(page, "Plyhouse beginner")
    page.get_by_role("button", name="Start").click()
    page.wait_for_url("**/game/*")
    first = page.url
    page.get_by_role("button", name="Resign").click()
    page.get_by_role("button", name="Resign the game?").click()
    expect(page.get_by_text("Your next game of Dusk has begun.")).to_be_visible()
    expect(page).to_have_title("● Your game in Dusk – Plyhouse")
    assert faults(page) == []
    page.get_by_role("link", name="Play it").click()
    expect(page.get_by_role("button", name="Resign")).to_be_visible()
    assert page.url != first
    expect(page.get_by_text("has begun.")).to_have_count(0)


def test_who_withdraws_can_enter_again_and_the_owner_cancels(open_page: OpenPage) -> None:
    owner = open_page(viewport={"width": 1280, "height": 800})
    owner.goto("/")
    owner.get_by_role("link", name="Tournaments").click()
    owner.get_by_role("radio", name="Swiss").check()
    owner.get_by_label("Rounds").fill("3")
    create(owner, "Noon")
    expect(owner.get_by_text("Swiss, 1 game of each pair")).to_be_visible()
    guest = open_page()
    guest.goto(owner.url)
    expect(guest.get_by_role("button", name="Start")).to_have_count(0)
    guest.get_by_label("Your name").fill("Bo")
    guest.get_by_role("button", name="Enter", exact=True).click()
    guest.get_by_role("button", name="Withdraw").click()
    guest.get_by_role("button", name="Withdraw?").click()
    expect(guest.get_by_text("Nobody has entered yet.")).to_be_visible()
    guest.get_by_role("button", name="Enter", exact=True).click()
    expect(owner.get_by_role("row", name="Bo person")).to_be_visible()
    owner.get_by_role("button", name="Cancel tournament").click()
    owner.get_by_role("button", name="Cancel it?").click()
    expect(guest.get_by_text("Cancelled: by its owner")).to_be_visible()


def test_whom_the_owner_withdraws_before_the_start_can_enter_again(open_page_anyhow: OpenPage) -> None:
    """The console reports that the token is refused."""
    owner = open_page_anyhow()
    owner.goto("/tournaments")
    create(owner, "Dawn")
    guest = open_page_anyhow()
    guest.goto(owner.url)
    guest.get_by_label("Your name").fill("Cy")
    guest.get_by_role("button", name="Enter", exact=True).click()
    expect(guest.get_by_role("row", name="Cy person")).to_be_visible()
    owner.get_by_role("button", name="Withdraw").click()
    owner.get_by_role("button", name="Withdraw?").click()
    expect(guest.get_by_role("alert")).to_contain_text("You are no longer entered")
    guest.reload()
    guest.get_by_role("button", name="Enter", exact=True).click()
    expect(guest.get_by_role("row", name="Cy person")).to_be_visible()
    expect(owner.get_by_role("row", name="Cy person")).to_be_visible()


def test_what_is_not_there_is_said(open_page_anyhow: OpenPage) -> None:
    """The console reports the answer, which is an error."""
    page = open_page_anyhow()
    page.goto("/tournaments/nothing")
    expect(page.get_by_role("alert")).to_contain_text("There is no tournament 'nothing'.")
    assert faults(page) == []
