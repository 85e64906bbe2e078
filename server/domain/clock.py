"""Clocks: a time control, and how much time each seat has left.

All times are whole milliseconds; ``now`` is always passed in. A clock runs for the seats that still have to
move; whoever plays a seat may take its clock in hand (``ClockMode``), and say when it runs.
"""

from dataclasses import dataclass, replace
from enum import StrEnum

GRACE_MS = 100
"""A move that arrives with this much time left, or less, is too late, where nobody knows when it was made."""

CREDIT_MS = 100
"""The most that a move may have been on its way without being charged for it; a flag falls no sooner than that."""


class ClockMode(StrEnum):
    """When the clock of a seat runs."""

    TURN = "turn"
    """Whenever it is the seat's turn."""
    STANDS = "stands"
    """Not until it is told to run."""
    RUNS = "runs"
    """Now, in the seat's turn: it stands again after the move, or when it is told to."""


@dataclass(frozen=True, slots=True)
class TimeControl:
    """Time for the whole game, and what each move adds; without the former each move has the latter for itself.

    ``preset`` is the name that a site's client gave it. ``starts_at_once``: the clock of the first seat runs
    before anybody has moved.
    """

    initial_seconds: int
    increment_seconds: int
    preset: str | None = None
    starts_at_once: bool = False

    @property
    def is_per_move(self) -> bool:
        """Whether each move has its own time, and nothing is saved for the next."""
        return self.initial_seconds == 0

    @property
    def first_ms(self) -> int:
        """What is on the clock when the game begins."""
        return (self.initial_seconds or self.increment_seconds) * 1000


@dataclass(frozen=True, slots=True)
class Clock:
    """Time left per seat at the moment ``since``; from then on it runs for the seats in ``running``.

    ``due`` are the seats whose move takes time, ``modes`` is when the clock of each seat runs.
    """

    remaining: tuple[int, ...]
    modes: tuple[ClockMode, ...]
    due: tuple[int, ...] = ()
    since: int = 0

    @property
    def running(self) -> tuple[int, ...]:
        """The seats whose time is passing."""
        return tuple(seat for seat in self.due if self.modes[seat] is not ClockMode.STANDS)

    def left(self, seat: int, now: int) -> int:
        """Time left for ``seat``, never below 0."""
        spent = max(0, now - self.since) if seat in self.running else 0
        return max(0, self.remaining[seat] - spent)

    def all_left(self, now: int) -> tuple[int, ...]:
        """Time left for every seat."""
        return tuple(self.left(seat, now) for seat in range(len(self.remaining)))

    def too_late(self, seat: int, now: int, grace: int = GRACE_MS) -> bool:
        """Whether a move of ``seat`` that is made now comes too late: no more than ``grace`` is left."""
        return seat in self.running and self.left(seat, now) <= grace

    def expired(self, now: int) -> int | None:
        """A seat whose time is over, the one with the least first."""
        over = [seat for seat in self.running if self.left(seat, now) == 0]
        return min(over, key=lambda seat: (self.remaining[seat], seat), default=None)

    @property
    def deadline(self) -> int | None:
        """When the first running seat's time is over, if nobody moves."""
        return min((self.since + self.remaining[seat] for seat in self.running), default=None)

    def after_move(self, seat: int, now: int, control: TimeControl) -> tuple[int, ...]:
        """Time left for every seat once ``seat`` has moved; the increment is for moves that take time."""
        left = list(self.all_left(now))
        if control.is_per_move:
            left[seat] = control.first_ms
        elif seat in self.due:
            left[seat] += control.increment_seconds * 1000
        return tuple(left)

    def set(self, seat: int, mode: ClockMode) -> "Clock":
        """The clock when that of one seat is in this mode."""
        return replace(self, modes=(*self.modes[:seat], mode, *self.modes[seat + 1 :]))

    def next_turn(self) -> "Clock":
        """The clock after a move: what was told to run in that turn stands again."""
        stands = (ClockMode.STANDS if mode is ClockMode.RUNS else mode for mode in self.modes)
        return replace(self, modes=tuple(stands))

    def resumed(self, stopped: int, now: int) -> "Clock":
        """The clock after an outage from ``stopped`` to ``now``, which nobody is charged for."""
        return replace(self, remaining=self.all_left(stopped), since=now)


def start_clock(control: TimeControl, seats: int) -> Clock:
    """A clock that stands."""
    return Clock((control.first_ms,) * seats, (ClockMode.TURN,) * seats)
