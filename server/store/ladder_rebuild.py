"""Makes the results of the ladder again from the logs of its games. Called by ``plyhouse ladder rebuild``."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import Connection, Engine, Select, delete, select

from server.domain.fold import fold
from server.domain.ladder.results import RatedResult, result_of
from server.store.sql_client_ids import KeptIds
from server.store.sql_counts import Changes, Counts
from server.store.sql_ladder import LadderRows, result_of_row, results, seats
from server.store.sql_logs import Logs, events


@dataclass(slots=True)
class Rebuilt:
    """How many results were ``made`` again, and how many of these differed from those stored, or were missing.

    ``left``: those of games that have been deleted, which stay as they are.
    """

    made: int = 0
    changed: list[RatedResult] = field(default_factory=list)
    left: int = 0


def compare(connection: Connection) -> Rebuilt:
    """Makes all results again, and compares them with those stored."""
    done = Rebuilt()
    stored = {row.game_id: row for row in connection.execute(select(results))}
    for result in _made_again(connection):
        row = stored.pop(result.game_id, None)
        done.made += 1
        if row is None or result_of_row(row) != result:
            done.changed.append(result)
    done.left = len(stored)
    return done


def store_again(engine: Engine, result: RatedResult) -> None:
    """Stores a result instead of an earlier one of its game."""
    counts = Changes()
    with engine.begin() as connection:
        for table in (results, seats):
            connection.execute(delete(table).where(table.c.game_id == result.game_id))
        LadderRows(connection.dialect).add(connection, result, counts)
        KeptIds(connection.dialect).mark(connection, counts)
        Counts(connection.dialect).write(connection, counts)


def _made_again(connection: Connection) -> Iterator[RatedResult]:
    logs = Logs(connection.dialect)
    for game_id in connection.scalars(_select_games()).all():
        state = fold(game_id, logs.events(connection, game_id))
        result = None if state is None else result_of(state)
        if result is not None:
            yield result


def _select_games() -> Select[Any]:
    """The query for the games of the ladder."""
    is_first = events.c.seq == 1
    return select(events.c.game_id).where(
        is_first, events.c.data["ladder"]["opening"].as_string().is_not(None)
    )
