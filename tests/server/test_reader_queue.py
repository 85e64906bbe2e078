"""Queues with one reader."""

import asyncio

from server.services.reader_queue import ReaderQueue


def message(number: int) -> dict[str, str]:
    return {"type": "websocket.receive", "text": str(number)}


async def test_messages_come_in_order_whether_or_not_somebody_waits() -> None:
    queue = ReaderQueue[dict[str, str]]()
    for number in range(2):
        queue.put_nowait(message(number))
    assert [await queue.get() for _ in range(2)] == [message(0), message(1)]
    reading = asyncio.ensure_future(queue.get())
    await asyncio.sleep(0)
    assert queue.empty()
    for number in (2, 3):
        queue.put_nowait(message(number))
    assert await reading == message(2)
    assert not queue.empty()
    assert await queue.get() == message(3)


async def test_a_cancelled_reader_takes_no_message() -> None:
    queue = ReaderQueue[dict[str, str]]()
    reading = asyncio.ensure_future(queue.get())
    await asyncio.sleep(0)
    reading.cancel()
    queue.put_nowait(message(0))
    await asyncio.gather(reading, return_exceptions=True)
    assert reading.cancelled()
    assert await queue.get() == message(0)
