"""The analysis page in a real browser: importing a record, navigating by keyboard, links to a ply."""

import json
import re

import httpx
import pytest
from playwright.sync_api import Page, expect

from tests.web.conftest import OpenPage, Server

RECORD = """[Board "4x4"]
[Result "1-0"]

1. Cb4.>a1 Cc4 2. Cb3 --- 3. Cc3.^a2 Cd3 4. Cd2 >b2 1-0
"""


def import_game(server: Server, record: str = RECORD) -> str:
    """Imports a record; returns the id of its game."""
    body = {"format": "auto", "text": record}
    answer = httpx.post(f"http://127.0.0.1:{server.port}/api/games/import", json=body)
    assert answer.status_code == 201, answer.text
    return str(answer.json()["gameId"])


def done(page: Page) -> None:
    """Waits for the end of the analysis."""
    expect(page.locator("analysis-status")).to_contain_text("Done")


def shown(page: Page) -> str:
    """The text below the graph for the shown ply."""
    return page.locator("eval-graph .reading .move").inner_text()


@pytest.mark.quick
def test_a_record_is_analysed(open_page_anyhow: OpenPage) -> None:
    page = open_page_anyhow()
    page.goto("/analysis")
    for name in ("GameString", "PGN", "SGF", "JSON", "puzzle"):
        expect(page.locator("import-page")).to_contain_text(name)
    page.get_by_label("Record").fill(RECORD.replace("--- 3", "Zz9 3"))
    page.get_by_role("button", name="Analyse").click()
    expect(page.get_by_role("alert")).to_contain_text("line 4, move 4 (Zz9)")
    expect(page.get_by_role("button", name="Analyse the first 3 moves")).to_be_visible()
    page.get_by_label("Record").fill(RECORD)
    page.get_by_role("button", name="Analyse").click()
    expect(page).to_have_url(re.compile(r"/analysis/[\w-]+\?ply=0$"))
    done(page)
    expect(page.locator("analysis-summary .accuracy").first).to_have_text(re.compile(r"\d+%"))
    expect(page.locator("eval-graph .area").first).to_have_attribute("d", re.compile("M0 0"))
    expect(page.locator("analysis-lines li")).to_have_count(3)
    expect(page.locator("wallwars-board .hint")).not_to_have_count(0)


def test_the_legal_beginning_of_a_record_is_analysed(open_page_anyhow: OpenPage) -> None:
    page = open_page_anyhow()
    page.goto("/analysis")
    page.get_by_label("Record").fill("Base;InProgress;White[3];wS1;bS1 wS1-;wQ -wS1;bQ wQ-")
    page.get_by_role("button", name="Analyse").click()
    page.get_by_role("button", name="Analyse the first 3 moves").click()
    expect(page.get_by_text("Only the first 3 plies were read.")).to_be_visible()
    expect(page.get_by_role("link", name="Open the analysis")).to_be_visible()


def test_keys_navigate_the_game_and_its_lines(open_page: OpenPage, server: Server) -> None:
    page = open_page()
    page.goto(f"/analysis/{import_game(server)}?ply=0")
    done(page)
    page.keyboard.press("ArrowRight")
    expect(page.locator("eval-graph .reading .move")).to_have_text("1. Cb4.>a1")
    expect(page).to_have_url(re.compile(r"\?ply=1$"))
    page.keyboard.press("End")
    expect(page.locator("move-list .shown")).to_have_text(re.compile(">b2"))
    page.keyboard.press("Home")
    assert shown(page) == "Start"

    page.keyboard.press("ArrowDown")
    expect(page.locator("analysis-lines .shown")).to_have_count(1)
    best = page.locator("analysis-lines .shown").inner_text().strip()
    expect(page.locator("p.unseen")).not_to_be_empty()
    page.keyboard.press("ArrowDown")
    assert page.locator("analysis-lines .shown").inner_text().strip() != best
    page.keyboard.press("Escape")
    expect(page.locator("analysis-lines .shown")).to_have_count(0)

    depth = page.get_by_role("button", name="Normal")
    depth.focus()
    page.keyboard.press("ArrowRight")
    expect(page).to_have_url(re.compile(r"\?ply=1$"))
    expect(depth).to_have_attribute("aria-pressed", "true")

    box = page.locator("eval-graph .graph").bounding_box()
    assert box is not None
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + 10)
    expect(page).to_have_url(re.compile(r"\?ply=4$"))


def test_the_current_move_stays_visible_when_a_phone_is_turned(open_page: OpenPage, server: Server) -> None:
    page = open_page(viewport={"width": 390, "height": 844})
    game = import_game(server, json.dumps({"game": "wallwars", "moves": ["---"] * 60}))
    page.goto(f"/game/{game}")
    expect(page.locator("move-list .shown")).to_be_visible()
    page.set_viewport_size({"width": 844, "height": 390})
    page.wait_for_function(
        """(list) => {
            const bottom = (part) => list.shadowRoot.querySelector(part).getBoundingClientRect().bottom;
            return list.clientHeight < 180 && bottom(".shown") <= bottom(".moves");
        }""",
        arg=page.locator("move-list").element_handle(),
    )


def test_a_link_opens_at_its_ply_on_a_phone_in_dark_mode(open_page: OpenPage, server: Server) -> None:
    page = open_page()
    page.set_viewport_size({"width": 360, "height": 740})
    page.emulate_media(color_scheme="dark")
    page.goto(f"/analysis/{import_game(server)}?ply=3")
    done(page)
    assert shown(page) == "2. Cb3"
    expect(page.locator("move-list .shown")).to_have_text(re.compile("Cb3"))
    assert page.evaluate("document.documentElement.scrollWidth") == 360
    walk = page.get_by_role("button", name="Next move")
    walk.click()
    expect(page.locator("eval-graph .reading .move")).to_have_text("2… ---")
    box = walk.bounding_box()
    assert box is not None
    assert box["y"] + box["height"] < 740, "the buttons to walk with are on the first screen"


def test_the_analysis_continues_after_a_restart_of_the_server(
    open_page_anyhow: OpenPage, server: Server
) -> None:
    page = open_page_anyhow()
    moves = ["---"] * 20
    record = {"game": "wallwars", "config": {"boardWidth": 6, "boardHeight": 6}, "moves": moves}
    page.goto(f"/analysis/{import_game(server, json.dumps(record))}")
    done(page)
    page.get_by_text("Deep").click()
    expect(page.locator("analysis-status")).to_contain_text("Analysing")
    server.kill()
    expect(page.locator("analysis-status")).to_contain_text("Reconnecting")
    server.start()
    expect(page.locator("analysis-status")).to_contain_text("Done: up to 10,000 samples")
