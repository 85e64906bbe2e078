"""Checks how the databases execute the statements of the store: none reads or sorts a whole table.

SQLite explains each statement that a store in this process executes (see the fixtures in ``conftest``), on an empty
database, as its plans do not depend on the rows.
"""

import re
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Connection, Engine, event

from server.store import limited_reads, sql_store
from server.store.sql_engine import open_engine

BIG = {
    "games",
    "events",
    "tokens",
    "chat_lines",
    "client_ids",
    "past_games",
    "ladder_results",
    "ladder_seats",
    "tournaments",
    "tournament_events",
    "explorer_moves",
    "explorer_waiting",
}
"""The tables that grow. The others have a row for each server, kind of games, or number."""

BY_KEY = re.compile(
    r"SEARCH \w+ USING ((INTEGER )?PRIMARY KEY|(COVERING )?INDEX (sqlite_autoindex_\w+|tokens_by_digest)) \(\w+=\?"
)
"""A step that finds the few rows of a key."""

KEYS = re.compile(r"\w+_pkey|tokens_by_digest")
"""The same, by the names of Postgres' indexes."""

SOME_GAMES = re.compile(r"(?<=\bgame_id IN )\(\?(, \?)*\)")
"""The games whose rows a statement reads."""

MANY_GAMES = "(" + ", ".join(f"'{number}'" for number in range(50)) + ")"
"""With few games SQLite finds their rows by their keys; with more it may read another index to its end."""

EXPLAINED = ("SELECT", "INSERT", "UPDATE", "DELETE")

STOPS_EARLY = (
    "DELETE FROM client_ids WHERE client_ids.client_id IN (SELECT",
    "SELECT explorer_waiting.game_id",
)
"""What statements begin with that read an index in its order and stop after a few rows: plans show no limit."""

Statements = dict[str, Any]
"""Executed statements with values for their parameters."""


class Recorder:
    """Collects the statements that stores execute, by the kind of the database."""

    def __init__(self) -> None:
        self.executed: dict[str, Statements] = {"sqlite": {}, "postgresql": {}}

    def open_engine(self, *arguments: Any, **options: Any) -> Engine:
        """Opens an engine whose statements are collected."""
        engine = open_engine(*arguments, **options)

        @event.listens_for(engine, "before_cursor_execute")
        def _executes(_: Connection, __: object, statement: str, values: Any, *more: Any) -> None:
            is_many = more[-1]
            self.executed[engine.dialect.name].setdefault(statement, values[0] if is_many else values)

        return engine


def recording() -> Iterator[Recorder]:
    """Collects the statements of all stores that are opened meanwhile."""
    recorder = Recorder()
    with pytest.MonkeyPatch.context() as patch:
        for module in (sql_store, limited_reads):
            patch.setattr(module, "open_engine", recorder.open_engine)
        yield recorder


def faults_on_sqlite(database: Path, statements: Mapping[str, Any]) -> list[str]:
    """What SQLite would do slowly in a big database, each with its statement."""
    with closing(sqlite3.connect(database)) as connection:
        return [
            f"{step}\n{statement}"
            for statement, values in statements.items()
            if not statement.startswith(("BEGIN", *STOPS_EARLY))
            for step in _slow_steps(
                _plan(connection, statement, values), is_of_some=bool(SOME_GAMES.search(statement))
            )
        ]


def _plan(connection: sqlite3.Connection, statement: str, values: Any) -> list[tuple[int, int, int, str]]:
    """The plan of a statement, with many games in place of some."""
    if found := SOME_GAMES.search(statement):
        first = statement[: found.start()].count("?")
        values = [*values[:first], *values[first + found[0].count("?") :]]
        statement = statement.replace(found[0], MANY_GAMES, 1)
    return connection.execute(f"EXPLAIN QUERY PLAN {statement}", values).fetchall()


def _slow_steps(plan: Sequence[tuple[int, int, int, str]], *, is_of_some: bool) -> Iterator[str]:
    """``is_of_some``: whether the statement is about some games, whose rows it should find by their keys."""
    for _, parent, _, step in plan:
        beside = [other for _, its_parent, _, other in plan if its_parent == parent and _table(other) in BIG]
        if step.startswith("SCAN") and _table(step) in BIG:
            yield step
        if is_of_some and step.startswith("SEARCH") and _table(step) in BIG and not BY_KEY.match(step):
            yield step
        if step.startswith("USE TEMP B-TREE") and not all(map(BY_KEY.match, beside)):
            yield step


def _table(step: str) -> str | None:
    words = step.split()
    return words[1] if words[0] in ("SCAN", "SEARCH") else None


def faults_on_postgres(connection: Connection, statements: Mapping[str, Any]) -> list[str]:
    """What Postgres would do slowly in a big database, each with its statement.

    It reads and sorts whole tables here only if there is no other way.
    """
    for setting in ("enable_seqscan", "enable_bitmapscan", "enable_sort"):
        connection.exec_driver_sql(f"SET LOCAL {setting} = off")
    indexes = connection.exec_driver_sql("SELECT indexname, indexdef FROM pg_indexes").all()
    first = {name: definition.partition("(")[2].strip(")").split(",")[0] for name, definition in indexes}
    found = []
    for statement, values in statements.items():
        if statement.lstrip().startswith(EXPLAINED) and not statement.startswith(STOPS_EARLY):
            [[plan]] = connection.exec_driver_sql(f"EXPLAIN (FORMAT JSON) {statement}", values)
            found += [f"{step}\n{statement}" for step in _slow_nodes(plan[0]["Plan"], first)]
    return found


def _slow_nodes(node: Mapping[str, Any], first: Mapping[str, str]) -> Iterator[str]:
    """``first`` has the first column of each index, without which a condition does not save reading all of it."""
    kind, table = node["Node Type"], node.get("Relation Name")
    column, condition = first.get(node.get("Index Name", "")), node.get("Index Cond", "")
    if table in BIG and kind != "ModifyTable" and column not in re.findall(r"\w+", condition):
        yield f"{kind} of all of {table}"
    if kind.endswith("Sort"):
        yield from (f"{kind} of what {index} finds" for index in _indexes_read(node) if not KEYS.match(index))
    for inner in node.get("Plans", ()):
        yield from _slow_nodes(inner, first)


def _indexes_read(node: Mapping[str, Any]) -> Iterator[str]:
    """The indexes from which a node gets all rows."""
    if "Index Name" in node:
        yield node["Index Name"]
    for inner in node.get("Plans", ()):
        if inner["Node Type"] != "Limit":
            yield from _indexes_read(inner)
