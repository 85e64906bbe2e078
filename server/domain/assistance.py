"""Fair play: whether this server may evaluate a game for somebody while it is being played.

Every service that hands out evaluations asks ``allows_evaluation`` first. A bot that plays a seat searches for its own
moves, which is no assistance.
"""

from server.domain.events import Assistance
from server.domain.game import MATCHMAKING, GameState


def usual_assistance(match_type: str) -> Assistance:
    """The assistance of a new game unless its creator chooses: none in games that are offered to anybody."""
    return Assistance.NONE if match_type == MATCHMAKING else Assistance.OPEN


def allows_evaluation(state: GameState) -> bool:
    """Whether anybody may be given an evaluation of the game now."""
    return state.assistance is Assistance.OPEN or not state.is_live
