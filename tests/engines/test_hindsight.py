"""Looking at the moves that follow before the position itself."""

import random
from collections.abc import Iterator, Sequence
from concurrent.futures import CancelledError

import pytest

from engines import MOVES_AHEAD, Evaluation, Position, RuleError, Search, known_members
from engines.bots import random_move
from engines.hindsight import look_ahead
from engines.pool import EnginePool, Limits
from engines.puzzles.library import shipped_puzzles
from engines.puzzles.puzzle import Puzzle

GAME = ("wS1", "bG1 wS1-", "wQ -wS1", "bQ bG1-", "wA1 -wQ", "bA1 bQ-")

WON = [puzzle for puzzle in shipped_puzzles()["hive"].puzzles if len(puzzle.solution) > 1]
"""Wins in several moves."""


@pytest.fixture
def pool() -> Iterator[EnginePool]:
    pool = EnginePool(threads=1)
    yield pool
    pool.stop()


def start_of(puzzle: Puzzle) -> Position:
    position = Position("hive", puzzle.variant, puzzle.config)
    position.play(*puzzle.moves)
    return position


def after(moves: int) -> Position:
    position = Position("hive")
    position.play(*GAME[:moves])
    return position


def evaluated(pool: EnginePool, at: Position, limits: Limits, following: Sequence[str]) -> Evaluation:
    pool.open("g", at)
    try:
        return pool.evaluate("g", limits=limits, following=following).future.result(60)
    finally:
        pool.close("g")


def test_wins_are_seen_sooner_by_who_knows_what_came(pool: EnginePool) -> None:
    def values(*, knows: bool) -> list[float]:
        asked = [(start_of(puzzle), puzzle.solution if knows else ()) for puzzle in WON]
        found = [evaluated(pool, at, Limits(1000), following) for at, following in asked]
        return [one.values[puzzle.seat] for one, puzzle in zip(found, WON, strict=True)]

    plain, knowing = values(knows=False), values(knows=True)
    assert sum(value == 1 for value in plain) < sum(value == 1 for value in knowing)
    assert all(knowing[index] == 1 for index, value in enumerate(plain) if value == 1)
    assert sum(plain) + 2 < sum(knowing)


def test_it_looks_from_the_last_move_back_to_the_position() -> None:
    search = Search(after(0))
    assert list(look_ahead(search, ())) == []
    there = list(range(MOVES_AHEAD, 0, -1))
    for expected, moves in zip(there, look_ahead(search, GAME), strict=True):
        search.run(100)
        assert (moves, search.visits) == (expected, 100)
        assert search.report().best_move in after(moves).legal_moves()
    assert search.visits == 0
    search.run(100)
    assert search.report().best_move in after(0).legal_moves()


@pytest.mark.parametrize("game", ["wallwars", "carcassonne", "pyrat"])
def test_searches_that_cannot_use_it_do_not_look(pool: EnginePool, game: str) -> None:
    position = Position(game, None, known_members(game, {"seed": 3, "seats": 2}))
    line, rng = position.copy(), random.Random(1)
    for _ in range(3):
        line.play("/".join(random_move(line, seat, rng) for seat in line.to_act))
    assert list(look_ahead(Search(position), line.history)) == []
    plain = evaluated(pool, position, Limits(100), line.history[:1])
    assert evaluated(pool, position, Limits(100), line.history) == plain


def test_an_evaluation_has_as_many_samples_as_without(pool: EnginePool) -> None:
    found = evaluated(pool, after(0), Limits(400), GAME)
    assert (found.samples, found.inherited) == (400, 0)


def test_a_search_with_limited_time_does_not_look(pool: EnginePool) -> None:
    at, limits = after(0), Limits(400, 60_000)
    assert evaluated(pool, at, limits, GAME) == evaluated(pool, at, limits, ())


def test_an_illegal_move_fails_the_evaluation_and_no_more(pool: EnginePool) -> None:
    pool.open("g", after(0))
    with pytest.raises(RuleError):
        pool.evaluate("g", following=["wS1", "wS1"]).future.result(60)
    assert pool.evaluate("g", limits=Limits(100)).future.result(60).best_move in after(0).legal_moves()


def test_a_cancelled_look_is_forgotten(pool: EnginePool) -> None:
    pool.open("g", after(0))
    job = pool.evaluate("g", limits=Limits(100_000_000), following=GAME)
    while job.search.visits == 0:
        pass
    job.future.cancel()
    with pytest.raises(CancelledError):
        job.future.result(60)
    for moves in range(2):
        found = pool.evaluate("g", limits=Limits(100)).future.result(60)
        assert found.best_move in after(moves).legal_moves()
        pool.advance("g", GAME[moves])


def test_where_memory_is_short_nothing_is_looked_at(pool: EnginePool) -> None:
    small = EnginePool(threads=1, session_bytes=300_000)
    try:
        found = [
            evaluated(one, after(4), Limits(20_000), moves) for one, moves in ((small, GAME[4:]), (pool, ()))
        ]
        assert (found[0].samples, found[0].is_cut) == (20_000, False)
        assert found[0] == found[1]
    finally:
        small.stop()


def test_ahead_of_a_win_in_one_move_the_other_position_is_reported() -> None:
    puzzle = next(puzzle for puzzle in WON if "surround-in-2" in puzzle.themes)
    at = start_of(puzzle)
    at.play(*puzzle.solution[:2])
    search, wins = Search(at), puzzle.solution[2]
    other = next(move for move in at.legal_moves() if move != wins and at.after(move).outcome is None)
    search.run(1)
    assert search.report().values[puzzle.seat] == 1
    assert search.look_ahead([other])
    search.run(100)
    assert search.report().best_move in at.after(other).legal_moves()
    assert search.report().values[puzzle.seat] < 1
    assert not search.look_ahead([])
    search.run(1)
    assert search.report().values[puzzle.seat] == 1


def test_the_end_of_the_game_may_be_among_the_moves(pool: EnginePool) -> None:
    for puzzle in WON[:5]:
        end = start_of(puzzle)
        end.play(*puzzle.solution)
        while end.outcome is None:
            end.play(evaluated(pool, end, Limits(20_000), ()).best_move)
        at = Position("hive", puzzle.variant, puzzle.config)
        at.play(*end.history[:-2])
        assert evaluated(pool, at, Limits(500), end.history[-2:]).best_move in at.legal_moves()
