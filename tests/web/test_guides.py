"""The guides are pages of the server: all that they link to is there, and a phone can read them."""

import re
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import urldefrag, urljoin

import httpx
import pytest
from playwright.sync_api import expect

from tests.web.conftest import OpenPage, Server

NAMES = sorted(path.stem for path in (Path(__file__).parents[2] / "docs").glob("*.md"))


class Links(HTMLParser):
    """Collects the addresses that a document mentions, and its anchors."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.addresses: set[str] = set()
        self.anchors: set[str] = set()
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        of = dict(attrs)
        self.addresses.update(address for name in ("href", "src") if (address := of.get(name)))
        self.anchors.add(of.get("id") or "")


def test_links(server: Server) -> None:
    with httpx.Client(base_url=f"http://127.0.0.1:{server.port}") as client:
        texts: dict[str, Links] = {}

        def at(address: str) -> Links:
            if address not in texts:
                answer = client.get(address)
                assert answer.status_code == 200, address
                texts[address] = Links(answer.text if "html" in answer.headers["content-type"] else "")
            return texts[address]

        for name in NAMES:
            here = f"/docs/{name}/"
            for link in at(here).addresses:
                address, anchor = urldefrag(urljoin(here, link))
                assert re.match("[a-z]+:", address) or anchor in {"", *at(address).anchors}, (name, link)
            assert {f"/docs/{other}" for other in NAMES} <= at(here).addresses


def test_unknown_guide(server: Server) -> None:
    for name in ("nothing", "bots.md", "%2e%2e/index", "bots/more"):
        assert httpx.get(f"http://127.0.0.1:{server.port}/docs/{name}").status_code == 404, name


@pytest.mark.parametrize("name", NAMES)
def test_a_phone_shows_it(open_page: OpenPage, name: str) -> None:
    page = open_page(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    page.goto(f"/docs/{name}")
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") == 390
