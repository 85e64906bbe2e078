"""Which events a command causes in a state, or why it is refused.

Pure; the caller stores and then folds the events.

The order of the checks of a move is part of the contract: known message, not started or over, ply, turn,
time, rules.
"""

from engines import RuleError
from protocols.play.table import MAX_NOTE
from server.domain import absence, rematch
from server.domain import commands as c
from server.domain import events as e
from server.domain.clock import CREDIT_MS, GRACE_MS, ClockMode
from server.domain.errors import ApiError, Code
from server.domain.game import GameState, Status
from server.domain.gifts import give_time
from server.domain.offers import accept, propose, reject
from server.domain.public import public_position
from server.domain.seats import SeatKind

MAX_MOVE_LENGTH = 1000
"""The longest text that is looked at as a move."""

MAX_BARGAINED = 5000
"""The longest log, in events, that takes offers and gifts, which unlike moves never come to an end by themselves.

In a longer one no clock is in anybody's hand.
"""


def answered_at(state: GameState, command: c.Command) -> int | None:
    """The version that this very message has led to; None for one that is new, or has no id."""
    if not isinstance(command, c.Move) or command.message_id is None:
        return None
    return state.answered.get((command.seat, command.message_id))


def decide(state: GameState, command: c.Command, now: int) -> tuple[e.Event, ...]:
    """The events of ``command`` at the moment ``now`` (never before the last event).

    Raises ApiError when it is refused.

    A move that comes too late causes ``Left`` instead of a move. No event: nothing changes, which is no
    refusal.
    """
    match command:
        case c.Join():
            return _join(state, command)
        case c.GoRemote() | c.StopWaiting():
            return absence.decide(state, command, now)
        case c.Expire():
            return _expire(state, now)
        case c.SetClock():
            return _set_clock(state, command, now)
        case c.Move():
            return _move(state, command, now)
        case c.Abort():
            return _abort(state, command.seat)
        case c.Propose() | c.Accept() | c.Reject():
            return _negotiate(state, command, now)
    check_playing(state)
    match command:
        case c.Leave():
            return _give_up(state, command, now)
        case c.GiveTime():
            _check_room(state)
            return give_time(state, command, now)


def _negotiate(state: GameState, command: c.Propose | c.Accept | c.Reject, now: int) -> tuple[e.Event, ...]:
    """A rematch is agreed on when the game is over, everything else while it runs."""
    if isinstance(command, c.Propose):
        _check_room(state)
    if command.kind is e.OfferKind.REMATCH:
        return rematch.decide(state, command)
    check_playing(state)
    match command:
        case c.Propose():
            return propose(state, command, now)
        case c.Accept():
            return accept(state, command, now)
        case c.Reject():
            return reject(state, command)


def _check_room(state: GameState) -> None:
    """What has been proposed can still be answered."""
    if state.version >= MAX_BARGAINED:
        text = "There have been so many offers in this game that it takes no more."
        raise ApiError(Code.OVER_LIMIT, text, limit=MAX_BARGAINED)


def check_playing(state: GameState) -> None:
    """Refuses whatever only a running game takes."""
    if state.status is Status.OPEN:
        raise ApiError(Code.NOT_STARTED, "The game has not started: a seat is still open.")
    if state.status is not Status.PLAYING:
        raise ApiError(Code.FINISHED, "The game is over.")


def _join(state: GameState, command: c.Join) -> tuple[e.Event, ...]:
    if state.status is Status.ABORTED:
        raise ApiError(Code.FINISHED, "The game was called off.")
    free = [seat for seat, taken in enumerate(state.seats) if taken.kind is SeatKind.OPEN]
    if command.seat is not None and command.seat >= len(state.seats):
        raise ApiError(Code.BAD_SEATS, f"The game has {len(state.seats)} seats.", field="seat")
    if not free or command.seat not in (None, *free):
        raise ApiError(Code.SEAT_TAKEN, "The seat is taken.", field="seat")
    seat = free[0] if command.seat is None else command.seat
    return (e.SeatTaken(seat, command.name, command.appearance, command.missed_by),)


def _move(state: GameState, command: c.Move, now: int) -> tuple[e.Event, ...]:
    check_playing(state)
    _check_seen(state, command, now)
    _check_turn(state, command.seat)
    made_at = _made_at(command, now)
    grace = GRACE_MS if command.made_at is None else 0
    if state.clock is not None and state.clock.too_late(command.seat, made_at, grace):
        return _leave(state, command.seat, e.LeaveReason.TIMEOUT, now)
    return (_played(state, command, _checked(state, command), made_at),)


