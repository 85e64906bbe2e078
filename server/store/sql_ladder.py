"""Reads and writes the results of the ladder's games. Called by ``sql_store`` and ``sql_logs``."""

from collections.abc import Collection, Iterator
from dataclasses import asdict
from typing import Any, Final

from pydantic import TypeAdapter
from pydantic_core import to_json
from sqlalchemy import Connection, Dialect, Select, insert, select, tuple_

from server.domain.ladder.players import bot_of
from server.domain.ladder.results import RatedResult
from server.ports.store import GameKey
from server.store.sql_counts import Changes
from server.store.sql_statement import Statement
from server.store.sql_tables import LadderResultRow, LadderSeatRow

results = LadderResultRow.__table__  # type: ignore[attr-defined]  # the table behind the model
seats = LadderSeatRow.__table__  # type: ignore[attr-defined]  # the table behind the model

_COLUMNS: Final = ("game_id", "game", "variant", "ended_at")
"""The members that have columns."""

_RESULT = TypeAdapter(RatedResult)


class LadderRows:
    """The statements that add results, in the SQL of one dialect."""

    def __init__(self, dialect: Dialect) -> None:
        self._add_result = Statement(insert(results), dialect)
        self._add_seats = Statement(insert(seats), dialect)

    def add(self, connection: Connection, result: RatedResult, counts: Changes) -> None:
        """Adds the result of a game that has ended. ``counts`` gets what the caller writes at the transaction's end."""
        self._add_result.write(connection, result_values(result))
        self._add_seats.write(connection, *seat_values(result))
        counts.keep_ids_of(result.players)


def result_values(result: RatedResult) -> dict[str, Any]:
    """The values of a result's row, by column."""
    members = asdict(result)
    row = {name: members.pop(name) for name in _COLUMNS}
    return {**row, "result": to_json(members).decode()}


def seat_values(result: RatedResult) -> list[dict[str, Any]]:
    """The values of the rows of its seats, by column."""
    return [
        {"game_id": result.game_id, "seat": seat, "bot": bot_of(player), "ended_at": result.ended_at}
        for seat, player in enumerate(result.players)
    ]


def result_of_row(row: Any) -> RatedResult:  # noqa: ANN401 - a row of the table
    """The result in a row."""
    return _RESULT.validate_python({**row.result, **{name: getattr(row, name) for name in _COLUMNS}})


def select_results(after: GameKey, limit: int) -> Select[Any]:
    """The query for the next results after a time and id, in the order of the games' ends."""
    query = select(results).where(tuple_(results.c.ended_at, results.c.game_id) > after)
    return query.order_by(results.c.ended_at, results.c.game_id).limit(limit)


def select_results_of(game_ids: Collection[str]) -> Select[Any]:
    """The query for the results of some games."""
    return select(results).where(results.c.game_id.in_(game_ids))


def select_games_of_bot(bot: str, limit: int) -> Select[Any]:
    """The query for the ids of the latest games of a bot."""
    query = select(seats.c.game_id).where(seats.c.bot == bot)
    return query.order_by(seats.c.ended_at.desc(), seats.c.game_id.desc()).limit(limit)


def results_in_order(connection: Connection) -> Iterator[RatedResult]:
    """All results, in the order of the games' ends."""
    query = select(results).order_by(results.c.ended_at, results.c.game_id)
    return (result_of_row(row) for row in connection.execute(query))
