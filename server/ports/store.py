"""The interface of the database, and the values that it takes and returns."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final, Literal, Protocol

from server.domain.board_class import BoardClass
from server.domain.client_ids import ClientId
from server.domain.events import Recorded
from server.domain.ladder.results import RatedResult


@dataclass(frozen=True, slots=True)
class Listing:
    """One row of the list of games, stored beside the log so that lists can be built without reading logs.

    ``is_timed``: the game has a clock to be watched. ``has_bot``: a bot plays a seat. ``has_remote``: a player's
    disconnection has to be tracked. ``list_visibility``: which lists show the game. ``summary``: the other members that
    lists show, as JSON values. Times are milliseconds since the epoch.
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
    """Selects the listings that match every condition given, newest first, for the server's own use.

    ``visibility`` and ``game_ids`` list alternatives. ``updated_since``: milliseconds since the epoch.
    """

    status: str | None = None
    is_timed: bool | None = None
    has_bot: bool | None = None
    has_remote: bool | None = None
    visibility: tuple[str, ...] | None = None
    updated_since: int | None = None
    limit: int | None = None
    game_ids: tuple[str, ...] | None = None


@dataclass(frozen=True, slots=True)
class PastFilter:
    """Selects finished games: all conditions given have to match.

    ``is_rated``: whether it was a game of the ladder. ``preset`` names a time control, one of ``PRESETS``. All of
    ``players``, at most two names, must take part, whatever the case of their letters.
    """

    variant: str | None = None
    preset: str | None = None
    board: BoardClass | None = None
    is_rated: bool | None = None
    players: tuple[str, ...] = ()


PRESETS: Final = ("bullet", "blitz", "rapid", "classical")
"""The presets that past games can be filtered by."""


@dataclass(frozen=True, slots=True)
class PageQuery:
    """Selects a page of a list that anyone can request, newest game first, beginning after the game ``after``.

    ``visibility`` and ``games`` list alternatives. ``created`` is an inclusive range in milliseconds since the epoch.
    ``skip`` is the number of newest matches to leave out; every one of them costs time. With ``past``, the status is
    finished.
    """

    visibility: tuple[str, ...]
    limit: int
    status: str | None = None
    games: tuple[str, ...] | None = None
    created: tuple[int, int] | None = None
    after: str | None = None
    skip: int = 0
    past: PastFilter | None = None


@dataclass(frozen=True, slots=True)
class TokenHash:
    """The hash of a seat's token. The same token may be valid for seats of several games."""

    digest: str
    seat: int


@dataclass(frozen=True, slots=True)
class Lease:
    """The right of ``server`` to run a game: it watches the clocks and absent players, and moves for the bots.

    ``epoch`` grows whenever another server takes the game over.
    """

    server: str
    epoch: int


FIRST_EPOCH: Final = 1
"""The epoch of a game's first lease."""


@dataclass(frozen=True, slots=True)
class Append:
    """An atomic change of one game's log: its next events, new tokens, and the listing afterwards.

    ``expected_version`` is the number of events that the log must contain before the change; 0 creates the game.
    ``also`` is a change of another game in the same transaction, ``ladder`` the result of a game of the ladder that
    ends. With ``lease``, the change is refused unless that is still the lease of the game. ``holder`` is set if the
    game needs a lease from now on: the server that gets the first one (``FIRST_EPOCH``).
    """

    game_id: str
    expected_version: int
    events: Sequence[Recorded]
    listing: Listing
    tokens: Sequence[TokenHash] = ()
    also: "Append | None" = None
    lease: Lease | None = None
    holder: str | None = None
    ladder: RatedResult | None = None


@dataclass(frozen=True, slots=True)
class StoredGame:
    """Everything stored about a game."""

    events: Sequence[Recorded]
    tokens: Sequence[TokenHash]


class VersionConflictError(Exception):
    """The log does not have the expected number of events, or the lease is another one; nothing was changed."""


Player = tuple[str, int]
"""A game's id and a seat."""


@dataclass(frozen=True, slots=True)
class Heartbeat:
    """A server reports that it is alive.

    ``up_since``: since when some server has been running, in milliseconds since the epoch; None: not known yet.
    ``claims``: which games without a living holder the server claims: none, ``all``, or those ``of the dead``, which
    are looked for only if a server is dead. ``players`` are connected to the server.
    """

    server: str
    up_since: int | None
    claims: Literal["none", "all", "of the dead"]
    players: Sequence[Player] = ()


@dataclass(frozen=True, slots=True)
class OtherServer:
    """Another living server: the time of its last heartbeat by the database's clock, and its ``up_since``."""

    seen_at: int
    up_since: int | None


@dataclass(frozen=True, slots=True)
class Pulse:
    """The answer to a heartbeat: the other living servers, and the epochs of the games that were claimed.

    ``was_dead``: the previous heartbeat was too long ago, so that others may have claimed games of this server.
    ``may_claim_more``: the server claimed its share, and there may be more games without a holder.
    """

    others: Mapping[str, OtherServer]
    claimed: Mapping[str, int]
    was_dead: bool
    may_claim_more: bool


class LeaseStore(Protocol):
    """The running servers, and the leases that each holds. Methods raise the ApiError of ``store_unavailable``."""

    async def beat(self, heartbeat: Heartbeat) -> Pulse:
        """Stores a heartbeat; claims games whose holders are dead or gone."""
        ...

    async def has_server(self, server: str) -> bool:
        """Whether a server is running, or has died and its games have not been claimed yet."""
        ...

    async def take_lease(self, game_id: str, server: str) -> int | None:
        """Gives ``server`` the lease of a live game that another server holds, dead or alive.

        Returns its epoch; None if no other server holds the lease.
        """
        ...

    async def leases(self, server: str) -> Mapping[str, int]:
        """Returns the epochs of the games whose leases ``server`` holds."""
        ...

    async def players_elsewhere(self, server: str) -> frozenset[Player]:
        """Returns the players of the last heartbeats of all other living servers."""
        ...

    async def retire(self, server: str) -> None:
        """Counts ``server`` as dead from now on."""
        ...


