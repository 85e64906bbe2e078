"""Who meets whom in a tournament: the laws that every round keeps."""

import random
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engines.pairings import (
    NoPairing,
    Round,
    SwissPlayer,
    gauntlet,
    most_swiss_rounds,
    round_robin,
    swiss_round,
)

PLAYERS = st.integers(2, 24)


@given(PLAYERS)
def test_in_a_round_robin_everybody_meets_everybody_once(players: int) -> None:
    rounds = round_robin(players)
    met = Counter(frozenset(pair) for one in rounds for pair in one.tables)
    assert len(met) == players * (players - 1) // 2
    assert set(met.values()) == {1}
    for one in rounds:
        assert_everybody_plays(one, players)
    assert sorted(player for one in rounds for player in one.byes) == list(
        range(players) if players % 2 else []
    )


@given(PLAYERS)
def test_in_a_round_robin_the_seats_are_even(players: int) -> None:
    firsts = Counter(pair[0] for one in round_robin(players) for pair in one.tables)
    seconds = Counter(pair[1] for one in round_robin(players) for pair in one.tables)
    assert max(abs(firsts[player] - seconds[player]) for player in range(players)) <= (players + 1) % 2


@given(PLAYERS)
def test_in_a_gauntlet_the_first_meets_all_others(players: int) -> None:
    pairs = [pair for one in gauntlet(players) for pair in one.tables]
    assert [sum(pair) for pair in pairs] == list(range(1, players))
    assert all(0 in pair for pair in pairs)
    assert abs(2 * sum(pair[0] == 0 for pair in pairs) - len(pairs)) <= 1


def assert_everybody_plays(one: Round, players: int) -> None:
    present = [player for pair in one.tables for player in pair] + list(one.byes)
    assert sorted(present) == list(range(players))


class Swiss:
    """A tournament of Swiss rounds."""

    def __init__(self, players: int) -> None:
        self.players = [SwissPlayer() for _ in range(players)]

    def play(self, rng: random.Random) -> Round:
        one = swiss_round(self.players)
        for first, second in one.tables:
            points = rng.choice((0.0, 0.5, 1.0))
            self._note(first, second, points, 1)
            self._note(second, first, 1 - points, -1)
        for bye in one.byes:
            had = self.players[bye]
            self.players[bye] = SwissPlayer(had.score + 1, had.firsts, had.met, had_bye=True)
        return one

    def _note(self, player: int, opponent: int, points: float, first: int) -> None:
        had = self.players[player]
        self.players[player] = SwissPlayer(
            had.score + points, had.firsts + first, had.met | {opponent}, had.had_bye
        )


@given(PLAYERS, st.randoms(use_true_random=False))
def test_in_swiss_rounds_nobody_meets_an_opponent_again(players: int, rng: random.Random) -> None:
    swiss = Swiss(players)
    met: set[frozenset[int]] = set()
    byes: set[int] = set()
    for _ in range(most_swiss_rounds(players)):
        one = swiss.play(rng)
        assert_everybody_plays(one, players)
        pairs = {frozenset(pair) for pair in one.tables}
        assert not met & pairs
        met |= pairs
        assert byes.isdisjoint(one.byes)
        byes.update(one.byes)


@given(st.integers(8, 24), st.randoms(use_true_random=False))
def test_in_swiss_rounds_the_seats_are_balanced(players: int, rng: random.Random) -> None:
    swiss = Swiss(players)
    for _ in range(most_swiss_rounds(players)):
        swiss.play(rng)
    balances = [abs(player.firsts) for player in swiss.players]
    assert max(balances) <= 3


def test_equal_scores_meet() -> None:
    players = [SwissPlayer(score, 0, frozenset()) for score in (1, 0, 1, 0, 1, 0, 1, 0)]
    for first, second in swiss_round(players).tables:
        assert players[first].score == players[second].score


def test_a_score_group_is_split_in_halves() -> None:
    pairs = {frozenset(pair) for pair in swiss_round([SwissPlayer()] * 8).tables}
    assert pairs == {frozenset(pair) for pair in ((0, 4), (1, 5), (2, 6), (3, 7))}


def test_the_last_without_a_bye_has_it() -> None:
    players = [SwissPlayer(2), SwissPlayer(1), SwissPlayer(0, had_bye=True)]
    assert swiss_round(players).byes == (1,)


def test_who_was_second_is_first() -> None:
    assert swiss_round([SwissPlayer(1, 1), SwissPlayer(1, -1)]).tables == ((1, 0),)
    assert swiss_round([SwissPlayer(1, -1), SwissPlayer(1, 1)]).tables == ((0, 1),)


def test_players_who_have_all_met_cannot_be_paired() -> None:
    with pytest.raises(NoPairing, match="everybody has met too many"):
        swiss_round([SwissPlayer(1, 1, frozenset({1})), SwissPlayer(0, -1, frozenset({0}))])
