"""How long a game waits for a disconnected player, and what happens then.

Driven by ``services.uhp.absences``, in games with bots by ``services.games.claims``. With a clock, the player's time
simply runs out. Without one there is a grace period. Before every player has moved, a shorter one applies, after which
the game is aborted.
"""

from collections.abc import Set as AbstractSet
from dataclasses import dataclass

from protocols.values import LeaveReason, SeatKind, Status
from server.domain import commands as c
from server.domain import events as e
from server.domain.game import GameState


@dataclass(frozen=True, slots=True)
class GracePeriods:
    """Grace periods in milliseconds. ``untimed``: without a clock, a setting; ``early``: before every player has moved.

    ``open``: for the host of an open game, who cannot return to it but may just be connecting.
    """

    untimed: int
    early: int = 10_000
    open: int = 1_000


def due(state: GameState, seat: int, left_at: int, grace: GracePeriods) -> int | None:
    """When to stop waiting for ``seat``, disconnected since ``left_at``; None: never, or its clock decides."""
    if state.status is Status.OPEN and state.ends_with_host:
        return left_at + grace.open if seat == state.host else None
    if state.status is not Status.PLAYING or seat in state.gone:
        return None
    if state.ply < len(state.seats):
        flag = _flag(state, seat)
        return left_at + grace.early if flag is None else min(left_at + grace.early, flag)
    return left_at + grace.untimed if state.clock is None else None


def left_to_bots(state: GameState, absent: AbstractSet[int], waited_since: int) -> tuple[int, ...]:
    """The seats of people whom only bots wait for, without a clock and with nothing since ``waited_since``."""
    if state.status is not Status.PLAYING or not state.has_bot or state.clock is not None:
        return ()
    people = tuple(seat for seat in state.still_in if state.seats[seat].kind is SeatKind.HUMAN)
    return people if state.updated_at <= waited_since and absent >= set(people) else ()


def decide(state: GameState, command: c.GoRemote | c.StopWaiting, now: int) -> tuple[e.Event, ...]:
    """Returns the events of a command about an absent player; none if there is no longer anyone to wait for."""
    if not state.is_live or command.seat in state.gone:
        return ()
    match command:
        case c.GoRemote(seat=seat, missed_by=server):
            return () if state.seats[seat].missed_by is not None else (e.WentRemote(seat, server),)
        case c.StopWaiting(seat=seat):
            return (_stopped(state, seat, now),)


def _stopped(state: GameState, seat: int, now: int) -> e.Aborted | e.Left:
    """Aborts the game if not every player has moved yet; otherwise the absent player loses."""
    if state.ply < len(state.seats):
        return e.Aborted(seat)
    return e.Left(seat, LeaveReason.DISCONNECT, state.clocks_at(now))


def _flag(state: GameState, seat: int) -> int | None:
    """When the seat's time is up. The flag falls a little later, so the game can still be aborted without a loser."""
    clock = state.clock
    return clock.since + clock.remaining[seat] if clock is not None and seat in clock.running else None
