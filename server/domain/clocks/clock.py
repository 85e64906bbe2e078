"""Clocks: how much time each seat has left, and when it runs.

All times are whole milliseconds; ``now`` is always passed in. A clock runs for the seats that still have to move,
unless the seat's clock is controlled externally (``ClockMode``).
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from protocols.values import ClockReading, TimeControl
from server.domain.clocks.lag import first_quota, quota_after

GRACE_MS = 100
"""A move that arrives with this much time left, or less, is too late, unless the time at which it was made is known."""

CREDIT_MS = 100
"""The maximum transmission delay for which a move is not charged. Flags fall this much later."""


class ClockMode(StrEnum):
    """When the clock of a seat runs."""

    TURN = "turn"
    """Whenever it is the seat's turn (the default)."""
    STANDS = "stands"
    """Stopped until the mode changes."""
    RUNS = "runs"
    """Running during this turn of the seat; stopped again after the move."""


@dataclass(frozen=True, slots=True)
class Clock:
    """Time left per seat at the time ``since``, from which on it runs for the seats in ``running``.

    ``due`` are the seats whose moves are timed now; ``modes`` has the mode of each seat's clock. ``past`` has the times
    left when the position arose, at each ply up to now; ``quotas`` how much lag each seat may still not be charged.
    """

    remaining: tuple[int, ...]
    modes: tuple[ClockMode, ...]
    due: tuple[int, ...] = ()
    since: int = 0
    past: tuple[tuple[int, ...], ...] = ()
    quotas: tuple[int, ...] = ()

    @property
    def running(self) -> tuple[int, ...]:
        """The seats whose clocks are running."""
        return tuple(seat for seat in self.due if self.modes[seat] is not ClockMode.STANDS)

    def left(self, seat: int, now: int) -> int:
        """Returns the time left for ``seat``, at least 0."""
        spent = max(0, now - self.since) if seat in self.running else 0
        return max(0, self.remaining[seat] - spent)

    def all_left(self, now: int) -> tuple[int, ...]:
        """Returns the time left for every seat."""
        return tuple(self.left(seat, now) for seat in range(len(self.remaining)))

    def too_late(self, seat: int, now: int, grace: int = GRACE_MS) -> bool:
        """Whether a move that ``seat`` makes now is too late: at most ``grace`` is left."""
        return seat in self.running and self.left(seat, now) <= grace

    def expired_seats(self, now: int) -> tuple[int, ...]:
        """Returns the seats whose time has run out, the first one first."""
        over = [seat for seat in self.running if self.left(seat, now) == 0]
        return tuple(sorted(over, key=lambda seat: (self.remaining[seat], seat)))

    def expired(self, now: int) -> int | None:
        """Returns the seat whose time ran out first; None if all have time left."""
        return next(iter(self.expired_seats(now)), None)

    def reading(self, seat: int, now: int, control: TimeControl, lag_ms: int = 0) -> ClockReading:
        """Returns what a program that plays ``seat`` is told about its clock; ``lag_ms`` is the latency to it."""
        increment = control.each_ms or control.increment_seconds * 1000
        return ClockReading(self.left(seat, now), increment, lag_ms)

    @property
    def deadline(self) -> int | None:
        """When the first running clock reaches 0 if nobody moves; None if no clock is running."""
        return min((self.since + self.remaining[seat] for seat in self.running), default=None)

    def after_moves(self, seats: Sequence[int], now: int, control: TimeControl) -> tuple[int, ...]:
        """Returns the time left for every seat after moves of ``seats``; only timed moves earn the increment."""
        left = list(self.all_left(now))
        for seat in seats:
            if control.is_per_move:
                left[seat] = control.each_ms
            elif seat in self.due:
                left[seat] += control.increment_seconds * 1000
        return tuple(left)

    def after_takeback(self, ply: int, control: TimeControl) -> tuple[int, ...]:
        """Returns the time left for every seat after a takeback to ``ply``: what it was then.

        A fixed time for each move starts again.
        """
        return (control.each_ms,) * len(self.remaining) if control.is_per_move else self.past[ply]

    def moved(self, clocks: Sequence[tuple[int, ...] | None], now: int) -> "Clock":
        """Returns the clock after moves, the last of them ``now``, and the times left after each one, if known."""
        last = clocks[-1]
        clock = self.next_turn() if last is None else replace(self.next_turn(), remaining=last, since=now)
        return replace(clock, past=(*self.past, *(left or self.remaining for left in clocks)))

    def compensated(self, moves: Iterable[tuple[int, int]], control: TimeControl) -> "Clock":
        """Returns the clock after moves: of each one the seat, and how many milliseconds were not charged."""
        quotas = list(self.quotas)
        for seat, uncharged in moves:
            quotas[seat] = quota_after(quotas[seat], uncharged, control)
        return replace(self, quotas=tuple(quotas))

    def taken_back(self, ply: int) -> "Clock":
        """Returns the clock after a takeback to ``ply``, with the times left still to be set."""
        return replace(self.next_turn(), past=self.past[: ply + 1])

    def given(self, clocks: tuple[int, ...], now: int) -> "Clock":
        """Returns the clock after time was added, which a later takeback does not take away again."""
        gains = [after - before for after, before in zip(clocks, self.all_left(now), strict=True)]
        past = (tuple(left + gain for left, gain in zip(one, gains, strict=True)) for one in self.past)
        return replace(self, past=tuple(past))

    def set(self, seat: int, mode: ClockMode) -> "Clock":
        """Returns the clock with one seat's mode changed."""
        return replace(self, modes=(*self.modes[:seat], mode, *self.modes[seat + 1 :]))

    def next_turn(self) -> "Clock":
        """Returns the clock after a move: clocks in mode ``RUNS`` are stopped again."""
        modes = (ClockMode.STANDS if mode is ClockMode.RUNS else mode for mode in self.modes)
        return replace(self, modes=tuple(modes))

    def resumed(self, stopped: int, now: int) -> "Clock":
        """Returns the clock after an outage from ``stopped`` to ``now``, which no seat is charged for."""
        return replace(self, remaining=self.all_left(stopped), since=now)


def start_clock(control: TimeControl, seats: int) -> Clock:
    """Returns the stopped clock of a new game."""
    times = (control.first_ms,) * seats
    quotas = (first_quota(control),) * seats
    return Clock(times, (ClockMode.TURN,) * seats, past=(times,), quotas=quotas)
