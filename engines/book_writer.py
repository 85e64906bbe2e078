"""Writes opening books: the positions that games are most likely to reach, each searched deeply.

The likelihood of a position is the product of the shares that its moves had in the searches of the positions before it.
Always the likeliest position that is not in the book yet is searched next.
"""

import heapq
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from contextlib import ExitStack
from functools import partial

from engines import Evaluation, Position, RuleError, Search
from engines.bots import batch_runner
from engines.executors.executor import LocalExecutor, TaskExecutor
from engines.inference import Model, choose
from engines.pool.job import Job, Limits, Priority
from engines.pool.lanes import run_alone, run_in_core

REPLIES = 4
"""Moves of a position whose positions may enter the book."""

LEAST_SHARE = 0.02
"""Moves with a smaller share in a search are left out."""

FALL = 0.1
"""The weight of a row, compared with that of a position one move earlier. The rows below a move together weigh less
than the row of the position before it, so that the book always plays the move that was found there."""

Analyse = Callable[[Position], Evaluation]


def analyser(models: Sequence[Model], samples: int) -> Analyse:
    """Searches positions with ``samples`` simulations for each action, with the network that fits or else natively."""
    return partial(_analysed, tuple(models), samples)


def _analysed(models: Sequence[Model], samples: int, position: Position) -> Evaluation:
    model = choose(models, position)
    search = Search(position, "planes" if model else "native")
    run = batch_runner(model, position).run if model else run_in_core
    source = model.name if model else "native"
    return run_alone(Job(search, Limits(samples), Priority.BATCH, source, line_count=REPLIES), run)


def book_rows(
    start: Position,
    board: str,
    positions: int,
    analyse: Analyse,
    watch: Callable[[int], None] = lambda done: None,
    executor: TaskExecutor | None = None,
) -> list[str]:
    """The rows of a book with this many positions from ``start`` on, in the order in which they were searched.

    ``board`` is the row's text for the board, such as ``8x8``. ``watch`` is called with the number of positions done.
    ``executor``: what searches, by default one position after the other; the rows are the same.
    Raises RuleError for a game that books cannot hold.
    """
    if start.seats != 2 or len(start.to_act) != 1:
        raise RuleError(f"books are for games of two seats in turn, and {start.game} is not")
    rows: list[str] = []
    waiting: list[_Waiting] = [(-1.0, ())]
    known = {start.key}
    with ExitStack() as stack:
        searches = _SearchesAhead(start, analyse, executor or stack.enter_context(LocalExecutor(1)))
        stack.callback(searches.cancel)
        while waiting and len(rows) < positions:
            searches.begin(waiting)
            likelihood, moves = heapq.heappop(waiting)
            position = _position_after(start, moves)
            evaluation = searches.result(moves)
            if " " in evaluation.best_move:
                raise RuleError(f"books separate moves by spaces, and moves of {start.game} contain them")
            line = " ".join((*moves, evaluation.best_move))
            name = f"{start.game} {start.variant} {board}"
            rows.append(f"{name} | {line} | {FALL ** len(moves):.3g} {evaluation.values[0]:.3f}")
            watch(len(rows))
            for move, share in _shares(evaluation):
                after = position.copy()
                after.play(move)
                if after.outcome is None and after.key not in known:
                    known.add(after.key)
                    heapq.heappush(waiting, (likelihood * share, (*moves, move)))
    return rows


_Waiting = tuple[float, tuple[str, ...]]
"""The negative likelihood of a position, and the moves that lead to it."""


class _SearchesAhead:
    """Searches the likeliest positions at the same time, although a likelier one may be found meanwhile."""

    def __init__(self, start: Position, analyse: Analyse, executor: TaskExecutor) -> None:
        self._start = start
        self._analyse = analyse
        self._executor = executor
        self._begun: dict[tuple[str, ...], Future[Evaluation]] = {}

    def begin(self, waiting: list[_Waiting]) -> None:
        """Begins to search the first of those that wait, one for each slot."""
        for _, moves in heapq.nsmallest(self._executor.slots, waiting):
            if moves not in self._begun:
                position = _position_after(self._start, moves)
                self._begun[moves] = self._executor.submit(self._analyse, position)

    def result(self, moves: tuple[str, ...]) -> Evaluation:
        """The evaluation of a position whose search has begun."""
        return self._begun.pop(moves).result()

    def cancel(self) -> None:
        """Cancels the searches whose results nobody needs any more."""
        for future in self._begun.values():
            future.cancel()


def _position_after(start: Position, moves: tuple[str, ...]) -> Position:
    position = start.copy()
    position.play(*moves)
    return position


def _shares(evaluation: Evaluation) -> list[tuple[str, float]]:
    """The candidate moves with their shares of the visits; the best move alone if the search does not count visits."""
    total = sum(line.visits for line in evaluation.lines)
    if total == 0:
        return [(evaluation.best_move, 1.0)]
    shares = [(line.move, line.visits / total) for line in evaluation.lines]
    return [(move, share) for move, share in shares if share >= LEAST_SHARE]
