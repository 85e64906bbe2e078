"""Reads the pages of lists that anyone can request. Called by ``sql_store``.

Every page comes from the range of an index that is in the list's order, or from a few such ranges.
"""

from functools import lru_cache
from itertools import product
from typing import Any, Final

from sqlalchemy import ARRAY, BigInteger, Connection, Select, Text, any_, bindparam, select, tuple_, union_all

from server.ports.store import Listing, PageQuery
from server.store.past_games import Key, PastGameRows
from server.store.sql_listings import listed, listing_of_row
from server.store.sql_tables import GameRow

EARLIEST: Final = -(2**62)
LATEST: Final = 2**62
"""Times before and after those of all games."""

games = GameRow.__table__  # type: ignore[attr-defined]  # the table behind the model

SELECTIONS: Final = 64
"""How many selections of different columns are kept."""

_LISTED: Final = {
    "sqlite": select(*listed).where(games.c.game_id.in_(bindparam("ids", expanding=True))),
    "postgresql": select(*listed).where(games.c.game_id == any_(bindparam("ids", type_=ARRAY(Text)))),
}
"""Selects some games, by dialect. Postgres' driver takes longer for as many values as games."""

Within = tuple[int, Key]
"""The earliest time of a game's creation, and the key that all keys precede."""


def read_page(connection: Connection, query: PageQuery, past_games: PastGameRows) -> list[Listing]:
    """The games of a page, newest first."""
    within = _within(connection, query)
    if within is None:
        return []
    if query.past is None:
        ids = _newest(connection, query, within)
    else:
        ids = [game_id for _, game_id in past_games.find(connection, query, within)]
    rows = connection.execute(_LISTED[connection.dialect.name], {"ids": ids}).all()
    listings = {listing.game_id: listing for listing in map(listing_of_row, rows)}
    return [listings[game_id] for game_id in ids]


def _within(connection: Connection, query: PageQuery) -> Within | None:
    """None if the game after which the page begins does not exist."""
    since, until = (EARLIEST, LATEST) if query.created is None else query.created
    if query.after is None:
        return since, (until + 1, "")
    after = select(games.c.created_at, games.c.game_id).where(games.c.game_id == query.after)
    row = connection.execute(after).one_or_none()
    return None if row is None else (since, min((row.created_at, row.game_id), (until + 1, "")))


def _newest(connection: Connection, query: PageQuery, within: Within) -> list[str]:
    """The ids of a page of games that nothing but its columns selects."""
    since, (before, before_id) = within
    values = {
        "since": since,
        "before": before,
        "before_id": before_id,
        "skip": query.skip,
        "limit": query.limit,
        "most": query.skip + query.limit,
    }
    keys = connection.execute(_select_keys(query.visibility, query.games, query.status), values)
    return [game_id for _, game_id in keys.all()]


@lru_cache(maxsize=SELECTIONS)
def _select_keys(
    visibilities: tuple[str, ...], wanted: tuple[str, ...] | None, status: str | None
) -> Select[Any]:
    """Selects the keys of a page, with the values of ``_newest``. SQLAlchemy takes longer to build it than SQLite."""
    ranges = [
        _select_range(visibility, game, status).subquery().select()
        for visibility, game in product(visibilities, wanted or (None,))
    ]
    keys = (ranges[0] if len(ranges) == 1 else union_all(*ranges)).subquery()
    return (
        select(keys)
        .order_by(keys.c.created_at.desc(), keys.c.game_id.desc())
        .offset(bindparam("skip"))
        .limit(bindparam("limit"))
    )


def _select_range(visibility: str, game: str | None, status: str | None) -> Select[Any]:
    """Selects the keys of the newest games from the range of an index."""
    key = games.c.created_at, games.c.game_id
    before = bindparam("before", type_=BigInteger), bindparam("before_id", type_=Text)
    chosen = select(*key).where(games.c.visibility == visibility, games.c.created_at >= bindparam("since"))
    chosen = chosen.where(tuple_(*key) < tuple_(*before))  # Both bounds are of the same index.
    if game is not None:
        chosen = chosen.where(games.c.game == game)
    if status is not None:
        chosen = chosen.where(games.c.status == status)
    return chosen.order_by(*(column.desc() for column in key)).limit(bindparam("most"))
