"""Sessions that answer from a book, and sessions that ponder."""

import time
from collections.abc import Callable

from engines import Position
from engines.book import Book
from engines.pool import EnginePool, Limits, Priority

BOARD = {"boardWidth": 5, "boardHeight": 5}
BOOK = Book(["wallwars standard 5x5 | Cb4 Cd4 | 1 0.25"])


def board() -> Position:
    return Position("wallwars", "standard", BOARD)


def wait_until(holds: Callable[[], bool]) -> None:
    until = time.monotonic() + 60
    while not holds():
        assert time.monotonic() < until, "the condition never held"
        time.sleep(0.005)


def test_a_book_answers_without_a_search() -> None:
    pool = EnginePool(book=BOOK, limits=Limits(50))
    try:
        pool.open("a", board())
        first = pool.evaluate("a").future.result(5)
        assert (first.best_move, first.values, first.source) == ("Cb4", (0.25, -0.25), "book")
        assert (first.samples, first.inherited, first.lines) == (0, 0, ())
        pool.advance("a", "Cb4")
        assert pool.evaluate("a").future.result(5).best_move == "Cd4"
        pool.advance("a", "Cd4")
        after = pool.evaluate("a").future.result(5)
        assert after.source == "native"
        assert after.samples > 50
    finally:
        pool.stop()


def test_a_session_that_leaves_the_book_searches() -> None:
    pool = EnginePool(book=BOOK, limits=Limits(50))
    try:
        pool.open("a", board())
        pool.advance("a", "Ca4")
        assert pool.evaluate("a").future.result(5).source == "native"
    finally:
        pool.stop()


def test_pondering_fills_the_tree_for_the_next_evaluation() -> None:
    pool = EnginePool(threads=1, limits=Limits(20), ponder=5000)
    try:
        pool.open("a", board())
        assert pool.evaluate("a").future.result(5).samples > 20
        wait_until(lambda: pool.statistics().simulations >= 5020)
        assert pool.statistics().evaluations == 1, "pondering does not count as an evaluation"
        after = pool.evaluate("a").future.result(5)
        assert after.inherited >= 5000
    finally:
        pool.stop()


def test_only_live_bots_ponder() -> None:
    pool = EnginePool(threads=1, limits=Limits(20), ponder=5000)
    try:
        pool.open("a", board())
        before = pool.evaluate("a", priority=Priority.EVAL_BAR).future.result(5)
        after = pool.evaluate("a", priority=Priority.EVAL_BAR).future.result(5)
        assert after.inherited == before.samples
    finally:
        pool.stop()


def test_moves_and_closing_end_pondering() -> None:
    """With far too many simulations to wait for: each step would hang if pondering continued."""
    pool = EnginePool(threads=1, limits=Limits(20), ponder=1_000_000_000)
    try:
        pool.open("a", board())
        for _ in range(3):
            move = pool.evaluate("a").future.result(5).best_move
            wait_until(lambda: pool.statistics().waiting[Priority.PONDER] == 0)
            pool.advance("a", move)
        pool.evaluate("a").future.result(5)
        pool.close("a")
        pool.open("b", board())
        assert pool.evaluate("b", priority=Priority.BATCH).future.result(5).samples > 20
        simulations = pool.statistics().simulations
        time.sleep(0.1)
        assert pool.statistics().simulations == simulations, "the closed session is still pondering"
    finally:
        pool.stop()


def test_pondering_yields_to_every_other_session() -> None:
    pool = EnginePool(threads=1, limits=Limits(20), ponder=1_000_000_000)
    try:
        pool.open("a", board())
        pool.evaluate("a").future.result(5)
        for number in range(20):
            pool.open(f"b{number}", board())
            assert pool.evaluate(f"b{number}", priority=Priority.BATCH).future.result(5).samples > 20
    finally:
        pool.stop()


def test_cancelled_pondering_leaves_the_queue() -> None:
    pool = EnginePool(threads=1, limits=Limits(20), ponder=1000)
    try:
        pool.open("long", board())
        pool.open("a", board())
        pool.evaluate("long", limits=Limits(1_000_000_000))
        for _ in range(5):
            move = pool.evaluate("a").future.result(5).best_move
            wait_until(lambda: pool.statistics().waiting[Priority.PONDER] == 1)
            pool.advance("a", move)
            assert pool.statistics().waiting[Priority.PONDER] == 0
    finally:
        pool.stop()
