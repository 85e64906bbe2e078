"""Calibrations: their laws, what is refused, and that a fit finds the map that made the data."""

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engines.calibration import BadCalibration, Calibration, isotonic

STEEP = Calibration(((0.0, 0.5), (0.2, 0.8), (0.5, 0.9), (1.0, 1.0)))
MANY = Calibration(((-1.0, 0.0), (-0.4, 0.2), (0.0, 0.6), (1.0, 1.0)))
VALUES = st.floats(-1.0, 1.0)


@given(VALUES, VALUES)
def test_a_higher_value_never_has_a_lower_score(first: float, second: float) -> None:
    low, high = sorted((first, second))
    assert STEEP.score(low) <= STEEP.score(high)


@given(VALUES)
def test_the_scores_of_both_seats_add_up_to_one(value: float) -> None:
    assert STEEP.score(value) + STEEP.score(-value) == pytest.approx(1.0)


@pytest.mark.parametrize(
    ("value", "score"),
    [(0.0, 0.5), (0.1, 0.65), (0.2, 0.8), (-0.2, 0.2), (0.35, 0.85), (1.0, 1.0), (-7.0, 0.0)],
)
def test_between_two_points_the_map_is_linear(value: float, score: float) -> None:
    assert STEEP.score(value) == pytest.approx(score)


@pytest.mark.parametrize("calibration", [STEEP, Calibration(((0.0, 0.5), (0.7, 1.0), (1.0, 1.0))), MANY])
def test_only_what_is_proven_is_certain(calibration: Calibration) -> None:
    assert 0.0 < calibration.score(-0.999) < calibration.score(0.999) < 1.0
    assert (calibration.score(-1.0), calibration.score(1.0)) == (0.0, 1.0)


def test_a_calibration_is_read_as_it_was_written() -> None:
    assert Calibration.read(json.loads(json.dumps(STEEP.write()))) == STEEP


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (None, "is a list of points"),
        ("[[0, 0.5], [1, 1]]", "is a list of points"),
        ([], "2 to 100 points, not 0"),
        ([[0, 0.5], [0.5], [1, 1]], r"a pair of numbers \[value, score\], not \[0.5\]"),
        ([[0, 0.5], [0.5, True], [1, 1]], "a pair of numbers"),
        ([[0, 0.5], [float("nan"), 0.6], [1, 1]], "a pair of numbers"),
        ([[-1, 0.1], [0, 0.5], [1, 1]], r"begins with the point \[0, 0.5\] or \[-1, 0\]"),
        ([[0, 0.5], [0.9, 1]], r"ends with \[1, 1\]"),
        ([[0, 0.5], [0.4, 0.7], [0.3, 0.8], [1, 1]], r"unlike \[0.3, 0.8\]"),
        ([[0, 0.5], [0.4, 0.7], [0.5, 0.6], [1, 1]], r"unlike \[0.5, 0.6\]"),
    ],
)
def test_other_data_is_refused(data: object, says: str) -> None:
    with pytest.raises(BadCalibration, match=says):
        Calibration.read(data)


def test_a_fit_finds_the_map_that_made_the_scores() -> None:
    random = np.random.default_rng(1)
    values = random.uniform(-1.0, 1.0, 40_000)
    chances = 1.0 / (1.0 + np.exp(-5.0 * values))
    scores = (random.uniform(size=values.size) < chances).astype(float)
    fitted = Calibration.fit(values, scores)
    assert np.abs(fitted.scores(values) - chances).mean() < 0.01


@given(st.lists(VALUES, min_size=2, max_size=5), st.sampled_from([STEEP, MANY]))
def test_the_chances_of_all_seats_add_up_to_one(values: list[float], calibration: Calibration) -> None:
    chances = calibration.chances(values)
    assert chances.sum() == pytest.approx(1.0)
    assert chances.min() >= 0.0
    order = np.argsort(values, kind="stable")
    assert np.all(np.diff(chances[order]) >= -1e-12)


def test_a_fit_for_many_seats_finds_their_shares() -> None:
    random = np.random.default_rng(3)
    strengths = random.normal(size=(20_000, 4))
    shares = np.exp(strengths) / np.exp(strengths).sum(axis=1, keepdims=True)
    winners = (random.uniform(size=(20_000, 1)) > shares.cumsum(axis=1)).sum(axis=1)
    scores = np.eye(4)[winners]
    fitted = Calibration.fit_many((2 * shares - 1).ravel(), scores.ravel())
    assert np.abs(fitted.chances(2 * shares - 1) - shares).mean() < 0.01


def test_a_fit_treats_both_seats_alike_and_ignores_proven_values() -> None:
    random = np.random.default_rng(2)
    values, scores = random.uniform(-1.0, 1.0, 500), random.choice([0.0, 0.5, 1.0], 500)
    fitted = Calibration.fit(values, scores)
    assert Calibration.fit(-values, 1.0 - scores) == fitted
    assert Calibration.fit(np.append(values, [1.0, -1.0]), np.append(scores, [1.0, 0.0])) == fitted


def test_a_fit_needs_as_many_scores_as_values_and_enough_of_them() -> None:
    with pytest.raises(ValueError, match="one each"):
        Calibration.fit([0.5, 0.2], [1.0])
    with pytest.raises(ValueError, match="at least 10"):
        Calibration.fit([0.5, 0.2, 1.0], [1.0, 0.0, 1.0])


@given(st.lists(st.tuples(st.floats(0.0, 1.0), st.floats(0.1, 10.0)), min_size=1, max_size=30))
def test_isotonic_regression_keeps_the_weighted_mean_and_never_falls(data: list[tuple[float, float]]) -> None:
    means, weights = np.array(data).T
    fitted = isotonic(means, weights)
    assert np.all(np.diff(fitted) >= 0.0)
    assert np.dot(fitted, weights) == pytest.approx(np.dot(means, weights))
