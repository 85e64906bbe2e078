"""Statements that are compiled once. SQLAlchemy's work per execution would cost more than SQLite's."""

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import Any

from sqlalchemy import ClauseElement, Connection, Dialect


class Statement:
    """A statement in the SQL of one dialect. Values are given by name and passed on unchanged: JSON is text."""

    def __init__(self, statement: ClauseElement, dialect: Dialect) -> None:
        self._statement = statement
        self._dialect = dialect

    @cached_property
    def _compiled(self) -> tuple[str, Sequence[str] | None]:
        """The text, and the names of its values if they are given in order.

        Compiled at the first use, as a server that starts needs few statements.
        """
        compiled = self._statement.compile(dialect=self._dialect)
        return str(compiled), getattr(compiled, "positiontup", None)

    def write(self, connection: Connection, *rows: Mapping[str, Any]) -> int:
        """Executes the statement once for each row of values; returns the number of rows affected."""
        text, names = self._compiled
        given = [_given(names, row) for row in rows]
        return connection.exec_driver_sql(text, given[0] if len(given) == 1 else given).rowcount

    def read(self, connection: Connection, values: Mapping[str, Any]) -> Iterable[Sequence[Any]]:
        """The selected rows."""
        text, names = self._compiled
        return connection.exec_driver_sql(text, _given(names, values))


def _given(names: Sequence[str] | None, values: Mapping[str, Any]) -> Any:  # noqa: ANN401 - as the driver takes them
    return values if names is None else tuple(values[name] for name in names)
