"""What waiting jobs are told when there is no connection."""

import asyncio
import sqlite3
import threading
import time
from collections.abc import Callable, Sequence
from itertools import count
from pathlib import Path
from typing import Any
from unittest import mock

import pytest
from sqlalchemy import Connection, create_engine, event
from sqlalchemy.exc import OperationalError

from server.services.recorded_metrics import Metrics
from server.store.group_commit import BUSY_GROUP, PAUSE_SECONDS, GroupCommit

JOBS = 20


async def test_jobs_that_wait_for_a_connection_fail_together() -> None:
    engine = create_engine("sqlite://")
    attempts: list[object] = []

    @event.listens_for(engine, "do_connect")
    def refuse(*details: object) -> None:
        attempts.append(details)
        time.sleep(0.3)
        raise OperationalError(None, None, OSError("refused"))

    writer: GroupCommit[int] = GroupCommit(
        engine, lambda connection, jobs: [True] * len(jobs), Metrics().commit_seconds
    )
    outcomes = await asyncio.gather(*map(writer.submit, range(JOBS)), return_exceptions=True)
    await writer.close()
    assert [type(one) for one in outcomes] == [OperationalError] * JOBS
    assert len(attempts) <= JOBS / 2


@pytest.mark.parametrize("bad", [0, JOBS // 2])
async def test_a_job_that_fails_does_not_affect_the_others(bad: int) -> None:
    def work(connection: object, jobs: Sequence[int]) -> list[bool]:
        if bad in jobs:
            raise ValueError(bad)
        return [True] * len(jobs)

    writer: GroupCommit[int] = GroupCommit(create_engine("sqlite://"), work, Metrics().commit_seconds)
    outcomes = await asyncio.gather(*map(writer.submit, range(JOBS)), return_exceptions=True)
    await writer.close()
    assert [number for number, one in enumerate(outcomes) if one is not None] == [bad]


async def test_no_job_is_refused_if_the_connection_is_lost_while_committing(tmp_path: Path) -> None:
    engine = create_engine(f"sqlite:///{tmp_path}/jobs.sqlite3")
    with engine.begin() as connection:
        connection.exec_driver_sql("CREATE TABLE jobs (id INTEGER PRIMARY KEY)")
    commit, commits, are_waiting = engine.dialect.do_commit, count(), threading.Event()

    def lose_first_answers(connection: Any) -> None:
        commit(connection)
        if next(commits) < 2:  # The first group may be the first job alone.
            raise sqlite3.OperationalError("lost")

    def insert_once(connection: Connection, jobs: Sequence[int]) -> list[bool]:
        are_waiting.wait(60)
        once = "INSERT INTO jobs VALUES (?) ON CONFLICT DO NOTHING"
        return [connection.exec_driver_sql(once, (job,)).rowcount == 1 for job in jobs]

    def is_lost(error: object, *_: object) -> bool:
        return "lost" in str(error)

    with mock.patch.multiple(engine.dialect, do_commit=lose_first_answers, is_disconnect=is_lost):
        writer: GroupCommit[int] = GroupCommit(engine, insert_once, Metrics().commit_seconds)
        jobs = [asyncio.ensure_future(writer.submit(job)) for job in range(JOBS)]
        await asyncio.sleep(0)
        are_waiting.set()
        outcomes = await asyncio.gather(*jobs, return_exceptions=True)
        await writer.close()
    with engine.begin() as connection:
        durable = connection.exec_driver_sql("SELECT count(*) FROM jobs").scalar_one()
    assert durable == JOBS
    assert [type(one) for one in outcomes] == [OperationalError] * JOBS


async def test_large_jobs_wait_for_all_small_ones() -> None:
    begun, release = threading.Event(), threading.Event()
    done: list[int] = []

    def work(connection: object, jobs: Sequence[int]) -> list[bool]:
        if 0 in jobs:
            begun.set()
            release.wait(60)
        done.extend(jobs)
        return [True] * len(jobs)

    is_large: Callable[[int], bool] = lambda job: job >= 100  # noqa: E731 - typed here
    engine = create_engine("sqlite://")
    writer: GroupCommit[int] = GroupCommit(engine, work, Metrics().commit_seconds, is_large)
    first = asyncio.ensure_future(writer.submit(0))
    await asyncio.to_thread(begun.wait, 60)
    others = [asyncio.ensure_future(writer.submit(job)) for job in (100, 1, 101, 2)]
    await asyncio.sleep(0)
    release.set()
    await asyncio.gather(first, *others)
    await writer.close()
    assert done == [0, 1, 2, 100, 101]


async def test_closing_finishes_large_jobs() -> None:
    done: list[int] = []

    def work(connection: object, jobs: Sequence[int]) -> list[bool]:
        done.extend(jobs)
        return [True] * len(jobs)

    writer: GroupCommit[int] = GroupCommit(
        create_engine("sqlite://"), work, Metrics().commit_seconds, lambda _: True
    )
    waiting = asyncio.gather(*(writer.submit(job) for job in range(5)))
    await asyncio.sleep(0)
    await writer.close()
    await waiting
    assert done == [0, 1, 2, 3, 4]


async def test_a_busy_transaction_is_not_followed_at_once() -> None:
    groups: list[int] = []

    def work(connection: object, jobs: Sequence[int]) -> list[bool]:
        groups.append(len(jobs))
        return [True] * len(jobs)

    writer: GroupCommit[int] = GroupCommit(create_engine("sqlite://"), work, Metrics().commit_seconds)
    began = time.monotonic()
    for _ in range(JOBS):
        await asyncio.gather(*map(writer.submit, range(BUSY_GROUP + 1)))  # The first may be done alone.
    seconds = time.monotonic() - began
    await writer.close()
    busy = sum(size >= BUSY_GROUP for size in groups[:-1])
    assert busy > 0
    assert seconds >= busy * PAUSE_SECONDS
