"""The server's pictures show what the page shows: the same shapes in the same places and colours."""

import json
from base64 import b64encode
from http.server import ThreadingHTTPServer
from pathlib import Path
from typing import Any

import httpx
import pytest
from playwright.sync_api import Page, expect

from tests.random_games import played
from tests.web.conftest import OpenPage, Server

SITE = """<!doctype html><meta charset="utf-8"><title>Pictures</title>
<script src="OWN/embed/plyhouse.js"></script>
<style>:root { color-scheme: SCHEME } body { margin: 0 } plyhouse-board { width: 600px }</style>
<plyhouse-board game-id="GAME"></plyhouse-board><div id="picture" style="width: 600px"></div>
"""

SHAPES = """
(svg) => {
    const { a, d, e, f } = svg.getScreenCTM();
    const view = svg.viewBox.baseVal;
    const frame = { x: a * view.x + e, y: d * view.y + f, width: a * view.width };
    const found = [];
    const visit = (element, opacity) => {
        const style = getComputedStyle(element);
        const own = opacity * Number(style.opacity);
        if (style.display === "none" || own === 0 || element.matches("defs, title")) return;
        if (!element.matches("path, rect, circle, ellipse, line, text, use")) {
            for (const child of element.children) visit(child, own);
            return;
        }
        const { x, y, width, height } = element.getBoundingClientRect();
        const scale = 600 / frame.width;
        const box = [x - frame.x, y - frame.y, width, height].map((length) => length * scale);
        const paint = element.matches("use") ? [] : [style.fill, style.fillOpacity, style.stroke];
        const text = element.matches("text") ? element.textContent.trim() : "";
        found.push({ kind: element.localName, text, paint: [...paint, own.toFixed(3)].join(" "), box });
    };
    for (const child of svg.children) visit(child, 1);
    return found;
}
"""
"""What a browser draws of an SVG: each visible shape with its colours, and its place where the SVG is 600 wide."""

UNLIKE = """
async (sources) => {
    const pixels = await Promise.all(sources.map(async (source) => {
        const image = new Image();
        image.src = source;
        await image.decode();
        const canvas = Object.assign(document.createElement("canvas"), { width: image.width, height: image.height });
        const context = canvas.getContext("2d");
        context.drawImage(image, 0, 0);
        return context.getImageData(0, 0, image.width, image.height).data;
    }));
    const [one, other] = pixels;
    if (one.length !== other.length) return 1;
    return one.filter((value, index) => Math.abs(value - other[index]) > 64).length / one.length;
}
"""
"""By how much two pictures differ: the share of their values, of which each pixel has four, that are not alike."""

MOST_UNLIKE = 0.005
"""Renderers differ at edges, and in the font of the few texts."""

Shapes = list[dict[str, Any]]


def imported(own: str, game: str) -> str:
    """The id of a game in progress on the server."""
    position = played(game, 14)
    config = {**position.config, **position.secret, "variant": position.variant}
    record = json.dumps({"game": game, "config": config, "moves": position.history})
    answer = httpx.post(f"{own}/api/games/import", json={"text": record})
    assert answer.status_code == 201, answer.text
    return str(answer.json()["gameId"])


def shapes_of_the_page(page: Page, game: str) -> Shapes:
    """What the board of the page draws, without the tools over it."""
    board = page.locator(f"{game}-board")
    expect(board.locator(".table > svg")).to_be_visible()
    board.evaluate("board => { board.isStill = true; board.requestUpdate(); return board.updateComplete; }")
    page.wait_for_function(
        "board => board.getAnimations({ subtree: true }).length === 0", arg=board.element_handle()
    )
    return list(board.locator(".table > svg").evaluate(SHAPES))


def shapes_of_the_picture(page: Page, svg: str) -> Shapes:
    """What the picture draws of the board, without the reserves beside it."""
    page.evaluate(
        """text => {
            const parsed = new DOMParser().parseFromString(text, "image/svg+xml").documentElement;
            document.querySelector("#picture").replaceChildren(document.importNode(parsed, true));
        }""",
        svg,
    )
    return list(page.locator("#picture > svg > g > svg").evaluate(SHAPES))


def differences(shown: Shapes, drawn: Shapes) -> list[str]:
    """What is not the same; the place of a text depends on the font."""
    if len(shown) != len(drawn):
        return [f"{len(shown)} shapes are not {len(drawn)}"]
    found = []
    for number, (one, other) in enumerate(zip(shown, drawn, strict=True)):
        same = all(one[name] == other[name] for name in ("kind", "text", "paint"))
        is_text = one["kind"] == "text"
        near = is_text or all(abs(a - b) < 2.5 for a, b in zip(one["box"], other["box"], strict=True))
        if not (same and near):
            found.append(f"{number}: {one} is not {other}")
    return found


def unlike(page: Page, svg: bytes, png: bytes) -> float:
    """By how much the browser draws an SVG in another way."""
    kinds = {"svg+xml": svg, "png": png}
    sources = [f"data:image/{kind};base64,{b64encode(data).decode()}" for kind, data in kinds.items()]
    return float(page.evaluate(UNLIKE, sources))


@pytest.mark.parametrize(
    ("game", "scheme"), [("wallwars", "light"), ("hive", "dark"), ("carcassonne", "light"), ("pyrat", "dark")]
)
def test_a_picture_is_what_the_page_shows(
    open_page: OpenPage,
    server: Server,
    other_site: ThreadingHTTPServer,
    tmp_path: Path,
    game: str,
    scheme: str,
) -> None:
    own = f"http://127.0.0.1:{server.port}"
    game_id = imported(own, game)
    site = SITE.replace("OWN", own).replace("GAME", game_id).replace("SCHEME", scheme)
    (tmp_path / "index.html").write_text(site)
    (tmp_path / "favicon.ico").touch()
    page = open_page(viewport={"width": 1300, "height": 1200}, reduced_motion="reduce", color_scheme=scheme)
    page.goto(f"http://localhost:{other_site.server_port}/")

    def picture(ply: int, flipped: bool) -> Shapes:  # noqa: FBT001 - short
        query = f"ply={ply}&theme={scheme}&flipped={flipped}"
        return shapes_of_the_picture(page, httpx.get(f"{own}/api/games/{game_id}/picture.svg?{query}").text)

    def drawn(kind: str, ply: int) -> bytes:
        return httpx.get(f"{own}/api/games/{game_id}/picture.{kind}?ply={ply}&theme={scheme}").content

    shares = [unlike(page, drawn("svg", 14), drawn("png", ply)) for ply in (14, 2)]
    assert shares[0] < MOST_UNLIKE < shares[1]

    shown = shapes_of_the_page(page, game)
    assert len(shown) > 20
    assert differences(shown, picture(14, flipped=False))[:3] == []
    assert differences(shown, picture(13, flipped=False)) != []
    page.locator("plyhouse-board").evaluate("board => { board.flipped = true; return board.updateComplete }")
    page.locator(f"{game}-board").evaluate("board => board.updateComplete")
    assert differences(shapes_of_the_page(page, game), picture(14, flipped=True))[:3] == []
