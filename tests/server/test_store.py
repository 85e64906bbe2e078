"""The contract of a store, held against every adapter.

Appends are conditional, all or nothing, and durable.
"""

import asyncio
import contextlib
import sqlite3
from collections.abc import AsyncIterator, Callable
from dataclasses import replace
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext

from server.adapters.sql_engine import DatabaseError, open_engine
from server.adapters.sql_migrate import migrate
from server.adapters.sql_store import SqlStore
from server.adapters.sql_tables import GameRow
from server.domain.errors import ApiError, Code
from server.domain.events import Created, Moved, Recorded
from server.domain.seats import Seat, SeatKind
from server.ports import Append, Listing, ListingQuery, Store, TokenHash, VersionConflictError

SEATS = (Seat(SeatKind.HUMAN, name="Ada"), Seat(SeatKind.OPEN))
CREATED = Created("toy-draw", "standard", {"seats": 2, "first": 8}, {"seed": 5}, SEATS, host=0)


def sqlite_url(folder: Path) -> str:
    return f"sqlite:///{folder}/plyhouse.sqlite3"


@contextlib.asynccontextmanager
async def sqlite_store(folder: Path) -> AsyncIterator[Store]:
    migrate(sqlite_url(folder))
    store = SqlStore(sqlite_url(folder))
    try:
        yield store
    finally:
        await store.close()


ADAPTERS = [sqlite_store]
Opened = Callable[[Path], contextlib.AbstractAsyncContextManager[Store]]


def listing(game_id: str, **changes: object) -> Listing:
    base = Listing(game_id, "toy-draw", "standard", "playing", is_timed=False, has_bot=False, created_at=1,
                   updated_at=1, ply=0, summary={"seats": []})  # fmt: skip
    return replace(base, **changes)  # type: ignore[arg-type]  # members of the row, by name


def creation(game_id: str, **changes: object) -> Append:
    return Append(game_id, 0, (Recorded(1, 1, CREATED),), listing(game_id, **changes))


def move(game_id: str, seq: int, text: str = "take", **changes: object) -> Append:
    event = Recorded(seq, seq, Moved(seq % 2, text, message_id=f"m{seq}"))
    return Append(game_id, seq - 1, (event,), listing(game_id, ply=seq - 1, **changes))


@pytest.mark.parametrize("opened", ADAPTERS)
async def test_what_was_appended_is_read_back_after_reopening(opened: Opened, tmp_path: Path) -> None:
    async with opened(tmp_path) as store:
        await store.append(replace(creation("a"), tokens=(TokenHash("d1", 0),)))
        await store.append(move("a", 2))
    async with opened(tmp_path) as store:
        assert await store.events("a") == [Recorded(1, 1, CREATED), Recorded(2, 2, Moved(0, "take", "m2"))]
        assert await store.events("a", until=1) == [Recorded(1, 1, CREATED)]
        assert [one.seq for one in await store.events("a", after=1)] == [2]
        assert await store.events("a", after=1, until=1) == await store.events("a", after=2) == []
        assert await store.tokens("a") == [TokenHash("d1", 0)]
        assert [row.ply for row in await store.listings(ListingQuery())] == [1]


@pytest.mark.parametrize("opened", ADAPTERS)
@pytest.mark.parametrize("seq", [2, 4])
async def test_an_append_for_another_version_changes_nothing(
    opened: Opened, tmp_path: Path, seq: int
) -> None:
    async with opened(tmp_path) as store:
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
        assert [row.status for row in await store.listings(ListingQuery())] == ["playing"]


@pytest.mark.parametrize("opened", ADAPTERS)
async def test_a_conflict_does_not_hurt_its_neighbours(opened: Opened, tmp_path: Path) -> None:
    async with opened(tmp_path) as store:
        changes = [creation(f"g{n % 40}") for n in range(80)]
        answers = await asyncio.gather(*(store.append(change) for change in changes), return_exceptions=True)
        assert [type(answer) for answer in answers[:40]] == [type(None)] * 40
        assert [type(answer) for answer in answers[40:]] == [VersionConflictError] * 40
        assert len(await store.listings(ListingQuery())) == 40


