"""Lists of games and of moves: who is who, when, by kind, and what is in no list."""

import json

import httpx
from playwright.sync_api import expect

from tests.web.conftest import OpenPage, Server
from tests.web.test_page import act, moves, start_game, status


def post(server: Server, path: str, **body: object) -> dict[str, object]:
    """A request to the server."""
    answer = httpx.post(f"http://127.0.0.1:{server.port}/api/games{path}", json=body, timeout=60)
    answer.raise_for_status()
    found: dict[str, object] = answer.json()
    return found


def finished(server: Server, game: str, name: str, moves: list[str]) -> str:
    """A game between two players of one name that the first one resigned after these moves."""
    created = post(server, "", game=game, seats=[{"kind": "human", "name": name}] * 2)
    seats = created["seats"]
    assert isinstance(seats, list)
    headers = [{"Authorization": f"Bearer {seat['token']}"} for seat in seats]
    address = f"http://127.0.0.1:{server.port}/api/games/{created['gameId']}"
    for ply, move in enumerate(moves):
        httpx.post(f"{address}/moves", json={"move": move}, headers=headers[ply % 2]).raise_for_status()
    httpx.post(f"{address}/resign", json={}, headers=headers[0]).raise_for_status()
    return str(created["gameId"])


def test_finished_games_have_names_dates_results_and_a_filter(open_page: OpenPage, server: Server) -> None:
    page = open_page()
    finished(server, "hive", "Twin of Hive", ["wS1", "bS1 wS1-"])
    finished(server, "wallwars", "Twin of Wallwars", ["---"])
    finished(server, "wallwars", "Nobody who moved", [])
    played = finished(server, "wallwars", "Twin to copy", ["---"])
    record = httpx.get(f"http://127.0.0.1:{server.port}/api/games/{played}/record?format=json").text
    post(server, "/import", format="auto", text=record.replace("Twin to copy", "From elsewhere"))
    page.goto("/")
    past = page.locator("game-list").filter(has_text="Finished games")
    row = past.get_by_role("listitem").filter(has_text="Twin of Hive")
    expect(row).to_contain_text("Twin of Hive (White) vs Twin of Hive (Black)")
    expect(row).to_contain_text("Twin of Hive (Black) wins by resignation.")
    expect(row).to_contain_text(":")
    expect(past).to_contain_text("Twin of Wallwars (1)")
    expect(past).to_contain_text("Twin to copy")
    expect(past).not_to_contain_text("Nobody who moved")
    expect(past).not_to_contain_text("From elsewhere")
    page.get_by_label("Show", exact=True).select_option("hive")
    expect(past).to_contain_text("Twin of Hive")
    expect(past).not_to_contain_text("Twin of Wallwars")


def test_an_imported_game_is_listed_where_it_was_imported(open_page: OpenPage, server: Server) -> None:
    importer, other = open_page(), open_page()
    record = {"game": "wallwars", "seats": [{"kind": "human", "name": "Imported Ida"}] * 2, "moves": ["---"]}
    importer.goto("/analysis")
    importer.get_by_label("Record").fill(json.dumps(record))
    importer.get_by_role("button", name="Analyse").click()
    importer.wait_for_url("**/analysis/*")
    importer.goto("/analysis")
    expect(importer.get_by_role("link", name="Imported Ida")).to_be_visible()
    assert "Imported Ida" not in httpx.get(f"http://127.0.0.1:{server.port}/api/games").text
    other.goto("/analysis")
    expect(other.get_by_label("Record")).to_be_visible()
    expect(other.get_by_text("Imported Ida")).to_have_count(0)


def test_moves_are_words_unless_codes_are_wanted(open_page: OpenPage) -> None:
    page = open_page()
    start_game(page, "Engine")
    act(page, "Cat to a3", "Wall right of c1")
    expect(moves(page)).to_have_count(2)
    codes = page.get_by_role("button", name="Codes")
    expect(codes).to_have_attribute("aria-pressed", "true")
    codes.click()
    expect(moves(page).first).to_have_text("Cat to a3, Wall right of c1")
    expect(page.get_by_role("button", name="You Cat to a3, Wall right of c1")).to_be_visible()
    codes.click()
    page.reload()
    expect(moves(page).first).to_have_text("Ca3.>c1")


def test_a_phone_takes_the_invitation_or_the_seat_from_a_picture(open_page: OpenPage) -> None:
    host, phone = open_page(), open_page(viewport={"width": 390, "height": 844}, has_touch=True)
    start_game(host, "Friend")
    picture = host.get_by_role("img", name="QR code of the link")
    host.get_by_text("Show a QR code").click()
    expect(picture.locator("path")).to_have_count(1)
    host.get_by_text("Show a QR code").click()
    host.get_by_text("Continue on another device").click()
    expect(picture.locator("path")).to_have_count(1)
    link = host.locator("seat-transfer copy-link").evaluate("element => element.link")
    phone.goto(link)
    expect(status(phone)).to_have_text("Waiting for an opponent.")
    assert "token" not in phone.url
