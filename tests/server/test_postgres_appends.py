"""Appends in one round trip leave what the ordinary statements leave, and refuse what they refuse."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace

import pytest
from sqlalchemy import Connection, Engine, select

from server.adapters.postgres_appends import MOST_EVENTS, PostgresAppends
from server.adapters.sql_engine import open_engine
from server.adapters.sql_logs import Logs, events, games
from server.adapters.sql_migrate import migrate
from server.domain.events import Moved, Recorded
from server.ports.store import FIRST_EPOCH, Append, Lease, TokenHash
from tests.server.test_store import creation, move
from tools.services.postgres import PostgresServer

HELD = Lease("one", FIRST_EPOCH)


def moves(game_id: str, first: int, count: int) -> Append:
    """An append of several events, with a text that is not ASCII."""
    recorded = tuple(Recorded(seq, 2**40, Moved(0, "ζ ' \0 —")) for seq in range(first, first + count))
    return replace(move(game_id, first, is_timed=True, summary={"ö": [None]}), events=recorded)


GROUPS: Sequence[Sequence[Append]] = (
    [move("a", 2), move("b", 2), move("a", 3)],
    [moves("a", 4, MOST_EVENTS), move("b", 9), move("b", 3)],
    [replace(move("c", 2), lease=HELD), replace(move("b", 4), lease=HELD)],
    [replace(moves("c", 3, 2), lease=replace(HELD, epoch=7)), replace(moves("c", 3, 2), lease=HELD)],
    [move("unknown", 2)],
)
"""Some of them are refused: for another version, for another lease, or because there is no such game."""


@contextmanager
def a_database(postgres: PostgresServer) -> Iterator[Engine]:
    """The games a and b, and c, whose lease server ``one`` holds."""
    url = postgres.new_database()
    migrate(url)
    engine = open_engine(url)
    with engine.begin() as connection:
        for name in ("a", "b"):
            Logs(engine.dialect).append(connection, creation(name))
        Logs(engine.dialect).append(connection, replace(creation("c"), holder="one"))
    try:
        yield engine
    finally:
        engine.dispose()


def contents(connection: Connection) -> list[object]:
    return [
        tuple(row)
        for table in (games, events)
        for row in connection.execute(select(table).order_by(*table.primary_key))
    ]


def test_they_leave_the_same_as_ordinary_statements(postgres: PostgresServer) -> None:
    with a_database(postgres) as ordinary, a_database(postgres) as quick:
        logs, appends = Logs(ordinary.dialect), PostgresAppends()
        with ordinary.connect() as one, quick.connect() as other:
            for group in GROUPS:
                accepted = [logs.append(one, change) for change in group]
                one.commit()
                assert appends.commit(other, group) == accepted
                assert contents(one) == contents(other)
                one.rollback()
                other.rollback()


@pytest.mark.parametrize(
    "other",
    [
        creation("d"),
        moves("b", 2, MOST_EVENTS + 1),
        replace(move("b", 2), also=move("c", 2)),
        replace(move("b", 2), holder="one"),
        replace(move("b", 2), tokens=(TokenHash("d", 0),)),
        replace(move("b", 2), events=(Recorded(1, 2, Moved(0, "take")),)),
    ],
    ids=["new game", "many events", "two games", "new lease", "token", "event that exists"],
)
def test_a_group_that_they_cannot_write_is_left_alone(postgres: PostgresServer, other: Append) -> None:
    appends = PostgresAppends()
    with a_database(postgres) as engine, engine.connect() as connection:
        before = contents(connection)
        connection.rollback()
        assert appends.commit(connection, [move("a", 2), other]) is None
        assert contents(connection) == before
        connection.rollback()
        assert appends.commit(connection, [move("a", 2)]) == [True]
