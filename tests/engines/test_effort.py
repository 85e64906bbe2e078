"""Default numbers of samples per search."""

import pytest

from engines import Position
from engines.effort import noise_for, samples_for, usual_move, usual_samples
from engines.pool import EnginePool


def test_a_game_may_name_its_own_numbers() -> None:
    assert (usual_samples("wallwars"), usual_samples("hive")) == (1000, 50_000)
    assert (samples_for("wallwars", "sleepy", 7), samples_for("hive", "easy", 7)) == (7, 6000)
    assert (noise_for("hive", "sleepy", 0.7), noise_for("hive", "strong", 0.7)) == (0.7, 0.0)
    assert usual_samples("no such game") == 1000


def test_the_pool_uses_the_games_default() -> None:
    pool = EnginePool(threads=1)
    try:
        for game in ("wallwars", "hive"):
            pool.open(game, Position(game))
            found = pool.evaluate(game).future.result(timeout=60)
            assert usual_samples(game) <= found.samples <= 2 * usual_samples(game)
    finally:
        pool.stop()


@pytest.mark.parametrize(
    ("game", "actions"),
    [("wallwars", 2), ("hive", 1), ("carcassonne", 2), ("pyrat", 1), ("toy-goofspiel", 1)],
)
def test_a_usual_move_has_the_usual_samples_for_each_action(game: str, actions: int) -> None:
    assert usual_move(Position(game)) == actions * usual_samples(game)
