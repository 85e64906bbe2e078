"""How an append is written: the statements of one SQL dialect, compiled once. Called by ``sql_store``."""

from collections.abc import Mapping, Sequence
from typing import Any

from pydantic_core import to_json
from sqlalchemy import ClauseElement, Connection, Dialect, bindparam, insert, update

from server.adapters.group_commit import RefusedError
from server.adapters.sql_tables import EventRow, GameRow, TokenRow
from server.domain.event_codec import write_event
from server.domain.events import Recorded
from server.ports import Append

games = GameRow.__table__  # type: ignore[attr-defined]  # the table behind the model
events = EventRow.__table__  # type: ignore[attr-defined]  # the table behind the model
tokens = TokenRow.__table__  # type: ignore[attr-defined]  # the table behind the model

_FOR_GOOD = ("game_id", "game", "variant", "created_at", "visibility")
"""What stays as it is: a column that is written again has its index written again."""


class _Statement:
    """A compiled statement: what SQLAlchemy otherwise does for each execution costs more than SQLite's part."""

    def __init__(self, statement: ClauseElement, dialect: Dialect) -> None:
        compiled = statement.compile(dialect=dialect)
        self._text = str(compiled)
        self._names: Sequence[str] | None = getattr(compiled, "positiontup", None)

    def run(self, connection: Connection, *rows: Mapping[str, Any]) -> int:
        """Executes it with the values of each row by name, JSON as text; how many rows it met."""
        names = self._names
        given = [row if names is None else tuple(row[name] for name in names) for row in rows]
        return connection.exec_driver_sql(self._text, given[0] if len(given) == 1 else given).rowcount


class Appending:
    """How an append is written in the SQL of one dialect."""

    def __init__(self, dialect: Dialect) -> None:
        self._add_game = _Statement(insert(games), dialect)
        self._add_events = _Statement(insert(events), dialect)
        self._add_tokens = _Statement(insert(tokens), dialect)
        renewed: dict[str, Any] = {
            column.name: bindparam(column.name) for column in games.c if column.name not in _FOR_GOOD
        }
        here = games.c.game_id == bindparam("this_game")
        is_expected = games.c.version == bindparam("expected_version")
        self._renew_game = _Statement(update(games).where(here, is_expected).values(renewed), dialect)

    def append(self, connection: Connection, change: Append) -> bool:
        """Writes everything, or nothing and returns False. What is raised later than that undoes the transaction.

        The listing carries the version: writing it only where that is the expected one makes the append conditional.
        """
        listing = _listing_values(change)
        if change.expected_version == 0:
            self._add_game.run(connection, listing)
        elif self._renew_game.run(connection, listing) != 1:
            return False
        self._add_events.run(connection, *(_event_values(change.game_id, one) for one in change.events))
        if change.tokens:
            hashes = [{"digest": t.digest, "game_id": change.game_id, "seat": t.seat} for t in change.tokens]
            self._add_tokens.run(connection, *hashes)
        if change.also is not None and not self.append(connection, change.also):
            raise RefusedError
        return True


def _event_values(game_id: str, recorded: Recorded) -> dict[str, Any]:
    kind, data = write_event(recorded.event)
    return {
        "game_id": game_id,
        "seq": recorded.seq,
        "at_ms": recorded.at_ms,
        "kind": kind,
        "data": _json(data),
    }


def _json(values: Mapping[str, Any]) -> str:
    return to_json(values).decode()


def _listing_values(change: Append) -> dict[str, Any]:
    listing = change.listing
    return {
        "game_id": listing.game_id,
        "this_game": listing.game_id,
        "expected_version": change.expected_version,
        "version": change.expected_version + len(change.events),
        "game": listing.game,
        "variant": listing.variant,
        "status": listing.status,
        "is_timed": listing.is_timed,
        "has_bot": listing.has_bot,
        "has_remote": listing.has_remote,
        "visibility": listing.visibility,
        "created_at": listing.created_at,
        "updated_at": listing.updated_at,
        "ply": listing.ply,
        "summary": _json(listing.summary),
    }
