"""Accuracy: how moves are judged, and what a summary says of them."""

import pytest

from engines import Comparison, Evaluation
from engines.loss_units import DEFAULT, LossUnit
from server.domain.accuracy import Judgement, PlayedMove, played_moves, summarise

CHANCE, POINTS = LossUnit(0.2), LossUnit(4.0, in_points=True)


def by(seat: int, units: float, *, loss: float = 0.0, points: float | None = None) -> PlayedMove:
    return PlayedMove(seat, loss, points, units)


def test_accuracy_is_what_its_formula_says() -> None:
    moves = [
        *(by(0, units, loss=units / 5) for units in (0.0, 0.0, 0.0, 1.6)),
        *(by(1, units) for units in (0.74, 0.75, 1.0, 2.5)),
        by(2, 0.5, points=2.0),
        by(2, 1.0, points=4.0),
    ]
    first, second, third, idle = summarise(4, moves)
    assert first.accuracy == pytest.approx(59.945, abs=0.001)
    assert first.mean_units == pytest.approx(0.4)
    assert first.mean_loss == pytest.approx(0.08)
    assert first.mean_points_lost is None
    assert (first.inaccuracies, first.mistakes, first.blunders) == (0, 1, 0)
    assert (second.inaccuracies, second.mistakes, second.blunders) == (2, 0, 1)
    assert third.mean_points_lost == 3.0
    (half, perfect) = (summarise(1, [by(0, units)])[0].accuracy for units in (0.47, 0.0))
    assert (half, perfect) == (50.0, 100.0)
    assert (idle.accuracy, idle.mean_units, idle.mean_loss, idle.mean_points_lost) == (None,) * 4


@pytest.mark.parametrize(
    ("move", "policies", "are_best"),
    [
        ("UP/DOWN", ({"UP": 0.5, "RIGHT": 0.5}, {"LEFT": 0.7, "DOWN": 0.3}), [True, False]),
        ("RIGHT/LEFT", ({"UP": 0.5, "RIGHT": 0.5}, {"LEFT": 0.7, "DOWN": 0.3}), [True, True]),
        ("STAY/DOWN", ({"UP": 0.6, "RIGHT": 0.4}, {"LEFT": 0.5, "DOWN": 0.25}), [False, True]),
        ("UP/DOWN", None, [True, False]),
    ],
)
def test_each_part_of_a_joint_move_is_judged_by_its_seats_policy_if_nothing_was_compared(
    move: str, policies: tuple[dict[str, float], ...] | None, are_best: list[bool]
) -> None:
    for seat, values in enumerate(((0.2, -0.2), (0.8, -0.8))):  # the one or the other seat has lost
        before, after = Evaluation((0.5, -0.5), "UP/LEFT", policies), Evaluation(values)
        played = played_moves(move, (0, 1), before, after, CHANCE)
        assert [one.loss for one in played] == [
            0.0 if are_best[one] or one != seat else pytest.approx(0.15) for one in (0, 1)
        ]


def test_one_seats_move_is_judged_by_the_best_move() -> None:
    before, after = Evaluation((0.5, -0.5), "bM wB1/"), Evaluation((0.9, -0.9))
    losses = [played_moves(move, (1,), before, after, CHANCE)[0].loss for move in ("bM wB1/", "wQ -wB1")]
    assert losses == [0.0, pytest.approx(0.2)]


def test_in_games_with_points_a_move_is_judged_by_the_lead() -> None:
    before = Evaluation((0.5, -0.5), "a1", points=(60.0, 50.0))
    after = Evaluation((0.5, -0.5), "b1", points=(58.0, 54.0))
    (move,) = played_moves("a2", (0,), before, after, POINTS)
    assert (move.points_lost, move.units, move.judgement) == (6.0, 1.5, Judgement.MISTAKE)
    assert played_moves("a1", (0,), before, after, POINTS) == (PlayedMove(0, 0.0, 0.0, 0.0),)
    (unknown,) = played_moves("a2", (0,), before, Evaluation((0.37, -0.37), "b1"), POINTS)
    assert unknown.points_lost is None
    assert unknown.units == pytest.approx(0.065 / DEFAULT.size)
    three = Evaluation((0.0, -0.5, -0.5), "a1", points=(60.0, 50.0, 57.0))
    later = Evaluation((0.0, -0.5, -0.5), "b1", points=(60.0, 61.0, 57.0))
    assert [move.points_lost for move in played_moves("a2", (0,), three, later, POINTS)] == [4.0]


