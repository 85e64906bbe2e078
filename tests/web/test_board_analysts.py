"""Attached bots as analysts on the analysis board, in a real browser: the choice, their lines, and their leaving."""

import json
import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

from playwright.sync_api import expect
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

from tests.web.conftest import OpenPage, Server
from tests.web.test_accessibility import faults
from tests.web.test_board import open_board

Json = dict[str, Any]
SIDE = {"min": 3, "max": 9}
OFFER = {"boardWidth": SIDE, "boardHeight": SIDE, "recommended": [{"boardWidth": 5, "boardHeight": 5}]}
BOARD = '/board/wallwars#config={"boardWidth":5,"boardHeight":5}'
KINDS = {
    "start_game_session": "game_session_started",
    "apply_move": "move_applied",
    "end_game_session": "game_session_ended",
}


def answer(asked: Json) -> Json:
    """It likes passing, and tells one line where it is asked for lines."""
    told = {"bgsId": asked["bgsId"], "success": True, "error": ""}
    if asked["type"] != "evaluate_position":
        moved = {"ply": asked["expectedPly"] + 1} if asked["type"] == "apply_move" else {}
        return {"type": KINDS[asked["type"]], **told, **moved}
    lines = [{"move": "---", "visits": 41, "value": 0.5, "pv": ["---", "---"]}]
    best = {"ply": asked["expectedPly"], "bestMove": "---", "evaluation": 0.5, "lines": lines, "samples": 41}
    return {"type": "evaluate_response", **told, **best}


def serve(connection: ClientConnection) -> None:
    with suppress(ConnectionClosed):
        for frame in connection:
            connection.send(json.dumps(answer(json.loads(frame))))


@contextmanager
def analyst(server: Server, client_id: str, name: str) -> Iterator[None]:
    """An attached bot that analyses, until the end of the block."""
    entry = {"botId": "b", "name": name, "username": None, "analyses": True, "variants": {"standard": OFFER}}
    client = {"name": "test", "version": "1"}
    attach = {
        "type": "attach",
        "protocolVersion": 3,
        "clientId": client_id,
        "client": client,
        "bots": [entry],
    }
    with connect(f"ws://127.0.0.1:{server.port}/ws/custom-bot") as connection:
        connection.send(json.dumps(attach))
        assert json.loads(connection.recv())["type"] == "attached"
        thread = threading.Thread(target=serve, args=(connection,))
        thread.start()
        try:
            yield
        finally:
            connection.close()
            thread.join()


def test_a_bot_analyses_until_it_leaves(open_page_anyhow: OpenPage, server: Server) -> None:
    page = open_page_anyhow()
    with analyst(server, "sage", "Sage"):
        open_board(page, BOARD)
        expect(page.locator("analysis-lines li")).to_have_count(3)
        page.get_by_label("Analysed by").select_option("Sage")
        expect(page.locator(".depth")).to_have_text("Sage, 41 visits")
        expect(page.locator("analysis-lines li")).to_have_count(1)
        assert faults(page) == []
        page.get_by_role("button", name="Pass", exact=True).click()
        expect(page.locator("move-tree .shown")).to_have_text("---")
        expect(page.locator(".depth")).to_have_text("Sage, 41 visits")
    page.get_by_role("button", name="Pass", exact=True).click()
    gone = page.get_by_role("alert").filter(
        has_text="There is no bot 'sage:b' for wallwars: it may have disconnected."
    )
    expect(gone).to_be_visible()
    expect(page.get_by_label("Analysed by").locator("option:checked")).to_have_text(
        re.compile(r"Sage.*\(has left\)")
    )
    expect(page.locator("analysis-lines li")).to_have_count(0)
    page.get_by_label("Analysed by").select_option("This server")
    expect(page.locator("analysis-lines li")).to_have_count(3)
    expect(page.locator(".depth")).to_have_text(re.compile("native|wallwars-small"))
    expect(gone).to_be_hidden()


def test_without_analysts_there_is_no_choice(open_page: OpenPage) -> None:
    page = open_page()
    open_board(page, "/board/hive")
    expect(page.locator("analysis-lines li").first).to_be_visible()
    expect(page.get_by_label("Analysed by")).to_have_count(0)
