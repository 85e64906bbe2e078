"""How a bot lost games other than by the rules, and after how many moves."""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from statistics import median_low

from server.domain.ladder.players import bot_of
from server.domain.ladder.results import AWAY, RatedResult


class LossKind(StrEnum):
    """The ways. ``ERROR``: an illegal move, a wrong answer, or no answer."""

    RESIGNATION = "resignation"
    TIMEOUT = "timeout"
    DISCONNECTION = "disconnection"
    ERROR = "error"


@dataclass(frozen=True, slots=True)
class LossTally:
    """The games that a bot has lost in one way. ``median`` and ``fewest``: moves of all players, with the opening.

    ``game_id``: the latest one; ``shortest``: the one with the fewest moves.
    """

    kind: LossKind
    games: int
    median: int
    fewest: int
    game_id: str
    shortest: str


def loss_kind(result: RatedResult, bot: str) -> LossKind | None:
    """Returns how a bot lost a game; None if it has not lost it, or by the rules of the game.

    Games that do not count are errors if they ended by one of the bot.
    """
    own = next(seat for seat, player in enumerate(result.players) if bot_of(player) == bot)
    reason, note = result.ending(own)
    is_away = reason == "disconnect" or (reason == "resignation" and note in AWAY)
    if own in result.lost_by_error:
        return LossKind.DISCONNECTION if is_away else LossKind.ERROR
    if result.places is None or result.places[own] == 1:
        return None
    if reason == "resignation":
        return LossKind.RESIGNATION
    return LossKind.TIMEOUT if reason == "timeout" else None


def losses(bot: str, results: Iterable[RatedResult]) -> list[LossTally]:
    """Returns the ways in which a bot lost, of ``results``, the newest first; only those of which there are games."""
    found: dict[LossKind, list[RatedResult]] = {}
    for result in results:
        kind = loss_kind(result, bot)
        if kind is not None:
            found.setdefault(kind, []).append(result)
    return [_tally(kind, found[kind]) for kind in LossKind if kind in found]


def _tally(kind: LossKind, lost: list[RatedResult]) -> LossTally:
    shortest = min(lost, key=lambda result: result.plies)
    return LossTally(
        kind,
        len(lost),
        median_low(result.plies for result in lost),
        shortest.plies,
        lost[0].game_id,
        shortest.game_id,
    )
