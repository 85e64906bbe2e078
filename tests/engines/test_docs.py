"""The tables of ``docs/wallwars.md``: plays every example and verifies every count.

A row of examples is ``| start | `move` `move` … | what then | why |``; a row of counts begins with the same kind of
start, followed by numbers.
"""

import re
from pathlib import Path
from typing import Any

import pytest

from engines import Position, RuleError

ROWS = [
    [cell.strip() for cell in line.strip().strip("|").split("|")]
    for line in (Path(__file__).parents[2] / "docs" / "wallwars.md").read_text().splitlines()
    if line.startswith("|")
]
START = re.compile(r"(standard|classic|survival) (\d+)x(\d+)(?:, (\d+) turns)?")
EXAMPLES = [row for row in ROWS if START.fullmatch(row[0]) and "`" in row[1]]
COUNTS = [row for row in ROWS if START.fullmatch(row[0]) and "`" not in row[1]]


def start_of(text: str) -> Position:
    found = START.fullmatch(text)
    assert found is not None
    variant, width, height, turns = found.groups()
    config: dict[str, Any] = {"boardWidth": int(width), "boardHeight": int(height)}
    if turns is not None:
        mouse = [int(height) - 1, int(width) - 1]
        config["initialState"] = {"cat": [0, 0], "mouse": mouse, "turnsToSurvive": int(turns), "walls": []}
    return Position("wallwars", variant, config)


def result_of(position: Position) -> str:
    outcome = position.outcome
    if outcome is None:
        return "goes on"
    if not outcome.winners:
        return f"draw by {outcome.reason}"
    return f"player {outcome.winners[0] + 1} wins by {outcome.reason}"


@pytest.mark.parametrize("row", EXAMPLES, ids=lambda row: f"{row[0]}: {row[1]}")
def test_examples(row: list[str]) -> None:
    start, played, then = row[:3]
    position = start_of(start)
    *before, last = re.findall(r"`([^`]+)`", played)
    position.play(*before)
    if then == "refused":
        with pytest.raises(RuleError):
            position.play(last)
        return
    position.play(last)
    recorded = re.fullmatch(r"recorded as `(.+)`", then)
    if recorded is not None:
        assert position.history[-1] == recorded.group(1)
    else:
        assert result_of(position) == then


@pytest.mark.parametrize("row", COUNTS, ids=lambda row: row[0])
def test_counts(row: list[str]) -> None:
    start, *counts = row
    position = start_of(start)
    for depth, count in enumerate(filter(None, counts), start=1):
        assert position.perft(depth) == int(count)


def test_the_page_has_examples() -> None:
    assert len(EXAMPLES) > 30
    assert len(COUNTS) > 3
