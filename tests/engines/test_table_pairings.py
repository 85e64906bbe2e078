"""Who sits at which table in a tournament: the laws that every round keeps."""

import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engines.pairings import NoPairing, Round
from engines.table_pairings import TablePlayer, next_tables
from engines.tournament_systems import GAUNTLET, ROUND_ROBIN, SWISS, System
from engines.tournament_table import Meeting, meetings_at, place_points

SEATS = st.integers(3, 5)


@dataclass(frozen=True)
class PlayedTables:
    """A round of tables at which everything was random."""

    round: Round
    games: Sequence[tuple[tuple[int, ...], tuple[float, ...]]]
    """The players of each by seat, and their points."""

    def meetings(self) -> list[Meeting]:
        """The points of each two at a table."""
        return [one for seats, points in self.games for one in meetings_at(seats, [points])]

    def seatings(self) -> list[tuple[int, ...]]:
        """The players of each game by seat."""
        return [seats for seats, _ in self.games]


def play(system: System, players: int, rounds: int, rng: random.Random) -> list[PlayedTables]:
    """So many rounds."""
    played: list[PlayedTables] = []
    for _ in range(rounds):
        one = system.next_round(players, played)
        games = []
        for table in one.tables:
            for number in range(system.games):
                turn = number % system.seats
                places = [rng.randint(1, 3) for _ in table]
                games.append(((*table[turn:], *table[:turn]), place_points(places)))
        played.append(PlayedTables(one, games))
    return played


def meets(played: Sequence[PlayedTables], players: int) -> list[int]:
    """How often each two have sat at one table."""
    met = Counter(
        pair for one in played for table in one.round.tables for pair in combinations(sorted(table), 2)
    )
    return [met[pair] for pair in combinations(range(players), 2)]


def spread(counts: Sequence[int]) -> int:
    return max(counts) - min(counts)


@given(
    st.sampled_from([ROUND_ROBIN, SWISS]),
    SEATS,
    st.integers(0, 9),
    st.integers(1, 4),
    st.integers(1, 8),
    st.randoms(use_true_random=False),
)
@settings(max_examples=25, deadline=None)
def test_everybody_sits_once_and_as_often_in_each_seat_and_has_as_many_byes(
    name: str, seats: int, more: int, games: int, rounds: int, rng: random.Random
) -> None:
    system, players = System(name, games, seats), seats + more
    played = play(system, players, rounds, rng)
    for one in played:
        sitting = [player for table in one.round.tables for player in table]
        assert all(len(table) == seats for table in one.round.tables)
        assert sorted([*sitting, *one.round.byes]) == list(range(players))
    byes = Counter(player for one in played for player in one.round.byes)
    assert spread([byes[player] for player in range(players)]) <= 1
    for player in range(players):
        own = [seating.index(player) for one in played for seating in one.seatings() if player in seating]
        assert spread([own.count(seat) for seat in range(seats)]) <= 2


@given(SEATS, st.integers(0, 11))
@settings(max_examples=15, deadline=None)
def test_in_a_round_robin_of_tables_everybody_meets_everybody_about_equally_often(
    seats: int, more: int
) -> None:
    system, players = System(ROUND_ROBIN, 1, seats), seats + more
    usual = system.rounds(players)
    assert spread(meets(play(system, players, usual, random.Random(1)), players)) <= 3
    twice = meets(play(system, players, 2 * usual, random.Random(1)), players)
    assert spread(twice) <= 4
    assert sum(twice) >= players * (players - 1), "on average, everybody meets everybody twice"


def test_nine_players_meet_each_other_once_at_tables_of_three() -> None:
    system = System(ROUND_ROBIN, 1, 3)
    assert system.rounds(9) == 4
    assert set(meets(play(system, 9, 4, random.Random(1)), 9)) == {1}


