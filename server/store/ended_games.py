"""Finds games that have ended, and deletes games with all their rows. Called by ``sql_store`` and by commands."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from sqlalchemy import (
    ColumnElement,
    Connection,
    Select,
    bindparam,
    delete,
    exists,
    func,
    select,
    tuple_,
    union_all,
)

from protocols.values import Status
from server.ports.store import EndedGames, EndedKind, Listing
from server.store.past_games import kind_of, player_keys
from server.store.sql_counts import GAMES, Changes
from server.store.sql_listings import listed, listing_of_row
from server.store.sql_tables import EventRow, GameRow, TokenRow, past_games

games = GameRow.__table__  # type: ignore[attr-defined]  # the table behind the model
events = EventRow.__table__  # type: ignore[attr-defined]  # the table behind the model
tokens = TokenRow.__table__  # type: ignore[attr-defined]  # the table behind the model

LIVE: Final = (Status.OPEN.value, Status.PLAYING.value)

IMPORTED_EVENT: Final = "Imported"
"""The kind of the last event of an imported game."""

REMATCH_EVENT: Final = "RematchStarted"
"""The kind of the event that names a game's rematch."""


_STATUSES: Final[Mapping[EndedKind, Sequence[Status]]] = {
    EndedKind.FINISHED: (Status.FINISHED,),
    EndedKind.ABORTED: (Status.ABORTED,),
    EndedKind.IMPORTED: (Status.FINISHED, Status.ABORTED),  # Without a result, a record counts as aborted.
}


@dataclass(slots=True)
class DeleteEnded:
    """The job of deleting games; ``deleted`` are their keys, its result."""

    which: EndedGames
    deleted: Sequence[tuple[int, str]] = ()


def select_ended(which: EndedGames) -> Select[Any]:
    """The query for the listings of games, in order."""
    key = games.c.created_at, games.c.game_id
    ranges = [  # Each is in the order of an index.
        select(*key)
        .where(*_conditions(which.kind, status, which.before), tuple_(*key) > which.after)
        .order_by(*key)
        .limit(which.limit)
        .subquery()
        .select()
        for status in _STATUSES[which.kind]
    ]
    keys = (ranges[0] if len(ranges) == 1 else union_all(*ranges)).subquery()
    first = select(keys.c.game_id).order_by(keys.c.created_at, keys.c.game_id).limit(which.limit)
    return select(*listed).where(games.c.game_id.in_(first)).order_by(*key)


def count_ended(connection: Connection, kind: EndedKind, before: int) -> int:
    """The number of the games that ``select_ended`` finds without a limit."""
    chosen = select(func.count()).select_from(games)
    return sum(
        connection.execute(chosen.where(*_conditions(kind, status, before))).scalar_one()
        for status in _STATUSES[kind]
    )


def lock_ended(connection: Connection, which: EndedGames) -> list[Listing]:
    """The games, until the end of the transaction without those that another one has changed or is deleting."""
    chosen = select_ended(which).with_for_update(of=games, skip_locked=True)
    return [listing_of_row(row) for row in connection.execute(chosen)]


def delete_ended(connection: Connection, job: DeleteEnded, counts: Changes) -> None:
    """Does the job. ``counts`` gets what the caller has to write at the end of the transaction."""
    found = lock_ended(connection, job.which)
    delete_games(connection, found, counts)
    job.deleted = [(listing.created_at, listing.game_id) for listing in found]


def delete_games(connection: Connection, found: Sequence[Listing], counts: Changes) -> None:
    """Deletes these games and all that belongs to them. ``counts`` as for ``delete_ended``."""
    if not found:
        return
    ids = [listing.game_id for listing in found]
    for table in (events, tokens, games):
        connection.execute(delete(table).where(table.c.game_id.in_(ids)))
    remove_past_games(connection, found)
    for listing in found:
        counts[GAMES + listing.status] -= 1


def remove_past_games(connection: Connection, found: Sequence[Listing]) -> None:
    """Removes games from those that lists of past games find by their players."""
    rows = [
        {
            "with_players": players,
            "of_kind": kind_of(listing)["kind"],
            "at": listing.created_at,
            "id": listing.game_id,
        }
        for listing in found
        if listing.status == Status.FINISHED
        for players in player_keys(listing)
    ]
    is_row = (
        past_games.c.players == bindparam("with_players"),
        past_games.c.kind == bindparam("of_kind"),
        past_games.c.created_at == bindparam("at"),
        past_games.c.game_id == bindparam("id"),
    )
    if rows:
        connection.execute(delete(past_games).where(*is_row), rows)


def _conditions(kind: EndedKind, status: Status, before: int) -> Sequence[ColumnElement[bool]]:
    last = (events.c.game_id == games.c.game_id, events.c.seq == games.c.version)
    is_imported = exists().where(*last, events.c.kind == IMPORTED_EVENT)
    return (
        games.c.status == status.value,
        # A game is not changed before it is created: this bounds the range of the index.
        games.c.created_at < before,
        games.c.updated_at < before,
        is_imported if kind is EndedKind.IMPORTED else ~is_imported,
        _is_free(),
    )


def _is_free() -> ColumnElement[bool]:
    """Whether no rematch of this game is running."""
    rematch, live = events.alias("rematch"), games.alias("live")
    begun = (rematch.c.game_id == games.c.game_id, rematch.c.kind == REMATCH_EVENT)
    is_live = (live.c.game_id == rematch.c.data["game_id"].as_string(), live.c.status.in_(LIVE))
    return ~exists().where(*begun, *is_live)
