"""What the services need from outside, as protocols: the adapters of ``server.adapters`` fit them."""

from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from engines import Position
from server.domain.events import Recorded


@dataclass(frozen=True, slots=True)
class Listing:
    """One row of the list of games, kept beside the log so that listing reads no log.

    ``status`` is the game's; ``is_timed`` says that a clock is to be watched, ``has_bot`` that a bot may have to move.
    ``summary`` is what lists show besides (JSON values).
    """

    game_id: str
    game: str
    variant: str
    status: str
    is_timed: bool
    has_bot: bool
    created_at: int
    updated_at: int
    ply: int
    summary: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class ListingQuery:
    """Which listings: those that match everything given, newest first, after the one with id ``after``."""

    status: str | None = None
    game: str | None = None
    is_timed: bool | None = None
    has_bot: bool | None = None
    after: str | None = None
    limit: int | None = None


@dataclass(frozen=True, slots=True)
class TokenHash:
    """The hash of a seat's token."""

    digest: str
    seat: int


@dataclass(frozen=True, slots=True)
class Append:
    """One all-or-nothing change of the log of one game: its next events, new tokens, and the listing afterwards.

    ``expected_version`` is the number of events that the log must hold now; 0 creates the game.
    """

    game_id: str
    expected_version: int
    events: Sequence[Recorded]
    listing: Listing
    tokens: Sequence[TokenHash] = ()


class VersionConflictError(Exception):
    """The log of the game holds another number of events than was expected; nothing was changed."""


class Store(Protocol):
    """The append-only event log, the tokens and the listings. What it cannot do it refuses with ``store_unavailable``."""

    async def append(self, change: Append) -> None:
        """Returns once everything is durable. VersionConflictError or ApiError: nothing was changed."""
        ...

    async def events(self, game_id: str, until: int | None = None) -> list[Recorded]:
        """The events of a game in order, up to number ``until``; empty when there is no such game."""
        ...

    async def tokens(self, game_id: str) -> list[TokenHash]:
        """The token hashes of a game."""
        ...

    async def listings(self, query: ListingQuery) -> list[Listing]:
        """The games that match."""
        ...

    async def close(self) -> None:
        """Finishes what was begun and lets the database go."""
        ...


class OverrunError(Exception):
    """A subscriber was too slow and has missed messages: it must start again from the present state."""


class Subscription(Protocol):
    """The messages of a topic from the moment of subscribing on. Ends when it is closed."""

    def __aiter__(self) -> AsyncIterator[Any]:
        """The messages in order; raises OverrunError after a gap."""
        ...

    def close(self) -> None:
        """No further message."""
        ...


class Bus(Protocol):
    """Tells whoever listens. Topics: ``game:<id>`` (one game), ``games`` (every game)."""

    async def publish(self, topic: str, message: object) -> None:
        """Hands the message to every subscriber; never waits for one."""
        ...

    def subscribe(self, topic: str, limit: int = 256) -> Subscription:
        """Subscribes at once, so that nothing is missed between a snapshot and the iteration."""
        ...


@dataclass(frozen=True, slots=True)
class BotChoice:
    """A bot that takes a seat: the id under which it is listed, and its name."""

    bot_id: str
    name: str


class BotDirectory(Protocol):
    """Knows which bots can be played."""

    def choose(self, bot_id: str | None, position: Position, *, is_timed: bool) -> BotChoice:
        """The bot of this id, or the strongest built-in one, for a game that starts at ``position``.

        ApiError when it is unknown, cannot play that, or takes no clock.
        """
        ...
