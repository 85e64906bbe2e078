"""Fair play: what this server may show about a game from evaluations while it is being played.

Every service that provides evaluations checks ``allows_evaluation`` and ``hides_best_move`` first. A bot that searches
for its own moves does not count as assistance.
"""

from protocols.values import Assistance, SeatKind, Status
from server.domain.game import LADDER, MATCHMAKING, TOURNAMENT, GameState


def usual_assistance(match_type: str) -> Assistance:
    """The default assistance of a new game: none for games between players who do not know each other."""
    return Assistance.NONE if match_type in (MATCHMAKING, LADDER, TOURNAMENT) else Assistance.OPEN


def allows_evaluation(state: GameState) -> bool:
    """Whether evaluations of the game may be shown now."""
    return state.assistance is Assistance.OPEN or not state.is_live


def hides_best_move(state: GameState) -> bool:
    """Whether the best move and the policies of the current position must not be shown yet.

    They would reveal the move of a bot that moves at the same time as another player: the bot searches as evaluation
    bars do, and those of a game with an attached bot show the bot's own search.
    """
    acting = state.position.to_act if state.status is Status.PLAYING else []
    return len(acting) > 1 and any(state.seats[seat].kind is SeatKind.BOT for seat in acting)
