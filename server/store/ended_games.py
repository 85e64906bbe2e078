"""Finds games that have ended, and deletes games with all their rows. Called by ``sql_store`` and by commands."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from sqlalchemy import (
    ColumnElement,
    Connection,
    Row,
    Select,
    bindparam,
    delete,
    exists,
    func,
    select,
    text,
    tuple_,
    union_all,
)

from protocols.values import Status
from server.ports.store import DeletedGames, EndedGames, EndedKind, GameKey, Listing
from server.store.explorer.opening_removal import remove_openings
from server.store.past_games import kind_of, player_keys
from server.store.sql_counts import GAMES, Changes
from server.store.sql_listings import listed, listing_of_row
from server.store.sql_tables import ChatLineRow, EventRow, GameRow, TokenRow, past_games

games = GameRow.__table__  # type: ignore[attr-defined]  # the table behind the model
chat_lines = ChatLineRow.__table__  # type: ignore[attr-defined]  # the table behind the model
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


NOTHING: Final = DeletedGames(0, None)


_USED: Final = text(
    "SELECT (page_count - freelist_count) * page_size"
    " FROM pragma_page_count, pragma_freelist_count, pragma_page_size"
)


@dataclass(slots=True)
class DeleteEnded:
    """The job of deleting games; ``deleted`` is its result."""

    which: EndedGames
    deleted: DeletedGames = NOTHING


@dataclass(frozen=True, slots=True)
class EndedBatch:
    """The games ``found`` among some, in order. ``last``: the key of the last of these; None if there are no more."""

    found: Sequence[Listing]
    last: GameKey | None


def read_ended(connection: Connection, which: EndedGames) -> EndedBatch:
    """The next games."""
    keys = _next_keys(connection, which)
    return _batch(which, keys, connection.execute(_select(which, keys)))


def lock_ended(connection: Connection, which: EndedGames) -> EndedBatch:
    """The same until the end of the transaction, without games that another one has changed or is deleting."""
    keys = _next_keys(connection, which)
    return _batch(
        which, keys, connection.execute(_select(which, keys).with_for_update(of=games, skip_locked=True))
    )


def count_ended(connection: Connection, kind: EndedKind, before: int) -> int:
    """The number of all games that ``read_ended`` finds. Takes seconds for a million games."""
    chosen = select(func.count()).select_from(games).where(*_conditions(kind, before))
    return sum(
        connection.execute(chosen.where(*_range(status, before))).scalar_one() for status in _STATUSES[kind]
    )


def delete_ended(connection: Connection, job: DeleteEnded, counts: Changes) -> None:
    """Does the job. ``counts`` gets what the caller has to write at the end of the transaction."""
    batch = lock_ended(connection, job.which)
    delete_games(connection, batch.found, counts)
    job.deleted = DeletedGames(len(batch.found), batch.last)


def delete_games(connection: Connection, found: Sequence[Listing], counts: Changes) -> None:
    """Deletes these games and all that belongs to them. ``counts`` as for ``delete_ended``."""
    if not found:
        return
    ids = [listing.game_id for listing in found]
    remove_openings(connection, found)
    for table in (events, tokens, chat_lines, games):
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


def used_bytes(connection: Connection) -> int:
    """What the data takes in a SQLite database, without the free pages."""
    used: int = connection.execute(_USED).scalar_one()
    return used


def _next_keys(connection: Connection, which: EndedGames) -> Sequence[GameKey]:
    """The keys of the next games with a status of this kind, which takes as long wherever they are."""
    key = games.c.created_at, games.c.game_id
    ranges = [  # Each is in the order of an index.
        select(*key)
        .where(*_range(status, which.before), tuple_(*key) > which.after)
        .order_by(*key)
        .limit(which.look_at)
        .subquery()
        .select()
        for status in _STATUSES[which.kind]
    ]
    keys = (ranges[0] if len(ranges) == 1 else union_all(*ranges)).subquery()
    chosen = select(keys).order_by(keys.c.created_at, keys.c.game_id).limit(which.look_at)
    return [(row.created_at, row.game_id) for row in connection.execute(chosen)]


def _select(which: EndedGames, keys: Sequence[GameKey]) -> Select[Any]:
    """The query for those of the games at these keys that are to be found."""
    key = games.c.created_at, games.c.game_id
    ids = [game_id for _, game_id in keys]
    return (
        select(*listed).where(games.c.game_id.in_(ids), *_conditions(which.kind, which.before)).order_by(*key)
    )


def _batch(which: EndedGames, keys: Sequence[GameKey], rows: Iterable[Row[Any]]) -> EndedBatch:
    return EndedBatch([listing_of_row(row) for row in rows], keys[-1] if len(keys) == which.look_at else None)


def _range(status: Status, before: int) -> Sequence[ColumnElement[bool]]:
    """A range of an index. A game is not changed before it is created."""
    return games.c.status == status.value, games.c.created_at < before


def _conditions(kind: EndedKind, before: int) -> Sequence[ColumnElement[bool]]:
    last = (events.c.game_id == games.c.game_id, events.c.seq == games.c.version)
    is_imported = exists().where(*last, events.c.kind == IMPORTED_EVENT)
    return (
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
