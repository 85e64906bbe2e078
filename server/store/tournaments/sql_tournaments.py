"""Reads and writes tournaments: their logs, and their rows in lists. Called by ``sql_store``."""

from typing import Any

from sqlalchemy import Connection, Select, insert, select, tuple_, update

from server.domain.tournaments.event_codec import read_tournament_event, write_tournament_event
from server.domain.tournaments.state import RecordedTournamentEvent
from server.ports.tournaments import TournamentAppend, TournamentListing
from server.store.sql_counts import Changes
from server.store.sql_tables import TournamentEventRow, TournamentRow

rows = TournamentRow.__table__  # type: ignore[attr-defined]  # the table behind the model
events = TournamentEventRow.__table__  # type: ignore[attr-defined]  # the table behind the model

LATEST = 2**62
"""After any time, in milliseconds since the epoch."""


def append_tournament(connection: Connection, change: TournamentAppend, counts: Changes) -> bool:
    """Appends events; returns whether the log ended just before them. Otherwise, nothing is written.

    The caller writes ``counts`` at the end of the transaction.
    """
    listing, before = change.listing, change.events[0].seq - 1
    values = {
        "version": listing.version,
        "is_live": listing.is_live,
        "created_at": listing.created_at,
        "summary": listing.summary,
    }
    if before == 0:
        connection.execute(insert(rows).values(tournament_id=listing.tournament_id, **values))
    else:
        own = (rows.c.tournament_id == listing.tournament_id) & (rows.c.version == before)
        if connection.execute(update(rows).where(own).values(values)).rowcount == 0:
            return False
    connection.execute(insert(events), [_event_values(listing.tournament_id, one) for one in change.events])
    counts.keep_ids_of(change.playing)
    return True


def _event_values(tournament_id: str, recorded: RecordedTournamentEvent) -> dict[str, Any]:
    kind, data = write_tournament_event(recorded.event)
    return {
        "tournament_id": tournament_id,
        "seq": recorded.seq,
        "at_ms": recorded.at_ms,
        "kind": kind,
        "data": data,
    }


def select_tournament_events(tournament_id: str, after: int) -> Select[Any]:
    """The query for the events of a tournament after number ``after``."""
    query = select(events).where(events.c.tournament_id == tournament_id, events.c.seq > after)
    return query.order_by(events.c.seq)


def select_live() -> Select[Any]:
    """The query for the tournaments that are not over, oldest first."""
    return select(rows).where(rows.c.is_live).order_by(rows.c.created_at, rows.c.tournament_id)


def select_latest(limit: int, after: str | None) -> Select[Any]:
    """The query for tournaments, newest first, beginning after one of them."""
    key = select(rows.c.created_at).where(rows.c.tournament_id == after).scalar_subquery()
    last = (LATEST, "") if after is None else (key, after)
    query = select(rows).where(tuple_(rows.c.created_at, rows.c.tournament_id) < tuple_(*last))
    return query.order_by(rows.c.created_at.desc(), rows.c.tournament_id.desc()).limit(limit)


def tournament_event_of_row(row: Any) -> RecordedTournamentEvent:  # noqa: ANN401 - a row of the table
    """The event in a row."""
    return RecordedTournamentEvent(row.seq, row.at_ms, read_tournament_event(row.kind, row.data))


def tournament_of_row(row: Any) -> TournamentListing:  # noqa: ANN401 - a row of the table
    """The listing in a row."""
    return TournamentListing(row.tournament_id, row.version, row.is_live, row.created_at, row.summary)
