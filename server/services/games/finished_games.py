"""Pages of finished games. Reads rows, not logs."""

from dataclasses import dataclass, replace

from protocols.values import Listed, Status
from server.ports.store import PageQuery
from server.services.cluster.listing import listed_of
from server.services.games.games import Games


@dataclass(frozen=True, slots=True)
class FinishedPage:
    """A page, newest game first, and whether more pages follow."""

    games: list[Listed]
    has_more: bool


async def finished_page(games: Games, query: PageQuery) -> FinishedPage:
    """Returns a page of ``query.limit`` finished games that match; an empty one after the last."""
    found = await games.page(replace(query, status=Status.FINISHED.value, limit=query.limit + 1))
    return FinishedPage([listed_of(listing) for listing in found[: query.limit]], len(found) > query.limit)
