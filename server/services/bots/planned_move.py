"""A bot's move before it is committed: read from the best move of an evaluation. Used by ``bot_player``."""

from collections.abc import Sequence
from dataclasses import dataclass

from server.domain.game import GameState


@dataclass(frozen=True, slots=True)
class PlannedMove:
    """A legal move: the moves before it, its text as sent, and as it will be recorded.

    ``recorded`` is None if the move is to be committed at once: with a clock, if it ends the game, or if it is part of
    a simultaneous move.
    """

    base: tuple[str, ...]
    text: str
    recorded: str | None = None


def plan(state: GameState, seat: int, best_move: str) -> PlannedMove:
    """The move of the bot at ``seat``. Raises RuleError if it is not legal."""
    position = state.position
    text = position.check(_own_part(best_move, position.to_act, seat), seat)
    if state.clock is not None or len(position.to_act) > 1:
        return PlannedMove(state.moves, text)
    after = position.copy()
    after.play(text)
    return PlannedMove(state.moves, text, None if after.outcome is not None else after.history[-1])


def _own_part(best_move: str, acting: Sequence[int], seat: int) -> str:
    """The bot's own part of a best move, which is joint if several seats move simultaneously."""
    parts = best_move.split("/") if len(acting) > 1 else [best_move]
    return parts[acting.index(seat)] if len(parts) == len(acting) else best_move
