"""The page behind the proxy of docker-compose.yml: it goes on at another server when its own is stopped."""

import signal
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

import plyhouse
from tests.server.serving import Served
from tests.web.conftest import PATIENCE_MS
from tests.web.test_page import moves
from tools.services.caddy import Caddy
from tools.services.redis import RedisServer


@pytest.mark.timeout(300)  # two servers have to start
def test_a_page_goes_on_at_another_server(browser: Browser, tmp_path: Path) -> None:
    with RedisServer() as redis:
        folders = [tmp_path / "one", tmp_path / "other"]
        for folder in folders:
            folder.mkdir()
        shared = ("--redis", redis.url, "--database", f"sqlite:///{tmp_path}/shared.db")
        with (
            Served(folders[0], *shared) as one,
            Served(folders[1], *shared) as other,
            Caddy([one.url, other.url]) as proxy,
            plyhouse.Client(proxy.url) as rival,
            browser.new_context(base_url=proxy.url) as context,
        ):
            game = rival.create("wallwars", ["human", "human"], config={"boardWidth": 4, "boardHeight": 4})
            tokens = [seat.token or "" for seat in game.seats]
            page = context.new_page()
            page.set_default_timeout(PATIENCE_MS)
            page.goto(f"/game/{game.game_id}?token={tokens[0]}")
            page.get_by_role("button", name="Pass", exact=True).click()
            page.get_by_role("button", name="Pass the turn").click()
            expect(moves(page)).to_have_count(1)
            home = one if f"/ws/games/{game.game_id}" in one.log else other
            home.stop(signal.SIGTERM)
            rival.move(game.game_id, tokens[1], "---")
            expect(moves(page)).to_have_count(2)
            page.get_by_role("button", name="Pass", exact=True).click()
            page.get_by_role("button", name="Pass the turn").click()
            expect(moves(page)).to_have_count(3)
