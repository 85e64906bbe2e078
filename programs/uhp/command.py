"""The notation for UHP engines on the command line: ``Name=value:…:CMD``; CMD may be ``tcp:host:port``.

Settings before the command are options of the engine (``NumThreads=1``) and a limit for its moves: ``time=MS``, or
``depth=N`` plies. Used by ``plyhouse arena`` (``uhp:…``), ``plyhouse bot --uhp`` and ``plyhouse engine --uhp``.
"""

import asyncio
import re
import socket
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Self

from programs.child_process import FAREWELL, ChildEndpoint
from programs.command_text import command_words, read_number, split_settings
from programs.endpoints import TcpEndpoint
from programs.seat_programs import UnsuitableProgram
from protocols.uhp.requests import Depth, MoveTime

SETTING = re.compile(r"([A-Za-z]\w*)=([^:\s]*):")
TCP = "tcp:"
CONNECT_SECONDS = 10.0
DEPTH = "depth"
TIME = "time"


@dataclass(frozen=True, slots=True)
class UhpCommand:
    """An engine and its settings. ``words`` are a program and its arguments; empty for an ``address``.

    ``limit`` is the engine's own limit per move; None if it uses the common one.
    """

    text: str
    words: tuple[str, ...]
    address: tuple[str, int] | None
    options: Mapping[str, str]
    limit: MoveTime | Depth | None

    @classmethod
    def parse(cls, text: str) -> Self:
        """Parses the notation. Raises UnsuitableProgram."""
        settings, rest = split_settings(text, SETTING)
        limit = _limit(settings.pop(DEPTH, None), settings.pop(TIME, None))
        for name, value in settings.items():
            if not value:
                raise UnsuitableProgram(f"option {name} has no value")
        address = _address(rest) if rest.startswith(TCP) else None
        words = command_words(rest) if address is None else ()
        return cls(text, words, address, settings, limit)

    async def open(self, log: Callable[[str], None]) -> ChildEndpoint | TcpEndpoint:
        """Starts a new engine; ``log`` is called with the lines of its stderr. Raises OSError."""
        if self.address is None:
            return await ChildEndpoint.start(self.words, log=log)
        connection = await asyncio.to_thread(socket.create_connection, self.address, CONNECT_SECONDS)
        return TcpEndpoint(*await asyncio.open_connection(sock=connection), farewell=FAREWELL)


def move_time(milliseconds: float) -> MoveTime | None:
    """The time in whole seconds, as UHP requires; None if it is not a whole number."""
    seconds, rest = divmod(milliseconds, 1000)
    return MoveTime(int(seconds)) if seconds >= 1 and not rest else None


def _limit(depth: str | None, time: str | None) -> MoveTime | Depth | None:
    if depth is not None and time is not None:
        raise UnsuitableProgram("give a time or a depth, not both")
    if depth is not None:
        return Depth(read_number(depth, f"depth is {depth!r}, not a number of plies"))
    if time is None:
        return None
    why = f"time is {time!r}, not a whole number of seconds in milliseconds"
    limit = move_time(read_number(time, why))
    if limit is None:
        raise UnsuitableProgram(why)
    return limit


def _address(text: str) -> tuple[str, int]:
    host, _, port = text.removeprefix(TCP).rpartition(":")
    if not host or not (port.isascii() and port.isdigit() and 0 < int(port) < 65_536):
        raise UnsuitableProgram(f"{text!r} is not tcp:host:port")
    return host.strip("[]"), int(port)
