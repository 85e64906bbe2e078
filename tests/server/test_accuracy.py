"""Accuracy: how moves are judged, and what a summary says of them."""

import pytest

from engines import Evaluation
from server.domain.accuracy import PlayedMove, played_moves, summarise


def test_accuracy_is_what_its_formula_says() -> None:
    moves = [
        PlayedMove(0, before=0.75, after=0.75, is_best=False),
        PlayedMove(0, before=0.75, after=0.5, is_best=False),
        PlayedMove(0, before=0.6, after=0.95, is_best=False),
        PlayedMove(0, before=0.95, after=0.05, is_best=True),
        PlayedMove(1, before=0.7, after=0.6, is_best=False),
        PlayedMove(1, before=1.0, after=0.0, is_best=False),
    ]
    first, second = summarise(2, moves)
    assert first.accuracy == pytest.approx((3 * 100 + 28.650) / 4, abs=0.01)
    assert first.mean_loss == pytest.approx(0.25 / 4)
    assert (first.inaccuracies, first.mistakes, first.blunders) == (0, 1, 0)
    assert (second.inaccuracies, second.mistakes, second.blunders) == (1, 0, 1)
    idle = summarise(3, moves)[2]
    assert (idle.accuracy, idle.mean_loss) == (None, None)


@pytest.mark.parametrize(
    ("move", "policies", "are_best"),
    [
        ("UP/DOWN", ({"UP": 0.5, "RIGHT": 0.5}, {"LEFT": 0.7, "DOWN": 0.3}), [True, False]),
        ("RIGHT/LEFT", ({"UP": 0.5, "RIGHT": 0.5}, {"LEFT": 0.7, "DOWN": 0.3}), [True, True]),
        ("STAY/DOWN", ({"UP": 0.6, "RIGHT": 0.4}, {"LEFT": 0.5, "DOWN": 0.25}), [False, True]),
        ("UP/DOWN", None, [True, False]),
    ],
)
def test_each_part_of_a_joint_move_is_judged_by_its_seats_policy(
    move: str, policies: tuple[dict[str, float], ...] | None, are_best: list[bool]
) -> None:
    before, after = Evaluation((0.5, -0.5), "UP/LEFT", policies), Evaluation((0.2, -0.2))
    first, second = played_moves(move, (0, 1), before, after)
    assert [first.is_best, second.is_best] == are_best
    assert (first.loss, second.loss) == (0.0 if are_best[0] else pytest.approx(0.15), 0.0)


def test_one_seats_move_is_judged_by_the_best_move() -> None:
    before, after = Evaluation((0.5, -0.5), "bM wB1/"), Evaluation((0.9, -0.9))
    assert [one.is_best for one in played_moves("bM wB1/", (1,), before, after)] == [True]
    assert [one.loss for one in played_moves("wQ -wB1", (1,), before, after)] == [pytest.approx(0.2)]


def lost(before: Evaluation, after: Evaluation) -> float:
    """The loss of seat 0 by a move that was not the best one."""
    (move,) = played_moves("a2", (0,), before, after)
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
