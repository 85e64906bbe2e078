"""Keeps the numbers of rows that would take long to count, in a table of their own. Called by ``sql_store``."""

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Final

from sqlalchemy import BigInteger, Connection, Dialect, bindparam, select, text

from server.store.sql_statement import Statement
from server.store.sql_tables import CountRow

GAMES: Final = "games."
"""What the name of a number of games begins with; their status follows."""

CLIENT_IDS: Final = "client_ids"

row_counts = CountRow.__table__  # type: ignore[attr-defined]  # the table behind the model


class Changes(Counter[str]):
    """By how much a transaction changes each number.

    ``kept_ids``: the client ids that it keeps for ever, which ``KeptIds`` marks before the numbers are written.
    """

    def __init__(self) -> None:
        super().__init__()
        self.kept_ids: set[str] = set()

    def keep_ids_of(self, bots: Iterable[str]) -> None:
        """Keeps the ids of the clients of these bots for ever: what is known of the bots is theirs alone."""
        self.kept_ids.update(bot.partition(":")[0] for bot in bots)


class Counts:
    """The statements for numbers, in the SQL of one dialect."""

    def __init__(self, dialect: Dialect) -> None:
        added = text(
            "INSERT INTO row_counts (name, number) VALUES (:name, :change)"
            " ON CONFLICT (name) DO UPDATE SET number = row_counts.number + excluded.number"
        )
        self._add = Statement(added.bindparams(bindparam("change", type_=BigInteger)), dialect)

    def write(self, connection: Connection, changes: Changes) -> None:
        """Adds the changes of a transaction.

        Called at its end, in one order, so that two transactions that wait for each other's rows are impossible.
        """
        for name, change in sorted(changes.items()):
            if change != 0:
                self._add.write(connection, {"name": name, "change": change})


def read_counts(connection: Connection) -> Mapping[str, int]:
    """The numbers that are not 0."""
    rows = connection.execute(select(row_counts.c.name, row_counts.c.number))
    return {name: number for name, number in rows if number > 0}
