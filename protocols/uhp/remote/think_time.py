"""How long an engine in a seat may think about a move: a pure function of its clock.

Called for every ``bestmove`` that the server sends to an engine.
"""

from protocols.uhp.requests import Depth, MoveTime
from protocols.values import ClockReading

UNTIMED = MoveTime(5)
"""Time per move in games without a clock, unless a main viewer sets a limit."""

SHORT_MS = 1500
"""With less remaining time than this, even one second, the protocol's smallest unit, would be too long."""

SHORT_DEPTH = 2
"""Search depth in plies when time is short."""


def think_time(clock: ClockReading | None, criteria: MoveTime | Depth | None = None) -> MoveTime | Depth:
    """The search limit for this clock (None: untimed), never above ``criteria``, a main viewer's limit.

    The clock's share for a move in whole seconds, at least one. A viewer's depth is passed on unchanged, because the
    time that it takes is unknown.
    """
    if clock is None:
        return criteria or UNTIMED
    if clock.remaining_ms < SHORT_MS:
        return Depth(min(SHORT_DEPTH, criteria.plies) if isinstance(criteria, Depth) else SHORT_DEPTH)
    if isinstance(criteria, Depth):
        return criteria
    share = max(1, clock.share_ms // 1000)
    return MoveTime(share if criteria is None else min(criteria.seconds, share))
