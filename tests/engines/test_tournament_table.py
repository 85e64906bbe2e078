"""Tables of tournaments, against tables computed by hand."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engines.cross_table import cross_table_text
from engines.tournament_table import TIE_BREAKS, Meeting, Scoring, table

FOUR = [
    Meeting((0, 1), (1, 0)),
    Meeting((2, 3), (0.5, 0.5)),
    Meeting((0, 2), (0, 1)),
    Meeting((1, 3), (1, 0)),
    Meeting((0, 3), (0.5, 0.5)),
    Meeting((1, 2), (1, 0)),
]
"""Points: 1.5, 2, 1.5, 1."""


def test_a_round_robin_by_hand() -> None:
    rows = table(4, FOUR, [], Scoring(1), ["direct", "sonneborn-berger"])
    assert [(row.place, row.player, row.points) for row in rows] == [
        (1, 1, 2.0),
        (2, 2, 1.5),
        (3, 0, 1.5),
        (4, 3, 1.0),
    ]
    assert [row.tie_breaks["direct"] for row in rows] == [0, 1, 0, 0]
    assert [row.tie_breaks["sonneborn-berger"] for row in rows] == [
        1 + 1.5,
        0.5 * 1 + 1.5,
        2 + 0.5,
        0.75 + 0.75,
    ]


def test_buchholz_and_wins() -> None:
    rows = {row.player: row.tie_breaks for row in table(4, FOUR, [], Scoring(1), ["buchholz", "wins"])}
    assert [rows[player]["buchholz"] for player in range(4)] == [
        2 + 1.5 + 1,
        1.5 + 1 + 1.5,
        1 + 1.5 + 2,
        1.5 + 2 + 1.5,
    ]
    assert [rows[player]["wins"] for player in range(4)] == [1, 2, 1, 0]


def test_a_bye_is_a_win_against_an_equal() -> None:
    rows = table(3, [Meeting((0, 1), (1, 1))], [2], Scoring(2), ["buchholz", "sonneborn-berger"])
    assert (rows[0].player, rows[0].points, rows[0].byes) == (2, 2, 1)
    assert dict(rows[0].tie_breaks) == {"buchholz": 2, "sonneborn-berger": 4}
    assert [(row.place, row.player) for row in rows[1:]] == [(2, 0), (2, 1)]


def test_the_text_shows_byes_only_if_there_are_any() -> None:
    """What everybody has scored, and the byes, explain the points."""
    names, pair = ["Ann", "Ben", "Cat"], [Meeting((0, 1), (2, 0))]
    rows = table(3, pair, [2], Scoring(2), [])
    assert cross_table_text(names, rows, pair) == (
        "        points  byes  1  2  3\n"
        "1  Ann       2     0        2\n"
        "2  Cat       2     1\n"
        "3  Ben       0     0  0\n"
    )
    without = cross_table_text(names[:2], table(2, pair, [], Scoring(2), []), pair)
    assert without == "        points  1  2\n1  Ann       2     2\n2  Ben       0  0\n"


@given(st.permutations(FOUR), st.permutations(sorted(TIE_BREAKS)))
def test_the_order_of_the_games_does_not_matter(meetings: list[Meeting], tie_breaks: list[str]) -> None:
    assert table(4, meetings, [], Scoring(1), tie_breaks) == table(4, FOUR, [], Scoring(1), tie_breaks)


def test_without_games_all_are_first() -> None:
    assert [row.place for row in table(3, [], [], Scoring(1), list(TIE_BREAKS))] == [1, 1, 1]


@pytest.mark.parametrize("player", range(4))
def test_the_points_are_those_of_the_meetings(player: int) -> None:
    row = next(row for row in table(4, FOUR, [], Scoring(1), []) if row.player == player)
    assert row.points == sum(meeting.of(player) for meeting in FOUR if player in meeting.players)
