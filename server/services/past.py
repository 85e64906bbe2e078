"""Finished games, a page at a time, filtered as the Wallwars site's clients ask for them. Reads rows, no logs."""

from dataclasses import dataclass
from enum import StrEnum

from protocols.play.table import Listed, Visibility
from server.domain.game import Status
from server.ports import ListingQuery
from server.services.games import Games
from server.services.listing import listed_of


class BoardSize(StrEnum):
    """The site's classes of boards, by their number of fields."""

    SMALL = "small"
    MEDIUM = "medium"
    LARGE = "large"


_AREAS = {BoardSize.SMALL: (1, 36), BoardSize.MEDIUM: (37, 81), BoardSize.LARGE: (82, 400)}
"""Fields of the smallest and the largest board of each class."""


@dataclass(frozen=True, slots=True)
class PastQuery:
    """Which finished games, and which page of them, counted from 1.

    ``created`` is from when to when they began, in milliseconds since the epoch; ``needs_rating`` asks for rated
    games or players alone, of which there are none.
    """

    page: int
    page_size: int
    visibility: tuple[Visibility, ...]
    game: str | None = None
    variant: str | None = None
    preset: str | None = None
    board: BoardSize | None = None
    created: tuple[int, int] | None = None
    names: tuple[str, ...] = ()
    needs_rating: bool = False


@dataclass(frozen=True, slots=True)
class PastPage:
    """A page, the latest game first, and whether another one follows."""

    games: list[Listed]
    has_more: bool


async def past_page(games: Games, wish: PastQuery) -> PastPage:
    """The page that is asked for; an empty one after the last."""
    if wish.needs_rating:
        return PastPage([], has_more=False)
    query = ListingQuery(
        status=Status.FINISHED.value,
        visibility=wish.visibility,
        game=wish.game,
        variant=wish.variant,
        preset=wish.preset,
        area=None if wish.board is None else _AREAS[wish.board],
        created=wish.created,
        names=wish.names,
        skip=(wish.page - 1) * wish.page_size,
        limit=wish.page_size + 1,
    )
    found = await games.listings(query)
    shown = [listed_of(listing) for listing in found[: wish.page_size]]
    return PastPage(shown, has_more=len(found) > wish.page_size)