@given(SEATS, st.integers(0, 12))
def test_in_a_gauntlet_of_tables_the_first_meets_all_others_equally_often(seats: int, more: int) -> None:
    system, players = System(GAUNTLET, 1, seats), seats + more
    played = play(system, players, system.rounds(players), random.Random(1))
    opponents = Counter(player for one in played for table in one.round.tables for player in table)
    assert opponents.pop(0) == len(played)
    assert len(opponents) == players - 1
    assert len(set(opponents.values())) == 1
    assert all(len(one.round.tables) == 1 for one in played)
    firsts = [seating.index(0) for one in played for seating in one.seatings()]
    assert spread([firsts.count(seat) for seat in range(seats)]) <= 1


def test_near_scores_sit_together() -> None:
    scores = (3.0, 0.0, 2.0, 1.0, 3.0, 0.0, 2.0, 1.0, 3.0, 0.0, 2.0, 1.0)
    players = [TablePlayer((0,) * 12, (0, 0, 0), score) for score in scores]
    tables = next_tables(players, 3, 1).tables
    assert [{scores[player] for player in table} for table in tables] == [{3}, {2}, {1}, {0}]


def test_who_has_met_sits_apart_if_the_scores_are_near() -> None:
    met = [[int(one // 3 == other // 3) for other in range(9)] for one in range(9)]
    for gap, is_apart in ((0.1, True), (4.0, False)):
        players = [TablePlayer(met[one], (0, 0, 0), gap * (one // 3)) for one in range(9)]
        tables = next_tables(players, 3, 1).tables
        assert all(len({player // 3 for player in table}) == (3 if is_apart else 1) for table in tables)


def test_too_few_for_a_table_cannot_be_seated() -> None:
    for name in (ROUND_ROBIN, SWISS):
        with pytest.raises(NoPairing, match="too few players are left"):
            System(name, 1, 4).next_round(5, [], {0, 1})
    with pytest.raises(NoPairing, match="the first player has left"):
        System(GAUNTLET, 1, 4).next_round(5, [], {0})


@given(SEATS, st.data())
def test_the_points_of_a_table_add_up_and_are_the_mean_of_what_one_has_against_each(
    seats: int, data: st.DataObject
) -> None:
    places = data.draw(st.lists(st.integers(1, seats), min_size=seats, max_size=seats))
    points = place_points(places)
    assert sum(points) == pytest.approx(seats / 2)
    assert all(
        (points[one] > points[other]) == (places[one] < places[other])
        for one in range(seats)
        for other in range(seats)
    )
    against = [0.0] * seats
    for meeting in meetings_at(range(seats), [points]):
        assert sum(meeting.points) == 1
        for player in meeting.players:
            against[player] += meeting.of(player)
    assert [won / (seats - 1) for won in against] == pytest.approx(points)


def test_the_points_of_places() -> None:
    assert place_points([2, 1]) == (0, 1)
    assert place_points([1, 1]) == (0.5, 0.5)
    assert place_points([3, 1, 4, 2]) == pytest.approx((1 / 3, 1, 0, 2 / 3))
    assert place_points([1, 1, 3]) == (0.75, 0.75, 0)


def test_nobody_scores_against_one_who_has_not_come_either() -> None:
    points = {one.players: one.points for one in meetings_at((7, 8, 9), [(1.0, 0.0, 0.0)])}
    assert points == {(7, 8): (1, 0), (7, 9): (1, 0), (8, 9): (0, 0)}


@given(SEATS, st.integers(0, 6), st.integers(1, 3), st.randoms(use_true_random=False))
@settings(max_examples=15, deadline=None)
def test_the_table_has_the_points_of_all_games_and_byes(
    seats: int, more: int, games: int, rng: random.Random
) -> None:
    for name in (ROUND_ROBIN, SWISS):
        system, players = System(name, games, seats), seats + more
        played = play(system, players, 3, rng)
        scored = [0.0] * players
        for one in played:
            for player in one.round.byes:
                scored[player] += system.bye_points
            for seating, points in one.games:
                for player, won in zip(seating, points, strict=True):
                    scored[player] += won
        rows = system.table(players, played, system.tie_breaks)
        assert [row.points for row in rows] == pytest.approx([scored[row.player] for row in rows])
        assert [row.points for row in rows] == sorted((row.points for row in rows), reverse=True)
