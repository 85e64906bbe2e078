"""Lists have their own threads and a limited time, so that they never keep games waiting."""

import asyncio
import threading

import httpx
import pytest
from sqlalchemy import Connection

from server.ports.store import PageQuery
from server.store import sql_store
from server.store.limited_reads import THREADS, LimitedReads, TooLongError
from tests.server.databases import template
from tests.server.test_store import a_store, creation
from tools.services.postgres import PostgresServer

FOREVER = "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n"


async def test_a_list_that_takes_too_long_is_given_up(database: str) -> None:
    reads = LimitedReads(database, 0.2)
    with pytest.raises(TooLongError):
        await reads.read(lambda connection: connection.exec_driver_sql(FOREVER).all())
    reads.close()
    reads = LimitedReads(database, 60)
    assert await reads.read(lambda connection: connection.exec_driver_sql("SELECT 1").scalar()) == 1
    reads.close()


async def test_postgres_compiles_no_list(postgres: PostgresServer) -> None:
    def plan(connection: Connection) -> str:
        connection.exec_driver_sql("SET jit_above_cost = 0")
        return str(connection.exec_driver_sql("EXPLAIN SELECT count(*) FROM games").all())

    reads = LimitedReads(postgres.new_database(template(postgres)), 60)
    assert "JIT" not in await reads.read(plan)
    reads.close()


async def test_a_list_whose_turn_comes_too_late_is_not_read(sqlite: str) -> None:
    reads, ending = LimitedReads(sqlite, 0.2), threading.Event()
    blocking = [asyncio.ensure_future(reads.read(lambda _: ending.wait(60))) for _ in range(THREADS)]
    late = asyncio.ensure_future(reads.read(lambda _: pytest.fail("it is read")))
    await asyncio.sleep(0.3)
    ending.set()
    with pytest.raises(TooLongError):
        await late
    await asyncio.gather(*blocking)
    reads.close()


async def test_lists_that_take_long_do_not_keep_games_from_being_read(
    sqlite: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    ending = threading.Event()
    monkeypatch.setattr(sql_store, "read_page", lambda *_: ending.wait(60))
    monkeypatch.setattr(sql_store, "LIST_SECONDS", 600)
    async with a_store(sqlite) as store:
        await store.append(creation("a"))
        lists = [asyncio.ensure_future(store.page(PageQuery(("public",), 9))) for _ in range(20)]
        await asyncio.sleep(0)
        async with asyncio.timeout(30):
            assert len((await store.game("a")).events) == 1
            assert await store.counts() == {"playing": 1}
        ending.set()
        await asyncio.gather(*lists)


@pytest.mark.parametrize("path", ["", "?status=live", "/past", "/past?player1=Ada"])
async def test_a_list_that_takes_too_long_is_answered_with_503(
    own_client: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch, path: str
) -> None:
    def too_long(*_: object) -> None:
        raise TooLongError

    monkeypatch.setattr(sql_store, "read_page", too_long)
    answer = await own_client.get(f"/api/games{path}")
    assert (answer.status_code, answer.headers["Retry-After"]) == (503, "1")
    assert answer.json()["code"] == "unavailable"
    assert answer.json()["error"] == "The list took too long. Try again later."
