"""A connection without a socket, for drivers and broadcasts in the test's own process."""

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Hashable

from protocols.session import FrameLost

PATIENCE = 60.0


class MemoryConnection:
    """One connection. Implements ``ports.connection.Connection``. ``closed`` is the reason once it is closed."""

    address = None

    def __init__(self) -> None:
        self._written: asyncio.Queue[str | FrameLost | None] = asyncio.Queue()
        self._said: deque[str] = deque()
        self._changed = asyncio.Event()
        self.closed: str | None = None
        self.frames: AsyncIterator[str | FrameLost] = self._frames()

    async def _frames(self) -> AsyncIterator[str | FrameLost]:
        while (frame := await self._written.get()) is not None:
            yield frame

    def give_back(self) -> None:
        """Nothing is counted."""

    def send(self, text: str, key: Hashable = None) -> None:
        """Keeps what is sent, until it is read."""
        if self.closed is None:
            self._said.append(text)
            self._changed.set()

    def close(self, code: int, reason: str = "") -> None:
        """Ends both directions."""
        if self.closed is None:
            self.closed = reason
            self.leave()
            self._changed.set()

    async def is_alive(self, seconds: float) -> bool:
        """Whether it is not closed."""
        return self.closed is None

    def lag_ms(self) -> int:
        """Always 0."""
        return 0

    # ---- the peer --------------------------------------------------------------------------------

    @property
    def unread(self) -> list[str]:
        """What has been sent and not been read."""
        return list(self._said)

    def write(self, *lines: str | FrameLost) -> None:
        """The peer sends lines."""
        for line in lines:
            self._written.put_nowait(line)

    def leave(self) -> None:
        """The peer goes, after what it has sent."""
        self._written.put_nowait(None)

    async def line(self) -> str:
        """The next answer; EOFError once the server has closed."""
        async with asyncio.timeout(PATIENCE):
            while not self._said:
                if self.closed is not None:
                    raise EOFError
                self._changed.clear()
                await self._changed.wait()
        return self._said.popleft()
