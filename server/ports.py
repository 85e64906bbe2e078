"""What the services need from outside, as protocols: the adapters of ``server.adapters`` fit them."""

from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Protocol

from engines import Line, Position
from protocols.bgs import messages as bgs
from server.domain.client_ids import ClientId
from server.domain.events import Recorded


@dataclass(frozen=True, slots=True)
class Listing:
    """One row of the list of games, kept beside the log so that listing reads no log.

    ``status`` is the game's; ``is_timed`` says that a clock is to be watched, ``has_bot`` that a bot may have
    to move, ``has_remote`` that a connection may have to be missed, ``visibility`` which lists show it. ``summary`` is
    what they show besides (JSON values).
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
    has_remote: bool = False
    visibility: str = "public"


@dataclass(frozen=True, slots=True)
class ListingQuery:
    """Which listings: those that match everything given, newest first, after the one with id ``after``.

    ``created`` and ``area`` (fields of the board) are ranges with both ends in them, ``preset`` names a time
    control, ``names`` are of players who all sit there, ``visibility`` is any of these. ``skip`` leaves out that
    many of the newest.
    """

    status: str | None = None
    game: str | None = None
    variant: str | None = None
    is_timed: bool | None = None
    has_bot: bool | None = None
    has_remote: bool | None = None
    visibility: tuple[str, ...] | None = None
    updated_since: int | None = None
    created: tuple[int, int] | None = None
    area: tuple[int, int] | None = None
    preset: str | None = None
    names: tuple[str, ...] = ()
    after: str | None = None
    skip: int = 0
    limit: int | None = None


@dataclass(frozen=True, slots=True)
class TokenHash:
    """The hash of a seat's token. The same token may open seats of several games."""

    digest: str
    seat: int


@dataclass(frozen=True, slots=True)
class Append:
    """One all-or-nothing change of the log of one game.

    Its next events, new tokens, and the listing afterwards.

    ``expected_version`` is the number of events that the log must hold now; 0 creates the game. ``also`` is
    a change of another game that is made together with this one, or not at all.
    """

    game_id: str
    expected_version: int
    events: Sequence[Recorded]
    listing: Listing
    tokens: Sequence[TokenHash] = ()
    also: "Append | None" = None


@dataclass(frozen=True, slots=True)
class StoredGame:
    """All that makes the state of a game."""

    events: Sequence[Recorded]
    tokens: Sequence[TokenHash]


class VersionConflictError(Exception):
    """The log of the game holds another number of events than was expected; nothing was changed."""


class Store(Protocol):
    """The append-only event log, the tokens and the listings.

    What it cannot do it refuses with ``store_unavailable``.
    """

    async def append(self, change: Append) -> None:
        """Returns once everything is durable. VersionConflictError or ApiError: nothing was changed."""
        ...

    async def events(self, game_id: str, *, after: int = 0, until: int | None = None) -> list[Recorded]:
        """The events of a game in order, those numbered ``after`` < seq <= ``until``; empty for an unknown game."""
        ...

    async def tokens(self, game_id: str) -> list[TokenHash]:
        """The token hashes of a game."""
        ...

    async def game(self, game_id: str) -> StoredGame:
        """The whole log of a game and its token hashes, as of one moment."""
        ...

    async def games_of(self, digest: str) -> list[str]:
        """The games of which a token with this hash opens a seat, newest first."""
        ...

    async def listings(self, query: ListingQuery) -> list[Listing]:
        """The games that match."""
        ...

    async def counts(self) -> Mapping[str, int]:
        """How many games there are, by status."""
        ...

    async def ping(self) -> None:
        """Returns when it answers; ApiError when it cannot be read."""
        ...

    async def try_writing(self) -> None:
        """Returns when something was written durably, of which nothing is left; ApiError when it cannot be."""
        ...

    async def close(self) -> None:
        """Finishes what was begun and lets the database go."""
        ...


class ClientIdStore(Protocol):
    """What is kept of bot clients' ids, the latest and most used ones at least."""

    async def client_id(self, client_id: str) -> ClientId | None:
        """What is kept of an id; ApiError."""
        ...

    async def keep_client_id(self, kept: ClientId) -> None:
        """Keeps it in the place of what was kept of the id; returns once it is durable. ApiError."""
        ...


class OverrunError(Exception):
    """A subscriber has missed messages, mostly by being too slow: it must start again from the present state."""


