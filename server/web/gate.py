"""Whether a connection can be written to.

``asyncio.Event`` takes 0.8 KiB, for those who wait for it; on most connections nobody ever does.
"""

import asyncio


class Gate:
    """Is open, or will be; the methods are those of ``asyncio.Event``, which it makes while it is closed."""

    __slots__ = ("_opening",)

    def __init__(self) -> None:
        self._opening: asyncio.Event | None = None

    def is_set(self) -> bool:
        """Whether it is open."""
        return self._opening is None

    def set(self) -> None:
        """Opens it."""
        if self._opening is not None:
            self._opening.set()
            self._opening = None

    def clear(self) -> None:
        """Closes it."""
        self._opening = self._opening or asyncio.Event()

    async def wait(self) -> None:
        """Returns when it is open."""
        if self._opening is not None:
            await self._opening.wait()
