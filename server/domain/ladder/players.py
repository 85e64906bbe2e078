"""The players of the ladder: a version of a bot, and the built-in levels."""

from typing import Final

from engines.ratings import Prior
from protocols.values import BUILT_IN_CLIENT
from server.domain.bots import LEVELS, ListedBot

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

_VERSION: Final = "@"


def player_id(bot: ListedBot) -> str:
    """The id of a bot on the ladder: its own, and its version, if it states one. Another version is another player."""
    return bot.id + _VERSION + bot.version if bot.version or _VERSION in bot.bot_id else bot.id


def bot_of(player: str) -> str:
    """The id of the bot that a player is a version of. What follows the last ``@`` is the version."""
    client, _, rest = player.partition(":")
    return f"{client}:{rest.rpartition(_VERSION)[0] or rest}"


def is_level(player: str) -> bool:
    """Whether a player is a built-in level."""
    return player.startswith(f"{BUILT_IN_CLIENT}:")


def level_prior(player: str) -> Prior:
    """What is known of a built-in level before its first game. The anchor's rating is fixed."""
    levels = [level.bot_id for level in LEVELS]
    level = player.partition(":")[2]
    if level == ANCHOR or level not in levels:
        return Prior(ANCHOR_RATING, 0.0)
    steps = levels.index(level) - levels.index(ANCHOR)
    return Prior(ANCHOR_RATING + LEVEL_STEP * steps, LEVEL_ERROR)
