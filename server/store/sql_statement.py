"""Statements that are compiled once. SQLAlchemy's work per execution would cost more than SQLite's."""

import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from sqlalchemy import ClauseElement, Connection, Dialect
from sqlalchemy.exc import DBAPIError


class Statement:
    """A statement in the SQL of one dialect. Values are given by name and passed on unchanged: JSON is text."""

    def __init__(self, statement: ClauseElement, dialect: Dialect) -> None:
        compiled = statement.compile(dialect=dialect)
        self._text = str(compiled)
        self._names: Sequence[str] | None = getattr(compiled, "positiontup", None)
        self._is_sqlite = dialect.name == "sqlite"

    def write(self, connection: Connection, *rows: Mapping[str, Any]) -> int:
        """Executes the statement once for each row of values; returns the number of rows affected."""
        given = [self._given(row) for row in rows]
        if self._is_sqlite:
            return self._write_to_sqlite(connection, given)
        return connection.exec_driver_sql(self._text, given[0] if len(given) == 1 else given).rowcount

    def read(self, connection: Connection, values: Mapping[str, Any]) -> Iterable[Sequence[Any]]:
        """The selected rows."""
        return connection.exec_driver_sql(self._text, self._given(values))

    def _write_to_sqlite(self, connection: Connection, given: Sequence[Any]) -> int:
        """Passes the rows to the driver itself. Raises what SQLAlchemy would raise."""
        driver: Any = connection.connection.driver_connection
        try:
            if len(given) == 1:
                return int(driver.execute(self._text, given[0]).rowcount)
            return int(driver.executemany(self._text, given).rowcount)
        except sqlite3.Error as error:
            raise DBAPIError.instance(
                self._text, None, error, sqlite3.Error, hide_parameters=True, dialect=connection.dialect
            ) from error

    def _given(self, values: Mapping[str, Any]) -> Any:  # noqa: ANN401 - as the driver takes them
        return values if self._names is None else tuple(values[name] for name in self._names)
