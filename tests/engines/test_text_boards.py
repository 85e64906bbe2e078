"""Positions as text: what the view has, the text has; and one small example of each game."""

import re
from collections.abc import Mapping
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engines import Position, games
from engines.text_boards import board_text, position_text
from tests.random_games import played

PLIES = st.integers(0, 60)

WALLWARS = """\
    a    b    c
  +----+----+----+
3 |      C    c  |
  +    +    +----+
2 |    |         |
  +    +    +    +
1 | M         m  |
  +----+----+----+
turn: 1
actionsLeft: 2"""

CLASSIC = """\
    a    b    c
  +----+----+----+
3 |              |
  +    +    +    +
2 | C    c       |
  +    +    +    +
1 | h         H  |
  +----+----+----+"""

HIVE = """\
wA1   bB1^
   wQ
stack, bottom to top: wS1 bB1
in hand of seat 0 (White): wS2 wB1 wG1 wA2
in hand of seat 1 (Black): bQ bS1 bB2 bG1 bA1"""

CARCASSONNE = """\
      x=-1    x=0
  y=1 .       O180*1
  y=0 D0      D0
meeple of seat 1: 0,1 city_ES
phase: place_tile
toMove: 0
tile: V"""

PYRAT = """\
    0   1   2
  +---+---+---+
2 |     *   P |
  +   +---+ 3 +
1 | *         |
  +   +   +   +
0 | R ~     * |
  +---+---+---+
mud between 0,0 and 1,0: 12 turns
turn: 0"""


def text_after(game: str, variant: str, config: Mapping[str, object], *moves: str) -> str:
    """The text of a position, without the legend."""
    position = Position(game, variant, config)
    position.play(*moves)
    return position_text(position, 0).partition("\n")[2]


def test_wallwars() -> None:
    board = {"boardWidth": 3, "boardHeight": 3}
    assert text_after("wallwars", "standard", board, "Cb3", ">a2.^c2") == WALLWARS


def test_wallwars_with_homes() -> None:
    board = {"boardWidth": 3, "boardHeight": 3}
    text = text_after("wallwars", "classic", board, "Ca2", "Cc2.Cb2")
    assert text.partition("\nturn")[0] == CLASSIC


def test_hive() -> None:
    cells = [
        {"q": 0, "r": 0, "pieces": ["wA1"]},
        {"q": 1, "r": 0, "pieces": ["wS1", "bB1"]},
        {"q": 0, "r": 1, "pieces": ["wQ"]},
    ]
    text = text_after("hive", "Base", {"cells": cells, "toMove": 1})
    assert text.startswith(HIVE)


def test_carcassonne() -> None:
    view = {
        "phase": "place_tile",
        "toMove": 0,
        "tile": "V",
        "tiles": [
            {"x": 0, "y": 0, "tile": "D", "rotation": 0},
            {"x": -1, "y": 0, "tile": "D", "rotation": 0},
            {"x": 0, "y": 1, "tile": "O", "rotation": 180},
        ],
        "meeples": [{"x": 0, "y": 1, "spot": "city_ES", "seat": 1}],
    }
    assert board_text("carcassonne", view).partition("\n")[2] == CARCASSONNE


def test_pyrat() -> None:
    config = {
        "width": 3,
        "height": 3,
        "walls": [[[1, 1], [1, 2]]],
        "mud": [[[0, 0], [1, 0], 12], [[2, 1], [2, 2], 3]],
        "cheese": [[2, 0], [0, 1], [1, 2]],
        "starts": [[0, 0], [2, 2]],
    }
    assert text_after("pyrat", "medium", config).startswith(PYRAT)


@given(PLIES)
def test_every_pawn_and_wall_is_drawn(plies: int) -> None:
    view = played("wallwars", plies).view()
    rows = position_text(played("wallwars", plies)).splitlines()[1:]
    board = "\n".join(rows[: 2 * view["boardHeight"] + 2])
    assert sorted(re.findall("[CMcm]", board.partition("\n")[2])) == ["C", "M", "c", "m"]
    inside = [
        line[line.index("|") + 1 : line.rindex("|")] for line in rows[2 : 2 * view["boardHeight"] + 1 : 2]
    ]
    kinds = [wall["orientation"] for wall in view["walls"]]
    assert "".join(inside).count("|") == kinds.count("vertical")
    assert "".join(rows[3 : 2 * view["boardHeight"] + 1 : 2]).count("----") == kinds.count("horizontal")


