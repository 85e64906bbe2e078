"""The contract of a store, tested with every database.

Appends are conditional, all or nothing, and durable.
"""

import asyncio
import contextlib
import logging
import sqlite3
import subprocess
import sys
from collections.abc import AsyncIterator, Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext
from sqlalchemy.exc import OperationalError

from protocols.values import Seat, SeatKind
from server.domain.errors import ApiError, Code
from server.domain.events import Created, Moved, Recorded
from server.ports.store import (
    Append,
    Listing,
    ListingQuery,
    PageQuery,
    Store,
    TokenHash,
    VersionConflictError,
)
from server.store import sql_engine, sql_migrate, sql_store, write_failures
from server.store.sql_chat import MOST_LINES
from server.store.sql_engine import DatabaseError, lock_for_migration, open_engine
from server.store.sql_migrate import migrate
from server.store.sql_store import SqlStore
from server.store.sql_tables import GameRow
from tests.server.program import ROOT
from tools.services.postgres import PostgresServer

SEATS = (Seat(SeatKind.HUMAN, name="Ada"), Seat(SeatKind.OPEN))
CREATED = Created("toy-draw", "standard", {"seats": 2, "first": 8}, {"seed": 5}, SEATS, host=0)


def sqlite_url(folder: Path) -> str:
    return f"sqlite:///{folder}/plyhouse.sqlite3"


@contextlib.asynccontextmanager
async def a_store(url: str) -> AsyncIterator[Store]:
    migrate(url)
    store = SqlStore(url)
    try:
        yield store
    finally:
        await store.close()


def listing(game_id: str, **changes: object) -> Listing:
    base = Listing(game_id, "toy-draw", "standard", "playing", is_timed=False, has_bot=False, created_at=1,
                   updated_at=1, ply=0, summary={"seats": []})  # fmt: skip
    return replace(base, **changes)  # type: ignore[arg-type]  # members of the row, by name


def creation(game_id: str, **changes: object) -> Append:
    return Append(game_id, 0, (Recorded(1, 1, CREATED),), listing(game_id, **changes))


def move(game_id: str, seq: int, text: str = "take", **changes: object) -> Append:
    event = Recorded(seq, seq, Moved(seq % 2, text, message_id=f"m{seq}"))
    return Append(game_id, seq - 1, (event,), listing(game_id, ply=seq - 1, **changes))


async def test_appended_events_are_read_back_after_reopening(database: str) -> None:
    async with a_store(database) as store:
        await store.append(replace(creation("a"), tokens=(TokenHash("d1", 0),)))
        await store.append(move("a", 2))
    async with a_store(database) as store:
        assert await store.events("a") == [Recorded(1, 1, CREATED), Recorded(2, 2, Moved(0, "take", "m2"))]
        assert await store.events("a", until=1) == [Recorded(1, 1, CREATED)]
        assert [one.seq for one in await store.events("a", after=1)] == [2]
        assert await store.events("a", after=1, until=1) == await store.events("a", after=2) == []
        assert await store.tokens("a") == [TokenHash("d1", 0)]
        assert [row.ply for row in await store.listings(ListingQuery(game_ids=("a",)))] == [1]


async def test_the_latest_messages_of_each_channel_are_kept(database: str) -> None:
    async with a_store(database) as store:
        for game_id in ("a", "b"):
            await store.append(creation(game_id))
    store = SqlStore(database)
    try:
        await store.keep_chat_line("b", "audience", 1, {"text": "other"})
        await store.keep_chat_line("a", "game", 0, {"text": "a player's"})
        for number in range(1, MOST_LINES + 4):
            await store.keep_chat_line("a", "audience", number, {"text": str(number)})
        kept = [line["text"] for line in await store.chat("a")]
        assert kept == ["a player's", *(str(number) for number in range(4, MOST_LINES + 4))]
        assert await store.chat("b") == [{"text": "other"}]
    finally:
        await store.close()


