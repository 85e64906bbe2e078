"""Who misses a player whose connection is gone, and how long the game waits. ``services.uhp.absences`` drives it.

A clock ends the waiting by itself. Without one there is a grace, and before everybody has moved a short one, after
which the game is called off.
"""

from dataclasses import dataclass

from server.domain import commands as c
from server.domain import events as e
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


def decide(state: GameState, command: c.GoRemote | c.StopWaiting, now: int) -> tuple[e.Event, ...]:
    """The events of a command about who is missed. Nothing changes where there is nobody to miss any more."""
    is_missed = state.seats[command.seat].missed_by == command.missed_by
    if not state.is_live or command.seat in state.gone:
        return ()
    match command:
        case c.GoRemote():
            return () if is_missed else (_went_remote(state, command, now),)
        case c.StopWaiting():
            return (_stopped(state, command.seat, now),) if is_missed else ()


def _went_remote(state: GameState, command: c.GoRemote, now: int) -> e.WentRemote:
    return e.WentRemote(command.seat, command.missed_by, command.is_here, state.clocks_at(now))


def _stopped(state: GameState, seat: int, now: int) -> e.Aborted | e.Left:
    """Whoever is gone before everybody has moved has not lost: the game is called off."""
    if state.ply < len(state.seats):
        return e.Aborted(seat)
    return e.Left(seat, e.LeaveReason.DISCONNECT, state.clocks_at(now))


def _flag(state: GameState, seat: int) -> int | None:
    """When the seat's time is over: just before its flag falls, so that a game called off in time has no loser."""
    clock = state.clock
    return clock.since + clock.remaining[seat] if clock is not None and seat in clock.running else None
