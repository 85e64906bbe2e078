"""Reading a topic endlessly: missed messages, and failures of the store."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import aclosing

import pytest

from server.domain.errors import ApiError, Code, not_found, store_unavailable
from server.services import topic_reader
from server.services.bus import Bus
from server.services.topic_reader import TopicReader

TOPIC = "games"


class Reader:
    """Reads again, after raising the given errors first."""

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
def quick_retries(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(topic_reader, "WAITING_MESSAGES", 2)
    monkeypatch.setattr(topic_reader, "RETRY_SECONDS", 0.01)


async def taken(messages: AsyncIterator[object], count: int) -> list[object]:
    async with asyncio.timeout(60):
        return [await anext(messages) for _ in range(count)]


@pytest.mark.parametrize("refusals", [(), (store_unavailable("full"), store_unavailable("full"))])
async def test_missed_changes_are_read_again_once(refusals: tuple[ApiError, ...]) -> None:
    bus, reader = Bus(), Reader(*refusals)
    followed = TopicReader(bus, TOPIC)
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


async def test_a_missing_game_is_not_retried(caplog: pytest.LogCaptureFixture) -> None:
    refusal = not_found("a")
    assert refusal.code is not Code.UNAVAILABLE
    reader = Reader(refusal, refusal)
    await topic_reader.retry_until_read(reader.read)
    assert reader.times == 0
    assert [record.message for record in caplog.records] == [f"cannot read missed changes: {refusal}"]
