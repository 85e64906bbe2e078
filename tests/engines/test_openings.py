"""Opening suites: those that come with Plyhouse, how they are made and read."""

import json
from collections import Counter
from pathlib import Path

import pytest

from engines import RuleError
from engines.arena import Match, play_match
from engines.bots import Bot
from engines.opening_suite import (
    FOLDER,
    FORMAT,
    BadOpenings,
    Opening,
    read_suite,
    shipped_suite,
    write_suite,
)
from engines.opening_writer import OpeningPlan, openings, shape_of, unfairness
from engines.pool import Limits

SHIPPED = sorted(FOLDER.glob("*.jsonl"))
SMALL = {"boardWidth": 4, "boardHeight": 4}


def file_of(folder: Path, *lines: object) -> Path:
    path = folder / "mine.jsonl"
    path.write_text("".join(f"{line if isinstance(line, str) else json.dumps(line)}\n" for line in lines))
    return path


HEAD = {"format": FORMAT, "game": "wallwars", "variant": "standard"}


@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: path.stem)
def test_shipped_openings(path: Path) -> None:
    """At least 500 for each game that users choose; none of them twice, whatever way the board is turned."""
    suite = read_suite(path)
    assert path == shipped_suite(suite.game, suite.variant)
    assert len(suite.openings) >= 500
    positions = [opening.position(suite.game, suite.variant) for opening in suite.openings]
    shapes = Counter(
        opening.config["seed"] if opening.config else shape_of(position)
        for opening, position in zip(suite.openings, positions, strict=True)
    )
    assert max(shapes.values()) == 1
    made = json.loads(path.read_text().splitlines()[0])["made"]
    assert {position.ply for position in positions} == {made["plies"]}
    assert unfairness(positions[0], made["samples"]) <= made["limit"] == 0.05


@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: path.stem)
@pytest.mark.slow
def test_shipped_openings_can_be_made_again(path: Path) -> None:
    head = json.loads(path.read_text().splitlines()[0])
    made = head["made"]
    plan = OpeningPlan(
        head["game"],
        head["variant"],
        plies=made["plies"],
        limit=made["limit"],
        samples=made["samples"],
        seed=made["seed"],
    )
    assert plan.head() == {name: value for name, value in head.items() if name != "format"}
    assert list(openings(plan, 1)) == [read_suite(path).openings[0]]


def test_made_openings_are_balanced_and_read_back(tmp_path: Path) -> None:
    plan = OpeningPlan("wallwars", "standard", SMALL, plies=2, limit=0.2, samples=100)
    found = list(openings(plan, 5))
    assert all(unfairness(one.position("wallwars", "standard"), 100) <= 0.2 for one in found)
    path = tmp_path / "small.jsonl"
    write_suite(path, plan.head(), found)
    suite = read_suite(path)
    assert (suite.game, suite.variant, list(suite.openings)) == ("wallwars", "standard", found)
    with pytest.raises(FileExistsError):
        write_suite(path, plan.head(), found)


def test_a_start_that_varies_with_the_seed_has_another_one_in_every_opening() -> None:
    found = list(openings(OpeningPlan("carcassonne", "standard", plies=1, limit=0.5, samples=20), 4))
    assert [one.config["seed"] for one in found] == [0, 1, 2, 3]


def test_too_few_openings() -> None:
    with pytest.raises(RuleError, match="found 1 of 3 openings: allow more plies or"):
        list(openings(OpeningPlan("wallwars", "standard", SMALL, plies=0, limit=0.5, samples=5), 3))


STRAIGHT, BENT = ("wS1", "bA1 wS1-", "wQ -wS1"), ("wS1", "bA1 wS1-", r"wQ \wS1")
"""Three pieces of Hive in a line, and in an arc."""


@pytest.mark.parametrize(
    ("game", "one", "same", "other"),
    [
        ("wallwars", ("Cb8.>a1", "Cg8.>e4"), ("Cb8.>e4", "Cg8.>a1"), ("Cb8.>e4", "Cg8.>a2")),
        ("hive", STRAIGHT, ("wS1", "bA1 wS1/", "wQ /wS1"), ("wS1", "bA1 wS1/", "wA1 /wS1")),
        ("hive", BENT, ("wS1", "bA1 wS1-", "wQ /wS1"), ("wS1", "bA1 wS1-", r"wA1 \wS1")),
    ],
    ids=["transposed", "turned", "mirrored"],
)
def test_equal_positions_have_one_shape(
    game: str, one: tuple[str, ...], same: tuple[str, ...], other: tuple[str, ...]
) -> None:
    shapes = [shape_of(Opening(moves).position(game, None)) for moves in (one, same, other)]
    assert shapes[0] == shapes[1] != shapes[2]


@pytest.mark.parametrize(
    ("lines", "why"),
    [
        ([], "is not a file of openings"),
        (["precious"], "line 1: this is not a JSON object"),
        ([{"moves": []}], "is not a file of openings"),
        ([{**HEAD, "variant": None}], "line 1: game, variant or config is missing"),
        ([HEAD], "has no openings"),
        ([HEAD, {"moves": ["castle"]}], "line 2: "),
        ([HEAD, {"moves": "Cc8"}], "line 2: moves is not a list of moves"),
        ([HEAD, {"config": 3, "moves": []}], "line 2: config is not an object"),
        ([HEAD, {"config": {"boardWidth": 1}, "moves": []}], "line 2: "),
        ([HEAD, {"moves": ["!0"]}], "line 2: the game is over after these moves"),
        ([{**HEAD, "game": "chess"}, {"moves": []}], "line 2: unknown game"),
    ],
)
def test_bad_files_are_refused(tmp_path: Path, lines: list[object], why: str) -> None:
    with pytest.raises(BadOpenings) as refused:
        read_suite(file_of(tmp_path, *lines))
    assert why in str(refused.value)
    assert "mine.jsonl" in str(refused.value)


def test_missing_files_are_named(tmp_path: Path) -> None:
    with pytest.raises(BadOpenings, match=r"nowhere\.jsonl cannot be read"):
        read_suite(tmp_path / "nowhere.jsonl")
    with pytest.raises(BadOpenings, match="no openings for wallwars survival come with Plyhouse, only for "):
        shipped_suite("wallwars", "survival")


def test_a_match_plays_its_openings_in_pairs_and_then_varies_them() -> None:
    suite = [Opening(("Cc8", "Cf8")), Opening(("Cb7", "Cg7"))]
    match = Match("wallwars", [Bot.parse("random")] * 2, 6, Limits(1), "standard", openings=suite)
    games = play_match(match, 1)
    assert [game.moves[:2] for game in games] == [suite[number // 2 % 2].moves for number in range(6)]
    assert [game.takes for game in games] == [(0, 1), (1, 0)] * 3
    assert games[4].moves[:4] == games[5].moves[:4], "a pair still begins in the same way"
    assert games[4].moves[:4] != games[0].moves[:4]
