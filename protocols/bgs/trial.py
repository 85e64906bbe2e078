"""The trial game of an engine: it has to answer about the start of a game before its bot is attached.

Used by ``plyhouse bot``, which sends the requests one after another.
"""

from collections.abc import Sequence

from engines import BadConfig, Position
from protocols.bgs import messages as bgs
from protocols.bgs.config import Setup, write_config
from protocols.values import VariantOffer

TRIAL_ID = "trial"
"""The id of its session."""


def trial_requests(bot: bgs.BotEntry) -> Sequence[bgs.Request]:
    """The requests of a trial game: its start, in the first variant that the bot offers, an evaluation, its end.

    Only the end if the game has no usual start.
    """
    variant, offer = next(iter(bot.variants.items()))
    try:
        config = Position(bot.game, variant, _board(offer)).config
    except BadConfig:
        return (bgs.EndGameSession(TRIAL_ID),)
    start = write_config(Setup(bot.game, variant, config, bgs.EvaluationLimits()))
    return (
        bgs.StartGameSession(TRIAL_ID, bot.bot_id, start),
        bgs.EvaluatePosition(TRIAL_ID, 0),
        bgs.EndGameSession(TRIAL_ID),
    )


def _board(offer: VariantOffer) -> dict[str, int]:
    """The first recommended board, or the smallest."""
    if offer.board_width is None or offer.board_height is None:
        return {}
    if offer.recommended:
        size = offer.recommended[0]
        return {"boardWidth": size.board_width, "boardHeight": size.board_height}
    return {"boardWidth": offer.board_width.min, "boardHeight": offer.board_height.min}
