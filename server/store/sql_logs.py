"""Reads and writes the logs of games, and the rows that belong to them. Called by ``sql_store``."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from operator import attrgetter
from typing import Any

from pydantic_core import to_json
from sqlalchemy import (
    ColumnElement,
    Connection,
    Dialect,
    Text,
    bindparam,
    cast,
    delete,
    insert,
    select,
    update,
)

from protocols.values import Status
from server.domain.event_codec import read_event_text, write_event_text
from server.domain.events import Recorded
from server.ports.store import FIRST_EPOCH, Append, Listing, TokenHash
from server.store.explorer.sql_explorer import ExplorerRows
from server.store.group_commit import RefusedError
from server.store.past_games import PastGameRows
from server.store.sql_counts import GAMES, Changes
from server.store.sql_ladder import LadderRows
from server.store.sql_statement import Statement
from server.store.sql_tables import EventRow, GameRow, TokenRow

games = GameRow.__table__  # type: ignore[attr-defined]  # the table behind the model
events = EventRow.__table__  # type: ignore[attr-defined]  # the table behind the model
tokens = TokenRow.__table__  # type: ignore[attr-defined]  # the table behind the model

_FOR_GOOD = ("game_id", "game", "variant", "created_at", "visibility", "status")
"""Columns that never change, or rarely: updating a column would update its indexes as well."""

_LEASE = ("driver", "epoch")

renewed: Mapping[str, Any] = {
    column.name: bindparam(column.name) for column in games.c if column.name not in (*_FOR_GOOD, *_LEASE)
}
"""The columns that most appends update, with the names of their values in ``listing_values``."""

is_expected: Sequence[ColumnElement[bool]] = (
    games.c.game_id == bindparam("this_game"),
    games.c.version == bindparam("expected_version"),
    games.c.status == bindparam("same_status"),
)
"""The conditions of most appends, which leave the game's status as it is."""

is_held = (games.c.driver == bindparam("holder"), games.c.epoch == bindparam("held_epoch"))
"""The conditions of an append with a lease."""

_LISTED = tuple(field.name for field in fields(Listing))
_listed = attrgetter(*_LISTED)

LAST_SEQ = 2**31 - 1
"""The greatest number an event can have."""


TRIAL_ID = "trial"
"""An id that no game has, as theirs have eight characters."""

TRIAL_BYTES = 8192
"""More than a page of the database, so that a trial needs as much space as a long append."""


@dataclass(frozen=True, slots=True)
class Trial:
    """A job that writes like an append, and leaves nothing behind."""


