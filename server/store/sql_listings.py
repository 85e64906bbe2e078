"""Listings in the database: turns a query of the port into a statement, and a row into a listing.

Called by ``sql_store``, which executes the statement.
"""

from collections.abc import Sequence
from dataclasses import fields
from typing import Any

from sqlalchemy import ColumnElement, Select, select

from server.ports.store import Listing, ListingQuery
from server.store.sql_tables import GameRow

games = GameRow.__table__  # type: ignore[attr-defined]  # the table behind the model


listed = tuple(games.c[field.name] for field in fields(Listing))
"""The columns of a listing, in its order."""


def listing_of_row(row: Sequence[Any]) -> Listing:
    """The listing in a row of the columns ``listed``."""
    return Listing(*row)


def select_listings(query: ListingQuery) -> Select[Any]:
    """Selects listings, newest first."""
    chosen = select(*listed).order_by(games.c.created_at.desc(), games.c.game_id.desc())
    return chosen.where(*_conditions(query)).limit(query.limit)


def _conditions(query: ListingQuery) -> list[ColumnElement[bool]]:
    equal = (
        (games.c.status, query.status),
        (games.c.is_timed, query.is_timed),
        (games.c.has_bot, query.has_bot),
        (games.c.has_remote, query.has_remote),
    )
    conditions = [column == wanted for column, wanted in equal if wanted is not None]
    choices = ((games.c.game_id, query.game_ids), (games.c.visibility, query.visibility))
    conditions += [column.in_(any_of) for column, any_of in choices if any_of is not None]
    if query.updated_since is None:
        return conditions
    return [*conditions, games.c.updated_at >= query.updated_since]
