"""A queue with one reader, in which something rarely waits.

``asyncio.Queue`` takes 3 KiB while it is empty, for limits and several readers.
"""

import asyncio
from typing import Generic, TypeVar

Item = TypeVar("Item")


class ReaderQueue(Generic[Item]):
    """An unlimited queue with one reader; the methods are those of ``asyncio.Queue``."""

    __slots__ = ("_arrival", "_items")

    def __init__(self) -> None:
        self._items: list[Item] = []
        self._arrival: asyncio.Future[None] | None = None

    def empty(self) -> bool:
        """Whether nothing waits."""
        return not self._items

    def qsize(self) -> int:
        """How much waits."""
        return len(self._items)

    def put_nowait(self, item: Item) -> None:
        """Adds an item."""
        self._items.append(item)
        if self._arrival is not None and not self._arrival.done():
            self._arrival.set_result(None)

    async def get(self) -> Item:
        """Removes and returns the next item, once there is one."""
        while not self._items:
            self._arrival = asyncio.get_running_loop().create_future()
            await self._arrival
        return self.get_nowait()

    def get_nowait(self) -> Item:
        """Removes and returns the next item."""
        return self._items.pop(0)
