"""Positions of self-play: what they are labelled with, and that settings and seed decide the games."""

from pathlib import Path
from random import Random

import numpy as np
import pytest

from engines import BadConfig
from engines.training.features import (
    FeatureExamples,
    FeatureGames,
    play_game,
    variants_of,
)

SETTINGS = FeatureGames("hive", {"Base": 1, "Base+P": 1}, samples=50, most_plies=30)


def test_a_game_is_decided_by_its_settings_and_generator() -> None:
    first, again = (play_game(SETTINGS, Random(4), 7) for _ in range(2))
    assert (first.features == again.features).all()
    assert (first.values == again.values).all()
    assert set(first.games) == {7}


def test_examples_say_what_the_seat_to_move_can_expect() -> None:
    examples = FeatureExamples.join([play_game(SETTINGS, Random(seed), 0) for seed in range(6)])
    assert len(examples) > 100
    assert set(examples.games) == set(range(6))
    assert examples.features.shape == (len(examples), 2, 119)
    assert (examples.features[:, :, -1] == [1, 0]).all(), "the seat to move comes first"
    assert np.abs(examples.values).max() <= 1
    known = ~np.isnan(examples.results)
    assert 0.4 < known.mean() < 0.6, "half of the positions follow a random move"
    assert set(examples.results[known]) <= {-1, 0, 1}


def test_a_file_is_read_as_it_was_written(tmp_path: Path) -> None:
    examples = play_game(SETTINGS, Random(1), 0)
    examples.save(tmp_path / "examples.npz")
    read = FeatureExamples.load(tmp_path / "examples.npz")
    for name in ("features", "values", "results", "games"):
        np.testing.assert_array_equal(getattr(read, name), getattr(examples, name))
    np.savez(tmp_path / "other.npz", values=examples.values)
    with pytest.raises(ValueError, match="features, games, results missing"):
        FeatureExamples.load(tmp_path / "other.npz")


def test_games_of_other_kinds_are_refused() -> None:
    assert variants_of("hive")[0] == "Base+MLP"
    with pytest.raises(BadConfig, match="pyrat is not a game of two seats that alternate"):
        play_game(FeatureGames("pyrat", {variants_of("pyrat")[0]: 1}), Random(1), 0)
