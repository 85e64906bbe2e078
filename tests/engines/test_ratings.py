"""Elo ratings: known values, recovered ratings, and errors that mean what they say."""

import math
import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engines.ratings import Finish, Prior, Rating, count_finish, posterior, rating_against, ratings
from engines.standings import Z95, elo_difference

FIRST, SECOND, SHARED = (1, 2), (2, 1), (1, 1)


def pair(wins: int, draws: int, losses: int) -> list[Rating]:
    places = [FIRST] * wins + [SHARED] * draws + [SECOND] * losses
    return ratings(2, [Finish((0, 1), place) for place in places])


def finish(players: tuple[int, ...], elo: list[float], rng: random.Random) -> Finish:
    """A game of players of known strength: in games of two, the model itself."""
    strength = [elo[player] * math.log(10) / 400 - math.log(-math.log(rng.random())) for player in players]
    places = [1 + sum(other > mine for other in strength) for mine in strength]
    return Finish(players, places)


@given(st.integers(0, 200), st.integers(0, 200), st.integers(0, 200))
def test_two_players_have_the_difference_of_their_score(wins: int, draws: int, losses: int) -> None:
    """Firth's correction adds half a win for each of them."""
    if wins + draws + losses == 0:
        return
    first, second = pair(wins, draws, losses)
    score = (wins + draws / 2 + 0.5) / (wins + draws + losses + 1)
    assert first.elo - second.elo == pytest.approx(elo_difference(score), abs=0.01)
    assert first.elo == pytest.approx(-second.elo, abs=1e-6)


def test_a_player_that_wins_everything_has_a_rating_with_a_large_error() -> None:
    few, many = pair(10, 0, 0)[0], pair(1000, 0, 0)[0]
    assert 200 < few.elo < many.elo < 800
    assert few.error > 200
    assert many.error > 200


def test_equal_results_give_equal_ratings() -> None:
    circle = [Finish(players, FIRST) for players in ((0, 1), (1, 2), (2, 0)) for _ in range(9)]
    assert [rating.elo for rating in ratings(3, circle)] == pytest.approx([0, 0, 0], abs=1e-6)
    shared = ratings(4, [Finish((0, 1, 2, 3), (1, 1, 1, 1))] * 5)
    assert [rating.elo for rating in shared] == pytest.approx([0, 0, 0, 0], abs=1e-6)


def test_the_error_shrinks_with_the_root_of_the_number_of_games() -> None:
    assert pair(40, 0, 40)[0].error == pytest.approx(2 * pair(160, 0, 160)[0].error, rel=0.01)
    # Half of the 95 % interval of an even score in 80 games, in Elo points; half of the difference is each one's own.
    slope = 400 / math.log(10) * 4
    assert pair(40, 0, 40)[0].error == pytest.approx(1.96 * math.sqrt(0.25 / 80) * slope / 2, rel=0.01)


@pytest.mark.parametrize("elo", [[150.0, 20.0, -30.0, -140.0], [400.0, 0.0, -400.0]])
def test_known_ratings_are_recovered_within_their_errors(elo: list[float]) -> None:
    rng = random.Random(1)
    inside = tried = 0
    for _ in range(40):
        games = [finish((i, j), elo, rng) for i in range(len(elo)) for j in range(i) for _ in range(100)]
        for true, found in zip(elo, ratings(len(elo), games), strict=True):
            tried += 1
            inside += abs(found.elo - true) < found.error
    assert inside / tried > 0.9


@pytest.mark.parametrize("seats", [3, 5])
def test_errors_are_right_in_games_of_more_than_two(seats: int) -> None:
    """The comparisons of one game are not independent: counted as if they were, about 85 % would be inside."""
    rng = random.Random(2)
    elo = [60.0 - 30 * player for player in range(seats)]
    elo = [one - sum(elo) / seats for one in elo]
    inside = tried = 0
    for _ in range(60):
        games = [finish(tuple(range(seats)), elo, rng) for _ in range(100)]
        for true, found in zip(elo, ratings(seats, games), strict=True):
            tried += 1
            inside += abs(found.elo - true) < found.error
    assert 0.91 < inside / tried < 0.99


