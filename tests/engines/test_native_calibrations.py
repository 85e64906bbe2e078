"""The calibrations of the native evaluators: which games have one, and that evaluations carry what they say."""

import pytest

from engines import Evaluation, Position
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
        Position("hive"),
        Position("hive", "Base"),
        Position("pyrat"),
        *(Position("carcassonne", config={"seats": seats}) for seats in range(2, 6)),
    ],
)
def test_a_measured_game_has_a_calibration(position: Position) -> None:
    assert native_calibration(position) == read_maps()[position.game][position.variant][position.seats]


def test_other_games_have_none() -> None:
    assert native_calibration(Position("wallwars", "survival")) is None


@pytest.mark.parametrize("seats", range(2, 6))
def test_the_chances_of_all_seats_add_up_to_one_at_every_ply(seats: int) -> None:
    position = Position("carcassonne", config={"seats": seats, "tileCount": 12, "seed": seats})
    pool = EnginePool(threads=1)
    try:
        pool.open("x", position)
        while True:
            found = pool.evaluate("x", limits=Limits(40), lines=3).future.result()
            assert found.chances is not None
            assert sum(found.chances) == pytest.approx(1.0, abs=0.001)
            assert sum(found.values) == pytest.approx(2 - seats, abs=0.001)
            assert found.lines[0].chance == pytest.approx(found.chances[position.to_act[0]], abs=0.001)
            position.play(found.best_move)
            if position.outcome is not None:
                break
            pool.advance("x", position.history[-1])
    finally:
        pool.stop()
    final = Evaluation.of_outcome(position.outcome)
    assert (sum(final.chances or ()), final.points) == (1.0, tuple(position.outcome.scores or ()))


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
    score = calibration.at(position.progress).score
    assert found.chances == tuple(map(score, found.values))
    assert [line.chance for line in found.lines] == [score(line.value) for line in found.lines]
