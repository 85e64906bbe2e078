"""How a UHP engine is written where one is named: ``Name=value:…:CMD``, or ``tcp:host:port`` for the command.

Settings before the command are options of the engine (``NumThreads=1``), and a limit for its moves: ``time=MS``, or
``depth=N`` plies. Used by ``plyhouse arena`` (``uhp:…``), ``plyhouse bot --uhp`` and ``plyhouse engine --uhp``.
"""

import re
import shlex
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from protocols.uhp.requests import Depth, MoveTime
from server.adapters.uhp_link import ChildLink, Link, SocketLink

SETTING = re.compile(r"([A-Za-z]\w*)=([^:\s]*):")
TCP = "tcp:"
DEPTH = "depth"
TIME = "time"


class BadCommand(ValueError):
    """Not a UHP engine; the text says why."""


@dataclass(frozen=True, slots=True)
class UhpCommand:
    """One engine and its settings. ``words`` are a program and its arguments, or empty for an ``address``.

    ``limit`` is the engine's own for each move; None where it gets that of everybody.
    """

    text: str
    words: tuple[str, ...]
    address: tuple[str, int] | None
    options: Mapping[str, str]
    limit: MoveTime | Depth | None

    @classmethod
    def parse(cls, text: str) -> "UhpCommand":
        """Reads it. BadCommand."""
        settings: dict[str, str] = {}
        rest = text
        while setting := SETTING.match(rest):
            settings[setting[1]] = setting[2]
            rest = rest[setting.end() :]
        limit = _limit(settings.pop(DEPTH, None), settings.pop(TIME, None))
        for name, value in settings.items():
            if not value:
                raise BadCommand(f"option {name} has no value")
        address = _address(rest) if rest.startswith(TCP) else None
        words = _words(rest) if address is None else ()
        return cls(text, words, address, settings, limit)

    def open(self, log: Callable[[str], None]) -> Link:
        """A new engine; ``log`` gets what it writes for people. OSError."""
        if self.address is not None:
            return SocketLink(*self.address)
        return ChildLink(self.words, log)


def move_time(milliseconds: float) -> MoveTime | None:
    """The time as the protocol says it, in whole seconds; None where it cannot."""
    seconds, rest = divmod(milliseconds, 1000)
    return MoveTime(int(seconds)) if seconds >= 1 and not rest else None


def _limit(depth: str | None, time: str | None) -> MoveTime | Depth | None:
    if depth is not None and time is not None:
        raise BadCommand("give a time or a depth, not both")
    if depth is not None:
        return Depth(_number(depth, f"depth is {depth!r}, not a number of plies"))
    if time is None:
        return None
    why = f"time is {time!r}, not milliseconds that make whole seconds"
    limit = move_time(_number(time, why))
    if limit is None:
        raise BadCommand(why)
    return limit


def _number(text: str, why: str) -> int:
    """A number above zero, of at most nine digits."""
    if not (text.isascii() and text.isdigit() and len(text) < 10 and int(text) > 0):
        raise BadCommand(why)
    return int(text)


def _address(text: str) -> tuple[str, int]:
    host, _, port = text.removeprefix(TCP).rpartition(":")
    if not host or not (port.isascii() and port.isdigit() and 0 < int(port) < 65_536):
        raise BadCommand(f"{text!r} is not tcp:host:port")
    return host.strip("[]"), int(port)


def _words(text: str) -> tuple[str, ...]:
    quoted = len(text) > 1 and text[0] == text[-1] and text[0] in "\"'" and text[0] not in text[1:-1]
    try:
        words = shlex.split(text[1:-1] if quoted else text)
    except ValueError as error:
        raise BadCommand(f"{text!r}: {error}") from None
    if not words:
        raise BadCommand("there is no command")
    return tuple(words)
