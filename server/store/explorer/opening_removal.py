"""Takes games that are deleted out of the openings. Called by ``ended_games`` in the transaction that deletes them."""

import logging
from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Final

from sqlalchemy import Connection, Text, cast, delete, select, text

from protocols.values import Status, Visibility
from server.domain.event_codec import read_event_text
from server.domain.events import Recorded
from server.domain.explored import PlayedOpening, opening_of
from server.domain.fold import fold
from server.ports.store import Listing
from server.store.explorer.explorer_tables import explorer_waiting
from server.store.explorer.sql_explorer import ADD, NUMBERS, added_rows
from server.store.sql_tables import EventRow

log = logging.getLogger(__name__)

events = EventRow.__table__  # type: ignore[attr-defined]  # the table behind the model

_ADD: Final = text(ADD)

_CLEAR: Final = text("DELETE FROM explorer_moves WHERE place = :place AND move = :move AND games <= 0")


def remove_openings(connection: Connection, found: Sequence[Listing]) -> None:
    """Takes these games out, whose logs are still there. Those that wait to be counted wait no more."""
    ended = Status.FINISHED.value, Visibility.PUBLIC.value
    ids = {row.game_id for row in found if (row.status, row.visibility) == ended}
    if not ids:
        return
    waiting = delete(explorer_waiting).where(explorer_waiting.c.game_id.in_(sorted(ids)))
    waited = set(connection.scalars(waiting.returning(explorer_waiting.c.game_id)))
    rows = added_rows(_openings(connection, sorted(ids - waited)))
    if rows:
        connection.execute(_ADD, [{**row, **{name: -row[name] for name in NUMBERS}} for row in rows])
        connection.execute(_CLEAR, [{"place": row["place"], "move": row["move"]} for row in rows])


def _openings(connection: Connection, game_ids: Sequence[str]) -> Iterator[PlayedOpening]:
    columns = events.c.game_id, events.c.seq, events.c.at_ms, events.c.kind, cast(events.c.data, Text)
    logs = select(*columns).where(events.c.game_id.in_(game_ids)).order_by(events.c.game_id, events.c.seq)
    for game_id, recorded in groupby(connection.execute(logs), lambda row: str(row[0])):
        try:
            state = fold(
                game_id,
                [Recorded(seq, at, read_event_text(kind, data)) for _, seq, at, kind, data in recorded],
            )
            opening = None if state is None else opening_of(state)
        except Exception:  # Whatever cannot be read was not counted either.
            log.exception("the opening of game %s cannot be taken out", game_id)
            continue
        if opening is not None:
            yield opening
