"""What a move loses against the best one, where more than the move decides what comes next."""

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engines import Comparison, Position
from engines.comparison import DEALT, SURE, Comparing
from engines.inference import exact_signature
from engines.loss_units import BLUNDER, INACCURACY, MISTAKE, loss_unit
from engines.native_calibrations import native_calibration
from engines.pool import EnginePool, Limits
from tests.engines.uniform_model import UniformModel

TILES = 12


def carcassonne(seed: int, plies: int, seats: int = 2) -> Position:
    """A game after some moves, the first ones in the order of the rules."""
    position = Position("carcassonne", config={"seed": seed, "tileCount": TILES, "seats": seats})
    for ply in range(plies):
        legal = position.legal_moves()
        position.play(legal[(seed * 7 + ply * 13) % len(legal)])
    return position


def public(position: Position) -> Position:
    """The same position, as somebody knows it who has only its record."""
    known = Position(position.game, position.variant, position.config)
    known.play(*position.history)
    return known


def compared(position: Position, *rivals_and_played: str) -> Comparison:
    *rivals, played = rivals_and_played
    return counted(position, rivals, played)[0]


def counted(position: Position, rivals: Sequence[str], played: str) -> tuple[Comparison, int]:
    """A comparison, and how many searches it took: one for each move and deal, as long as no game is over after it."""
    calibration = native_calibration(position)
    assert calibration is not None
    comparing, searches = Comparing(position, rivals, played, calibration.at(position.progress)), 0
    while (search := comparing.next_search()) is not None:
        search.run(DEALT.samples)
        searches += 1
    (found,) = comparing.results
    return found, searches


positions = st.builds(carcassonne, st.integers(1, 50), st.integers(0, TILES - 1), st.integers(2, 5))


@given(positions, st.integers(0), st.integers(0))
def test_what_one_move_loses_the_other_wins(position: Position, one: int, other: int) -> None:
    legal = position.legal_moves()
    a, b = legal[one % len(legal)], legal[other % len(legal)]
    there, back = compared(position, a, b), compared(position, b, a)
    assert (there.move, back.move) == (b, a)
    assert there.points is not None
    assert (there.chance, there.points, there.error) == pytest.approx(
        (-back.chance, -(back.points or 0), back.error)
    )
    if a == b:
        assert (there.chance, there.points, there.error) == (0.0, 0.0, 0.0)


@given(positions)
def test_the_true_order_does_not_matter(position: Position) -> None:
    legal = position.legal_moves()
    assert compared(position, legal[0], legal[-1]) == compared(public(position), legal[0], legal[-1])


@pytest.mark.slow
def test_more_is_dealt_only_where_it_is_open_how_bad_a_move_is() -> None:
    unit, seen = loss_unit(carcassonne(1, 0)), set()
    for position in (carcassonne(seed, plies) for seed in (1, 2) for plies in (0, 6)):
        legal = position.legal_moves()
        for move in legal[1:40:8]:
            found, searches = counted(position, [legal[0]], move)
            assert found.points is not None
            assert found.error is not None
            distances = [
                abs(abs(found.points) - bound * unit.size) for bound in (INACCURACY, MISTAKE, BLUNDER)
            ]
            is_clear = min(distances) > SURE * found.error - 0.01  # points are rounded
            assert 2 * DEALT.round <= searches <= 2 * DEALT.most
            assert is_clear or searches == 2 * DEALT.most
            seen.add("least" if searches == 2 * DEALT.round else "more")
    assert seen == {"least", "more"}


def test_a_move_is_compared_with_the_best_of_its_rivals() -> None:
    for seed in range(4):
        position = carcassonne(seed, TILES - 1)
        legal = position.legal_moves()
        losses = {move: compared(position, move, legal[0]).points or 0.0 for move in legal[1:6]}
        assert compared(position, *losses, legal[0]).points == max(losses.values())


def test_rivals_that_are_clearly_worse_or_the_same_drop_out() -> None:
    position = carcassonne(1, 3)
    best, *others = "-1,-1,0 field_W", "-1,-1,180 field_W", "-1,-1,0", "1,-1,90"
    alone, searches = counted(position, [best], "0,-2,0")
    with_others, more = counted(position, [best, *others], "0,-2,0")
    deals = searches // 2
    assert deals > 2 * DEALT.round
    assert with_others == alone
    assert more == searches + len(others) * DEALT.round


def test_the_last_tile_is_compared_exactly() -> None:
    for seed in range(8):
        position = carcassonne(seed, TILES - 1)
        legal = position.legal_moves()
        outcomes = [position.after(move).outcome for move in legal]
        scores = [outcome.scores or [] for outcome in outcomes if outcome is not None]
        leads = [of_second - of_first for of_first, of_second in scores]
        assert position.to_act == [1]
        for move, lead in zip(legal, leads, strict=True):
            found = compared(position, legal[0], move)
            assert found.points == pytest.approx(leads[0] - lead)
            assert found.error == 0.0


def test_a_meeple_wasted_at_the_start_costs_points_and_luck_does_not() -> None:
    """The evaluations before and after the best moves differ by several points; compared, they lose nothing."""
    pool = EnginePool(threads=1)
    position = carcassonne(3, 0)
    pool.open("g", Position(position.game, position.variant, position.config))
    try:
        best = pool.evaluate("g", limits=Limits(300)).future.result(60).best_move
        without = best.split(" ")[0]
        assert pool.evaluate("g", limits=Limits(300), following=[best]).future.result(60).comparisons is None
        (found,) = (
            pool.evaluate("g", limits=Limits(300), following=[without]).future.result(60).comparisons or ()
        )
    finally:
        pool.stop()
    assert found.move == without != best
    assert (found.points or 0.0) > 2 * (found.error or 0.0)


def test_searches_of_finished_comparisons_do_not_change_the_evaluation() -> None:
    pool = EnginePool(threads=1)
    start = carcassonne(5, 0)
    for name in "ab":
        pool.open(name, start.copy())
    try:
        plain, asked = (
            pool.evaluate(name, limits=Limits(100), following=following).future.result(60)
            for name, following in (("a", []), ("b", [start.legal_moves()[-1]]))
        )
        assert (plain.values, plain.best_move, plain.samples) == (
            asked.values,
            asked.best_move,
            asked.samples,
        )
        move = start.after(plain.best_move).history[-1]
        for name in "ab":
            pool.advance(name, move)
        after = [pool.evaluate(name, limits=Limits(100)).future.result(60) for name in "ab"]
        assert after[0] == after[1]
    finally:
        pool.stop()


def test_networks_compare_moves_as_well() -> None:
    position = carcassonne(5, 6)
    signature, move = exact_signature(position), position.legal_moves()[0]
    assert signature is not None
    pool = EnginePool(threads=1, models=[UniformModel(signature)])
    try:
        pool.open("g", position)
        (found,) = (
            pool.evaluate("g", limits=Limits(100), following=[move]).future.result(60).comparisons or ()
        )
    finally:
        pool.stop()
    assert (found.move, found.points) == (move, None)
    assert found.error is not None
    assert 0.01 < found.error < found.chance
