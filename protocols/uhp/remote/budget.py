"""How long an engine at a seat may think about one move: a pure function of its clock.

Called for every ``bestmove`` that the server sends to an engine.
"""

from dataclasses import dataclass

from protocols.uhp.requests import Depth, MoveTime

UNTIMED = MoveTime(5)
"""What an engine gets for a move where no clock runs and nobody else says."""

SHORT_MS = 1500
"""With less time left than this, a whole second, the protocol's unit, would be too much."""

SHORT_DEPTH = 2
"""How deep an engine is asked to look then, in plies."""

OVERHEAD_MS = 100
"""Set aside for the way of the answer, beside twice the lag."""


@dataclass(frozen=True, slots=True)
class Clockface:
    """The clock of the seat that is asked, in milliseconds. ``lag_ms`` is the time of one way to the engine."""

    remaining_ms: int
    increment_ms: int = 0
    lag_ms: int = 0


def budget(clock: Clockface | None, wish: MoveTime | Depth | None = None) -> MoveTime | Depth:
    """What to ask for with this clock (None: no clock runs), and never more than the ``wish`` of a main viewer.

    A twentieth of what is left and most of the increment, at least a second and at most a third of what is
    left. A viewer's depth is passed on as it is, because nobody knows what time it takes.
    """
    if clock is None:
        return wish or UNTIMED
    if clock.remaining_ms < SHORT_MS:
        return Depth(min(SHORT_DEPTH, wish.plies) if isinstance(wish, Depth) else SHORT_DEPTH)
    match wish:
        case Depth():
            return wish
        case MoveTime(seconds=most):
            return MoveTime(min(most, _seconds(clock)))
        case None:
            return MoveTime(_seconds(clock))


def _seconds(clock: Clockface) -> int:
    share = (clock.remaining_ms - 2 * clock.lag_ms - OVERHEAD_MS) / 20 + 0.8 * clock.increment_ms
    most = clock.remaining_ms / 3
    return max(1, int(min(max(share, 1000), most) // 1000))
