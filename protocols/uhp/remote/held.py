"""What waits for the command under way: every line is answered in the order in which it came.

A line may be answered already when it comes, and still has to wait its turn (``Answered``): an answer that came at once
would read as the end of the one under way. Used by the sessions in which the server is an engine.
"""

from collections import deque
from dataclasses import dataclass, replace
from typing import Final

from protocols.uhp.lines import Command

MAX_HELD: Final = 16
"""Commands that may wait for the one under way; a client is to wait for ``ok``."""

MAX_ALIVE: Final = 500
"""So many ``info`` in a row are answered, those that come beyond that are not: their answers, too, have to be kept."""


@dataclass(frozen=True, slots=True)
class Answered:
    """A line of which it was known when it came what there is to say to it."""

    line: str


@dataclass(frozen=True, slots=True)
class Alive:
    """``info``, so many times in a row. A client that waits long may keep its connection alive with it."""

    count: int = 1


HeldLine = Command | Answered | Alive


class Held:
    """The queue. A row of ``info`` counts as one, however long, so that no wait is too long for a client."""

    def __init__(self) -> None:
        self._waiting: deque[HeldLine] = deque()

    def __bool__(self) -> bool:
        return bool(self._waiting)

    def add(self, line: Command | Answered) -> bool:
        """Whether there was room for it."""
        last = self._waiting[-1] if self._waiting else None
        is_alive = isinstance(line, Command) and line.keyword == "info"
        if is_alive and isinstance(last, Alive):
            self._waiting[-1] = replace(last, count=min(last.count + 1, MAX_ALIVE))
            return True
        if len(self._waiting) >= MAX_HELD and not is_alive:
            return False
        self._waiting.append(Alive() if is_alive else line)
        return True

    def take(self) -> HeldLine:
        """What has waited longest."""
        return self._waiting.popleft()
