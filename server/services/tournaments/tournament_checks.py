"""Checks what clients ask for when they create a tournament or enter one."""

import json
from dataclasses import dataclass, field, replace
from typing import Any, Final

from engines.near_names import known_names
from engines.tournament_systems import System
from engines.tournament_table import TIE_BREAKS
from protocols.names import begins_like
from protocols.values import BUILT_IN_CLIENT, TimeControl
from server.domain.bots import ListedBot
from server.domain.errors import ApiError, Code
from server.domain.tournaments.acceptance import avoided, refusal
from server.domain.tournaments.events import TournamentSettings
from server.domain.tournaments.state import TournamentState
from server.services.bots.bot_registry import BotRegistry
from server.services.games.games import Games
from server.services.tournaments.tournament_games import start_request, usual_start

MOST_CONFIG: Final = 1000
"""The longest configuration, in characters of JSON: it is stored with every game."""

MOST_DAYS_AHEAD: Final = 30
DAY_MS: Final = 86_400_000

MOST_INITIAL_SECONDS: Final = 10_800
MOST_INCREMENT_SECONDS: Final = 180

CLOCK: Final = TimeControl(60, 1)
"""The time control of tournaments whose creators choose none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RequestedTournament:
    """What a client asks for; None: the usual. ``starts_at``: in milliseconds since the epoch."""

    name: str
    game: str
    variant: str | None = None
    config: dict[str, Any] = field(default_factory=dict)
    system: str
    games_per_pair: int
    rounds: int | None = None
    time_control: TimeControl | None = None
    tie_breaks: tuple[str, ...] | None = None
    starts_at: int | None = None
    is_open: bool = True
    seats: int = 2


async def checked_settings(games: Games, wanted: RequestedTournament) -> TournamentSettings:
    """Returns the settings of a tournament; ApiError if they are invalid."""
    if not wanted.name:
        raise ApiError(Code.MALFORMED, "A tournament has a name.", field="name")
    _check_start(wanted, games.now())
    if len(json.dumps(wanted.config)) > MOST_CONFIG:
        text = f"The configuration of a tournament has at most {MOST_CONFIG} characters."
        raise ApiError(Code.OVER_LIMIT, text, field="config", limit=MOST_CONFIG)
    settings = TournamentSettings(
        name=wanted.name,
        game=wanted.game,
        variant=wanted.variant or "",
        config={name: value for name, value in wanted.config.items() if value is not None},
        system=wanted.system,
        games_per_pair=wanted.games_per_pair,
        rounds=wanted.rounds,
        time_control=_checked_clock(wanted.time_control or CLOCK),
        tie_breaks=wanted.tie_breaks or (),
        starts_at=wanted.starts_at,
        is_open=wanted.is_open,
        seats=wanted.seats,
    )
    _check_rounds(settings)
    settings = replace(settings, tie_breaks=_checked_tie_breaks(settings.pairing, wanted.tie_breaks))
    request = replace(start_request(settings), variant=wanted.variant)
    position = await games.start_of(request)
    if position.seats != settings.seats:
        text = (
            f"The tournament is played in games of {settings.seats} seats, and its configuration has "
            f"{position.seats}: give the number as seats of the tournament."
        )
        raise ApiError(Code.BAD_SEATS, text, field="config")
    if not position.secret.keys().isdisjoint(settings.config):
        text = "Nobody may know the hidden order of the games of a tournament: leave out the seed."
        raise ApiError(Code.BAD_CONFIG, text, field="config")
    return replace(settings, variant=position.variant)


def checked_bot(registry: BotRegistry, state: TournamentState, bot_id: str) -> ListedBot:
    """Returns a bot that can enter a tournament; ApiError if there is none with this id.

    ``check_company`` checks the players that it would meet.
    """
    settings = state.settings
    bot = registry.find(bot_id, settings.game)
    if bot is None or bot.username is not None:
        raise registry.unknown(bot_id, settings.game)
    if not bot.plays(usual_start(settings)):
        text = f"{bot.name} does not play this variant and board size."
        raise ApiError(Code.UNSUPPORTED, text, field="bot")
    if bot.plays_rated_only:
        text = f"{bot.name} plays rated games only, which the ladder starts."
        raise ApiError(Code.UNSUPPORTED, text, field="bot")
    why = refusal(bot, settings)
    if why is not None:
        raise ApiError(Code.UNSUPPORTED, f"{bot.name} {why}.", field="bot")
    return bot


def check_company(registry: BotRegistry, bot: ListedBot | None, state: TournamentState) -> None:
    """ApiError if a bot avoids a player, or is avoided by one who is connected. People, for None, meet everybody."""
    if bot is None:
        return
    ids = [one.bot_id for one in state.entrants]
    other = avoided(bot, ids)
    if other is not None:
        raise ApiError(Code.UNSUPPORTED, f"{bot.name} does not play against {other}.", field="bot")
    for found in (registry.find(one, state.settings.game) for one in ids if one is not None):
        if found is not None and avoided(found, (bot.id,)) is not None:
            text = f"{found.name}, which has entered, does not play against {bot.id}."
            raise ApiError(Code.UNSUPPORTED, text, field="bot")


def checked_person(name: str | None) -> str:
    """Returns the name of a person; ApiError if it is missing, or looks like a built-in bot's."""
    if not name:
        raise ApiError(Code.MALFORMED, "An entry has the id of a bot, or the name of a person.", field="name")
    if begins_like(name, BUILT_IN_CLIENT):
        text = f"Names that begin with {BUILT_IN_CLIENT} are those of the built-in bots."
        raise ApiError(Code.MALFORMED, text, field="name")
    return name