class Store(LeaseStore, Protocol):
    """The append-only event log, the tokens, the listings and the leases.

    Every method raises the ApiError of ``store_unavailable`` if the database cannot serve it.
    """

    async def append(self, change: Append) -> None:
        """Returns once the change is durable. Raises VersionConflictError if nothing was changed.

        After an ApiError the change may be durable, if the connection was lost meanwhile.
        """
        ...

    async def events(self, game_id: str, *, after: int = 0, until: int | None = None) -> list[Recorded]:
        """Returns a game's events with ``after`` < seq <= ``until``, in order; an empty list for an unknown game."""
        ...

    async def tokens(self, game_id: str) -> list[TokenHash]:
        """Returns the token hashes of a game."""
        ...

    async def game(self, game_id: str) -> StoredGame:
        """Returns a consistent snapshot of a game's whole log and its token hashes."""
        ...

    async def games_of_client(self, client_id: str) -> Sequence[str]:
        """Returns the ids of the running games in which bots of this client play."""
        ...

    async def games_of(self, digest: str) -> list[str]:
        """Returns the ids of the games for which a token with this hash is valid, newest first."""
        ...

    async def versions(self, game_ids: Collection[str]) -> Mapping[str, int]:
        """Returns the number of events in the log of each of these games that exists."""
        ...

    async def listings(self, query: ListingQuery) -> list[Listing]:
        """Returns the listings that match."""
        ...

    async def page(self, query: PageQuery) -> list[Listing]:
        """Returns a page of a list; an empty one after a game that does not exist.

        Takes about a second at most, and keeps nothing else waiting. ApiError ``unavailable`` if that is too short.
        """
        ...

    async def counts(self) -> Mapping[str, int]:
        """Returns the number of games by status."""
        ...

    async def size(self) -> int:
        """Returns the size of the database in bytes."""
        ...

    async def ping(self) -> None:
        """Reads from the database. ApiError if that fails."""
        ...

    async def try_writing(self) -> None:
        """Writes to the database durably, leaving no trace. ApiError if that fails."""
        ...

    async def close(self) -> None:
        """Finishes pending writes and closes the database."""
        ...


class EndedKind(StrEnum):
    """The kinds of games that have ended. A game imported from a record is never of the first two."""

    FINISHED = "finished"
    ABORTED = "aborted"
    IMPORTED = "imported"


GameKey = tuple[int, str]
"""The time at which a game was created, and its id: the order of lists."""


@dataclass(frozen=True, slots=True)
class EndedGames:
    """Selects ended games of a kind, oldest first, among the next ``look_at`` games with such a status after a key.

    Only those that have not changed since ``before`` (milliseconds since the epoch), and whose rematch is not running.
    """

    kind: EndedKind
    before: int
    look_at: int = 200
    after: GameKey = (-(2**62), "")


@dataclass(frozen=True, slots=True)
class DeletedGames:
    """How many games were deleted. ``last`` is the key of the last one looked at; None if there are no more."""

    count: int
    last: GameKey | None


class RetentionStore(Protocol):
    """Deletes old games."""

    async def delete_ended(self, which: EndedGames) -> DeletedGames:
        """Deletes these games once no other write waits. ApiError as in ``Store``."""
        ...

    async def used_bytes(self) -> int:
        """Returns what the data takes in a SQLite database, without free pages."""
        ...


class DutyStore(Protocol):
    """Decides which server does what one does for all. Methods raise ApiError."""

    async def take_duty(self, duty: str, server: str) -> bool:
        """Whether ``server``, which is alive, has this duty from now on: no other living server has it."""
        ...


class LadderStore(DutyStore, Protocol):
    """Keeps the results of the ladder's games, which are stored when the games end. Methods raise ApiError."""

    async def ladder_results(self, after: GameKey, limit: int) -> Sequence[RatedResult]:
        """Returns the next results after a time and id, in the order of their games' ends."""
        ...

    async def ladder_results_of(self, game_ids: Collection[str]) -> Sequence[RatedResult]:
        """Returns the results of these games, without those that are none of the ladder or have not ended."""
        ...

    async def ladder_games_of(self, bot: str, limit: int) -> Sequence[RatedResult]:
        """Returns the latest results of any version of a bot, newest first."""
        ...


class ChatStore(Protocol):
    """Stores the latest messages in each channel of a game's chat, for as long as the game. Methods raise ApiError."""

    async def chat(self, game_id: str) -> Sequence[Mapping[str, Any]]:
        """Returns the stored messages of a game, oldest first."""
        ...

    async def keep_chat_line(self, game_id: str, channel: str, at_ms: int, line: Mapping[str, Any]) -> None:
        """Stores a message written at ``at_ms``, in milliseconds since the epoch; returns once it is durable."""
        ...


class ClientIdStore(Protocol):
    """Stores the records of bot clients' ids; may discard old and rarely used ones."""

    async def client_id(self, client_id: str) -> ClientId | None:
        """Returns the record of an id, or None if there is none. ApiError if the database fails."""
        ...

    async def keep_client_id(self, kept: ClientId) -> None:
        """Stores the record, replacing any older one of the id; returns once it is durable. Raises ApiError."""
        ...
