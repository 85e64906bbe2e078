"""A server behind a pooler: refused if the pooler shares sessions, and otherwise as without one."""

from collections.abc import Iterator
from contextlib import contextmanager
from time import sleep

import pytest
from sqlalchemy import create_engine, text

from server.store.postgres_sessions import shares_sessions
from server.store.sql_engine import open_engine
from tests.server.program import run_command
from tools.services.pgbouncer import PgBouncer
from tools.services.postgres import PostgresServer


@contextmanager
def pooler(url: str, mode: str, sessions: int = 20) -> Iterator[str]:
    with PgBouncer(url, mode, sessions) as child:
        while not child.is_listening():
            sleep(0.01)
        yield child.url


def is_suspected(url: str) -> bool:
    engine = open_engine(url)
    try:
        return shares_sessions(engine)
    finally:
        engine.dispose()


@pytest.mark.parametrize("sessions", [1, 20])
def test_a_server_does_not_start_behind_a_pooler_of_transactions(
    postgres: PostgresServer, sessions: int
) -> None:
    with pooler(postgres.new_database(), "transaction", sessions) as url:
        done = run_command("serve", "--port", "0", "--database", url)
        assert done.returncode == 1
        assert done.stderr.count("\n") == 1
        assert "is behind a pooler that shares sessions: connect to Postgres itself" in done.stderr


def test_a_pooler_is_found_while_others_use_it(postgres: PostgresServer) -> None:
    with pooler(postgres.new_database(), "transaction") as url:
        others = create_engine(url.replace("postgresql", "postgresql+psycopg"))
        with others.connect() as one, others.connect() as two:
            one.execute(text("SELECT 1"))
            two.execute(text("SELECT 1"))
            two.rollback()
            found = [is_suspected(url) for _ in range(5)]
        others.dispose()
        assert found == [True] * 5


def test_a_pooler_of_sessions_and_postgres_itself_are_not_suspected(postgres: PostgresServer) -> None:
    database = postgres.new_database()
    with pooler(database, "session") as url:
        assert not any(is_suspected(one) for one in (url, database) for _ in range(5))
