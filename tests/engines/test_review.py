"""Further looks at moves that seem worse than the best one, in games where nothing but the move decides."""

from collections.abc import Sequence
from dataclasses import replace

import pytest

from engines import MOVES_AHEAD, Comparison, Evaluation, Position, review
from engines.comparison import Worth
from engines.hindsight import samples_ahead
from engines.loss_units import INACCURACY, loss_unit
from engines.pool import EnginePool, Limits, job
from engines.review import Look, Review


def opened() -> Position:
    position = Position("hive", "Base+MLP")
    position.play("wS1", "bP /wS1")
    return position


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
        monkeypatch.setattr(review, "MOST_LOOKS", 0)
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
def test_it_looks_until_it_is_clear_how_bad_a_move_is(
    first: float, most: int, looks: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each look finds no loss."""
    monkeypatch.setattr(review, "MOST_LOOKS", most)
    monkeypatch.setattr(Worth, "found_by", lambda search, seat, calibration: Worth(0.5, None))
    position = opened()
    loss, move = first * loss_unit(position).size, position.legal_moves()[0]
    reviewing, searches = Review(position, move, (), loss, Look(200)), 0
    while (search := reviewing.next_search()) is not None:
        search.run(1)
        searches += 1
    assert searches == 2 * looks
    assert reviewing.results == (Comparison(move, round(loss / (1 + looks), 4), None),)


@pytest.mark.parametrize("count", [0, 2, MOVES_AHEAD - 1, MOVES_AHEAD + 2])
def test_a_look_goes_back_from_what_followed_to_the_position_before_the_move(
    count: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(review, "MOST_LOOKS", 1)
    position = opened()
    line, played = position.copy(), "wG1 wS1-"
    line.play(played)
    for _ in range(count):
        line.play(line.legal_moves()[0])
    following = line.history[position.ply + 1 :]
    reviewing = Review(position, played, following, 0.1, Look(100))
    for moves in range(min(count + 1, MOVES_AHEAD), -1, -1):
        search = reviewing.next_search()
        assert search is not None
        assert reviewing.samples == (100 if moves < 2 else samples_ahead(100))
        search.run(reviewing.samples)
        at = position.copy()
        at.play(*[played, *following][:moves])
        assert search.visits == reviewing.samples
        assert search.report().best_move in at.legal_moves()
    assert reviewing.next_search() is None


def test_a_look_without_memory_finds_nothing() -> None:
    reviewing = Review(opened(), "wG1 wS1-", (), 0.1, Look(100))
    while reviewing.next_search() is not None:
        pass
    assert reviewing.results == (Comparison("wG1 wS1-", 0.1, None),)


def test_where_searches_do_not_look_ahead_both_positions_get_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(review, "MOST_LOOKS", 1)
    position = Position("wallwars")
    played = position.check("---", 0)
    reviewing = Review(position, played, (), 0.01, Look(50))
    for at in (position, position.after(played)):
        search = reviewing.next_search()
        assert search is not None
        search.run(reviewing.samples)
        assert at.after(search.report().best_move or "").ply == at.ply + 1
    assert reviewing.next_search() is None


def test_an_analysis_tells_its_looks_what_follows(monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[tuple[Sequence[str], Look]] = []

    def noted(position: Position, played: str, following: Sequence[str], loss: float, look: Look) -> Review:
        told.append((following, look))
        return Review(position, played, following, loss, look)

    bad, following, pool = "wG1 wS1-", ["bG1 -bP", "wQ wG1/"], EnginePool(threads=1)
    monkeypatch.setattr(job, "Review", noted)
    try:
        pool.open("g", opened())
        pool.evaluate("g", limits=Limits(2000), following=[bad, *following]).future.result(60)
        pool.advance("g", bad)
        pool.evaluate("g", limits=Limits(2000), following=following).future.result(60)
    finally:
        pool.stop()
    ((moves, look),) = told
    assert (moves, look.samples) == (following, 2000)


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