def test_the_order_of_games_and_of_players_does_not_matter() -> None:
    rng = random.Random(3)
    games = [finish((i, j), [50, 0, -50], rng) for i in range(3) for j in range(i) for _ in range(20)]
    mixed = [
        Finish(tuple(game.players)[::-1], tuple(game.places)[::-1]) for game in rng.sample(games, len(games))
    ]
    one, other = ratings(3, games), ratings(3, mixed)
    assert [rating.elo for rating in one] == pytest.approx([rating.elo for rating in other])


def test_players_that_never_met_cannot_be_compared() -> None:
    with pytest.raises(ValueError, match="no opponents"):
        ratings(4, [Finish((0, 1), FIRST), Finish((2, 3), FIRST)])


# ---- with what is known before -------------------------------------------------------------------


def test_without_games_the_priors_remain() -> None:
    priors = [Prior(1500, 0), Prior(1200, 300), Prior(50, 40, of=1)]
    found = posterior(np.zeros((3, 3)), priors)
    assert [rating.elo for rating in found.ratings] == pytest.approx([1500, 1200, 1250])
    deviations = [rating.error / Z95 for rating in found.ratings]
    assert deviations == pytest.approx([0, 300, math.hypot(300, 40)])
    assert found.covariance[1, 2] == pytest.approx(300**2)


@given(st.integers(0, 60), st.integers(0, 60), st.floats(10, 500))
def test_a_prior_pulls_towards_its_mean(won: int, lost: int, deviation: float) -> None:
    wins = np.array([[0, lost], [won, 0]], dtype=float)
    elo = posterior(wins, [Prior(1500, 0), Prior(1500, deviation)]).ratings[1].elo
    likeliest = elo_difference(won / (won + lost)) if won + lost else 0.0
    assert min(0, likeliest) - 1e-6 <= elo - 1500 <= max(0, likeliest) + 1e-6


def test_a_ladders_ratings_are_within_their_errors() -> None:
    """Of 95 % intervals, 95 % contain the true rating; 40 ladders of 12 players with few games and a fixed one."""
    rng, inside = random.Random(4), 0
    for _ in range(40):
        elo = [1500.0, *(rng.gauss(1500, 300) for _ in range(11))]
        wins = np.zeros((12, 12))
        for _ in range(60):
            one, other = rng.sample(range(12), 2)
            count_finish(wins, finish((one, other), elo, rng))
        found = posterior(wins, [Prior(1500, 0), *[Prior(1500, 300)] * 11])
        inside += sum(
            abs(r.elo - true) <= r.error for r, true in zip(found.ratings[1:], elo[1:], strict=True)
        )
    assert 0.92 < inside / 440 < 0.98


def test_starting_near_the_result_gives_the_same_result() -> None:
    wins = np.array([[0, 3, 1], [2, 0, 4], [0, 5, 0]], dtype=float)
    priors = [Prior(1500, 0), Prior(1500, 400), Prior(0, 100, of=1)]
    first = posterior(wins, priors)
    again = posterior(wins, priors, [rating.elo + 30 for rating in first.ratings[:2]])
    assert [r.elo for r in again.ratings] == pytest.approx([r.elo for r in first.ratings])


@given(st.lists(st.tuples(st.integers(800, 2200), st.sampled_from([0.0, 0.5, 1.0])), max_size=12))
def test_one_rating_is_the_same_as_among_all(games: list[tuple[int, float]]) -> None:
    wins = np.zeros((len(games) + 1, len(games) + 1))
    for number, (_, share) in enumerate(games, start=1):
        wins[0, number], wins[number, 0] = share, 1 - share
    prior = Prior(1500, 400)
    among = posterior(wins, [prior, *(Prior(elo, 0) for elo, _ in games)]).ratings[0]
    alone = rating_against(
        [elo for elo, _ in games], [share for _, share in games], [1.0] * len(games), prior
    )
    assert (alone.elo, alone.error) == pytest.approx((among.elo, among.error))
