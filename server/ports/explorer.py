"""The interface of the database for the opening explorer, and the values that it takes and returns."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from engines.explorer.places import Place
from engines.explorer.tally import OpeningTally
from server.domain.explored import PlayedOpening
from server.ports.store import DutyStore, Listing


@dataclass(frozen=True, slots=True)
class ExploredMove:
    """A move, by its name in the place, with the results of its games, and the latest of these.

    ``latest``: its id; None if it has been deleted. ``latest_at``: when it ended, in milliseconds since the epoch.
    """

    name: str
    tally: OpeningTally
    latest: str | None
    latest_at: int


@dataclass(frozen=True, slots=True)
class Explored:
    """What was played in a place: the ``total`` of the games that reached it, and the moves of most games.

    ``games``: the latest games of these moves that have not been deleted, the latest first.
    """

    total: OpeningTally
    moves: Sequence[ExploredMove]
    games: Sequence[Listing]


@dataclass(frozen=True, slots=True)
class CountOpenings:
    """Of these games that wait to be counted, ``openings`` are to be counted; the others add nothing."""

    game_ids: Sequence[str]
    openings: Sequence[PlayedOpening]


class ExplorerStore(DutyStore, Protocol):
    """Counts the openings of finished games, each game once. Methods raise the ApiError of ``store_unavailable``."""

    async def uncounted(self, limit: int) -> Sequence[str]:
        """Returns the ids of games that have ended and are not counted yet."""
        ...

    async def count_openings(self, job: CountOpenings) -> None:
        """Counts games that still wait, and returns once that is durable. Games that do not wait are not counted."""
        ...

    async def explored(self, place: Place, none: OpeningTally, most: int) -> Explored:
        """Returns what was played in a place, at most ``most`` moves. ``none``: the tally of no games there.

        Takes about a second at most, and keeps nothing else waiting. ApiError ``unavailable`` if that is too short.
        """
        ...
