"""How long a game waits for a player whose connection is gone. Pure; ``services.uhp.absences`` drives it.

A clock ends the waiting by itself. Without one there is a grace, and before everybody has moved a short one, after
which the game is called off.
"""

from dataclasses import dataclass

from server.domain.game import GameState, Status


@dataclass(frozen=True, slots=True)
class Grace:
    """Milliseconds. ``early``: before everybody has moved; ``untimed``: without a clock.

    ``open``: for whoever has opened a game and waited in it. It does not come back, but may be at another server, which
    then says so.
    """

    early: int = 10_000
    untimed: int = 120_000
    open: int = 1_000


def due(state: GameState, seat: int, left_at: int, grace: Grace) -> int | None:
    """When the game has waited long enough for ``seat``, which left at ``left_at``; None: its clock sees to it."""
    if state.status is Status.OPEN and state.ends_with_host:
        return left_at + grace.open if seat == state.host else None
    if state.status is not Status.PLAYING or seat in state.gone:
        return None
    if state.ply < len(state.seats):
        flag = _flag(state, seat)
        return left_at + grace.early if flag is None else min(left_at + grace.early, flag)
    return left_at + grace.untimed if state.clock is None else None


def _flag(state: GameState, seat: int) -> int | None:
    """When the seat's time is over: just before its flag falls, so that a game called off in time has no loser."""
    clock = state.clock
    return clock.since + clock.remaining[seat] if clock is not None and seat in clock.running else None