def test_what_was_compared_counts_and_luck_does_not() -> None:
    lucky, unlucky = (Evaluation((0.0, 0.0), "b1", points=(50.0 + luck, 50.0)) for luck in (20.0, -20.0))
    for points, error, lost in ((3.0, 0.5, 3.0), (3.0, 3.0, 0.0), (-2.0, 0.5, 0.0)):
        comparisons = (Comparison("a2", 0.1, points, error),)
        before = Evaluation((0.0, 0.0), "a1", points=(50.0, 50.0), comparisons=comparisons)
        for after in (lucky, unlucky):
            (move,) = played_moves("a2", (0,), before, after, POINTS)
            assert (move.points_lost, move.units, move.error) == (lost, lost / 4, error)
            assert move.loss == (0.1 if lost else 0.0)


@pytest.mark.parametrize(("again", "loss"), [(0.1, 0.1), (0.5, 0.5), (-0.4, 0.0)])
def test_a_move_that_was_looked_at_again_loses_what_the_looks_say(again: float, loss: float) -> None:
    before = Evaluation((0.5, -0.5), "a1", chances=(0.9, 0.1))
    reviewed = Comparison("a2", again, None)
    assert lost(
        before, Evaluation((0.2, -0.2), "b1", chances=(0.6, 0.4), reviewed=reviewed)
    ) == pytest.approx(loss)


def test_each_part_of_a_joint_move_is_compared() -> None:
    comparisons = (Comparison("STAY", 0.1, 0.4), Comparison("UP", 0.0, 0.0))
    before = Evaluation((0.0, 0.0), "LEFT/UP", comparisons=comparisons, points=(2.0, 2.0))
    first, second = played_moves("STAY/UP", (0, 1), before, Evaluation((0.0, 0.0), points=(4.0, 0.0)), POINTS)
    assert (first.points_lost, first.units) == (0.4, 0.1)
    assert (second.points_lost, second.units) == (0.0, 0.0)


def lost(before: Evaluation, after: Evaluation) -> float:
    """The loss of seat 0 by a move that was not the best one."""
    (move,) = played_moves("a2", (0,), before, after, CHANCE)
    return move.loss


def test_a_loss_is_measured_by_what_values_are_worth() -> None:
    before = Evaluation((0.5, -0.5), "a1", chances=(0.9, 0.1))
    assert lost(before, Evaluation((0.2, -0.2), "b1", chances=(0.6, 0.4))) == pytest.approx(0.3)
    assert lost(before, Evaluation((0.6, -0.6), "b1", chances=(0.95, 0.05))) == 0.0


def test_a_loss_is_measured_on_one_scale() -> None:
    """The opening book and attached bots say no chances; a result means the same on every scale."""
    before = Evaluation((0.5, -0.5), "a1", chances=(0.9, 0.1))
    unknown = Evaluation((0.5, -0.5), "a1")
    assert lost(before, Evaluation((0.2, -0.2), "b1")) == pytest.approx(0.15)
    assert lost(unknown, Evaluation((0.2, -0.2), "b1", chances=(0.6, 0.4))) == pytest.approx(0.15)
    assert lost(before, Evaluation((-1.0, 1.0))) == pytest.approx(0.9)
    assert lost(before, Evaluation((0.0, 0.0))) == pytest.approx(0.4)
    assert lost(unknown, Evaluation((-1.0, 1.0))) == pytest.approx(0.75)
