"""The page computes what can follow an action of Wallwars; its test reads the same file as this one."""

import json
from pathlib import Path
from typing import Any

import pytest

from engines import Position

FILE = Path(__file__).parents[1] / "golden" / "wallwars" / "follow-ups.json"
CASES: list[dict[str, Any]] = json.loads(FILE.read_text())


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case['name']}, {case['staged']}")
def test_the_file_says_what_the_rules_allow(case: dict[str, Any]) -> None:
    position = Position("wallwars", variant=case["variant"], config=case["config"])
    for move in case["moves"]:
        position.play(move)
    assert position.view() == case["view"]
    assert sorted(position.legal(None, case["staged"])) == case["legal"]
