"""Statements that are compiled once. SQLAlchemy's work per execution would cost more than SQLite's."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from sqlalchemy import ClauseElement, Connection, Dialect


class Statement:
    """A statement in the SQL of one dialect. Values are given by name and passed on unchanged: JSON is text."""

    def __init__(self, statement: ClauseElement, dialect: Dialect) -> None:
        compiled = statement.compile(dialect=dialect)
        self._text = str(compiled)
        self._names: Sequence[str] | None = getattr(compiled, "positiontup", None)

    def write(self, connection: Connection, *rows: Mapping[str, Any]) -> int:
        """Executes the statement once for each row of values; returns the number of rows affected."""
        given = [self._given(row) for row in rows]
        return connection.exec_driver_sql(self._text, given[0] if len(given) == 1 else given).rowcount

    def read(self, connection: Connection, values: Mapping[str, Any]) -> Iterable[Sequence[Any]]:
        """The selected rows."""
        return connection.exec_driver_sql(self._text, self._given(values))

    def _given(self, values: Mapping[str, Any]) -> Any:  # noqa: ANN401 - as the driver takes them
        return values if self._names is None else tuple(values[name] for name in self._names)
