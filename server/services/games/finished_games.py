"""Pages of finished games. Reads rows, not logs."""

from dataclasses import dataclass, replace
from enum import StrEnum

from protocols.values import Listed, Status
from server.ports.store import ListingQuery
from server.services.cluster.listing import listed_of
from server.services.games.games import Games


class BoardClass(StrEnum):
    """Classes of boards, by their number of cells."""

    SMALL = "small"
    MEDIUM = "medium"
    LARGE = "large"


AREAS = {BoardClass.SMALL: (1, 36), BoardClass.MEDIUM: (37, 81), BoardClass.LARGE: (82, 400)}
"""The range of the number of cells of each class."""


@dataclass(frozen=True, slots=True)
class FinishedPage:
    """A page, newest game first, and whether more pages follow."""

    games: list[Listed]
    has_more: bool


async def finished_page(games: Games, query: ListingQuery, page: int, page_size: int) -> FinishedPage:
    """Returns page number ``page``, counted from 1, of the finished games that match; an empty one after the last."""
    skip = (page - 1) * page_size
    query = replace(query, status=Status.FINISHED.value, skip=skip, limit=page_size + 1)
    found = await games.listings(query)
    return FinishedPage([listed_of(listing) for listing in found[:page_size]], len(found) > page_size)
