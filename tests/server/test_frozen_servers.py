"""A server that freezes in the middle of a transaction does not keep the others from anything for long."""

import asyncio
import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Any

import pytest

from server.ports.store import Lease, TokenHash, VersionConflictError
from server.store import sql_leases, sql_store
from server.store.postgres_limits import WRITING
from server.store.sql_logs import Logs
from server.store.sql_store import SqlStore
from tests.server.databases import template
from tests.server.test_leases import a_store, beat, begun, moved
from tools.services.postgres import PostgresServer

LIMIT = "idle_in_transaction_session_timeout"


class Freeze:
    """Stops the thread that calls the result of ``after``, once that has called what it is given."""

    def __init__(self) -> None:
        self.is_on = False
        self.began = threading.Event()
        self._may_end = threading.Event()

    def after(self, work: Any) -> Any:
        def run(*arguments: Any) -> Any:
            result = work(*arguments)
            if self.is_on:
                self.is_on = False
                self.began.set()
                assert self._may_end.wait(60)
            return result

        return run

    def end(self) -> None:
        self._may_end.set()


@asynccontextmanager
async def two_stores(
    postgres: PostgresServer, monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[tuple[SqlStore, SqlStore]]:
    """Those of two servers. What freezes loses its transaction soon."""
    monkeypatch.setattr(sql_leases, "DEAD_MS", 600_000)
    assert LIMIT in WRITING
    monkeypatch.setattr(sql_store, "WRITING", {**WRITING, LIMIT: "100ms"})
    url = postgres.new_database(template(postgres))
    async with a_store(url) as one, a_store(url) as two:
        yield one, two


async def test_others_beat_and_claim_while_a_server_is_frozen_in_its_heartbeat(
    postgres: PostgresServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    freeze = Freeze()
    monkeypatch.setattr("server.store.sql_store.beat", freeze.after(sql_leases.beat))
    async with two_stores(postgres, monkeypatch) as (frozen, other):
        await beat(frozen, "frozen")
        await other.append(begun("a", "frozen"))
        await other.retire("frozen")  # As time would.
        freeze.is_on = True
        beating = asyncio.ensure_future(beat(frozen, "frozen"))
        await asyncio.to_thread(freeze.began.wait, 60)
        async with asyncio.timeout(60):
            assert (await beat(other, "other")).claimed == {"a": 2}
        assert not beating.done()
        freeze.end()
        assert (await beating).was_dead
        assert await other.leases("frozen") == {}


async def test_another_server_changes_the_game_in_whose_change_a_server_is_frozen(
    postgres: PostgresServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    freeze = Freeze()
    monkeypatch.setattr(Logs, "append", freeze.after(Logs.append))
    async with two_stores(postgres, monkeypatch) as (frozen, other):
        game = begun("a", "frozen")
        await frozen.append(game)
        freeze.is_on = True
        # What brings tokens takes several statements.
        move = replace(moved(game, 2, Lease("frozen", 1)), tokens=(TokenHash("d", 0),))
        appending = asyncio.ensure_future(frozen.append(move))
        await asyncio.to_thread(freeze.began.wait, 60)
        async with asyncio.timeout(60):
            await other.append(moved(game, 2, None))
        freeze.end()
        with pytest.raises(VersionConflictError):
            await appending
        assert len(await other.events("a")) == 2
