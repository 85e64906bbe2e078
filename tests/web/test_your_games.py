"""The games of a player's own: in the lobby, at their plain addresses, and in another browser."""

import re
from pathlib import Path

from playwright.sync_api import Browser, Locator, Page, expect

from tests.server.serving import Served
from tests.web.conftest import OpenPage
from tests.web.test_page import act, start_game, status


def own_games(page: Page) -> Locator:
    """The rows of the player's own games."""
    return page.locator("your-games li a")


def test_friends_find_their_game_again(open_page: OpenPage, tmp_path: Path) -> None:
    host, friend, desktop = open_page(), open_page(), open_page()
    host.goto("/new")
    host.get_by_role("radio", name="Friend", exact=True).check()
    expect(host.get_by_role("radio", name="After the game")).to_be_checked()
    start_game(host, "Friend")
    link = host.get_by_label("Link for your friend").input_value()
    assert "token" not in host.url
    assert host.url == link
    friend.goto(link)
    friend.get_by_label("Your name").fill("Bo")
    friend.get_by_role("button", name="Join this game").click()
    expect(status(host)).to_have_text("Your turn.")
    assert friend.url == link

    host.goto("/")
    row = own_games(host)
    expect(row).to_contain_text("Bo")
    expect(row).to_contain_text("Your turn.")
    expect(row.locator("small-board wallwars-board .table > svg")).to_be_visible()
    row.click()
    act(host, "Cat to b4", "Mouse to b1")
    expect(status(host)).to_have_text("Bo to move.")

    friend.goto("/")
    expect(own_games(friend)).to_contain_text("Your turn.")
    friend.get_by_text("Continue in another browser").click()
    with friend.expect_download() as download:
        friend.get_by_role("button", name="Save to a file").click()
    seats = tmp_path / "seats.json"
    download.value.save_as(seats)
    desktop.goto("/")
    expect(desktop.get_by_text("The games that you play in this browser appear here.")).to_be_visible()
    desktop.get_by_text("Continue in another browser").click()
    desktop.get_by_label("Open a file").set_input_files(seats)
    expect(desktop.get_by_text("One game was added.")).to_be_visible()
    own_games(desktop).click()
    desktop.get_by_role("button", name="Resign").click()
    desktop.get_by_role("button", name="Resign the game?").click()
    for page, outcome in ((host, "You won by resignation."), (desktop, "You lost by resignation.")):
        page.goto("/")
        expect(own_games(page)).to_contain_text(outcome)
    desktop.get_by_text("Continue in another browser").click()
    (tmp_path / "other.json").write_text("{}")
    desktop.get_by_label("Open a file").set_input_files(tmp_path / "other.json")
    expect(
        desktop.get_by_text("This is not a list of seats that a Plyhouse page has exported.")
    ).to_be_visible()


def test_an_abandoned_game_can_be_claimed(browser: Browser, tmp_path: Path) -> None:
    with (
        Served(tmp_path, PLYHOUSE_CLAIM_AFTER_SECONDS="1") as served,
        browser.new_context(base_url=served.url) as mine,
        browser.new_context(base_url=served.url) as theirs,
    ):
        host, friend = mine.new_page(), theirs.new_page()
        start_game(host, "Friend")
        friend.goto(host.get_by_label("Link for your friend").input_value())
        friend.get_by_role("button", name="Join this game").click()
        act(host, "Cat to b4", "Mouse to b1")
        expect(status(friend)).to_have_text("Your turn.")
        expect(host.get_by_role("button", name="Claim the win")).to_have_count(0)
        friend.close()
        host.get_by_role("button", name="Claim the win").click()
        expect(status(host)).to_have_text("You win because the other player disconnected.")
        friend = theirs.new_page()
        friend.goto("/")
        expect(own_games(friend)).to_contain_text("You lost because you had left.")


def test_a_seat_that_the_server_does_not_know_stays_until_it_is_removed(open_page_anyhow: OpenPage) -> None:
    page = open_page_anyhow()
    start_game(page, "Engine")
    page.evaluate(
        """() => {
            const seats = JSON.parse(localStorage["plyhouse-seats"]);
            localStorage["plyhouse-seats"] = JSON.stringify([["elsewhere", "token"], ...seats]);
        }"""
    )
    page.goto("/")
    expect(own_games(page)).to_contain_text(re.compile(r"· \d\d:\d\d"))
    gone = page.get_by_text("This server has no game elsewhere with your seat.")
    expect(gone).to_be_visible()
    page.reload()
    page.get_by_role("button", name="Remove the game elsewhere").click()
    expect(gone).to_have_count(0)
    page.reload()
    expect(own_games(page)).to_have_count(1)
    expect(gone).to_have_count(0)
