"""Following a topic without end: whatever is missed, and whatever the store says to it."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import aclosing

import pytest

from server.adapters.memory_bus import MemoryBus
from server.domain.errors import ApiError, Code, not_found, store_unavailable
from server.services import following
from server.services.following import Followed

TOPIC = "games"


class Reader:
    """Reads again, but is refused first."""

    def __init__(self, *refusals: ApiError) -> None:
        self._refusals = list(refusals)
        self.times = 0
        self.has_read = asyncio.Event()

    async def read(self) -> None:
        if self._refusals:
            raise self._refusals.pop(0)
        self.times += 1
        self.has_read.set()


@pytest.fixture(autouse=True)
def patience(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(following, "WAITING_MESSAGES", 2)
    monkeypatch.setattr(following, "RETRY_SECONDS", 0.01)


async def taken(messages: AsyncIterator[object], count: int) -> list[object]:
    async with asyncio.timeout(5):
        return [await anext(messages) for _ in range(count)]


@pytest.mark.parametrize("refusals", [(), (store_unavailable("full"), store_unavailable("full"))])
async def test_what_was_missed_is_read_again_once(refusals: tuple[ApiError, ...]) -> None:
    bus, reader = MemoryBus(), Reader(*refusals)
    followed = Followed(bus, TOPIC)
    for number in range(5):
        await bus.publish(TOPIC, number)
    async with aclosing(followed.messages(reader.read)) as messages:
        assert await taken(messages, 2) == [0, 1]
        going_on = asyncio.create_task(taken(messages, 2))
        await reader.has_read.wait()
        await bus.publish(TOPIC, 5)
        await bus.publish(TOPIC, 6)
        assert await going_on == [5, 6]
    assert reader.times == 1


async def test_what_is_not_there_is_not_waited_for(caplog: pytest.LogCaptureFixture) -> None:
    refusal = not_found("a")
    assert refusal.code is not Code.UNAVAILABLE
    reader = Reader(refusal, refusal)
    await following.until_read(reader.read)
    assert reader.times == 0
    assert [record.message for record in caplog.records] == [f"what was missed cannot be read: {refusal}"]
