"""Games that bots agree about, or that last too long."""

import pytest

from engines.adjudication import Adjudication, Adjudicator, Agreement, BadAdjudication, EarlyEnd

ALL = Adjudication(Agreement(0.03, 2), Agreement(0.02, 2, 60), 300)


def after(rules: str, scores: list[tuple[float, float]], ply: int = 100) -> EarlyEnd | None:
    """The end of a game in which the two seats have stated these scores in turn."""
    game = Adjudicator(Adjudication.parse(rules), 2)
    for first, second in scores:
        game.note(0, first)
        game.note(1, second)
    return game.ending(ply)


@pytest.mark.parametrize(
    "text", ["resign=0.03x2,draw=0.02x2@60,plies=300", "plies=300,draw=.02x2@60,resign=.03x2"]
)
def test_all_rules(text: str) -> None:
    assert Adjudication.parse(text) == ALL
    assert Adjudication.parse(ALL.text) == ALL


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("resign=3", "resign is '3', not LIMITxMOVES"),
        ("resign=.03x0", "resign's moves: '0' is not a number from 1"),
        ("resign=.x2", "not LIMITxMOVES"),
        ("resign=0.5x2", "the limit of resign is 0.5, not less than 0.5"),
        ("draw=0.02@60", "draw is '0.02@60', not LIMITxMOVES@PLY"),
        ("plies=0", "plies: '0' is not a number"),
        ("plies=-3", "plies: '-3' is not a number"),
        ("plies", "plies: '' is not a number"),
        ("resigns=.03x2", "unknown rule 'resigns': did you mean 'resign'"),
        ("plies=3,plies=4", "plies is given twice"),
        ("", "unknown rule ''"),
    ],
)
def test_bad_rules_are_refused(text: str, why: str) -> None:
    with pytest.raises(BadAdjudication) as refused:
        Adjudication.parse(text)
    assert why in str(refused.value)


@pytest.mark.parametrize(
    ("scores", "loser"),
    [
        ([(0.03, 0.97), (0.0, 1.0)], 0),
        ([(0.5, 0.5), (0.99, 0.01), (0.98, 0.02)], 1),
        ([(0.02, 0.98)], None),  # not for two moves
        ([(0.02, 0.98), (0.04, 0.98)], None),  # the loser hopes
        ([(0.02, 0.96), (0.02, 0.98)], None),  # the winner doubts
        ([(0.02, 0.98), (0.98, 0.02)], None),  # they change their minds
    ],
)
def test_both_have_to_see_the_loss(scores: list[tuple[float, float]], loser: int | None) -> None:
    end = after("resign=0.03x2", scores)
    assert end == (None if loser is None else EarlyEnd("adjudicated: resign", loser))


@pytest.mark.parametrize(
    ("scores", "ply", "end"),
    [
        ([(0.51, 0.49), (0.5, 0.52)], 60, EarlyEnd("adjudicated: draw")),
        ([(0.51, 0.49), (0.5, 0.52)], 59, None),
        ([(0.51, 0.49), (0.5, 0.53)], 60, None),
        ([(0.5, 0.5)], 60, None),
    ],
)
def test_a_draw_from_a_ply_on(scores: list[tuple[float, float]], ply: int, end: EarlyEnd | None) -> None:
    assert after("draw=0.02x2@60", scores, ply) == end


def test_the_ply_limit_needs_no_scores() -> None:
    assert not Adjudication.parse("plies=9").needs_scores
    assert after("plies=9", [], 8) is None
    assert after("plies=9", [], 9) == EarlyEnd("adjudicated: ply limit")
