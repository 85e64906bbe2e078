"""Finds puzzles in a game that is over.

Every position is looked at quickly, and those that may be puzzles are checked deeply (``checks.py``). A puzzle goes on
while the seat has one best move after the other's best answer.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final

from engines import Position, hides_order
from engines.puzzles.checks import PuzzleMove, Standard, candidates, checked_move
from engines.puzzles.difficulty import Difficulty, difficulty_of, hardest_of, needs_no_search
from engines.puzzles.puzzle import Puzzle, own_config, puzzle_id
from engines.puzzles.themes import themes_of

FIRST_PLY: Final = 6
"""Positions before are openings."""

MOST_A_GAME: Final = 3
"""Puzzles that are taken from one game."""

LONGEST_SOLUTION: Final = 4
"""Moves of the seat."""


@dataclass
class MiningCount:
    """What a miner has looked at and found. ``most_easy``: the largest share of easy puzzles, in [0, 1]."""

    most_easy: float = 1.0
    positions: int = 0
    checked: int = 0
    held: int = 0
    kept: Counter[str] = field(default_factory=Counter)
    """Puzzles by difficulty, with those that were known before."""
    asked: list[tuple[Counter[str], bool]] = field(default_factory=list)
    """The answers of ``takes_easy``, each with what was kept then."""

    def takes(self, difficulty: Difficulty) -> bool:
        """Whether there is room for a puzzle of this difficulty; if so, counts it."""
        if difficulty is Difficulty.EASY and not self.takes_easy():
            return False
        self.kept[difficulty] += 1
        return True

    def takes_easy(self) -> bool:
        """Whether there is room for an easy puzzle."""
        answer = has_room(self.kept, self.most_easy)
        self.asked.append((self.kept.copy(), answer))
        return answer


def has_room(kept: Mapping[str, int], most_easy: float) -> bool:
    """Whether an easy puzzle may follow these."""
    return kept.get(Difficulty.EASY, 0) <= most_easy * sum(kept.values())


def puzzles_in(game: Position, source: int, standard: Standard, count: MiningCount) -> Iterator[Puzzle]:
    """The puzzles of a game, in its order; ``source`` is its number. Adds to ``count``."""
    next_ply = FIRST_PLY
    found: set[tuple[str, str]] = set()
    """The answers and their rivals: while a game goes to and fro, the same puzzle comes again."""
    for position in _positions(game):
        if position.ply < next_ply or len(found) == MOST_A_GAME:
            continue
        count.positions += 1
        puzzle = _puzzle(position, source, standard, count)
        if puzzle is None:
            continue
        next_ply = position.ply + len(puzzle.solution) + 1
        answer = puzzle.solution[0], puzzle.rival
        if answer not in found and count.takes(Difficulty(puzzle.difficulty)):
            found.add(answer)
            yield puzzle


def _positions(game: Position) -> Iterator[Position]:
    """The positions that have a move, as a player sees them: without the order of what is hidden."""
    position = Position(game.game, game.variant, game.config)
    for entry in game.history:
        if position.to_act:
            yield position
        position.play(entry)


def _puzzle(position: Position, source: int, standard: Standard, count: MiningCount) -> Puzzle | None:
    for seat, best in candidates(position, standard):
        if needs_no_search(position, seat, best) and not count.takes_easy():
            continue
        count.checked += 1
        first = checked_move(position, seat, best, standard)
        if first is not None:
            count.held += 1
            return _made(position, first, source, standard)
    return None


def _made(position: Position, first: PuzzleMove, source: int, standard: Standard) -> Puzzle:
    solution, difficulties = _solution(position, first, standard)
    return Puzzle(
        id=puzzle_id(position, first.seat),
        variant=position.variant,
        config=own_config(position),
        moves=tuple(position.history),
        seat=first.seat,
        solution=tuple(solution),
        rival=first.rival.move,
        gap=round(first.rival.gap, 2),
        share=rounded_share(first.rival.best_share),
        difficulty=hardest_of(difficulties),
        themes=themes_of(position, first),
        source=source,
        tail=_tail(position, first),
    )


def rounded_share(share: float) -> float:
    """An expected score with three digits. 1 says that the win is certain, so nothing is rounded up to it."""
    return share if share == 1 else min(round(share, 3), 0.999)


def _tail(position: Position, first: PuzzleMove) -> str:
    """What the move may reveal; empty in games that hide nothing."""
    if len(position.to_act) > 1 or not hides_order(position):
        return ""
    recorded = position.after(first.best, first.seat, deal=0).last_move or ""
    return recorded.removeprefix(first.best)


def _solution(
    position: Position, first: PuzzleMove, standard: Standard
) -> tuple[list[str], list[Difficulty]]:
    """The best play, and how hard each move of the seat is."""
    solution = [first.best]
    difficulties = [difficulty_of(position, first.seat, first.best)]
    found, at = first, position
    while found.rival.reply is not None and len(difficulties) < LONGEST_SOLUTION:
        after = at.after(found.best, found.seat)
        if after.to_act == [found.seat]:
            break
        at = after.after(found.rival.reply)
        following = _following(at, found.seat, standard)
        if following is None:
            break
        solution += [found.rival.reply, following.best]
        difficulties.append(difficulty_of(at, found.seat, following.best))
        found = following
    return solution, difficulties


def _following(position: Position, seat: int, standard: Standard) -> PuzzleMove | None:
    for to_move, best in candidates(position, standard):
        if to_move == seat:
            return checked_move(position, seat, best, standard)
    return None
