"""The calibrations of the native evaluators: which games have one, and that evaluations carry what they say."""

import pytest

from engines import Position
from engines.native_calibrations import FILE, native_calibration, read_maps, written
from engines.pool import EnginePool, Limits


def test_the_file_is_as_the_tool_writes_it() -> None:
    assert written(read_maps()) == FILE.read_text()


@pytest.mark.parametrize(
    "position",
    [
        Position("wallwars"),
        Position("wallwars", "standard", {"boardWidth": 12, "boardHeight": 10}),
        Position("wallwars", "classic"),
        Position("pyrat"),
    ],
)
def test_a_measured_game_of_two_seats_has_a_calibration(position: Position) -> None:
    assert native_calibration(position) == read_maps()[position.game][position.variant]


@pytest.mark.parametrize(
    "position", [Position("wallwars", "survival"), Position("carcassonne", config={"seats": 3})]
)
def test_other_games_have_none(position: Position) -> None:
    assert native_calibration(position) is None


def test_an_evaluation_says_what_its_values_are_worth() -> None:
    position = Position("wallwars")
    calibration = native_calibration(position)
    assert calibration is not None
    pool = EnginePool(threads=1)
    try:
        pool.open("x", position)
        found = pool.evaluate("x", limits=Limits(100), lines=2).future.result()
    finally:
        pool.stop()
    assert found.chances == tuple(map(calibration.score, found.values))
    assert [line.chance for line in found.lines] == [calibration.score(line.value) for line in found.lines]
