"""Listings in the database: turns a query of the port into a statement, and a row into a listing.

Called by ``sql_store``, which executes the statement.
"""

from typing import Any

from sqlalchemy import ColumnElement, Select, func, or_, select, tuple_

from server.domain.game import MOST_SEATS
from server.ports.store import Listing, ListingQuery
from server.store.sql_tables import GameRow

games = GameRow.__table__  # type: ignore[attr-defined]  # the table behind the model


def listing_of_row(row: Any) -> Listing:  # noqa: ANN401 - a row of the driver
    """The listing in a row."""
    values = dict(row._mapping)
    for name in ("version", "driver", "epoch"):
        del values[name]
    return Listing(**values)


def select_listings(query: ListingQuery) -> Select[Any]:
    """Selects listings, newest first. That order never changes, so a cursor never skips or repeats a row."""
    chosen = select(games).order_by(games.c.created_at.desc(), games.c.game_id.desc())
    chosen = chosen.where(*_equal(query), *_in_range(query), *(_is_seated(name) for name in query.names))
    if query.after is not None:
        last = select(games.c.created_at, games.c.game_id).where(games.c.game_id == query.after)
        chosen = chosen.where(tuple_(games.c.created_at, games.c.game_id) < last.scalar_subquery())
    return chosen.offset(query.skip or None).limit(query.limit)


def _equal(query: ListingQuery) -> list[ColumnElement[bool]]:
    columns = (
        (games.c.status, query.status),
        (games.c.variant, query.variant),
        (games.c.is_timed, query.is_timed),
        (games.c.has_bot, query.has_bot),
        (games.c.has_remote, query.has_remote),
        (games.c.summary["timeControl"]["preset"].as_string(), query.preset),
    )
    return [column == wanted for column, wanted in columns if wanted is not None]


def _in_range(query: ListingQuery) -> list[ColumnElement[bool]]:
    board = games.c.summary["config"]
    area = board["boardWidth"].as_integer() * board["boardHeight"].as_integer()
    ranges = ((games.c.created_at, query.created), (area, query.area))
    within = [column.between(*ends) for column, ends in ranges if ends is not None]
    choices = (
        (games.c.game_id, query.game_ids),
        (games.c.game, query.games),
        (games.c.visibility, query.visibility),
    )
    within += [column.in_(any_of) for column, any_of in choices if any_of is not None]
    if query.updated_since is None:
        return within
    return [*within, games.c.updated_at >= query.updated_since]


def _is_seated(name: str) -> ColumnElement[bool]:
    """Compares names ignoring case; also exactly, as not every database can lower-case non-ASCII letters."""
    seats = [games.c.summary["seats"][seat]["name"].as_string() for seat in range(MOST_SEATS)]
    return or_(*(or_(seat == name, func.lower(seat) == name.lower()) for seat in seats))
