"""Programs that play one seat of a game, whatever their protocol: the interface that every kind of program implements.

``arena.program_player`` turns them into players, ``engine.program_searches`` into bots of a server. ``kinds``
lists the kinds; each knows one game. Programs belong to one event loop.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Protocol

from engines import Position
from programs.own_values import VALUE_MS
from protocols.values.clock_reading import OVERHEAD_MS, ClockReading

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

    def __reduce__(self) -> "tuple[type[ProgramFailed], tuple[str, str]]":
        """As it comes back from the process that played the game."""
        return type(self), (self.reason, str(self))


@dataclass(frozen=True, slots=True)
class TurnTimes:
    """The time that a program has, in milliseconds: for each move, and once to prepare for the game."""

    move_ms: int
    preparation_ms: int | None = None
    """None: the default of its protocol."""
    most_ms: int | None = None
    """The limit of a time per move that the program's own command sets; None: no limit."""


@dataclass(frozen=True, slots=True)
class ProgramIdentity:
    """What a program reports of itself. ``lacks``: the variants that it does not play, each with the reason."""

    name: str
    lacks: Mapping[str, str] = field(default_factory=dict)


def move_ms(clock: ClockReading) -> int:
    """The time of a program for its move, in milliseconds.

    If the increment restores all of the time left, the program may use that, except for the time that we need.
    """
    if clock.increment_ms < clock.remaining_ms:
        return clock.share_ms
    return max(1, clock.remaining_ms - VALUE_MS - OVERHEAD_MS)


def ignore_line(line: str) -> None:
    """Ignores a line of a program, for callers without a log. The last one is still quoted if the program dies."""


class SeatProgram(Protocol):
    """A running program in one seat of one game."""

    async def choose(self, position: Position, clock: ClockReading | None = None) -> str:
        """Returns the program's move in ``position``, as its seat submits it: legal, or a default move if it is late.

        ``position`` must not be earlier in the game than at the last call. ``clock``, the seat's, shortens the time for
        this move. Raises ProgramFailed.
        """
        ...

    async def close(self, position: Position) -> None:
        """Tells the program the result if the game is over in ``position``, and terminates it. Does not raise."""
        ...


class SeatProgramSource(Protocol):
    """What provides programs of one kind for games."""

    @property
    def text(self) -> str:
        """The command as the user wrote it; names the program in messages."""

    async def start(
        self, position: Position, seat: int, times: TurnTimes, log: Callable[[str], None]
    ) -> SeatProgram:
        """Starts the program for a game that continues from ``position``, and lets it prepare.

        ``log`` is called with lines for the operator. Raises OSError or ProgramFailed; then nothing keeps running.
        """
        ...


class SeatProgramCommand(SeatProgramSource, Protocol):
    """How to start a program of one kind."""

    @property
    def game(self) -> str:
        """The name of the game that the program plays."""

    @property
    def has_own_limit(self) -> bool:
        """Whether the command itself limits the program's moves, so that no time need be given."""

    async def identify(self, times: TurnTimes) -> ProgramIdentity:
        """Starts the program once and returns what it reports.

        Raises UnsuitableProgram if it cannot keep these times, OSError or ProgramFailed if it does not work.
        """
        ...
