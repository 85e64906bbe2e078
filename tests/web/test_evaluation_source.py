"""The page says which network evaluated the position on the board, and with how many visits."""

import re
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from playwright.sync_api import expect

from tests.web.conftest import OpenPage, Server
from tools.networks import size_agnostic

NAME = "wallwars-small"
"""As long as those of the networks that come with Plyhouse."""

VISITS = re.compile(rf"{NAME}, \d[\d,]* visits")


@pytest.fixture
def with_network(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    """A server with a network."""
    monkeypatch.setenv("PLYHOUSE_MODELS", str(size_agnostic(tmp_path / f"{NAME}.onnx")))
    monkeypatch.setenv("PLYHOUSE_SAMPLES", "600")
    server = Server(tmp_path)
    try:
        server.start()
        yield server
    finally:
        server.kill()


@pytest.mark.parametrize("viewport", [{"width": 1280, "height": 800}, {"width": 390, "height": 844}])
def test_the_page_names_the_network(
    open_page: OpenPage, with_network: Server, viewport: dict[str, int]
) -> None:
    seats = [{"kind": "human"}, {"kind": "bot"}]
    body = {"game": "wallwars", "config": {"boardWidth": 5, "boardHeight": 6}, "seats": seats}
    answer = httpx.post(f"http://127.0.0.1:{with_network.port}/api/games", json=body)
    assert answer.status_code == 201, answer.text
    game = answer.json()["gameId"]
    page = open_page(viewport=viewport)
    page.goto(f"{with_network.url}game/{game}")
    switch = page.get_by_role("switch", name="Evaluation")
    switch.check()
    note = page.locator("game-page .basis")
    expect(note).to_have_text(VISITS)
    expect(page.locator("eval-bar .bar")).to_have_attribute("title", VISITS)
    box, flip = note.bounding_box(), page.get_by_role("button", name="Flip").bounding_box()
    assert box is not None
    assert flip is not None
    assert abs(box["y"] + box["height"] / 2 - flip["y"] - flip["height"] / 2) < 12, "in one row"
    assert note.evaluate(
        "it => it.scrollWidth <= it.clientWidth && it.scrollHeight <= it.clientHeight + 1"
    ), "in full"
    switch.uncheck()
    expect(note).to_be_hidden()
    page.goto(f"{with_network.url}analysis/{game}")
    expect(page.locator("eval-bar .bar")).to_have_attribute("title", VISITS)
