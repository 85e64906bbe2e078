"""Repeated work goes on after errors."""

import asyncio

import pytest

from server.services import tasks
from server.services.tasks import Tasks


async def test_repeated_work_goes_on_after_an_error(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(tasks, "PAUSE_SECONDS", 0.01)
    done, runs = asyncio.Event(), 0

    async def fail_twice() -> None:
        nonlocal runs
        runs += 1
        if runs < 3:
            raise RuntimeError("broken")
        done.set()
        await asyncio.Event().wait()

    running = Tasks()
    running.repeat(fail_twice)
    async with asyncio.timeout(30):
        await done.wait()
    await running.stop()
    assert (runs, len(running)) == (3, 0)
    assert [str(record.exc_info[1]) for record in caplog.records if record.exc_info] == ["broken"] * 2
