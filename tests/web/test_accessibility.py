"""axe-core finds nothing wrong with any page of any game, in either colour scheme."""

import json
from pathlib import Path
from typing import Any

import httpx
import pytest
from playwright.sync_api import Page, expect

from tests.web.conftest import OpenPage, Server

AXE = (Path(__file__).parents[2] / "web/node_modules/axe-core/axe.min.js").read_text()

GAMES = {
    "wallwars": ({}, ["Cb8.>d4", "Cg8.>d5", *["---"] * 40]),
    "hive": ({}, ["wA1", "bA1 wA1-", "wQ -wA1"]),
    "carcassonne": ({"tileCount": 3}, []),
    "pyrat": ({"seed": 3}, ["STAY/STAY"]),
}
"""The configuration and the first moves of a game of each kind."""


IN_THE_DARK = {"runOnly": {"type": "rule", "values": ["color-contrast", "link-in-text-block"]}}
"""What axe looks at in the dark scheme. The styles of a page differ between the schemes in nothing but colours."""


def faults(page: Page) -> list[str]:
    """What axe finds, with the elements."""
    page.evaluate(AXE)
    return _found(page, {"resultTypes": ["violations"]})


def faults_in_both_schemes(page: Page) -> list[str]:
    """The same in the light and in the dark colour scheme."""
    page.emulate_media(color_scheme="light")
    in_the_light = faults(page)
    page.emulate_media(color_scheme="dark")
    return in_the_light + _found(page, IN_THE_DARK)


def _found(page: Page, options: dict[str, Any]) -> list[str]:
    found: Any = page.evaluate("(options) => axe.run(document, options)", options)
    return [
        f"{fault['id']} ({fault['impact']}): {node['target']} {node['failureSummary']}"
        for fault in found["violations"]
        for node in fault["nodes"]
    ]


def open_game(server: Server, game: str) -> tuple[str, str]:
    """Opens a game between two people; returns its address and that of the first seat."""
    config, _ = GAMES[game]
    body = {"game": game, "config": config, "seats": [{"kind": "human"}, {"kind": "human"}]}
    answer = httpx.post(f"http://127.0.0.1:{server.port}/api/games", json=body)
    assert answer.status_code == 201, answer.text
    opened = answer.json()
    address = f"/game/{opened['gameId']}"
    return address, f"{address}?token={opened['seats'][0]['token']}"


def test_pages_without_a_game(open_page: OpenPage, server: Server) -> None:
    open_game(server, "hive")
    page = open_page()
    for path, shown in (
        ("/", "game-card"),
        ("/new", "form"),
        ("/analysis", "textarea"),
        ("/docs/bots", "table"),
        *((f"/learn/{game}/rules", "article") for game in GAMES),
    ):
        page.goto(path)
        expect(page.locator(shown).first).to_be_visible()
        assert faults_in_both_schemes(page) == [], path
    page.get_by_role("button", name="Settings").click()
    expect(page.get_by_role("dialog")).to_be_visible()
    assert faults_in_both_schemes(page) == []


@pytest.mark.parametrize("game", GAMES)
def test_pages_of_a_game(open_page: OpenPage, server: Server, game: str) -> None:
    address, seat = open_game(server, game)
    page = open_page()
    for path in (seat, address, f"/learn/{game}"):
        page.goto(path)
        expect(page.locator(f"{game}-board").first).to_be_visible()
        assert faults_in_both_schemes(page) == [], path
    token = seat.partition("=")[2]
    resigned = httpx.post(
        f"http://127.0.0.1:{server.port}/api{address.replace('game', 'games', 1)}/resign",
        headers={"Authorization": f"Bearer {token}"},
        json={},
    )
    assert resigned.status_code == 200, resigned.text
    page.goto(address)
    expect(page.locator(".now")).to_contain_text("by resignation")
    assert faults_in_both_schemes(page) == []


@pytest.mark.parametrize("game", GAMES)
def test_the_end_and_the_analysis_of_a_game(open_page: OpenPage, server: Server, game: str) -> None:
    config, moves = GAMES[game]
    record = {"game": game, "config": config, "moves": moves}
    page = open_page()
    answer = httpx.post(
        f"http://127.0.0.1:{server.port}/api/games/import",
        json={"format": "json", "text": json.dumps(record)},
    )
    assert answer.status_code == 201, answer.text
    page.goto(f"/analysis/{answer.json()['gameId']}")
    expect(page.locator("analysis-status")).to_contain_text("Done")
    assert faults(page) == []
