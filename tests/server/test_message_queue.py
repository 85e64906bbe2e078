"""The queue of a WebSocket's messages."""

import asyncio

from server.web.message_queue import MessageQueue


def message(number: int) -> dict[str, str]:
    return {"type": "websocket.receive", "text": str(number)}


async def test_messages_come_in_order_whether_or_not_somebody_waits() -> None:
    queue = MessageQueue()
    for number in range(2):
        queue.put_nowait(message(number))  # type: ignore[arg-type] # a message like any other
    assert [await queue.get() for _ in range(2)] == [message(0), message(1)]
    reading = asyncio.ensure_future(queue.get())
    await asyncio.sleep(0)
    assert queue.empty()
    for number in (2, 3):
        queue.put_nowait(message(number))  # type: ignore[arg-type]
    assert await reading == message(2)
    assert not queue.empty()
    assert await queue.get() == message(3)


async def test_a_cancelled_reader_takes_no_message() -> None:
    queue = MessageQueue()
    reading = asyncio.ensure_future(queue.get())
    await asyncio.sleep(0)
    reading.cancel()
    queue.put_nowait(message(0))  # type: ignore[arg-type]
    await asyncio.gather(reading, return_exceptions=True)
    assert reading.cancelled()
    assert await queue.get() == message(0)
