"""How long an engine in a seat may think about a move: a pure function of its clock.

Called for every ``bestmove`` that the server sends to an engine.
"""

from dataclasses import dataclass

from protocols.uhp.requests import Depth, MoveTime

UNTIMED = MoveTime(5)
"""Time per move in games without a clock, unless a main viewer sets a limit."""

SHORT_MS = 1500
"""With less remaining time than this, even one second, the protocol's smallest unit, would be too long."""

SHORT_DEPTH = 2
"""Search depth in plies when time is short."""

OVERHEAD_MS = 100
"""Reserved for transmitting the answer, in addition to twice the lag."""


@dataclass(frozen=True, slots=True)
class ClockReading:
    """The clock of the seat to move, in milliseconds. ``lag_ms`` is the one-way latency to the engine."""

    remaining_ms: int
    increment_ms: int = 0
    lag_ms: int = 0


def think_time(clock: ClockReading | None, criteria: MoveTime | Depth | None = None) -> MoveTime | Depth:
    """The search limit for this clock (None: untimed), never above ``criteria``, a main viewer's limit.

    A twentieth of the remaining time plus most of the increment, at least a second and at most a third of the remaining
    time. A viewer's depth is passed on unchanged, because the time that it takes is unknown.
    """
    if clock is None:
        return criteria or UNTIMED
    if clock.remaining_ms < SHORT_MS:
        return Depth(min(SHORT_DEPTH, criteria.plies) if isinstance(criteria, Depth) else SHORT_DEPTH)
    match criteria:
        case Depth():
            return criteria
        case MoveTime(seconds=most):
            return MoveTime(min(most, _seconds(clock)))
        case None:
            return MoveTime(_seconds(clock))


def _seconds(clock: ClockReading) -> int:
    share = (clock.remaining_ms - 2 * clock.lag_ms - OVERHEAD_MS) / 20 + 0.8 * clock.increment_ms
    most = clock.remaining_ms / 3
    return max(1, int(min(max(share, 1000), most) // 1000))
