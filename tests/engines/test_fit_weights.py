"""Fitting the weights of a native evaluator: found again where the targets come from known ones."""

from dataclasses import replace
from random import Random

import numpy as np
import pytest

from engines import BadConfig, Position
from engines.bots import random_move
from engines.training.fit_weights import (
    Labelled,
    WeightedGames,
    fit,
    mean_squared_errors,
    play_game,
    written,
)

GAMES = WeightedGames("carcassonne", samples=2)


@pytest.fixture(scope="module")
def examples() -> list[Labelled]:
    return [one for seed in range(40) for one in play_game(GAMES, Random(seed))]


def test_a_game_is_decided_by_its_settings_and_generator() -> None:
    first, again = (play_game(GAMES, Random(7)) for _ in range(2))
    assert [one.position.history for one in first] == [one.position.history for one in again]
    assert len(first) == GAMES.positions
    assert len({one.result for one in first}) == 1
    assert all(-1 <= one.searched <= 1 for one in first)


def test_known_weights_are_found_again(examples: list[Labelled]) -> None:
    known = dict(examples[0].position.weights("v2")) | {"score_base": 0.6, "field_delta": 0.3}
    text = written("v2", known)
    learnt = [replace(one, searched=one.position.value(text)[0]) for one in examples]
    found = fit("v2", learnt, value_share=1.0)
    before, after = (mean_squared_errors(each, learnt)[0] for each in ("v2", written("v2", found)))
    assert after < before / 20
    assert found["score_base"] == pytest.approx(0.6, abs=0.05)
    assert found["scale"] == known["scale"], "changing all other weights does the same"


def test_weights_that_no_example_depends_on_stay(examples: list[Labelled]) -> None:
    usual = dict(examples[0].position.weights("v1"))
    first = [one for one in examples if one.position.ply < 12]
    found = fit("v1", first)
    assert found["meeple_hoard_penalty"] == usual["meeple_hoard_penalty"], "nobody hoards that early"
    assert found["score_base"] != usual["score_base"]


def test_an_evaluator_says_its_weights_and_values() -> None:
    position = Position("carcassonne", None, {"seed": 3})
    weights = position.weights("v2")
    assert ("scale", 10.0) in weights
    assert dict(position.weights("v2/scale=6")) == {**dict(weights), "scale": 6.0}
    assert position.value("v2") == position.value(written("v2", dict(weights)))
    assert sum(position.value("v2")) == 0
    assert Position("wallwars").weights() == []
    for text in ("v3", "v2/scale=0", "v2/colour=1"):
        with pytest.raises(BadConfig):
            position.value(text)


def test_a_finished_game_is_worth_its_result() -> None:
    rng = Random(2)
    position = Position("carcassonne", None, {"seed": 3, "tileCount": 4})
    while position.to_act:
        position.play(random_move(position, position.to_act[0], rng))
    assert position.outcome is not None
    assert position.value() == position.outcome.values
    assert np.abs(position.value()).max() <= 1
