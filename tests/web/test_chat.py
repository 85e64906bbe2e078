"""The chat of a game, and what players know of each other's evaluations."""

import httpx
from playwright.sync_api import Page, expect

from protocols.play.chat_messages import MAX_CHAT
from tests.web.conftest import OpenPage, Server
from tests.web.test_page import start_game, status


def say(page: Page, text: str) -> None:
    """Writes a message."""
    page.get_by_label("Message").fill(text)
    page.get_by_role("button", name="Send").click()


def test_the_chat_survives_a_reload_and_marks_what_is_new(open_page: OpenPage) -> None:
    host, guest = open_page(), open_page()
    friend = open_page(viewport={"width": 390, "height": 844}, has_touch=True)
    start_game(host, "Friend")
    link = host.get_by_label("Link for your friend").input_value()
    friend.goto(link)
    friend.get_by_role("button", name="Join this game").click()
    expect(status(host)).to_have_text("Your turn.")
    guest.goto(link)
    expect(guest.get_by_text("Only spectators read this.")).to_be_visible()
    expect(host.get_by_text("The players and everybody who watches read this.")).to_be_visible()
    expect(host.get_by_label("Message")).to_have_attribute("maxlength", str(MAX_CHAT))
    say(host, "Good luck")
    mark = friend.get_by_role("button", name="1 new message")
    mark.tap()
    expect(mark).to_have_count(0)
    expect(friend.get_by_role("log")).to_have_text("Player 1: Good luck")
    say(friend, "You too")
    say(guest, "Who wins?")

    for page, lines in (
        (host, ["You: Good luck", "Player 2: You too"]),
        (friend, ["Player 1: Good luck", "You: You too"]),
        (guest, ["Player 1: Good luck", "Player 2: You too"]),
    ):
        page.reload()
        shown = page.locator("chat-box li")
        expect(shown.first).to_have_text(lines[0])
        expect(shown.nth(1)).to_have_text(lines[1])
        expect(shown).to_have_count(3 if page is guest else 2)
        expect(page.get_by_role("button", name="new message")).to_have_count(0)


def test_everybody_sees_who_has_evaluations(open_page: OpenPage) -> None:
    host, friend = open_page(), open_page()
    host.goto("/new")
    host.get_by_role("radio", name="Friend", exact=True).check()
    host.get_by_role("radio", name="During the game").check()
    host.get_by_label("Columns").fill("4")
    host.get_by_label("Rows").fill("4")
    host.get_by_role("button", name="Create game").click()
    friend.goto(host.get_by_label("Link for your friend").input_value())
    expect(friend.get_by_text("engine evaluation allowed")).to_be_visible()
    friend.get_by_role("button", name="Join this game").click()
    expect(status(host)).to_have_text("Your turn.")
    friend.get_by_role("switch", name="Evaluation").check()
    expect(host.get_by_text("engine evaluation on for Player 2")).to_be_visible()
    expect(friend.get_by_text("engine evaluation on for you")).to_be_visible()
    friend.get_by_role("switch", name="Evaluation").uncheck()
    expect(host.get_by_text("engine evaluation allowed")).to_be_visible()


def test_players_of_one_name_are_told_apart(open_page: OpenPage, server: Server) -> None:
    names = [{"kind": "human", "name": "Ada"}, {"kind": "human", "name": "Ada"}]
    created = httpx.post(
        f"http://127.0.0.1:{server.port}/api/games", json={"game": "hive", "seats": names}
    ).json()
    address = f"/game/{created['gameId']}"
    one, other = open_page(), open_page()
    for page, seat in zip((one, other), created["seats"], strict=True):
        page.goto(f"{address}?token={seat['token']}")
    say(one, "Hello")
    expect(other.get_by_role("log")).to_have_text("Ada (White): Hello")
