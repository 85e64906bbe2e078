"""Programs that play one seat of a game, whatever their protocol: the interface that every kind of program implements.

``program_player`` turns them into players of the arena, ``program_searches`` into bots of a server. ``program_kinds``
lists the kinds; each knows one game. Programs belong to one event loop.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from engines import Position

LATE = "timeout"
"""The ``reason`` of a program that does not react any more."""

GONE = "crash"
"""The ``reason`` of a program that has exited or closed its output."""

BROKEN = "protocol"
"""The ``reason`` of a program that violates its protocol."""


class UnsuitableProgram(ValueError):
    """A text does not describe a program, or the program cannot play the game; the message says why."""


class ProgramFailed(Exception):
    """A program cannot continue its game. The text is a sentence that names it; ``reason`` is one word for results."""

    def __init__(self, reason: str, text: str) -> None:
        super().__init__(text)
        self.reason = reason


@dataclass(frozen=True, slots=True)
class TurnTimes:
    """The time that a program has, in milliseconds: for each move, and once to prepare for the game."""

    move_ms: int
    preparation_ms: int | None = None
    """None: the default of its protocol."""


class SeatProgram(Protocol):
    """A running program in one seat of one game."""

    async def choose(self, position: Position, most_ms: int | None = None) -> str:
        """Returns the program's move in ``position``, as its seat submits it: legal, or a default move if it is late.

        ``position`` must not be earlier in the game than at the last call. ``most_ms``, in milliseconds, shortens the
        time for this move. Raises ProgramFailed.
        """
        ...

    async def close(self, position: Position) -> None:
        """Tells the program the result if the game is over in ``position``, and terminates it. Does not raise."""
        ...


class SeatProgramCommand(Protocol):
    """How to start a program of one kind."""

    @property
    def text(self) -> str:
        """The command as the user wrote it; names the program in messages."""

    @property
    def game(self) -> str:
        """The name of the game that the program plays."""

    async def identify(self) -> str:
        """Starts the program once and returns the name that it reports. Raises OSError or ProgramFailed."""
        ...

    async def start(
        self, position: Position, seat: int, times: TurnTimes, log: Callable[[str], None]
    ) -> SeatProgram:
        """Starts the program for a game that continues from ``position``, and lets it prepare.

        ``log`` is called with lines for the operator. Raises OSError or ProgramFailed; then nothing keeps running.
        """
        ...
