"""The interface of the database for tournaments, and the values that it takes and returns."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from server.domain.tournaments.state import RecordedTournamentEvent
from server.ports.store import DutyStore


@dataclass(frozen=True, slots=True)
class TournamentListing:
    """A row of the list of tournaments. ``summary``: what lists show, as JSON values.

    ``is_live``: it is not over. Times are milliseconds since the epoch.
    """

    tournament_id: str
    version: int
    is_live: bool
    created_at: int
    summary: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class TournamentAppend:
    """The next events of a tournament, and its row afterwards, whose ``version`` is the number of the last event.

    ``playing``: the ids of the bots whose games begin: the ids of their clients are never discarded from then on.
    """

    events: Sequence[RecordedTournamentEvent]
    listing: TournamentListing
    playing: Collection[str] = ()


class TournamentStore(DutyStore, Protocol):
    """Keeps the logs of tournaments. Methods raise the ApiError of ``store_unavailable``."""

    async def append_tournament(self, change: TournamentAppend) -> None:
        """Returns once the events are durable.

        Raises VersionConflictError, and changes nothing, unless the log ends just before them.
        """
        ...

    async def tournament_events(self, tournament_id: str, after: int) -> Sequence[RecordedTournamentEvent]:
        """Returns the events of a tournament after number ``after``, in order."""
        ...

    async def live_tournaments(self) -> Sequence[TournamentListing]:
        """Returns the tournaments that are not over, oldest first."""
        ...

    async def latest_tournaments(self, limit: int, after: str | None) -> Sequence[TournamentListing]:
        """Returns tournaments, newest first, beginning after the one with id ``after``."""
        ...
