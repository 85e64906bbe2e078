"""What waiting jobs are told when there is no connection."""

import asyncio
import time

import pytest
from sqlalchemy import create_engine, event
from sqlalchemy.exc import OperationalError

from server.adapters.group_commit import GroupCommit
from server.services.recorded_metrics import Metrics

JOBS = 20


async def test_jobs_that_wait_for_a_connection_fail_together() -> None:
    engine = create_engine("sqlite://")
    attempts: list[object] = []

    @event.listens_for(engine, "do_connect")
    def refuse(*details: object) -> None:
        attempts.append(details)
        time.sleep(0.3)
        raise OperationalError(None, None, OSError("refused"))

    writer: GroupCommit[int] = GroupCommit(engine, lambda connection, job: True, Metrics().commit_seconds)
    outcomes = await asyncio.gather(*map(writer.submit, range(JOBS)), return_exceptions=True)
    await writer.close()
    assert [type(one) for one in outcomes] == [OperationalError] * JOBS
    assert len(attempts) <= JOBS / 2


@pytest.mark.parametrize("bad", [0, JOBS // 2])
async def test_a_job_that_fails_does_not_affect_the_others(bad: int) -> None:
    def work(connection: object, job: int) -> bool:
        if job == bad:
            raise ValueError(job)
        return True

    writer: GroupCommit[int] = GroupCommit(create_engine("sqlite://"), work, Metrics().commit_seconds)
    outcomes = await asyncio.gather(*map(writer.submit, range(JOBS)), return_exceptions=True)
    await writer.close()
    assert [number for number, one in enumerate(outcomes) if one is not None] == [bad]
