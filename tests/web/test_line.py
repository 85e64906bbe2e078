"""A line that drops without a close: the page says so, the other side sees it, and nothing is lost or sent twice."""

import pytest
from playwright.sync_api import expect

from tests.web.conftest import OpenPage, Server
from tests.web.line import line_to
from tests.web.test_page import act, moves, status


@pytest.mark.timeout(180)
def test_two_players_go_on_after_a_dead_line(open_page_anyhow: OpenPage, server: Server) -> None:
    phone = {"viewport": {"width": 390, "height": 844}, "has_touch": True}
    with line_to(server.port) as line:
        host, friend = open_page_anyhow(), open_page_anyhow(**phone)
        host.goto("/new")
        host.get_by_role("radio", name="Friend", exact=True).check()
        host.get_by_label("Columns").fill("6")
        host.get_by_label("Rows").fill("6")
        host.locator("[name=clock]").select_option("blitz")
        host.get_by_role("button", name="Create game").click()
        link = host.get_by_label("Link for your friend").input_value()
        friend.goto(link.replace(f":{server.port}", f":{line.port}"))
        friend.get_by_role("button", name="Join this game").click()
        act(host, "Cat to b6", "Cat to c6")
        expect(status(friend)).to_have_text("Your turn.")

        for turn, (piece, other) in enumerate((("Cat to e6", "Cat to d6"), ("Mouse to e1", "Mouse to d1"))):
            friend.get_by_role("button", name=piece, exact=True).tap()
            expect(friend.locator(".piece.next")).to_have_count(1)
            line.cut()
            friend.get_by_role("button", name=other, exact=True).tap()
            expect(friend.get_by_text("Reconnecting")).to_be_visible()
            expect(host.locator("player-strip .away")).to_be_visible()
            line.restore()
            expect(status(host)).to_have_text("Your turn.")
            expect(friend.get_by_text("Reconnecting")).to_be_hidden()
            expect(host.locator("player-strip .away")).to_be_hidden()
            expect(moves(host)).to_have_count(2 + 2 * turn)
            if turn == 0:
                act(host, "Wall right of b2", "Wall right of c2")
