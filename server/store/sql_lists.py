"""Reads the pages of lists that anyone can request. Called by ``sql_store``.

Every page comes from the range of an index that is in the list's order, or from a few such ranges.
"""

from functools import lru_cache
from itertools import product
from typing import Any, Final

from sqlalchemy import (
    ARRAY,
    BigInteger,
    ColumnElement,
    Connection,
    Integer,
    Select,
    Text,
    any_,
    bindparam,
    func,
    literal_column,
    select,
    tuple_,
    union_all,
)

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

_ROWID: Final = literal_column("games.rowid", Integer)
"""SQLite's number of a row, which is in all indexes: it leads to the row without the index of the ids."""

Within = tuple[int, Key]
"""The earliest time of a game's creation, and the key that all keys precede."""


def read_page(connection: Connection, query: PageQuery, past_games: PastGameRows) -> list[Listing]:
    """The games of a page, newest first."""
    within = _within(connection, query)
    if within is None:
        return []
    if query.past is None:
        return _newest(connection, query, within)
    ids = [game_id for _, game_id in past_games.find(connection, query, within)]
    rows = connection.execute(_LISTED[connection.dialect.name], {"ids": ids}).all()
    listings = {listing.game_id: listing for listing in map(listing_of_row, rows)}
    return [listings[game_id] for game_id in ids if game_id in listings]  # Some may have been deleted since.


def _within(connection: Connection, query: PageQuery) -> Within | None:
    """None if the game after which the page begins does not exist."""
    since, until = (EARLIEST, LATEST) if query.created is None else query.created
    if query.after is None:
        return since, (until + 1, "")
    after = select(games.c.created_at, games.c.game_id).where(games.c.game_id == query.after)
    row = connection.execute(after).one_or_none()
    return None if row is None else (since, min((row.created_at, row.game_id), (until + 1, "")))


def _newest(connection: Connection, query: PageQuery, within: Within) -> list[Listing]:
    """A page of games that nothing but its columns selects."""
    since, (before, before_id) = within
    values = {
        "since": since,
        "before": before,
        "before_id": before_id,
        "skip": query.skip,
        "limit": query.limit,
        "most": query.skip + query.limit,
    }
    page = _select_page(connection.dialect.name, query.visibility, query.games, query.status)
    return [listing_of_row(row) for row in connection.execute(page, values)]


@lru_cache(maxsize=SELECTIONS)
def _select_page(
    dialect: str, visibilities: tuple[str, ...], wanted: tuple[str, ...] | None, status: str | None
) -> Select[Any]:
    """Selects a page, with the values of ``_newest``. SQLAlchemy takes longer to build it than SQLite."""
    row: ColumnElement[Any] = _ROWID if dialect == "sqlite" else games.c.game_id
    ranges = [
        _select_range(row, visibility, game, status).subquery().select()
        for visibility, game in product(visibilities, wanted or (None,))
    ]
    keys = (ranges[0] if len(ranges) == 1 else union_all(*ranges)).subquery()
    newest = (
        select(keys.c.row)
        .order_by(keys.c.created_at.desc(), keys.c.game_id.desc())
        .offset(bindparam("skip"))
        .limit(bindparam("limit"))
    )
    # Postgres finds the elements of an array by their keys, however many it expects.
    found = row.in_(newest) if dialect == "sqlite" else row == any_(_array(newest))
    return select(*listed).where(found).order_by(games.c.created_at.desc(), games.c.game_id.desc())


def _array(selected: Select[Any]) -> ColumnElement[Any]:
    return func.array(selected.scalar_subquery(), type_=ARRAY(Text))


def _select_range(
    row: ColumnElement[Any], visibility: str, game: str | None, status: str | None
) -> Select[Any]:
    """Selects the keys and rows of the newest games from the range of an index."""
    key = games.c.created_at, games.c.game_id
    before = bindparam("before", type_=BigInteger), bindparam("before_id", type_=Text)
    chosen = select(*key, row.label("row"))
    chosen = chosen.where(games.c.visibility == visibility, games.c.created_at >= bindparam("since"))
    chosen = chosen.where(tuple_(*key) < tuple_(*before))  # Both bounds are of the same index.
    if game is not None:
        chosen = chosen.where(games.c.game == game)
    if status is not None:
        chosen = chosen.where(games.c.status == status)
    return chosen.order_by(*(column.desc() for column in key)).limit(bindparam("most"))
