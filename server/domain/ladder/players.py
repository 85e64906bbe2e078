"""The players of the ladder: a version of a bot, and the built-in levels."""

from typing import Final

from protocols.values import BUILT_IN_CLIENT
from server.domain.bots import ListedBot

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
