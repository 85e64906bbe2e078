"""The messages of a WebSocket for the application, of which there are rarely more than one.

``asyncio.Queue`` takes 3 KiB while it is empty, for limits and several readers.
"""

import asyncio

from uvicorn._types import ASGIReceiveEvent


class MessageQueue:
    """An unlimited queue with one reader; the methods are those of ``asyncio.Queue``."""

    __slots__ = ("_arrival", "_messages")

    def __init__(self) -> None:
        self._messages: list[ASGIReceiveEvent] = []
        self._arrival: asyncio.Future[None] | None = None

    def empty(self) -> bool:
        """Whether there is no message."""
        return not self._messages

    def put_nowait(self, message: ASGIReceiveEvent) -> None:
        """Adds a message."""
        self._messages.append(message)
        if self._arrival is not None and not self._arrival.done():
            self._arrival.set_result(None)

    async def get(self) -> ASGIReceiveEvent:
        """Removes and returns the next message, once there is one."""
        while not self._messages:
            self._arrival = asyncio.get_running_loop().create_future()
            await self._arrival
        return self._messages.pop(0)