@pytest.mark.parametrize("opened", ADAPTERS)
@pytest.mark.parametrize("late", ["also", "events", "tokens"])
async def test_what_is_refused_late_leaves_nothing_and_its_neighbours_alone(
    opened: Opened, tmp_path: Path, late: str
) -> None:
    async with opened(tmp_path) as store:
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


@pytest.mark.parametrize("opened", ADAPTERS)
async def test_one_of_two_rivals_wins(opened: Opened, tmp_path: Path) -> None:
    async with opened(tmp_path) as store:
        await store.append(creation("a"))
        rivals = [store.append(move("a", 2, text)) for text in ("take", "give")]
        answers = await asyncio.gather(*rivals, return_exceptions=True)
        assert sorted(str(type(answer)) for answer in answers) == sorted(
            [str(type(None)), str(VersionConflictError)]
        )
        assert len(await store.events("a")) == 2


@pytest.mark.parametrize("opened", ADAPTERS)
async def test_an_unknown_game_has_no_events(opened: Opened, tmp_path: Path) -> None:
    async with opened(tmp_path) as store:
        assert await store.events("nobody") == []
        assert await store.tokens("nobody") == []


@pytest.mark.parametrize("opened", ADAPTERS)
async def test_pages_of_listings_neither_skip_nor_repeat(opened: Opened, tmp_path: Path) -> None:
    async with opened(tmp_path) as store:
        for n in range(7):
            await store.append(creation(f"g{n}", created_at=n // 2, is_timed=n == 3, has_bot=n == 4))
        seen: list[str] = []
        while page := await store.listings(ListingQuery(limit=3, after=seen[-1] if seen else None)):
            seen += [row.game_id for row in page]
        assert seen == ["g6", "g5", "g4", "g3", "g2", "g1", "g0"]
        assert [row.game_id for row in await store.listings(ListingQuery(is_timed=True))] == ["g3"]
        assert [
            row.game_id for row in await store.listings(ListingQuery(status="playing", has_bot=True))
        ] == ["g4"]
        assert await store.listings(ListingQuery(game="chess")) == []


async def test_a_full_disk_stores_nothing_and_says_so(tmp_path: Path) -> None:
    migrate(sqlite_url(tmp_path))
    store = SqlStore(sqlite_url(tmp_path), pragmas={"max_page_count": 16})
    await store.append(creation("a"))
    big = Recorded(2, 2, Moved(0, "x" * 60_000))
    with pytest.raises(ApiError) as refusal:
        await store.append(Append("a", 1, (big,), listing("a", status="finished")))
    assert (refusal.value.code, refusal.value.status) == (Code.UNAVAILABLE, 503)
    assert refusal.value.retry_after_ms == 1000
    assert len(await store.events("a")) == 1
    assert [row.status for row in await store.listings(ListingQuery())] == ["playing"]
    await store.append(move("a", 2))
    assert len(await store.events("a")) == 2
    await store.close()


async def test_a_big_append_on_a_full_disk_does_not_hurt_small_neighbours(tmp_path: Path) -> None:
    migrate(sqlite_url(tmp_path))
    store = SqlStore(sqlite_url(tmp_path), pragmas={"max_page_count": 16})
    big = Append("big", 0, (Recorded(1, 1, replace(CREATED, variant="x" * 60_000)),), listing("big"))
    answers = await asyncio.gather(
        *(store.append(change) for change in (creation("a"), big, creation("b"))), return_exceptions=True
    )
    assert [type(answer) for answer in answers] == [type(None), ApiError, type(None)]
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


def test_the_migrations_make_the_tables_of_the_models(tmp_path: Path) -> None:
    migrate(sqlite_url(tmp_path))
    engine = open_engine(sqlite_url(tmp_path))
    with engine.connect() as connection:
        assert compare_metadata(MigrationContext.configure(connection), GameRow.metadata) == []
    engine.dispose()


def test_a_database_that_cannot_be_used_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(DatabaseError, match="folder"):
        migrate(f"sqlite:///{tmp_path}/file/plyhouse.sqlite3")
    (tmp_path / "garbage.sqlite3").write_bytes(b"not a database at all" * 100)
    with pytest.raises(DatabaseError, match="not a database"):
        migrate(f"sqlite:///{tmp_path}/garbage.sqlite3")
    with pytest.raises(DatabaseError, match="memory"):
        migrate("sqlite://")
    with pytest.raises(DatabaseError, match="no database URL"):
        migrate("a file")