@pytest.mark.parametrize("seq", [2, 4])
async def test_an_append_for_another_version_changes_nothing(database: str, seq: int) -> None:
    async with a_store(database) as store:
        await store.append(creation("a"))
        await store.append(move("a", 2))
        with pytest.raises(VersionConflictError):
            await store.append(
                replace(move("a", seq, "give", status="finished"), tokens=(TokenHash("d2", 1),))
            )
        with pytest.raises(VersionConflictError):
            await store.append(creation("a"))
        assert len(await store.events("a")) == 2
        assert await store.tokens("a") == []
        assert [row.status for row in await store.listings(ListingQuery(game_ids=("a",)))] == ["playing"]


async def test_a_conflict_does_not_affect_other_appends(database: str) -> None:
    async with a_store(database) as store:
        changes = [creation(f"g{n % 40}") for n in range(80)]
        answers = await asyncio.gather(*(store.append(change) for change in changes), return_exceptions=True)
        assert [type(answer) for answer in answers[:40]] == [type(None)] * 40
        assert [type(answer) for answer in answers[40:]] == [VersionConflictError] * 40
        assert len(await store.listings(ListingQuery(status="playing"))) == 40


@pytest.mark.parametrize("late", ["also", "events", "tokens"])
async def test_a_late_refusal_leaves_nothing_and_other_appends_alone(database: str, late: str) -> None:
    async with a_store(database) as store:
        for game_id in ("a", "b", "c"):
            await store.append(creation(game_id))
        bad = {
            "also": replace(move("b", 2), also=move("a", 7)),
            "events": replace(move("b", 2), events=(Recorded(2, 2, Moved(0, "take")),) * 2),
            "tokens": replace(move("b", 2), tokens=(TokenHash("d", 0),) * 2),
        }[late]
        changes = [move("a", 2), bad, move("c", 2)]
        answers = await asyncio.gather(*map(store.append, changes), return_exceptions=True)
        assert [type(answer) for answer in answers] == [type(None), VersionConflictError, type(None)]
        assert [len(await store.events(game_id)) for game_id in ("a", "b", "c")] == [2, 1, 2]
        await store.append(move("b", 2))
        assert await store.tokens("b") == []


async def test_one_of_two_concurrent_appends_wins(database: str) -> None:
    async with a_store(database) as store:
        await store.append(creation("a"))
        rivals = [store.append(move("a", 2, text)) for text in ("take", "give")]
        answers = await asyncio.gather(*rivals, return_exceptions=True)
        assert sorted(str(type(answer)) for answer in answers) == sorted(
            [str(type(None)), str(VersionConflictError)]
        )
        assert len(await store.events("a")) == 2


async def test_an_unknown_game_has_no_events(database: str) -> None:
    async with a_store(database) as store:
        assert await store.events("nobody") == []
        assert await store.tokens("nobody") == []


async def test_the_versions_of_many_games(database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sql_store, "IDS", 2)
    async with a_store(database) as store:
        for name in "abcde":
            await store.append(creation(name))
        await store.append(move("c", 2))
        assert await store.versions(("a", "b", "c", "e", "unknown")) == {"a": 1, "b": 1, "c": 2, "e": 1}
        assert await store.versions(()) == {}


