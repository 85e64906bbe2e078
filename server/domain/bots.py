"""Bots as players see them: what a bot offers, whether it can play a game, and how bots are ordered in lists."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from engines import Position
from engines.effort import network_noise_for, noise_for, samples_for
from protocols.values import (
    ANY_TOURNAMENT,
    BUILT_IN_CLIENT,
    BoardSize,
    LadderTerms,
    TournamentTerms,
    VariantOffer,
)
from server.domain.levels import LEVELS


class BotProtocol(StrEnum):
    """The protocol by which a bot is asked for its moves."""

    V3 = "v3"
    UHP = "uhp"


@dataclass(frozen=True, slots=True)
class ListedBot:
    """A bot that can be played against.

    ``username``: the only user for whom it is listed; None: all. ``samples``, ``noise`` and ``network_noise``, those of
    its ``Variation``, ``level``, 1 for the weakest, and ``about``, a sentence for players, are set for built-in bots
    only. ``is_timed``: it also plays games with a clock. ``ladder``: under which conditions it plays on the ladder, if
    it does; ``tournaments``: the same of tournaments. ``version`` is its author's. ``protocol``: by which it is asked
    for its moves. ``analyses``: it evaluates positions for anybody who asks.
    """

    client_id: str
    bot_id: str
    name: str
    game: str
    variants: Mapping[str, VariantOffer]
    is_official: bool
    username: str | None = None
    appearance: Mapping[str, str] | None = None
    samples: int | None = None
    is_timed: bool = False
    noise: float | None = None
    network_noise: float | None = None
    level: int | None = None
    about: str | None = None
    version: str = ""
    ladder: LadderTerms | None = None
    tournaments: TournamentTerms | None = ANY_TOURNAMENT
    protocol: BotProtocol = BotProtocol.V3
    analyses: bool = False

    @property
    def plays_rated_only(self) -> bool:
        """Whether the bot plays games of the ladder only.

        One of UHP does: it evaluates nothing, and has one game at a time, which nobody else may take from it.
        """
        return self.protocol is BotProtocol.UHP

    @property
    def id(self) -> str:
        """The id under which the bot is listed."""
        return f"{self.client_id}:{self.bot_id}"

    def plays(self, position: Position) -> bool:
        """Whether the bot offers the game, variant and board of ``position``."""
        offer = self.variants.get(position.variant)
        if position.game != self.game or offer is None:
            return False
        if offer.board_width is None or offer.board_height is None:
            return True
        config = position.config
        return config["boardWidth"] in offer.board_width and config["boardHeight"] in offer.board_height

    def matches(self, query: "BotQuery") -> bool:
        """Whether the bot is listed for ``query``."""
        if query.game not in (None, self.game) or not self._is_visible_to(query.username):
            return False
        offers = [offer for name, offer in self.variants.items() if query.variant in (None, name)]
        return any(_fits(offer, query.board_width, query.board_height) for offer in offers)

    def _is_visible_to(self, username: str | None) -> bool:
        if self.username is None:
            return True
        return username is not None and username.casefold() == self.username.casefold()


@dataclass(frozen=True, slots=True)
class BotQuery:
    """Selects bots; None matches any. ``username`` is the user who asks."""

    game: str | None = None
    variant: str | None = None
    board_width: int | None = None
    board_height: int | None = None
    username: str | None = None


@dataclass(frozen=True, slots=True)
class Recommendation:
    """A board size that a bot recommends."""

    bot: ListedBot
    size: BoardSize


def house_bots(offers: Mapping[str, Mapping[str, VariantOffer]]) -> tuple[ListedBot, ...]:
    """Returns the built-in bots, weakest first. ``offers``: by game and variant."""
    return tuple(
        ListedBot(
            BUILT_IN_CLIENT,
            level.bot_id,
            level.name,
            game,
            variants,
            is_official=True,
            samples=samples_for(game, level.bot_id, level.samples),
            is_timed=True,
            noise=noise_for(game, level.bot_id, level.noise),
            network_noise=network_noise_for(game, level.bot_id),
            level=number,
            about=level.about,
        )
        for game, variants in offers.items()
        for number, level in enumerate(LEVELS, 1)
    )


def listed(bots: tuple[ListedBot, ...], query: BotQuery) -> list[ListedBot]:
    """Returns the matching bots, official ones first, then by name."""
    return sorted((bot for bot in bots if bot.matches(query)), key=_rank)


def recommended(bots: tuple[ListedBot, ...], query: BotQuery) -> list[Recommendation]:
    """Returns the matching bots' recommendations: official bots first, then by name, then by area."""
    found = [
        Recommendation(bot, size)
        for bot in bots
        if bot.matches(query)
        for name, offer in bot.variants.items()
        if query.variant in (None, name)
        for size in offer.recommended
    ]
    return sorted(found, key=lambda one: (*_rank(one.bot), one.size.board_width * one.size.board_height))


def _fits(offer: VariantOffer, width: int | None, height: int | None) -> bool:
    fits_width = width is None or offer.board_width is None or width in offer.board_width
    return fits_width and (height is None or offer.board_height is None or height in offer.board_height)


def _rank(bot: ListedBot) -> tuple[bool, str, str]:
    return (not bot.is_official, bot.name.casefold(), bot.id)
