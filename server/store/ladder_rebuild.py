"""Makes the results of the ladder again from the logs of its games. Called by ``plyhouse ladder rebuild``."""

from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, Select, delete, select

from server.domain.fold import fold
from server.domain.ladder.results import result_of
from server.store.sql_ladder import LadderRows, result_of_row, results, seats
from server.store.sql_logs import Logs, events


@dataclass(frozen=True, slots=True)
class Rebuilt:
    """How many results were ``made`` again, and how many of these differed from those stored, or were missing.

    ``left``: those of games that have been deleted, which stay as they are.
    """

    made: int
    changed: int
    left: int


def rebuild(connection: Connection) -> Rebuilt:
    """Makes all results again from the logs of the games."""
    logs, stored = Logs(connection.dialect), {row.game_id: row for row in connection.execute(select(results))}
    rows, made, changed = LadderRows(connection.dialect), 0, 0
    for game_id in connection.scalars(_select_games()):
        state = fold(game_id, logs.events(connection, game_id))
        result = None if state is None else result_of(state)
        row = stored.pop(game_id, None)
        if result is None:
            continue
        made += 1
        if row is None or result_of_row(row) != result:
            changed += 1
            for table in (results, seats):
                connection.execute(delete(table).where(table.c.game_id == game_id))
            rows.add(connection, result)
    return Rebuilt(made, changed, len(stored))


def _select_games() -> Select[Any]:
    """The query for the games of the ladder."""
    is_first = events.c.seq == 1
    return select(events.c.game_id).where(
        is_first, events.c.data["ladder"]["opening"].as_string().is_not(None)
    )
