"""Sequential tests: the likelihoods, and how often they are wrong."""

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.sprt import PAIRS, simulate, tilted
from engines.sprt import (
    UNSEEN,
    WORTHS,
    BadTest,
    SequentialTest,
    elo_of_pairs,
    expected_score,
    log_likelihood_ratios,
    moments,
    pair_counts,
)

COUNTS = st.tuples(*[st.integers(0, 300)] * 5)


def likelihood(counts: tuple[int, ...], mean: float) -> float:
    """The largest log-likelihood of a distribution with this mean, by bisection of the multiplier."""
    seen = [count or UNSEEN for count in counts]
    low, high = -1 / (1 - mean), 1 / mean
    for _ in range(200):
        middle = (low + high) / 2
        total = sum(n * (a - mean) / (1 + middle * (a - mean)) for n, a in zip(seen, WORTHS, strict=True))
        low, high = (middle, high) if total > 0 else (low, middle)
    shares = [n / sum(seen) / (1 + low * (a - mean)) for n, a in zip(seen, WORTHS, strict=True)]
    assert math.isclose(sum(shares), 1, abs_tol=1e-6)
    assert math.isclose(float(np.dot(shares, WORTHS)), mean, abs_tol=1e-6)
    return sum(n * math.log(share) for n, share in zip(seen, shares, strict=True))


@given(COUNTS, st.floats(-100, 100), st.floats(1, 200))
def test_the_ratio_is_that_of_the_two_largest_likelihoods(
    counts: tuple[int, ...], elo0: float, width: float
) -> None:
    test = SequentialTest(elo0, elo0 + width)
    expected = likelihood(counts, expected_score(test.elo1)) - likelihood(counts, expected_score(elo0))
    assert test.llr(counts) == pytest.approx(expected, abs=1e-5)


@given(COUNTS)
def test_the_other_bot_is_tested_with_the_opposite_hypotheses(counts: tuple[int, ...]) -> None:
    assert SequentialTest(-5, 15).llr(counts) == pytest.approx(
        -SequentialTest(-15, 5).llr(counts[::-1]), abs=1e-6
    )


def test_many_pairs_are_nearly_normal() -> None:
    """For small differences, the ratio is that of normal variables with the measured deviation."""
    counts = (100, 500, 900, 560, 120)
    mean, variance = moments(counts)
    score0, score1 = expected_score(0), expected_score(5)
    normal = sum(counts) * (score1 - score0) * (2 * mean - score0 - score1) / (2 * variance)
    assert SequentialTest().llr(counts) == pytest.approx(normal, rel=0.01)


def test_many_matches_at_once() -> None:
    rows = np.array([[1, 2, 3, 4, 5], [0, 0, 7, 0, 0], [0, 0, 0, 0, 0]])
    one_by_one = [SequentialTest(0, 20).llr(tuple(row)) for row in rows.tolist()]
    assert log_likelihood_ratios(rows, 0, 20).tolist() == pytest.approx(one_by_one, abs=1e-9)


def test_pairs_are_counted_by_their_points() -> None:
    games = [-1, -1, 0, -1, 1, -1, 0, 0, 1, 0, 1, 1, 1]
    assert pair_counts(games) == (1, 1, 2, 1, 1)


def test_equal_pairs_speak_for_no_difference() -> None:
    test = SequentialTest(0, 40)
    assert test.verdict((0, 0, 10, 0, 0)) is None
    assert test.verdict((0, 0, 100, 0, 0)) == "H0"
    assert test.verdict((0, 0, 0, 0, 100)) == "H1"


def test_no_pairs_say_nothing() -> None:
    test = SequentialTest()
    assert test.llr((0, 0, 0, 0, 0)) == pytest.approx(0, abs=1e-5)
    assert test.expected_pairs((0, 0, 0, 0, 0)) is None
    assert elo_of_pairs((0, 0, 0, 0, 0)) == (0, None)


def test_the_difference_with_its_error() -> None:
    elo, interval = elo_of_pairs((5, 20, 50, 30, 15))
    mean = Fraction(20 + 2 * 50 + 3 * 30 + 4 * 15, 4 * 120)
    assert expected_score(elo) == pytest.approx(float(mean))
    assert interval is not None
    assert interval[0] < elo < interval[1]
    assert elo_of_pairs((0, 0, 0, 0, 3)) == (math.inf, None)


def test_fewer_pairs_are_expected_the_nearer_the_bound() -> None:
    test = SequentialTest(0, 40)
    expected = [test.expected_pairs((4 * n, 10 * n, 40 * n, 14 * n, 6 * n)) for n in (1, 2)]
    assert expected[0] is not None
    assert expected[1] is not None
    assert expected[0] > expected[1] > 0
    assert test.expected_pairs((0, 0, 0, 10, 100)) is None, "it is over"


@pytest.mark.parametrize(
    ("text", "test"),
    [
        ("elo0=0,elo1=5,alpha=.05,beta=.05", SequentialTest()),
        ("elo1=40", SequentialTest(elo1=40)),
        ("elo0=-10, elo1=0, alpha=0.1", SequentialTest(-10, 0, 0.1)),
    ],
)
def test_tests_are_read(text: str, test: SequentialTest) -> None:
    assert SequentialTest.parse(text) == test


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("elo0=5,elo1=5", "elo0 is 5 and elo1 5"),
        ("elo0=5", "elo0 is 5 and elo1 5"),
        ("elo1=2000", "elo1 2000"),
        ("elo1=nan", "elo1 nan"),
        ("alpha=0", "alpha is 0"),
        ("beta=.5", "beta is 0.5"),
        ("elo2=5", "'elo2=5' is not NAME=NUMBER: did you mean"),
        ("elo1=five", "elo1 is 'five', which is not a number"),
        ("elo1=5,elo1=6", "elo1 is given twice"),
        ("5", "'5' is not NAME=NUMBER"),
    ],
)
def test_bad_tests_are_refused(text: str, why: str) -> None:
    with pytest.raises(BadTest) as refused:
        SequentialTest.parse(text)
    assert why in str(refused.value)


@pytest.mark.parametrize("pairs", PAIRS)
def test_the_simulated_bots_have_the_stated_difference(pairs: str) -> None:
    for elo in (-40, 0, 5, 40):
        shares = tilted(PAIRS[pairs], elo)
        assert shares.sum() == pytest.approx(1)
        assert float(shares @ WORTHS) == pytest.approx(expected_score(elo), abs=1e-9)


@pytest.mark.parametrize("pairs", PAIRS)
def test_errors_are_as_rare_as_stated(pairs: str) -> None:
    """As benchmarks/sprt.py measures them, within four standard errors of 600 matches."""
    test, matches = SequentialTest(0, 60), 600
    errors = 4 * math.sqrt(0.05 * 0.95 / matches)
    without, between, with_ = (
        simulate(test, tilted(PAIRS[pairs], elo), matches, seed=1) for elo in (0, 30, 60)
    )
    assert without.accepted1 < 0.05 + errors
    assert with_.accepted0 < 0.05 + errors
    assert 0.4 < between.accepted1 < 0.6
    for found in (without, between, with_):
        assert found.accepted0 + found.accepted1 == pytest.approx(1), "every match ends"
    assert between.mean_games > max(without.mean_games, with_.mean_games)
