"""The pages of the ladder, with a bot that plays against the built-in levels."""

import json
import threading
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import pytest
from playwright.sync_api import expect
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

from tests.web.conftest import OpenPage, Server
from tests.web.test_accessibility import faults

SIDE = {"min": 4, "max": 20}
OFFER = {"boardWidth": SIDE, "boardHeight": SIDE, "recommended": [{"boardWidth": 8, "boardHeight": 8}]}
ENTRY = {
    "botId": "b1",
    "name": "Passing by",
    "username": None,
    "game": "wallwars",
    "variants": {"standard": OFFER},
    "ladder": True,
    "version": "7",
}
ATTACH = {
    "type": "attach",
    "protocolVersion": 3,
    "clientId": "author",
    "client": {"name": "test", "version": "1"},
    "bots": [ENTRY],
}
ANSWERS = {
    "start_game_session": ("game_session_started", {}),
    "evaluate_position": ("evaluate_response", {"bestMove": "---", "evaluation": 0.0}),
    "apply_move": ("move_applied", {}),
    "end_game_session": ("game_session_ended", {}),
}


def answer(asked: dict[str, Any]) -> dict[str, Any]:
    """What a bot that always passes answers."""
    kind, more = ANSWERS[asked["type"]]
    ply = {"ply": asked["expectedPly"] + (asked["type"] == "apply_move")} if "expectedPly" in asked else {}
    return {"type": kind, "bgsId": asked["bgsId"], "success": True, "error": "", **ply, **more}


def play(connection: ClientConnection) -> None:
    with suppress(ConnectionClosed):
        for frame in connection:
            asked = json.loads(frame)
            if asked["type"] in ANSWERS:
                connection.send(json.dumps(answer(asked)))


@pytest.fixture
def bot(server: Server) -> Iterator[None]:
    """A bot that plays on the ladder meanwhile."""
    with connect(f"ws://127.0.0.1:{server.port}/ws/custom-bot") as connection:
        connection.send(json.dumps(ATTACH))
        assert json.loads(connection.recv())["type"] == "attached"
        thread = threading.Thread(target=play, args=(connection,))
        thread.start()
        yield
        connection.close()
        thread.join()


@pytest.mark.usefixtures("bot")
def test_a_bot_is_followed_from_the_list_to_its_games(open_page: OpenPage) -> None:
    page = open_page(viewport={"width": 390, "height": 844}, has_touch=True)
    page.goto("/")
    page.get_by_role("link", name="Bots", exact=True).click()
    expect(page.get_by_role("heading", name="Bots")).to_be_visible()
    expect(page.get_by_role("row", name="Passing by author:b1")).to_be_visible()
    assert faults(page) == []
    page.get_by_role("link", name="Wallwars, Standard").click()
    row = page.get_by_role("row", name="Passing by author:b1@7")
    expect(row.get_by_role("cell").nth(3)).not_to_have_text("0")
    expect(page.get_by_role("row", name="Plyhouse medium built in")).to_contain_text("fixed")
    assert faults(page) == []
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    row.get_by_role("link", name="Passing by").click()
    expect(page.get_by_role("heading", name="Passing by")).to_be_visible()
    expect(page.locator("svg.curve")).to_be_visible()
    expect(page.get_by_text("about a move: the median of")).to_be_visible()
    assert faults(page) == []
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.get_by_role("link", name="lost").first.click()
    expect(page.get_by_text("Passing by").first).to_be_visible()


def think(connection: ClientConnection) -> None:
    """An engine that takes a game, and thinks about its first move for ever."""
    connection.send("id Engine\nMosquito;Ladybug;Pillbug\nok")
    with suppress(ConnectionClosed):
        for line in connection:
            if str(line).startswith("newgame "):
                connection.send(f"{str(line).removeprefix('newgame ')}\nok")


@pytest.fixture
def engine(server: Server) -> Iterator[None]:
    """A UHP engine on the ladder."""
    joining = "role=engine&ladder=1&client=hiver:0123456789abcdef&name=Hiver"
    with connect(f"ws://127.0.0.1:{server.port}/uhp?{joining}") as connection:
        assert connection.recv() == "ok"
        thread = threading.Thread(target=think, args=(connection,))
        thread.start()
        yield
        connection.close()
        thread.join()


@pytest.mark.usefixtures("engine")
def test_an_engine_that_has_joined_over_uhp_is_listed(open_page: OpenPage) -> None:
    page = open_page()
    page.goto("/bots")
    expect(page.get_by_role("row", name="Hiver hiver:engine, UHP")).to_be_visible()
    assert faults(page) == []
    page.goto("/new/hive")
    page.get_by_role("radio", name="Attached bot", exact=True).check()
    expect(page.get_by_text("No attached bot plays this variant.")).to_be_visible()


def test_what_nobody_plays_is_said(open_page_anyhow: OpenPage) -> None:
    """The console reports the answers, which are errors."""
    page = open_page_anyhow()
    for path in ("/ladder/chess", "/bots/nobody:b"):
        page.goto(path)
        expect(page.get_by_role("alert")).to_contain_text("No bot")
        assert faults(page) == []
