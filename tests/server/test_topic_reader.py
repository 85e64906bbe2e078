"""Reading a topic endlessly: missed messages, and failures of the store."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from server.domain.errors import ApiError, Code, not_found, store_unavailable
from server.services.cluster import topic_reader
from server.services.cluster.bus import Bus
from server.services.cluster.topic_reader import TopicReader

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


class Handled:
    """The messages handled so far; handling "bad" fails."""

    def __init__(self) -> None:
        self._messages: asyncio.Queue[object] = asyncio.Queue()

    async def put(self, message: object) -> None:
        if message == "bad":
            raise ValueError(message)
        await self._messages.put(message)

    async def take(self, count: int) -> list[object]:
        async with asyncio.timeout(60):
            return [await self._messages.get() for _ in range(count)]


@asynccontextmanager
async def following(followed: TopicReader, reader: Reader) -> AsyncIterator[Handled]:
    handled = Handled()
    task = asyncio.create_task(followed.follow(handled.put, reader.read))
    try:
        yield handled
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


@pytest.mark.parametrize("refusals", [(), (store_unavailable("full"), store_unavailable("full"))])
async def test_missed_changes_are_read_again_once(refusals: tuple[ApiError, ...]) -> None:
    bus, reader = Bus(), Reader(*refusals)
    followed = TopicReader(bus, TOPIC)
    for number in range(5):
        await bus.publish(TOPIC, number)
    async with following(followed, reader) as handled:
        assert await handled.take(2) == [0, 1]
        await reader.has_read.wait()
        await bus.publish(TOPIC, 5)
        await bus.publish(TOPIC, 6)
        assert await handled.take(2) == [5, 6]
    assert reader.times == 1


async def test_an_error_in_one_message_does_not_end_the_following(caplog: pytest.LogCaptureFixture) -> None:
    bus = Bus()
    async with following(TopicReader(bus, TOPIC), Reader()) as handled:
        await bus.publish(TOPIC, "bad")
        await bus.publish(TOPIC, "good")
        assert await handled.take(1) == ["good"]
    assert [record.message for record in caplog.records] == ["a message of topic games could not be handled"]


async def test_a_missing_game_is_not_retried(caplog: pytest.LogCaptureFixture) -> None:
    refusal = not_found("a")
    assert refusal.code is not Code.UNAVAILABLE
    reader = Reader(refusal, refusal)
    await topic_reader.retry_until_read(reader.read)
    assert reader.times == 0
    assert [record.message for record in caplog.records] == [f"cannot read missed changes: {refusal}"]
