"""What a move loses against the best one, where more than the move decides what comes next."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engines import Comparison, Evaluation, Position, Search, comparison
from engines.comparison import DEALT, Comparing, Looks
from engines.hindsight import look_ahead
from engines.inference import exact_signature
from engines.loss_units import BLUNDER, INACCURACY, MISTAKE, loss_unit
from engines.native_calibrations import native_calibration
from engines.pool import EnginePool, Limits, job
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
    for position in (carcassonne(seed, plies) for seed in (1, 2, 3) for plies in (0, 3, 6)):
        legal = position.legal_moves()
        for move in legal[1:40:4]:
            found, searches = counted(position, [legal[0]], move)
            assert found.points is not None
            assert found.error is not None
            distances = [
                abs(abs(found.points) - bound * unit.size) for bound in (INACCURACY, MISTAKE, BLUNDER)
            ]
            is_clear = min(distances) > found.error - 0.01  # points are rounded
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


def reviewed(
    pool: EnginePool, position: Position, move: str, following: Sequence[str], before: Limits, after: Limits
) -> Evaluation:
    """The evaluation after a move of a session that was told so many of the moves that follow."""
    pool.open("g", position.copy())
    pool.evaluate("g", limits=before, following=following).future.result(60)
    pool.advance("g", move)
    found = pool.evaluate("g", limits=after).future.result(60)
    pool.close("g")
    return found


@pytest.mark.parametrize("nodes", [2000, 8000])
def test_a_move_that_seems_bad_is_looked_at_again_if_it_was_asked_about(
    nodes: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    position = Position("hive", "Base+MLP")
    position.play("wS1", "bP /wS1")
    limits, timed = Limits(nodes), Limits(nodes, 60_000)
    bad = "wG1 wS1-"  # the pillbug is the better neighbour
    pool = EnginePool(threads=1)
    try:
        asked = reviewed(pool, position, bad, [bad], limits, limits)
        in_time = reviewed(pool, position, bad, [bad], limits, timed)
        not_asked = reviewed(pool, position, bad, [], limits, limits)
        monkeypatch.setattr(job, "MOST_LOOKS", 0)
        unseen = reviewed(pool, position, bad, [bad], limits, limits)
    finally:
        pool.stop()
    found = asked.reviewed
    assert found is not None
    assert (found.move, found.points, found.error) == (bad, None, None)
    assert 0.07 < found.chance < 0.2
    assert in_time.reviewed is not None
    assert not_asked.reviewed is None
    assert unseen.reviewed != found
    assert replace(unseen, reviewed=found) == asked


def test_the_best_move_is_not_looked_at_again() -> None:
    position = Position("hive", "Base+MLP")
    position.play("wS1", "bP /wS1")
    limits, pool = Limits(2000), EnginePool(threads=1)
    try:
        pool.open("best", position.copy())
        best, said = "", pool.evaluate("best", limits=limits).future.result(60).best_move
        for _ in range(5):  # knowing what follows may change it
            best = said
            said = pool.evaluate("best", limits=limits, following=[best]).future.result(60).best_move
        assert best == said
        assert reviewed(pool, position, best, [best], limits, limits).reviewed is None
    finally:
        pool.stop()


@pytest.mark.parametrize(
    ("first", "most", "looks"), [(0.1, 6, 1), (1.5, 6, 4), (1.5, 2, 2), (3.0, 6, 6), (30.0, 6, 1)]
)
def test_it_looks_until_it_is_clear_how_bad_a_move_is(first: float, most: int, looks: int) -> None:
    """The two moves are the same, so that each further look is one search, and finds no loss."""
    position = Position("hive", "Base+MLP")
    position.play("wS1", "bP /wS1")
    loss, move = first * loss_unit(position).size, position.legal_moves()[0]
    comparing, searches = Comparing(position, [move], move, None, Looks(1, most, 200), first_loss=loss), 0
    while (search := comparing.next_search()) is not None:
        search.run(200)
        searches += 1
    assert searches == looks
    assert comparing.results == (Comparison(move, round(loss / (1 + looks), 4), None),)


def test_looks_at_the_move_look_ahead_with_as_many_samples() -> None:
    position = Position("hive", "Base+MLP")
    position.play("wS1", "bP /wS1")
    best, played, *following = "wP wS1/", "wG1 wS1-", "bG1 -bP", "wQ wG1/"
    looks = Looks(1, 1, 100)
    comparing = Comparing(position, [best], played, None, looks, first_loss=0.1, following=following)
    ran: list[tuple[str, int]] = []
    while (search := comparing.next_search()) is not None:
        search.run(comparing.samples)
        ran.append((search.report().best_move or "", search.visits))
    lines = [[best], [played, *following], [played, *following[:1]], [played]]
    assert [visits for _, visits in ran] == [100, 30, 30, 100]
    for (found, _), line in zip(ran, lines, strict=True):
        at = position.copy()
        at.play(*line)
        assert found in at.legal_moves()


def test_an_analysis_tells_its_looks_what_follows(monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[tuple[Sequence[str], int]] = []

    def noted(search: Search, following: Sequence[str], samples: int) -> Iterator[int]:
        told.append((following, samples))
        return look_ahead(search, following, samples)

    position = Position("hive", "Base+MLP")
    position.play("wS1", "bP /wS1")
    bad, following, pool = "wG1 wS1-", ["bG1 -bP", "wQ wG1/"], EnginePool(threads=1)
    monkeypatch.setattr(comparison, "look_ahead", noted)
    try:
        pool.open("g", position)
        pool.evaluate("g", limits=Limits(2000), following=[bad, *following]).future.result(60)
        pool.advance("g", bad)
        pool.evaluate("g", limits=Limits(2000), following=following).future.result(60)
    finally:
        pool.stop()
    assert told[:2] == [((), 2000), (following, 2000)]
    assert all(moves in ((), following) and samples == 2000 for moves, samples in told)


def test_all_moves_that_seem_worse_are_looked_at_again() -> None:
    position = Position("hive", "Base+MLP")
    position.play("wS1", "bP /wS1")
    limits = Limits(2000)
    losses: dict[bool, list[float]] = {True: [], False: []}
    pool = EnginePool(threads=1)
    try:
        for move in position.legal_moves():
            pool.open(move, position.copy())
            before = pool.evaluate(move, limits=limits, following=[move]).future.result(60)
            pool.advance(move, move)
            after = pool.evaluate(move, limits=limits).future.result(60)
            pool.close(move)
            if move != before.best_move:
                losses[after.reviewed is not None].append(before.share(0) - after.share(0))
    finally:
        pool.stop()
    assert max(losses[False]) <= 0 < min(losses[True]) < INACCURACY * loss_unit(position).size


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
