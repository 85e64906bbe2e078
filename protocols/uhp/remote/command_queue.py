"""Commands that wait for the current one. Every line is answered in order of arrival.

A line whose answer is already known (``KnownAnswer``) has to wait as well: an early answer would be mistaken for that
of the current command. Used by the sessions in which the server acts as an engine.
"""

from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Final

from protocols.session import POLICY_VIOLATION, Close, Effect, Send
from protocols.uhp.lines import ERROR, OK, Command, answered_at_once

MAX_QUEUED: Final = 16
"""Maximum number of waiting commands; clients should wait for ``ok``."""

MAX_KEEP_ALIVE: Final = 500
"""Maximum number of answers to consecutive ``info`` lines, which are kept in memory; further ones are ignored."""


@dataclass(frozen=True, slots=True)
class KnownAnswer:
    """A line whose answer was known on arrival."""

    line: str


@dataclass(frozen=True, slots=True)
class KeepAlive:
    """``info``, ``count`` times in a row. Clients may send it to keep a connection alive."""

    count: int = 1


QueuedLine = Command | KnownAnswer | KeepAlive


class CommandQueue:
    """Executes commands one after the other. Consecutive ``info`` lines count as one: they may come during any wait.

    ``info`` is the answer to that command. ``execute`` answers any command, or begins to. ``is_free``: whether none is
    in progress.
    """

    def __init__(
        self, info: Iterable[str], execute: Callable[[Command], list[Effect]], is_free: Callable[[], bool]
    ) -> None:
        self._info = tuple(info)
        self._execute = execute
        self._is_free = is_free
        self._waiting: deque[QueuedLine] = deque()

    def take(self, line: Command | KnownAnswer) -> list[Effect]:
        """Executes a line now, or queues it behind the current command; a client that sends too many is cut off."""
        if self._is_free():
            return self._take_up(line)
        last = self._waiting[-1] if self._waiting else None
        is_alive = isinstance(line, Command) and line.keyword == "info"
        if is_alive and isinstance(last, KeepAlive):
            self._waiting[-1] = replace(last, count=min(last.count + 1, MAX_KEEP_ALIVE))
            return []
        if len(self._waiting) >= MAX_QUEUED and not is_alive:
            return [
                *answered_at_once(f"{ERROR} too many commands are waiting"),
                Close(POLICY_VIOLATION, "flood"),
            ]
        self._waiting.append(KeepAlive() if is_alive else line)
        return []

    def proceed(self) -> list[Effect]:
        """Executes the queued lines, after the end of a command and until one is in progress again."""
        effects: list[Effect] = []
        while self._waiting and self._is_free():
            effects += self._take_up(self._waiting.popleft())
        return effects

    def _take_up(self, line: QueuedLine) -> list[Effect]:
        match line:
            case KnownAnswer(line=text):
                return answered_at_once(text)
            case KeepAlive(count=count):
                return [Send("\n".join((*self._info, OK) * count))]
            case Command():
                return self._execute(line)