def _check_rounds(settings: TournamentSettings) -> None:
    if settings.rounds is not None and not settings.pairing.has_rounds:
        text = f"The number of entrants decides how many rounds a {settings.system} has: leave out rounds."
        raise ApiError(Code.MALFORMED, text, field="rounds")


def _check_start(wanted: RequestedTournament, now: int) -> None:
    if wanted.starts_at is None:
        return
    if wanted.starts_at < now:
        raise ApiError(Code.MALFORMED, "The time to start is over.", field="startsAt")
    if wanted.starts_at > now + MOST_DAYS_AHEAD * DAY_MS:
        text = f"A tournament starts within {MOST_DAYS_AHEAD} days from now."
        raise ApiError(Code.MALFORMED, text, field="startsAt", limit=MOST_DAYS_AHEAD)


def _checked_clock(control: TimeControl) -> TimeControl:
    if control.initial_seconds > MOST_INITIAL_SECONDS or control.increment_seconds > MOST_INCREMENT_SECONDS:
        text = (
            f"In a tournament, a clock starts with up to {MOST_INITIAL_SECONDS} seconds "
            f"and adds up to {MOST_INCREMENT_SECONDS} seconds a move."
        )
        raise ApiError(Code.BAD_TIME_CONTROL, text, field="timeControl")
    if max(control.move_ms or 0, control.preprocessing_ms or 0) > 1000 * MOST_INCREMENT_SECONDS:
        text = f"In a tournament, a move or the preparation for a game may take up to {MOST_INCREMENT_SECONDS} seconds."
        raise ApiError(Code.BAD_TIME_CONTROL, text, field="timeControl")
    return control


def _checked_tie_breaks(system: System, wanted: tuple[str, ...] | None) -> tuple[str, ...]:
    if wanted is None:
        return tuple(system.usual_tie_breaks)
    for name in wanted:
        if name not in TIE_BREAKS:
            text = f"There is no tie-break called {name!r}{known_names(name, TIE_BREAKS)}."
            raise ApiError(Code.MALFORMED, text, field="tieBreaks")
        if name not in system.tie_breaks:
            text = f"The tie-break {name!r} is for games of 2 seats."
            raise ApiError(Code.MALFORMED, text, field="tieBreaks")
    if len(set(wanted)) < len(wanted):
        raise ApiError(Code.MALFORMED, "A tie-break is given twice.", field="tieBreaks")
    return wanted
