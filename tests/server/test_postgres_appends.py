"""Appends in one round trip leave what the ordinary statements leave, and refuse what they refuse."""

import asyncio
import os
import signal
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from dataclasses import replace

import pytest
import uvloop
from sqlalchemy import Engine, select, text
from sqlalchemy.exc import OperationalError as LostError

from server.domain.events import Moved, Recorded
from server.ports.store import FIRST_EPOCH, Append, Lease, TokenHash
from server.services.recorded_metrics import Metrics
from server.store.postgres_appends import MAX_BYTES, MOST_EVENTS, PostgresAppends
from server.store.sql_counts import Changes
from server.store.sql_engine import open_engine
from server.store.sql_logs import Logs, events, games
from tests.server.databases import template
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


LONG = move("", 2, summary={"text": "x" * 20_000}).listing
"""A row that does not fit into what the server reads at once."""

WAITING = text(
    "SELECT pid FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()"
)


@contextmanager
def a_database(postgres: PostgresServer) -> Iterator[Engine]:
    """The games a and b, and c, whose lease server ``one`` holds."""
    engine = open_engine(postgres.new_database(template(postgres)))
    with engine.begin() as connection:
        for name in ("a", "b"):
            Logs(engine.dialect).append(connection, creation(name), Changes())
        Logs(engine.dialect).append(connection, replace(creation("c"), holder="one"), Changes())
    try:
        yield engine
    finally:
        engine.dispose()


def contents(engine: Engine) -> list[object]:
    with engine.connect() as connection:
        return [
            tuple(row)
            for table in (games, events)
            for row in connection.execute(select(table).order_by(*table.primary_key))
        ]


@asynccontextmanager
async def connected(engine: Engine) -> AsyncIterator[PostgresAppends]:
    appends = PostgresAppends(engine.url.render_as_string(hide_password=False), Metrics().commit_seconds)
    async with asyncio.timeout(60):
        while await appends.submit(move("unknown", 2)) is None:  # noqa: ASYNC110 - polls until it is connected
            await asyncio.sleep(0.01)
    try:
        yield appends
    finally:
        await appends.close()


async def test_they_leave_the_same_as_ordinary_statements(postgres: PostgresServer) -> None:
    with a_database(postgres) as ordinary, a_database(postgres) as quick:
        logs = Logs(ordinary.dialect)
        async with connected(quick) as appends:
            for group in GROUPS:
                with ordinary.begin() as connection:
                    accepted = [logs.append(connection, change, Changes()) for change in group]
                assert await asyncio.gather(*map(appends.submit, group)) == accepted
                assert contents(ordinary) == contents(quick)


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
async def test_what_they_cannot_write_is_left_alone(postgres: PostgresServer, other: Append) -> None:
    with a_database(postgres) as engine:
        async with connected(engine) as appends:
            before = contents(engine)
            assert await appends.submit(other) is None
            assert contents(engine) == before
            assert await appends.submit(move("b", 2)) is True


async def test_a_failure_affects_the_whole_group_and_no_other(postgres: PostgresServer) -> None:
    bad = replace(move("b", 2), events=(Recorded(1, 2, Moved(0, "take")),))
    with a_database(postgres) as engine:
        async with connected(engine) as appends:
            group = move("c", 2), move("a", 2), bad, move("a", 3)
            assert await asyncio.gather(*map(appends.submit, group)) == [True, None, None, None]
            assert await appends.submit(move("a", 2)) is True


async def test_a_group_with_many_bytes_is_several_transactions(
    postgres: PostgresServer,
) -> None:
    whole, part = "y" * MAX_BYTES, "y" * (MAX_BYTES // 3)
    with a_database(postgres) as engine:
        async with connected(engine) as appends:
            assert await appends.submit(move("a", 2, summary={"x": whole})) is None
            group = [move("a", seq, summary={"x": part}) for seq in range(2, 9)]
            assert await asyncio.gather(*map(appends.submit, group)) == [True] * len(group)
        with engine.connect() as connection:
            transactions = connection.execute(
                text("SELECT count(*) FROM events WHERE game_id = 'a' GROUP BY xmin")
            )
            assert sorted(transactions.scalars()) == [1, 1, 2, 2, 2]


@pytest.mark.slow
async def test_after_a_restart_of_postgres_they_connect_again(postgres: PostgresServer) -> None:
    with a_database(postgres) as engine:
        async with connected(engine) as appends:
            postgres.kill()
            postgres.start()
            assert await appends.submit(move("a", 2)) is None
            async with asyncio.timeout(60):
                while await appends.submit(move("a", 2)) is None:  # noqa: ASYNC110 - polls until it is connected
                    await asyncio.sleep(0.01)
            assert len(contents(engine)) == 7


def test_a_connection_that_ends_before_all_is_read_is_lost(postgres: PostgresServer) -> None:
    """A process of Postgres that is ended like those of a crash says so, which arrives together with an error."""
    with a_database(postgres) as engine:
        uvloop.run(lose(engine))  # It tells of an error only once.
    postgres.kill()
    postgres.start()


async def lose(engine: Engine) -> None:
    async with connected(engine) as appends:
        with engine.connect() as other:
            other.execute(select(games).where(games.c.game_id == "b").with_for_update())
            sent = moves("a", 2, 1), move("b", 2), replace(move("c", 2), listing=replace(LONG, game_id="c"))
            done = asyncio.gather(*map(appends.submit, sent), return_exceptions=True)
            async with asyncio.timeout(60):
                while (waiting := other.scalar(WAITING)) is None:  # noqa: ASYNC110 - polls
                    await asyncio.sleep(0.01)
                os.kill(waiting, signal.SIGQUIT)
                first, *others = await done
            other.invalidate()
    assert first is True
    assert all(isinstance(outcome, LostError) for outcome in others)
