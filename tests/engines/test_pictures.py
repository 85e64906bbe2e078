"""Pictures of positions: plain SVG that any renderer draws, whatever was drawn before, and bounded."""

import struct
from pathlib import Path
from xml.etree import ElementTree

import pytest

from engines import Position, games
from engines.pictures import (
    CardTexts,
    DrawingScript,
    PictureError,
    PlayerText,
    Theme,
    order_of,
    picture,
    png_of,
)
from tests.random_games import played

LISTED = [game.name for game in games() if game.listed]
NEEDS_PAGE = ("var(", "light-dark(", "color-mix(", "class=", "style=", "script", "calc(", "NaN", "undefined")


def elements(svg: str) -> list[ElementTree.Element]:
    return list(ElementTree.fromstring(svg).iter())  # noqa: S314 - our own


def size_of(png: bytes) -> tuple[int, int]:
    assert png.startswith(b"\x89PNG")
    width, height = struct.unpack(">II", png[16:24])
    return width, height


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("game", LISTED)
def test_every_game_is_drawn_as_plain_svg(game: str, theme: Theme) -> None:
    for plies, flipped in ((0, False), (6, True)):
        svg = picture(played(game, plies), theme=theme, flipped=flipped, width=300).svg
        root, *rest = elements(svg)
        assert root.get("width") == "300"
        assert len(rest) > 10
        assert [word for word in NEEDS_PAGE if word in svg] == []
        assert size_of(png_of(svg)) == (300, int(root.get("height", "0")))


@pytest.mark.parametrize("game", LISTED)
def test_a_picture_does_not_depend_on_earlier_ones(game: str) -> None:
    first, later = played(game, 2), played(game, 9)
    alone = DrawingScript().svg_of(order_of(first, 600))
    script = DrawingScript()
    for other in (later, played("hive", 3)):
        script.svg_of(order_of(other, 600, theme="dark", is_flipped=True))
    assert script.svg_of(order_of(first, 600)) == alone
    assert script.svg_of(order_of(later, 600)) != alone


HOSTILE = (
    "</text><script>alert(1)</script>",
    "\"'&<>]]>&amp;",
    "${x}`\\",
    "\u202eevil",
    "x" * 64,
    "名" * 64,
    "",
)


@pytest.mark.parametrize("name", HOSTILE)
def test_texts_of_a_card_stay_texts(name: str) -> None:
    texts = CardTexts(name, name, (PlayerText(name, "12.5"), PlayerText(name)), name)
    svg = DrawingScript().svg_of(order_of(played("wallwars", 1), texts))
    root, *rest = elements(svg)
    assert (root.get("width"), root.get("height")) == ("1200", "630")
    assert {element.tag.rpartition("}")[2] for element in rest} <= {
        "rect", "svg", "g", "path", "circle", "line", "text", "defs", "use"
    }  # fmt: skip
    shown = [element.text or "" for element in rest if element.tag.endswith("text")]
    if name.isascii() and 0 < len(name) < 12:
        assert shown.count(name) == 5
    if not name.isascii():
        assert {letter for text in shown if "\u25a1" in text for letter in text} <= set("\u25a1\u2026evil")
    assert size_of(png_of(svg)) == (1200, 630)


def test_texts_are_drawn_without_fonts_of_the_system() -> None:
    def png(letters: str) -> bytes:
        return png_of(
            f'<svg xmlns="http://www.w3.org/2000/svg" width="90" height="30"><text y="20">{letters}</text></svg>'
        )

    drawn = [png(letters) for letters in ("", "a", "É", "ж", "Ω", "7")]
    assert len(set(drawn)) == len(drawn)


def test_a_game_without_a_board_has_no_picture() -> None:
    with pytest.raises(PictureError, match=r"^There is no board for toy-draw"):
        picture(Position("toy-draw", None, {"seed": 1}))


@pytest.mark.parametrize("width", [0, 63, 1601, -5])
def test_a_width_has_limits(width: int) -> None:
    with pytest.raises(ValueError, match="64 to 1600 pixels wide"):
        picture(Position("hive"), width=width)


@pytest.mark.parametrize(
    ("code", "why"),
    [
        ("for (;;);", "interrupted"),
        ("for (const all = [];;) all.push([1, 2, 3])", "memory"),
        ("return draw()", "stack"),
    ],
)
@pytest.mark.slow
def test_a_script_is_bounded(tmp_path: Path, code: str, why: str) -> None:
    path = tmp_path / "drawing.js"
    path.write_text(f"function draw() {{ {code} }}")
    with pytest.raises(PictureError, match=why):
        DrawingScript(path, seconds=1).svg_of(order_of(Position("hive"), 600))


def test_without_a_build_there_is_no_script(tmp_path: Path) -> None:
    with pytest.raises(PictureError, match="make web"):
        DrawingScript(tmp_path / "drawing.js")
