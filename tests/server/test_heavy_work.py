"""Work on threads, for which clients pay."""

import asyncio
import threading
import time
from collections.abc import AsyncIterator

import pytest

from server.domain.errors import ApiError, Code
from server.services import heavy_work
from server.services.heavy_work import HeavyWork
from server.services.payer import payer


@pytest.fixture
async def work() -> AsyncIterator[HeavyWork]:
    """A minute's allowance of 1.2 s, a sixth of it at once, and a clock that stands."""
    made = HeavyWork(1.2, lambda: 0.0)
    yield made
    made.stop()


def burn(seconds: float) -> str:
    ends = time.thread_time() + seconds
    while time.thread_time() < ends:
        pass
    return "done"


async def as_client(address: str | None, work: HeavyWork, seconds: float) -> str:
    payer.set(address)
    return await work.run(burn, seconds)


async def test_the_client_pays_for_processor_time(work: HeavyWork) -> None:
    assert await asyncio.create_task(as_client("192.0.2.1", work, 0.22)) == "done"
    with pytest.raises(ApiError) as refusal:
        await asyncio.create_task(as_client("192.0.2.1", work, 0.0))
    assert refusal.value.code is Code.TOO_MANY_REQUESTS
    assert await asyncio.create_task(as_client("192.0.2.2", work, 0.0)) == "done"
    assert await asyncio.create_task(as_client(None, work, 0.0)) == "done"


async def test_accepted_work_is_paid_for_but_not_refused(work: HeavyWork) -> None:
    payer.set("192.0.2.1")
    await work.run_accepted(burn, 0.22)
    assert await work.run_accepted(burn, 0.0) == "done"
    with pytest.raises(ApiError):
        work.check()


async def test_refusals_cost_what_it_took_to_find_them(work: HeavyWork) -> None:
    def refuse() -> None:
        burn(0.22)
        raise ValueError

    payer.set("192.0.2.1")
    with pytest.raises(ValueError):  # noqa: PT011 - raised above
        await work.run(refuse)
    with pytest.raises(ApiError):
        work.check()


async def test_one_client_waits_for_itself_and_others_do_not(work: HeavyWork) -> None:
    release = threading.Event()

    async def held() -> None:
        payer.set("192.0.2.1")
        await work.run(release.wait, 60)

    holding = [asyncio.create_task(held()) for _ in range(3)]
    assert await asyncio.create_task(as_client("192.0.2.2", work, 0.0)) == "done"
    release.set()
    await asyncio.gather(*holding)


async def test_a_client_cannot_queue_without_end(work: HeavyWork, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(heavy_work, "MOST_WAITING", 2)
    release = threading.Event()
    payer.set("192.0.2.1")
    holding = [asyncio.create_task(work.run(release.wait, 60)) for _ in range(2)]
    await asyncio.sleep(0)
    with pytest.raises(ApiError) as refusal:
        await work.run(burn, 0.0)
    assert refusal.value.limit == 2
    release.set()
    await asyncio.gather(*holding)


async def test_a_client_that_leaves_keeps_its_turn_until_its_work_has_ended(work: HeavyWork) -> None:
    release, running = threading.Event(), threading.Event()

    def hold() -> None:
        running.set()
        release.wait(60)

    payer.set("192.0.2.1")
    left = asyncio.create_task(work.run(hold))
    await asyncio.to_thread(running.wait, 60)
    left.cancel()
    waiting = asyncio.create_task(work.run(burn, 0.0))
    await asyncio.sleep(0.05)
    assert not waiting.done()
    release.set()
    assert await waiting == "done"
    with pytest.raises(asyncio.CancelledError):
        await left


async def test_the_client_pays_for_its_own_steps_on_the_event_loop(work: HeavyWork) -> None:
    async def answer(seconds: float) -> str:
        await asyncio.sleep(0)
        others = asyncio.create_task(as_client(None, work, 0.0))
        burn(seconds)
        return await others

    async def burn_for_others() -> None:
        burn(0.22)

    payer.set("192.0.2.1")
    waiting = asyncio.ensure_future(burn_for_others())
    assert await work.paid(answer(0.0)) == "done"
    await waiting
    work.check()
    assert await work.paid(answer(0.22)) == "done"
    with pytest.raises(ApiError):
        work.check()


async def test_what_the_client_pays_for_fails_and_is_cancelled_as_ever(work: HeavyWork) -> None:
    async def fail() -> None:
        await asyncio.sleep(0)
        raise ValueError

    with pytest.raises(ValueError):  # noqa: PT011 - raised above
        await work.paid(fail())
    waiting = asyncio.ensure_future(work.paid(asyncio.Event().wait()))
    await asyncio.sleep(0)
    waiting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await waiting