class Subscription(Protocol):
    """The messages of a topic from the moment of subscribing on. Ends when it is closed."""

    def __aiter__(self) -> AsyncIterator[Any]:
        """The messages in order; raises OverrunError after a gap."""
        ...

    def listen(self, listener: Callable[[Any], None]) -> None:
        """Calls ``listener`` with every message, those first that wait to be iterated."""
        ...

    def close(self) -> None:
        """No further message."""
        ...


@dataclass(frozen=True, slots=True)
class BusState:
    """How a bus does. ``trouble`` is why it reaches no other process, None where it does or has none to reach.

    ``waiting`` messages are to be sent to other processes; the rest counts since the start: messages sent to
    and received from them, own ones given up unsent, gaps in theirs, and subscribers that were too slow.
    """

    kind: str
    trouble: str | None = None
    waiting: int = 0
    sent: int = 0
    received: int = 0
    lost: int = 0
    gaps: int = 0
    overruns: int = 0


Wants = Callable[[Any], bool]
"""Whether a subscriber has a use for a message."""


def everything(message: object) -> bool:
    """Wants every message."""
    return True


class Bus(Protocol):
    """Tells whoever listens.

    Topics: ``game:<id>`` (one game), ``games`` (every game), ``presence`` (who is where), ``logs`` (what other
    processes have to know).
    """

    async def start(self) -> None:
        """Connects. Before that nothing is published."""
        ...

    async def stop(self) -> None:
        """Lets go of what it is connected to."""
        ...

    async def publish(self, topic: str, message: object) -> None:
        """Hands the message to every subscriber; never waits for one."""
        ...

    def subscribe(self, topic: str, limit: int = 256, wants: Wants = everything) -> Subscription:
        """Subscribes at once, so that nothing is missed between a snapshot and the iteration.

        Messages that are not wanted when they are published are left out.
        """
        ...

    def has_subscribers(self, topic: str) -> bool:
        """Whether anybody in this process listens to the topic."""
        ...

    def state(self) -> BusState:
        """How it does."""
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


class AnalystGoneError(Exception):
    """The analyst has disconnected; it holds no session any more."""


class Analyst(Protocol):
    """Somebody who answers BGS requests: our pool, or the client of an attached bot."""

    @property
    def id(self) -> str:
        """Names the analyst; sessions of different analysts may have equal ids."""
        ...

    @property
    def time_limit(self) -> float | None:
        """Seconds for one answer; None for our own pool, whose answer is certain and can be given up."""
        ...

    async def request(self, message: bgs.Request) -> bgs.Response:
        """The answer; AnalystGoneError. One request per session at a time.

        Cancelling it gives the answer up.
        """
        ...


class BotClient(Analyst, Protocol):
    """The connection of a client with attached bots. It answers for all of them."""

    @property
    def address(self) -> str | None:
        """Where it comes from, as limits count it; None: no limit applies to it."""
        ...

    def tell_result(self, result: bgs.GameResult) -> None:
        """Tells the client how a game of one of its bots has ended, if it wants to know."""
        ...

    async def is_alive(self) -> bool:
        """Whether its connection answers a ping soon enough."""
        ...

    def dismiss(self, code: int, reason: str) -> None:
        """Closes the connection; whoever keeps it is told before this returns."""
        ...


@dataclass(frozen=True, slots=True)
class SearchDetail:
    """What our own pool knows of an evaluated position beyond the protocol's answer.

    ``lines`` are candidate moves, best first; ``inherited`` are the simulations that earlier searches left. ``is_cut``:
    the memory of the search was used up before it had done all it was asked for.
    """

    lines: Sequence[Line]
    inherited: int
    is_cut: bool = False


class PoolAnalyst(Analyst, Protocol):
    """Our own pool as an analyst."""

    def detail(self, bgs_id: str, ply: int) -> SearchDetail | None:
        """What is known of a position of a session that still runs; None for finished positions."""
        ...


TRANSPORT: Final = "plyhouse.transport"
"""The extension of a WebSocket's scope in which our own web server offers its ``Transport``."""


class Transport(Protocol):
    """The connection of a WebSocket, for what ASGI has no message for."""

    ping_timeout: float | None
    """Seconds within which the peer must answer a ping."""

    def try_send(self, text: str) -> bool:
        """Writes a text frame if the connection takes it at once; whether it did."""
        ...

    def is_gone(self) -> bool:
        """Whether it is known that the peer has gone."""
        ...

    def lag_ms(self) -> int:
        """Half the round-trip time to the peer in milliseconds; 0 where it is not known."""
        ...

    async def ping(self) -> None:
        """Pings the peer and returns when it has answered; at once where no ping can be sent."""
        ...
