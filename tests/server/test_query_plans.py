"""No statement of the store reads or sorts a whole table, on either database; see ``query_plans``."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import replace

import pytest
from sqlalchemy.engine import make_url

from engines.explorer.tally import OpeningTally
from server.domain.client_ids import ClientId
from server.domain.explored import PlayedOpening
from server.domain.ladder.results import RatedResult
from server.ports.explorer import CountOpenings, ExplorerStore
from server.ports.store import (
    FIRST_EPOCH,
    ClientIdStore,
    EndedGames,
    EndedKind,
    Heartbeat,
    LadderStore,
    Lease,
    ListingQuery,
    RetentionStore,
    Store,
    TokenHash,
)
from server.store import sql_client_ids
from server.store.sql_engine import open_engine
from server.store.sql_store import SqlStore
from tests.server.databases import empty
from tests.server.query_plans import Recorder, Statements, faults_on_postgres, faults_on_sqlite
from tests.server.test_past_games import as_append, games_at_random, queries
from tests.server.test_store import creation, move

QUERIES = (
    ListingQuery(status="open"),
    ListingQuery(status="playing", is_timed=True),
    ListingQuery(status="playing", has_bot=True),
    ListingQuery(status="open", has_remote=True),
    ListingQuery("playing", visibility=("public", "site"), updated_since=1, limit=1000),
    ListingQuery(game_ids=("a", "b", "c")),
)
"""What services ask for."""

ID = ClientId("bot", "owner", seen_at=1)

TALLY = OpeningTally(1, 0, (1, 0), 0, ())


async def append_all(store: SqlStore) -> None:
    await asyncio.gather(*(store.append(as_append(game)) for game in games_at_random()))
    await store.append(replace(creation("a"), tokens=(TokenHash("d", 0),), holder="one"))
    await store.append(replace(move("a", 2), lease=Lease("one", FIRST_EPOCH)))
    await store.append(replace(move("a", 3, status="finished"), also=replace(creation("b"), holder="one")))
    await store.append(replace(creation("c"), holder="gone"))
    rated = RatedResult("r", "hive", "Base", ("ann:b", "ben:b"), ("A", "B"), 1, (1, 2), "queen", 5, 30)
    await store.append(
        replace(creation("r"), listing=replace(creation("r").listing, status="finished"), ladder=rated)
    )


async def list_all(store: SqlStore) -> None:
    for query in QUERIES:
        await store.listings(query)


async def page_all(store: SqlStore) -> None:
    for query in queries():
        await store.page(query)
        await store.page(replace(query, after="a"))


async def beat_all(store: SqlStore) -> None:
    for claims in ("none", "all", "of the dead"):
        await store.beat(Heartbeat("one", 1, claims, [("a", 0)]))


async def keep_all(store: SqlStore) -> None:
    for number in range(3):
        await store.keep_client_id(replace(ID, client_id=f"bot{number}"))
    await store.keep_client_id(replace(ID, seen_at=2))


async def delete_all(store: SqlStore) -> None:
    for kind in EndedKind:
        await store.delete_ended(EndedGames(kind, 5, 3))


async def count_openings(store: SqlStore) -> None:
    opening = PlayedOpening("r", 1, {1: "wA1", 2: None}, TALLY)
    await store.count_openings(CountOpenings(("r", "z"), (opening,)))


async def duty_twice(store: SqlStore) -> None:
    assert await store.take_duty("ladder", "one")
    assert await store.take_duty("ladder", "one")


METHODS: Mapping[str, Callable[[SqlStore], Awaitable[object]]] = {
    "append": append_all,
    "beat": beat_all,
    "client_id": lambda store: store.client_id("bot"),
    "counts": SqlStore.counts,
    "events": lambda store: store.events("a", after=1),
    "game": lambda store: store.game("a"),
    "games_of": lambda store: store.games_of("d"),
    "games_of_client": lambda store: store.games_of_client("bot"),
    "has_server": lambda store: store.has_server("one"),
    "keep_client_id": keep_all,
    "leases": lambda store: store.leases("one"),
    "listings": list_all,
    "page": page_all,
    "ping": SqlStore.ping,
    "players_elsewhere": lambda store: store.players_elsewhere("two"),
    "retire": lambda store: store.retire("one"),
    "size": SqlStore.size,
    "ladder_results": lambda store: store.ladder_results((0, ""), 100),
    "ladder_results_of": lambda store: store.ladder_results_of(("a", "b")),
    "ladder_games_of": lambda store: store.ladder_games_of("ann:b", 100),
    "take_duty": duty_twice,
    "take_lease": lambda store: store.take_lease("c", "one"),
    "tokens": lambda store: store.tokens("a"),
    "try_writing": SqlStore.try_writing,
    "versions": lambda store: store.versions(("a", "b")),
    "delete_ended": delete_all,
    "used_bytes": SqlStore.used_bytes,
    "uncounted": lambda store: store.uncounted(16),
    "count_openings": count_openings,
    "explored": lambda store: store.explored(1, TALLY, 20),
}


def test_each_method_of_a_store_is_tested() -> None:
    of_stores = {
        name
        for port in (Store, LadderStore, ClientIdStore, RetentionStore, ExplorerStore)
        for name in dir(port)
        if not name.startswith("_")
    }
    assert of_stores - {"close"} == set(METHODS)


@pytest.mark.slow
async def test_no_statement_reads_or_sorts_a_whole_table(
    database: str, statements: Recorder, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sql_client_ids, "MAX_IDS", 2)
    store = SqlStore(database)
    for name, method in METHODS.items():
        if name != "used_bytes" or database.startswith("sqlite"):
            await method(store)
    await store.close()
    assert faults(database, statements.executed[make_url(database).get_backend_name()]) == []


def faults(database: str, executed: Statements) -> list[str]:
    assert executed
    if database.startswith("sqlite"):
        return faults_on_sqlite(empty(), executed)
    engine = open_engine(database)
    with engine.connect() as connection:
        found = faults_on_postgres(connection, executed)
    engine.dispose()
    return found


@pytest.mark.parametrize(
    ("statement", "is_slow"),
    [
        ("SELECT * FROM games WHERE visibility = 'public' ORDER BY created_at DESC LIMIT 9", False),
        ("SELECT * FROM games WHERE variant = 'classic' LIMIT 9", True),
        ("SELECT * FROM games WHERE visibility = 'public' ORDER BY updated_at LIMIT 9", True),
        ("SELECT count(*) FROM games", True),
        ("SELECT * FROM games WHERE game_id IN ('a', 'b') ORDER BY created_at", False),
        ("DELETE FROM events WHERE seq = 1", True),
    ],
)
def test_slow_statements_are_noticed(database: str, statement: str, is_slow: bool) -> None:  # noqa: FBT001 - a column
    assert (faults(database, {statement: ()}) != []) == is_slow
