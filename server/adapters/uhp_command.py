"""How a UHP engine is written where one is named: ``Name=value:…:CMD``, or ``tcp:host:port`` for the command.

Settings before the command are options of the engine (``NumThreads=1``), and ``depth=N``: search N plies instead of
by time. Used by ``plyhouse arena`` (``uhp:…``), ``plyhouse bot --uhp`` and ``plyhouse engine --uhp``.
"""

import re
import shlex
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from server.adapters.uhp_link import ChildLink, Link, SocketLink

SETTING = re.compile(r"([A-Za-z]\w*)=([^:\s]*):")
TCP = "tcp:"
DEPTH = "depth"


class BadCommand(ValueError):
    """Not a UHP engine; the text says why."""


@dataclass(frozen=True, slots=True)
class UhpCommand:
    """One engine and its settings. ``words`` are a program and its arguments, or empty for an ``address``."""

    text: str
    words: tuple[str, ...]
    address: tuple[str, int] | None
    options: Mapping[str, str]
    depth: int | None

    @classmethod
    def parse(cls, text: str) -> "UhpCommand":
        """Reads it. BadCommand."""
        settings: dict[str, str] = {}
        rest = text
        while setting := SETTING.match(rest):
            settings[setting[1]] = setting[2]
            rest = rest[setting.end() :]
        depth = settings.pop(DEPTH, None)
        if depth is not None and not (depth.isascii() and depth.isdigit() and int(depth) > 0):
            raise BadCommand(f"depth is {depth!r}, not a number of plies")
        for name, value in settings.items():
            if not value:
                raise BadCommand(f"option {name} has no value")
        address = _address(rest) if rest.startswith(TCP) else None
        words = _words(rest) if address is None else ()
        return cls(text, words, address, settings, None if depth is None else int(depth))

    def open(self, log: Callable[[str], None]) -> Link:
        """A new engine; ``log`` gets what it writes for people. OSError."""
        if self.address is not None:
            return SocketLink(*self.address)
        return ChildLink(self.words, log)


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
