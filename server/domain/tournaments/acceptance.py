"""Whether the author of a bot lets it play in a tournament, and in one of its games now. Pure."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from protocols.values import TournamentTerms
from server.domain.bots import ListedBot
from server.domain.tournaments.events import TournamentSettings


@dataclass(frozen=True, slots=True)
class Hindrance:
    """Why a bot does not play a game that is due. ``reason`` and ``note`` are those of the game if it loses it so."""

    reason: str
    note: str


ABSENT: Final = Hindrance("absent", "not connected when the game was due")

UNAVAILABLE: Final = "unavailable"
"""The reason of a game that was not played because a player was connected, and could not or would not play it."""

NEVER: Final = "plays in no tournaments: its author has set tournaments: false"

NO_SESSION: Final = Hindrance(UNAVAILABLE, "had no session free when the game was due")
QUIET: Final = Hindrance(UNAVAILABLE, "had quiet hours when the game was due")


def refusal(bot: ListedBot, settings: TournamentSettings) -> str | None:
    """Why a bot does not play in a tournament, to follow its name in a sentence; None if it does."""
    return NEVER if bot.tournaments is None else _refusal_by(bot.tournaments, settings)


def _refusal_by(terms: TournamentTerms, settings: TournamentSettings) -> str | None:
    if not terms.plays_variant(settings.variant):
        return f"plays no {settings.variant} in tournaments"
    if not terms.plays_with(settings.time_control):
        return f"does not play with the clock {settings.time_control} in tournaments"
    return None


def avoided(bot: ListedBot, others: Iterable[str | None]) -> str | None:
    """The first bot of these ids that a bot does not play against; people have no ids."""
    terms = bot.tournaments
    if terms is None:
        return None
    return next((other for other in others if other is not None and terms.avoids(other)), None)


def hindrance(
    bot: ListedBot, settings: TournamentSettings, opponents: Iterable[str | None], hour: int
) -> Hindrance | None:
    """Why a bot does not start a game now. ``opponents``: None are people. ``hour``: that of the day in UTC."""
    terms = bot.tournaments
    if terms is None:
        return Hindrance(UNAVAILABLE, NEVER)
    why = _refusal_by(terms, settings)
    if why is not None:
        return Hindrance(UNAVAILABLE, why)
    other = avoided(bot, opponents)
    if other is not None:
        return Hindrance(UNAVAILABLE, f"does not play against {other}")
    return QUIET if terms.is_quiet(hour) else None
