"""Numbered messages between processes: their form in a Redis stream, and detection of missing ones.

Every process numbers its messages, so readers can detect lost and duplicate ones.
Pure; ``redis_medium`` sends and reads them.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Any

Fields = Mapping[bytes, bytes]
"""One entry of the stream."""


@dataclass(frozen=True, slots=True)
class BusMessage:
    """A message of a process; ``number`` counts from 1 those that all processes receive, and is None for others.

    Without a topic it is a greeting: the process is connected, and all its messages up to ``number`` either precede
    it or are lost.
    """

    process: str
    number: int | None
    topic: str | None = None
    body: bytes = b""

    def fields(self) -> dict[Any, Any]:
        """The entry of the stream, from bytes to bytes; the Redis client's types require a wider annotation."""
        head = {b"p": self.process.encode(), b"n": str(self.number).encode()}
        return head if self.topic is None else {**head, b"t": self.topic.encode(), b"m": self.body}


def read_bus_message(fields: Fields) -> BusMessage:
    """The message in an entry; KeyError or ValueError if it was not written by a Plyhouse process."""
    process, number = fields[b"p"].decode(), int(fields[b"n"])
    if b"t" not in fields:
        return BusMessage(process, number)
    return BusMessage(process, number, fields[b"t"].decode(), fields[b"m"])


class MessageStatus(Enum):
    """How a message relates to those that its reader has seen."""

    OWN = "own"
    NEXT = "next"
    KNOWN = "known"
    UNNUMBERED = "unnumbered"
    AFTER_GAP = "after gap"
    AFTER_SILENCE = "after silence"
    """The greeting of a process not seen before, which thought that it was alone and has sent nothing until now."""


class SequenceNumbers:
    """The last number that process ``own`` has read from each other process."""

    def __init__(self, own: str) -> None:
        self._own = own
        self._last: dict[str, int | None] = {}

    @property
    def knows_others(self) -> bool:
        """Whether a message of any other process was ever read."""
        return bool(self._last)

    def skip(self) -> None:
        """Allows the next message of every process to have any number: the gap before it is known already."""
        self._last = dict.fromkeys(self._last)

    def enter(self, message: BusMessage) -> MessageStatus:
        """Records the number of a message and returns its status.

        The first message of a process may have any number, since it may have sent others before we started to
        read. If a greeting says so, however, the process was connected all along, and some may have been lost.
        """
        if message.process == self._own:
            return MessageStatus.OWN
        if message.number is None:
            return MessageStatus.UNNUMBERED
        is_greeting = message.topic is None
        step = 0 if is_greeting else 1
        is_new = message.process not in self._last
        last = self._last.get(message.process, 0 if is_greeting else message.number - 1)
        if last is None:
            last = message.number - step
        self._last[message.process] = max(last, message.number)
        if message.number > last + step:
            return MessageStatus.AFTER_SILENCE if is_new else MessageStatus.AFTER_GAP
        return MessageStatus.NEXT if message.number > last else MessageStatus.KNOWN