def _made_at(command: c.Move | c.SetClock, now: int) -> int:
    return now if command.made_at is None else min(command.made_at, now)


def _set_clock(state: GameState, command: c.SetClock, now: int) -> tuple[e.Event, ...]:
    """Nothing changes without a clock, after the end, or where a clock is to run that nobody's move needs.

    A clock that is stopped too late has run out.
    """
    clock, seat = state.clock, command.seat
    mode = command.mode if state.version < MAX_BARGAINED else ClockMode.TURN
    if clock is None or not state.is_live or clock.modes[seat] is mode:
        return ()
    if mode is ClockMode.RUNS and seat not in clock.due:
        return ()
    made_at = _made_at(command, now)
    if clock.too_late(seat, made_at, grace=0):
        return _leave(state, seat, e.LeaveReason.TIMEOUT, now)
    left = list(clock.all_left(now))
    left[seat] = clock.left(seat, made_at)
    return (e.ClockSet(seat, mode, tuple(left)),)


def _check_seen(state: GameState, command: c.Move, now: int) -> None:
    text = None
    if command.expected_ply not in (None, state.ply):
        text = f"The game is at ply {state.ply}, not {command.expected_ply}."
    elif command.expected_moves is not None and command.expected_moves != state.moves:
        text = f"Other moves than expected led to ply {state.ply}."
    if text is not None:
        raise ApiError(Code.STALE_PLY, text, ply=state.ply, position=public_position(state, now))


def _check_turn(state: GameState, seat: int) -> None:
    if seat in state.pending:
        raise ApiError(Code.ALREADY_MOVED, "Your move for this ply is in; it is waiting for the others.")
    if seat not in state.to_act:
        raise ApiError(Code.NOT_YOUR_TURN, "It is not your turn.")


def _checked(state: GameState, command: c.Move) -> str:
    if len(command.text) > MAX_MOVE_LENGTH:
        raise ApiError(Code.ILLEGAL_MOVE, f"A move has at most {MAX_MOVE_LENGTH} characters.", field="move")
    try:
        return state.position.check(command.text, command.seat)
    except RuleError as refusal:
        raise ApiError(Code.ILLEGAL_MOVE, str(refusal), field="move") from None


def _played(state: GameState, command: c.Move, text: str, made_at: int) -> e.Event:
    clocks = None
    if state.clock is not None and state.time_control is not None:
        clocks = state.clock.after_move(command.seat, made_at, state.time_control)
    acting = state.position.to_act
    halves = {**state.pending, command.seat: text}
    if len(halves) < len(acting):
        return e.Sealed(command.seat, text, command.message_id, clocks)
    position = state.position.copy()
    position.play("/".join(halves[seat] for seat in acting))
    return e.Moved(command.seat, position.history[-1], command.message_id, clocks)


def _give_up(state: GameState, command: c.Leave, now: int) -> tuple[e.Event, ...]:
    if command.seat in state.gone:
        raise ApiError(Code.FINISHED, "You have left this game.")
    note = None if command.note is None else _printable(command.note[:MAX_NOTE])
    return _leave(state, command.seat, command.reason, now, note)


def _printable(text: str) -> str:
    """``text`` without what would upset the terminal or the page of whoever reads it."""
    return "".join(sign if sign.isprintable() else "?" for sign in text)


def _leave(
    state: GameState, seat: int, reason: e.LeaveReason, now: int, note: str | None = None
) -> tuple[e.Event, ...]:
    return (e.Left(seat, reason, state.clocks_at(now), note),)


def _abort(state: GameState, seat: int) -> tuple[e.Event, ...]:
    if not state.is_live:
        raise ApiError(Code.NOT_ABORTABLE, "The game is over.")
    if state.ply > 0 or state.pending or state.gone:
        raise ApiError(Code.NOT_ABORTABLE, "A game that has begun is not called off: resign instead.")
    return (e.Aborted(seat),)


def _expire(state: GameState, now: int) -> tuple[e.Event, ...]:
    if state.status is not Status.PLAYING or state.clock is None:
        return ()
    seat = state.clock.expired(now - CREDIT_MS)
    return () if seat is None else _leave(state, seat, e.LeaveReason.TIMEOUT, now)