async def test_pages_of_listings_neither_skip_nor_repeat(database: str) -> None:
    async with a_store(database) as store:
        for n in range(7):
            await store.append(creation(f"g{n}", created_at=n // 2))
        query, seen = PageQuery(("public", "site"), limit=3), list[str]()
        while page := await store.page(replace(query, after=seen[-1] if seen else None)):
            seen += [row.game_id for row in page]
        assert seen == ["g6", "g5", "g4", "g3", "g2", "g1", "g0"]
        assert await store.page(replace(query, after="unknown")) == []
        assert await store.page(replace(query, games=("chess",))) == []


async def test_listings_are_selected_by_their_columns(database: str) -> None:
    async with a_store(database) as store:
        for n in range(7):
            await store.append(creation(f"g{n}", created_at=n // 2, is_timed=n == 3, has_bot=n == 4))
        timed = await store.listings(ListingQuery("playing", is_timed=True))
        with_bot = await store.listings(ListingQuery("playing", has_bot=True))
        assert ([row.game_id for row in timed], [row.game_id for row in with_bot]) == (["g3"], ["g4"])


async def test_a_full_disk_stores_nothing_and_raises(tmp_path: Path) -> None:
    migrate(sqlite_url(tmp_path))
    store = SqlStore(sqlite_url(tmp_path), pragmas={"max_page_count": 16})
    await store.append(creation("a"))
    big = Recorded(2, 2, Moved(0, "x" * 60_000))
    with pytest.raises(ApiError) as refusal:
        await store.append(Append("a", 1, (big,), listing("a", status="finished")))
    assert (refusal.value.code, refusal.value.status) == (Code.UNAVAILABLE, 503)
    assert refusal.value.retry_after_ms == 1000
    assert len(await store.events("a")) == 1
    assert [row.status for row in await store.listings(ListingQuery(game_ids=("a",)))] == ["playing"]
    await store.append(move("a", 2))
    assert len(await store.events("a")) == 2
    await store.close()


async def test_a_big_append_on_a_full_disk_does_not_affect_small_ones(tmp_path: Path) -> None:
    migrate(sqlite_url(tmp_path))
    store = SqlStore(sqlite_url(tmp_path), pragmas={"max_page_count": 16})
    big = Append("big", 0, (Recorded(1, 1, replace(CREATED, variant="x" * 60_000)),), listing("big"))
    answers = await asyncio.gather(
        *(store.append(change) for change in (creation("a"), big, creation("b"))), return_exceptions=True
    )
    assert [type(answer) for answer in answers] == [type(None), ApiError, type(None)]
    await store.close()


async def test_a_full_disk_is_logged_once_until_it_ends(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    caplog.set_level("INFO", write_failures.__name__)
    migrate(sqlite_url(tmp_path))
    store = SqlStore(sqlite_url(tmp_path), pragmas={"max_page_count": 16})
    big = Append("big", 0, (Recorded(1, 1, replace(CREATED, variant="x" * 60_000)),), listing("big"))
    full = "the database cannot be written: database or disk is full. Moves and new games are refused."
    await store.append(creation("a"))
    for seq in (2, 3):
        with pytest.raises(ApiError, match="full"):
            await store.append(big)
        await store.append(move("a", seq))
    assert caplog.messages == [full], "a small write in between is not the end"
    monkeypatch.setattr(write_failures, "QUIET_SECONDS", 0.0)
    for seq in (4, 5):
        await store.append(move("a", seq))
    assert caplog.messages == [full, "the database can be written again"]
    with pytest.raises(ApiError, match="full"):
        await store.append(big)
    assert caplog.messages[2:] == [full]
    await store.close()


async def test_a_locked_database_is_refused_and_recovers(tmp_path: Path) -> None:
    migrate(sqlite_url(tmp_path))
    store = SqlStore(sqlite_url(tmp_path), pragmas={"busy_timeout": 50})
    other = sqlite3.connect(tmp_path / "plyhouse.sqlite3", isolation_level=None)
    with contextlib.closing(other):
        other.execute("BEGIN EXCLUSIVE")
        with pytest.raises(ApiError, match="locked"):
            await store.append(creation("a"))
        other.execute("ROLLBACK")
    await store.append(creation("a"))
    await store.close()


def test_the_migrations_create_the_tables_of_the_models(new_database: str) -> None:
    migrate(new_database)
    engine = open_engine(new_database)
    with engine.connect() as connection:
        assert compare_metadata(MigrationContext.configure(connection), GameRow.metadata) == []
    engine.dispose()


@pytest.mark.slow
async def test_a_restart_of_postgres_between_two_changes_is_not_noticed(postgres: PostgresServer) -> None:
    async with a_store(postgres.new_database()) as store:
        await store.append(creation("a"))
        postgres.kill()
        postgres.start()
        await store.append(move("a", 2))
        assert len(await store.events("a")) == 2


@pytest.mark.slow
def test_servers_that_start_together_migrate_once(new_database: str) -> None:
    command = [
        sys.executable,
        "-c",
        "import sys; from server.store.sql_migrate import migrate; migrate(sys.argv[1])",
    ]
    children = [subprocess.Popen([*command, new_database], cwd=ROOT) for _ in range(2)]
    assert [child.wait(timeout=60) for child in children] == [0, 0]
    migrate(new_database)


class AtWarnings(logging.Handler):
    """Calls a function at the first warning."""

    def __init__(self, act: Callable[[], object]) -> None:
        super().__init__(logging.WARNING)
        self._act = act
        self.messages: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        if not self.messages:
            self._act()
        self.messages.append(record.getMessage())


@contextlib.contextmanager
def at_warnings_of_migrations(act: Callable[[], object]) -> Iterator[list[str]]:
    handler = AtWarnings(act)
    sql_migrate.log.addHandler(handler)
    try:
        yield handler.messages
    finally:
        sql_migrate.log.removeHandler(handler)


def test_a_locked_database_is_waited_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sql_engine, "BUSY_SECONDS", 0.05)
    url = sqlite_url(tmp_path)
    with contextlib.closing(sqlite3.connect(tmp_path / "plyhouse.sqlite3", isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        other.execute("CREATE TABLE theirs (number INTEGER)")
        with at_warnings_of_migrations(lambda: other.execute("COMMIT")) as messages:
            migrate(url)
    assert messages == [f"another process has locked the database {url}; waiting for it"]


def test_another_servers_migrations_of_postgres_are_waited_for_without_an_end(
    postgres: PostgresServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sql_engine, "BUSY_SECONDS", 0.05)
    monkeypatch.setattr(sql_migrate, "ATTEMPTS", 1)
    url = postgres.new_database()
    engine = open_engine(url)
    with engine.connect() as other:
        lock_for_migration(other)
        with at_warnings_of_migrations(other.rollback) as messages:
            migrate(url)
    shown = engine.url.render_as_string()
    engine.dispose()
    assert messages == [f"another process has locked the database {shown}; waiting for it"]


def test_a_database_that_stays_locked_is_given_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sql_engine, "BUSY_SECONDS", 0.01)
    monkeypatch.setattr(sql_migrate, "ATTEMPTS", 3)
    with contextlib.closing(sqlite3.connect(tmp_path / "plyhouse.sqlite3", isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        with (
            at_warnings_of_migrations(lambda: None) as messages,
            pytest.raises(DatabaseError, match="database is locked"),
        ):
            migrate(sqlite_url(tmp_path))
    assert len(messages) == 2


def test_whoever_gets_on_between_waits_is_not_given_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two servers that migrate in turn wait for each other more often than one that does nothing may."""
    monkeypatch.setattr(sql_migrate, "ATTEMPTS", 2)
    locked = sqlite3.OperationalError("database is locked")
    locked.sqlite_errorcode = sqlite3.SQLITE_BUSY
    results = iter((True, locked, True, locked, False))

    def advance(*_: object) -> bool:
        if (result := next(results)) is locked:
            raise OperationalError("BEGIN IMMEDIATE", {}, locked)
        return result is True

    monkeypatch.setattr(sql_migrate, "_advance", advance)
    migrate(sqlite_url(tmp_path))
    assert next(results, None) is None


async def test_a_postgres_that_was_killed_has_everything(postgres: PostgresServer) -> None:
    """Writing and reading go on after it is back; while it is gone, changes are refused."""
    async with a_store(postgres.new_database()) as store:
        await store.append(creation("a"))
        postgres.kill()
        with pytest.raises(ApiError) as refusal:
            await store.append(move("a", 2))
        assert (refusal.value.code, refusal.value.status) == (Code.UNAVAILABLE, 503)
        postgres.start()
        await store.append(move("a", 2))
        assert len(await store.events("a")) == 2


def test_an_unreachable_postgres_is_named_without_its_password() -> None:
    with pytest.raises(DatabaseError, match="nowhere cannot be used") as refusal:
        migrate("postgresql://plyhouse:secret@/plyhouse?host=/nowhere")
    assert "secret" not in str(refusal.value)


def test_an_unusable_database_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(DatabaseError, match="folder"):
        migrate(f"sqlite:///{tmp_path}/file/plyhouse.sqlite3")
    (tmp_path / "garbage.sqlite3").write_bytes(b"not a database at all" * 100)
    with pytest.raises(DatabaseError, match="not a database"):
        migrate(f"sqlite:///{tmp_path}/garbage.sqlite3")
    with pytest.raises(DatabaseError, match="memory"):
        migrate("sqlite://")
    with pytest.raises(DatabaseError, match="not a database URL"):
        migrate("a file")
