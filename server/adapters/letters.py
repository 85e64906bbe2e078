"""Numbered messages between processes: what one looks like in a Redis stream, and which of them are missing.

Every process numbers its messages, so that readers detect lost and duplicate ones.
Pure; ``redis_relay`` sends and reads.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Any

Fields = Mapping[bytes, bytes]
"""One entry of the stream."""


@dataclass(frozen=True, slots=True)
class Letter:
    """A message of a process, its ``number`` counting from 1.

    Without a topic it is a greeting: the process is connected, and all its messages up to ``number`` were sent
    before, or are lost.
    """

    process: str
    number: int
    topic: str | None = None
    body: bytes = b""

    def fields(self) -> dict[Any, Any]:
        """The entry of the stream: bytes to bytes, which the client's types know under a wider name."""
        head = {b"p": self.process.encode(), b"n": str(self.number).encode()}
        return head if self.topic is None else {**head, b"t": self.topic.encode(), b"m": self.body}


def read_letter(fields: Fields) -> Letter:
    """The letter in an entry; KeyError or ValueError when no process of ours wrote it."""
    process, number = fields[b"p"].decode(), int(fields[b"n"])
    if b"t" not in fields:
        return Letter(process, number)
    return Letter(process, number, fields[b"t"].decode(), fields[b"m"])


class Verdict(Enum):
    """What a letter is to its reader."""

    OWN = "own"
    NEXT = "next"
    KNOWN = "known"
    AFTER_GAP = "after gap"


class Arrivals:
    """The last number of each process that was read by ``own``."""

    def __init__(self, own: str) -> None:
        self._own = own
        self._last: dict[str, int] = {}

    @property
    def knows_others(self) -> bool:
        """Whether any other process was ever heard of."""
        return bool(self._last)

    def enter(self, letter: Letter) -> Verdict:
        """Notes a letter.

        A process not heard of before may have spoken before we listened; but if its greeting says so, it was
        here all the time and something of it may have been lost.
        """
        if letter.process == self._own:
            return Verdict.OWN
        is_greeting = letter.topic is None
        first = 0 if is_greeting else letter.number - 1
        last = self._last.get(letter.process, first)
        self._last[letter.process] = max(last, letter.number)
        if letter.number > last + (0 if is_greeting else 1):
            return Verdict.AFTER_GAP
        return Verdict.NEXT if letter.number > last else Verdict.KNOWN
