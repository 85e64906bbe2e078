"""What is known of the players of the ladder before their first games."""

from typing import Final

from engines.ratings import Prior
from server.domain.levels import LEVELS

ANCHOR: Final = "medium"
"""The level whose rating is the same in every game, and fixes the scale."""

ANCHOR_RATING: Final = 1500.0

LEVEL_STEP: Final = 200.0
"""By how many points each level was made stronger than the one before it (docs/bots.md)."""

LEVEL_ERROR: Final = 100.0
"""The standard deviation of what the other levels are worth: it depends on the variant, the board and the evaluator."""

NEWCOMER: Final = Prior(ANCHOR_RATING, 400.0)
"""What is known of a bot before its first game."""

NEXT_VERSION_ERROR: Final = 120.0
"""The standard deviation of the difference between a version and the one before it."""


def level_prior(player: str) -> Prior:
    """What is known of a built-in level before its first game. The anchor's rating is fixed."""
    levels = [level.bot_id for level in LEVELS]
    level = player.partition(":")[2]
    if level == ANCHOR or level not in levels:
        return Prior(ANCHOR_RATING, 0.0)
    steps = levels.index(level) - levels.index(ANCHOR)
    return Prior(ANCHOR_RATING + LEVEL_STEP * steps, LEVEL_ERROR)