class Logs:
    """The statements for logs, in the SQL of one dialect."""

    def __init__(self, dialect: Dialect) -> None:
        self._add_game = Statement(insert(games), dialect)
        self._add_events = Statement(insert(events), dialect)
        self._add_tokens = Statement(insert(tokens), dialect)
        self._forget_events = Statement(
            delete(events).where(events.c.game_id == bindparam("game_id")), dialect
        )
        leased: dict[str, Any] = {name: bindparam(name) for name in _LEASE}
        renew, held = update(games).where(*is_expected), update(games).where(*is_expected, *is_held)
        self._renew_game = Statement(renew.values(renewed), dialect)
        self._renew_held = Statement(held.values(renewed), dialect)
        self._renew_begun = Statement(renew.values({**renewed, **leased}), dialect)
        here = is_expected[:-1]
        self._find_status = Statement(select(games.c.status).where(*here), dialect)
        self._change_status = Statement(
            update(games).where(*here).values(status=bindparam("status")), dialect
        )
        self._past_games = PastGameRows(dialect)
        self._ladder = LadderRows(dialect)
        self._explorer = ExplorerRows(dialect)
        is_wanted = (events.c.seq > bindparam("after"), events.c.seq <= bindparam("until"))
        found = select(events.c.seq, events.c.at_ms, events.c.kind, cast(events.c.data, Text))
        found = found.where(events.c.game_id == bindparam("game_id"), *is_wanted).order_by(events.c.seq)
        self._find_events = Statement(found, dialect)
        given = select(tokens.c.digest, tokens.c.seat).where(tokens.c.game_id == bindparam("game_id"))
        self._find_tokens = Statement(given, dialect)

    def append(self, connection: Connection, change: Append, counts: Changes) -> bool:
        """Writes everything, or returns False having written nothing. Any later error rolls the transaction back.

        The listing contains the version and the lease. Updating it only if they are the expected ones makes the append
        conditional. ``counts`` gets what the caller has to write at the end of the transaction.
        """
        listing = listing_values(change)
        if change.expected_version == 0:
            self._add_game.write(connection, listing)
            self._count(connection, change, counts)
        elif self._renewal(change).write(connection, listing) != 1:
            former = self._change(connection, change, listing)
            if former is None:
                return False
            counts[GAMES + former] -= 1
            self._count(connection, change, counts)
        self._add_events.write(connection, *(event_values(change.game_id, one) for one in change.events))
        if change.tokens:
            hashes = [{"digest": t.digest, "game_id": change.game_id, "seat": t.seat} for t in change.tokens]
            self._add_tokens.write(connection, *hashes)
        if change.also is not None and not self.append(connection, change.also, counts):
            raise RefusedError
        return True

    def _renewal(self, change: Append) -> Statement:
        if change.holder is not None:
            return self._renew_begun
        return self._renew_game if change.lease is None else self._renew_held

    def _change(self, connection: Connection, change: Append, listing: Mapping[str, Any]) -> str | None:
        """Updates the row of a game whose status changes; returns its former one, or None if the append is refused."""
        former = next((str(status) for (status,) in self._find_status.read(connection, listing)), None)
        if former is None or former == change.listing.status:
            return None
        if self._renewal(change).write(connection, {**listing, "same_status": former}) != 1:
            return None
        listing = {**listing, "expected_version": listing["version"]}
        self._change_status.write(connection, listing)
        return former

    def _count(self, connection: Connection, change: Append, counts: Changes) -> None:
        """Counts a game under its new status; if it has ended, adds it to the past games and to the ladder's.

        Its opening is counted later.
        """
        counts[GAMES + change.listing.status] += 1
        self._explorer.wait(connection, change.listing)
        if change.listing.status == Status.FINISHED:
            self._past_games.add(connection, change.listing)
        if change.ladder is not None:
            self._ladder.add(connection, change.ladder, counts)

    def try_writing(self, connection: Connection) -> None:
        """Adds an event without a game and deletes it: on a full disk, that or the commit fails."""
        event = {"game_id": TRIAL_ID, "seq": 0, "at_ms": 0, "kind": "", "data": f'"{"x" * TRIAL_BYTES}"'}
        self._add_events.write(connection, event)
        self._forget_events.write(connection, {"game_id": TRIAL_ID})

    def events(
        self, connection: Connection, game_id: str, *, after: int = 0, until: int | None = None
    ) -> list[Recorded]:
        """See ``ports.store.Store``."""
        last = LAST_SEQ if until is None else until
        rows = self._find_events.read(connection, {"game_id": game_id, "after": after, "until": last})
        return [Recorded(seq, at_ms, read_event_text(kind, data)) for seq, at_ms, kind, data in rows]

    def tokens(self, connection: Connection, game_id: str) -> list[TokenHash]:
        """See ``ports.store.Store``."""
        rows = self._find_tokens.read(connection, {"game_id": game_id})
        return [TokenHash(digest, seat) for digest, seat in rows]


def event_values(game_id: str, recorded: Recorded) -> dict[str, Any]:
    """The values of an event's row, by column."""
    kind, data = write_event_text(recorded.event)
    return {
        "game_id": game_id,
        "seq": recorded.seq,
        "at_ms": recorded.at_ms,
        "kind": kind,
        "data": data,
    }


def listing_values(change: Append) -> dict[str, Any]:
    """The values of a game's row after a change, by column, and those of the conditions of its statements."""
    listing = change.listing
    return {
        **dict(zip(_LISTED, _listed(listing), strict=True)),
        "this_game": listing.game_id,
        "expected_version": change.expected_version,
        "same_status": listing.status,
        "version": change.expected_version + len(change.events),
        "summary": to_json(listing.summary).decode(),
        "driver": change.holder,
        "epoch": 0 if change.holder is None else FIRST_EPOCH,
        "holder": None if change.lease is None else change.lease.server,
        "held_epoch": None if change.lease is None else change.lease.epoch,
    }
