"""Replays a list of moves that somebody sent, within limits, and refuses with the ply at fault.

Called by the services that take moves without a game of ours.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from engines import BadConfig, Position, RuleError, games
from server.domain.errors import ApiError, Code

MAX_PLIES = 1000
"""The most moves that are replayed for somebody who keeps nothing here."""

SHOWN_CHARACTERS = 40
"""As much of a bad move as a refusal repeats."""


def replay(
    game: str,
    variant: str | None,
    config: Mapping[str, Any],
    moves: Sequence[str],
    most: int = MAX_PLIES,
) -> Position:
    """The position after ``moves``, ``most`` of them, from a start; None and {} are the game's defaults. ApiError."""
    if len(moves) > most:
        raise ApiError(Code.OVER_LIMIT, f"At most {most} plies.", field="moves", limit=most)
    if game not in [row.name for row in games()]:
        raise ApiError(Code.UNKNOWN_GAME, f"There is no game called {game!r}.", field="game")
    try:
        start = Position(game, variant, config)
    except BadConfig as refusal:
        raise ApiError(Code.BAD_CONFIG, str(refusal), field="config") from None
    return played(start, moves)


def played(position: Position, moves: Sequence[str]) -> Position:
    """``position`` itself, with ``moves`` played. ApiError ``illegal-move`` with the ply before the bad one."""
    for move in moves:
        try:
            position.play(move)
        except RuleError as refusal:
            text = f"move {position.ply + 1} ({move[:SHOWN_CHARACTERS]}): {refusal}"
            raise ApiError(Code.ILLEGAL_MOVE, text, field="moves", ply=position.ply) from None
    return position
