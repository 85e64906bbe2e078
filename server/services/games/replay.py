"""Replays a list of moves sent by a client, within limits. A refusal names the ply of the bad move.

Used by the services that take moves without a stored game.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from engines import BadConfig, Position, RuleError, games
from server.domain.errors import ApiError, Code, unknown_game

MAX_PLIES = 1000
"""The default limit on the number of moves that are replayed."""

SHOWN_CHARACTERS = 40
"""The maximum number of characters of a bad move that an error message quotes."""


def replay(
    game: str,
    variant: str | None,
    config: Mapping[str, Any],
    moves: Sequence[str],
    most: int = MAX_PLIES,
    deal: int | None = None,
) -> Position:
    """Returns the position after up to ``most`` moves from a start (``variant`` None: the default). Raises ApiError.

    With ``deal``, moves may leave out what they revealed in a hidden order: it is drawn, with this seed.
    """
    if len(moves) > most:
        raise ApiError(Code.OVER_LIMIT, f"At most {most} plies.", field="moves", limit=most)
    if game not in [row.name for row in games()]:
        raise unknown_game(game, [row.name for row in games() if row.listed])
    try:
        start = Position(game, variant, config)
    except BadConfig as refusal:
        raise ApiError(Code.BAD_CONFIG, str(refusal), field="config") from None
    return played(start, moves, deal)


def played(position: Position, moves: Sequence[str], deal: int | None = None) -> Position:
    """Returns the position after ``moves``, which may be ``position`` itself. ``deal`` as in ``replay``.

    ApiError ``illegal-move`` with the ply of the first bad move.
    """
    for move in moves:
        try:
            position.play(move)
        except RuleError as refusal:
            drawn = None if deal is None else _after_draw(position, move, deal)
            if drawn is not None:
                position = drawn
                continue
            text = f"move {position.ply + 1} ({move[:SHOWN_CHARACTERS]}): {refusal}"
            raise ApiError(Code.ILLEGAL_MOVE, text, field="moves", ply=position.ply) from None
    return position


def _after_draw(position: Position, move: str, deal: int) -> Position | None:
    """The position after a move that lacks only what it revealed; None for other moves."""
    if position.is_dealt:
        return None
    try:
        return position.after(move, deal=deal)
    except RuleError:
        return None