@given(PLIES)
def test_every_piece_is_beside_its_neighbours(plies: int) -> None:
    view = played("hive", plies).view()
    text = position_text(played("hive", plies)).splitlines()[1:]
    height = (
        1 + max(cell["r"] for cell in view["cells"]) - min(cell["r"] for cell in view["cells"])
        if plies
        else 0
    )
    places = {
        found[1]: (row, found.start())
        for row, line in enumerate(text[:height])
        for found in re.finditer(r"([wb][A-Z]\d?)\^?", line)
    }
    tops = {(cell["q"], cell["r"]): cell["pieces"][-1] for cell in view["cells"]}
    assert set(places) == set(tops.values())
    for (q, r), piece in tops.items():
        row, column = places[piece]
        for (east, south), (down, right) in {(1, 0): (0, 6), (0, 1): (1, 3), (-1, 1): (1, -3)}.items():
            near = tops.get((q + east, r + south))
            assert near is None or places[near] == (row + down, column + right)
    stacks = [cell["pieces"] for cell in view["cells"] if len(cell["pieces"]) > 1]
    assert all(f"stack, bottom to top: {' '.join(stack)}" in text for stack in stacks)


@given(st.integers(0, 40))
def test_every_tile_and_meeple_is_written(plies: int) -> None:
    view = played("carcassonne", plies).view()
    lines = position_text(played("carcassonne", plies)).splitlines()[1:]
    columns = [int(x) for x in re.findall(r"x=(-?\d+)", lines[0])]
    assert [one + 1 for one, _ in pairwise(columns)] == columns[1:]
    found = {
        (x, int(row[1])): text
        for line in lines[1:]
        if (row := re.match(r" *y=(-?\d+) (.+)", line))
        for x, text in zip(columns, row[2].split(), strict=False)
        if text != "."
    }
    seats = {(one["x"], one["y"]): f"*{one['seat']}" for one in view["meeples"]}
    assert found == {
        (one["x"], one["y"]): f"{one['tile']}{one['rotation']}{seats.get((one['x'], one['y']), '')}"
        for one in view["tiles"]
    }


@given(PLIES)
def test_all_cheese_mud_and_walls_are_drawn(plies: int) -> None:
    position = played("pyrat", plies)
    view = position.view()
    rows = position_text(position).splitlines()[2 : 2 * view["height"] + 3]
    board = "\n".join(rows)
    assert board.count("*") == len(view["cheese"])
    assert "R" in board
    assert "P" in board
    insides = [line[line.index("|") + 1 : -1] for line in rows[1::2]]
    levels = [line[line.index("+") :] for line in rows[2:-1:2]]
    assert sum(map(len, re.findall("[2-9]", "".join((*insides, *levels))))) == len(view["mud"])
    walls = "".join(insides).count("|") + "".join(levels).count("---")
    assert walls == len(position.config["walls"])


@pytest.mark.parametrize(
    ("game", "variant"),
    [(game.name, variant) for game in games() if game.listed for variant in game.variants],
)
def test_every_variant_is_drawn(game: str, variant: str) -> None:
    position = Position(game, variant)
    for _ in range(6):
        position.play("/".join(position.legal(seat)[0] for seat in position.to_act))
        assert position_text(position, 0)


@pytest.mark.parametrize("game", ["wallwars", "hive", "carcassonne", "pyrat", "toy-goofspiel"])
def test_every_member_of_the_view_is_in_the_text(game: str) -> None:
    position = Position(game)
    drawn = {"boardWidth", "boardHeight", "pawns", "walls", "cells", "hands", "tiles", "meeples"}
    drawn |= {"width", "height", "exits", "mud", "cheese"}
    text = position_text(position, 0)
    for member in set(position.view(0)) - drawn:
        assert re.search(rf"^{member}: ", text, re.MULTILINE), member
