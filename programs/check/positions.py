"""Games and positions to ask a program about: random ones, and ones that are nearly won. The rules are ours."""

import random
from collections.abc import Iterator, Sequence
from typing import Any

from engines import BadNotation, Position, RuleError, Search
from engines.bots import random_move
from protocols.values import BoardSize, VariantOffer, parts_of

SAMPLES = 300
"""Simulations of the better player of a game that is to be won."""

NO_TIME_LIMIT = 1 << 30

LONGEST_GAME = 300

ATTEMPTS = 20

CLEAR = 0.5
"""The value of a position that is nearly won."""


def play_randomly(position: Position, rng: random.Random) -> str:
    """Plays a random move; returns it as it is recorded."""
    parts = [random_move(position, seat, rng) for seat in position.to_act]
    position.play(*[position.after(parts[0]).history[-1]] if len(parts) == 1 else ["/".join(parts)])
    return position.history[-1]


def random_moves(start: Position, most: int, rng: random.Random) -> list[str]:
    """Moves from ``start`` on that do not end the game, at most this many."""
    position = start.copy()
    moves: list[str] = []
    while len(moves) < most and position.to_act:
        moves.append(play_randomly(position, rng))
    return moves if position.to_act else moves[:-1]


def longest_of(start: Position, most: int, rng: random.Random) -> list[str]:
    """The longest of some random games, up to ``most`` moves."""
    return max((random_moves(start, most, rng) for _ in range(ATTEMPTS)), key=len)


def illegal_move(position: Position, others: Sequence[str]) -> str | None:
    """One of ``others`` that can be read and is illegal in ``position``."""
    for move in map(position.submitted, others):
        try:
            position.check(parts_of(move, len(position.to_act))[0], position.to_act[0])
        except BadNotation:
            continue
        except RuleError:
            return move
    return None


def nearly_won(start: Position, winner: int, rng: random.Random) -> Position | None:
    """A position of a game from ``start`` in which ``winner`` wins with the next move, or has as good as won."""
    for _ in range(ATTEMPTS):
        before, after = _last_of(start, winner, rng)
        if after.outcome is None or after.outcome.winners != [winner]:
            continue
        if len(before.to_act) == 1 and before.to_act[0] == winner and before.scores is None:
            return before
        if _searched(before).report().values[winner] > CLEAR:
            return before
    return None


def _last_of(start: Position, winner: int, rng: random.Random) -> tuple[Position, Position]:
    """The last two positions of a game in which ``winner`` plays well, and the others play anything."""
    before = position = start.copy()
    while position.to_act and position.ply < LONGEST_GAME:
        before = position.copy()
        best: list[str] = []
        if winner in position.to_act:
            move = _searched(position).report().best_move or ""
            best = parts_of(position.submitted(move), len(position.to_act))
        parts = [
            best[index] if seat == winner else random_move(position, seat, rng)
            for index, seat in enumerate(position.to_act)
        ]
        position.play(position.after(parts[0]).history[-1] if len(parts) == 1 else "/".join(parts))
    return before, position


def _searched(position: Position) -> Search:
    search = Search(position)
    search.run(SAMPLES, NO_TIME_LIMIT)
    return search


# ---- the boards of an offer ----------------------------------------------------------------------


def boards_of(offer: VariantOffer, most: int) -> Iterator[dict[str, Any]]:
    """Configurations of an offer: the recommended boards, the smallest and the largest, and other shapes."""
    width, height = offer.board_width, offer.board_height
    if width is None or height is None:
        yield {}
        return
    corners = [BoardSize(x, y) for x in (width.min, width.max) for y in (height.min, height.max)]
    smallest, flat, tall, largest = corners
    sizes = dict.fromkeys([*offer.recommended, smallest, largest, flat, tall])
    for size in list(sizes)[:most]:
        yield {"boardWidth": size.board_width, "boardHeight": size.board_height}
