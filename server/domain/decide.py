"""Decides which events a command causes in a state, or why it is refused.

Pure: the caller stores the events and then folds them.

The order of the checks of a move is part of the API: repeated message, game not started or over, ply, turn, time,
rules.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from engines import Position, RuleError
from engines.late_moves import late_move
from protocols.values import LeaveReason, OfferKind, Status, printable_note
from server.domain import absence, claims, rematch
from server.domain import commands as c
from server.domain import events as e
from server.domain.clocks.clock import CREDIT_MS, ClockMode
from server.domain.clocks.given_time import give_time
from server.domain.clocks.lag import uncharged_ms
from server.domain.errors import ApiError, Code
from server.domain.game import GameState
from server.domain.offers import accept, propose, reject
from server.domain.public_table import table_of

MAX_MOVE_LENGTH = 1000
"""The maximum length of a move's text."""

MAX_EVENTS_FOR_OFFERS = 5000
"""The maximum length of a log, in events, for offers and given time: unlike moves, they could go on forever.

Beyond this, manual clock control is ignored.
"""


def answered_at(state: GameState, command: c.Command) -> int | None:
    """Returns the version that an earlier copy of this message led to; None for a new message or one without an id."""
    if not isinstance(command, c.Move) or command.message_id is None:
        return None
    return state.answered.get((command.seat, command.message_id))


@dataclass(frozen=True, slots=True)
class Decision:
    """The events that a command causes; empty if the command is allowed but changes nothing.

    ``position`` is the position after a move, which was played to check it; None for other commands.
    """

    events: tuple[e.Event, ...]
    position: Position | None = None


def decide(state: GameState, command: c.Command, now: int) -> Decision:
    """Returns what ``command`` causes at the time ``now``, which must not be before the last event.

    ApiError if the command is refused. A move that is too late causes ``Left``, or the game's late move instead.
    """
    if isinstance(command, c.Move):
        return _move(state, command, now)
    return Decision(_events(state, command, now))


def _events(state: GameState, command: c.OtherCommand, now: int) -> tuple[e.Event, ...]:
    match command:
        case c.Join():
            return _join(state, command)
        case c.GoRemote() | c.StopWaiting():
            return absence.decide(state, command, now)
        case c.Expire() | c.SetClock() | c.ResumeClocks():
            return _by_clock(state, command, now)
        case c.Abort():
            return _abort(state, command.seat)
        case c.Withdraw():
            return _withdraw(state, command)
        case c.Adjudicate():
            return _adjudicate(state, command)
        case c.Propose() | c.Accept() | c.Reject():
            return _negotiate(state, command)
        case c.Leave() | c.ClaimGame() | c.AddTime():
            return _while_playing(state, command, now)


def _by_clock(
    state: GameState, command: c.Expire | c.SetClock | c.ResumeClocks, now: int
) -> tuple[e.Event, ...]:
    match command:
        case c.Expire():
            return _expire(state, now)
        case c.SetClock():
            return _set_clock(state, command, now)
        case c.ResumeClocks():
            return _resume_clocks(state, command, now)


def _while_playing(
    state: GameState, command: c.Leave | c.ClaimGame | c.AddTime, now: int
) -> tuple[e.Event, ...]:
    check_playing(state)
    match command:
        case c.Leave():
            return _give_up(state, command, now)
        case c.ClaimGame():
            return claims.decide(state, command, now)
        case c.AddTime():
            _check_offers_left(state)
            return give_time(state, command, now)


def _negotiate(state: GameState, command: c.Propose | c.Accept | c.Reject) -> tuple[e.Event, ...]:
    """Handles offers: rematches once the game is over, all others while it is being played."""
    if isinstance(command, c.Propose):
        _check_offers_left(state)
        _check_fits_tournament(state, command.kind)
    if command.kind is OfferKind.REMATCH:
        return rematch.decide(state, command)
    check_playing(state)
    match command:
        case c.Propose():
            return propose(state, command)
        case c.Accept():
            return accept(state, command)
        case c.Reject():
            return reject(state, command)


def _check_fits_tournament(state: GameState, kind: OfferKind) -> None:
    """Players of a tournament can agree to draws only: their results count."""
    if state.tournament is None or kind is OfferKind.DRAW:
        return
    code = Code.NO_REMATCH if kind is OfferKind.REMATCH else Code.BAD_TAKEBACK
    raise ApiError(code, f"There is no {kind.value} in a game of a tournament.")


def _check_offers_left(state: GameState) -> None:
    """Limits new offers only; answers are always possible."""
    if state.version >= MAX_EVENTS_FOR_OFFERS:
        text = "This game has had too many offers."
        raise ApiError(Code.OVER_LIMIT, text, limit=MAX_EVENTS_FOR_OFFERS)


def check_playing(state: GameState) -> None:
    """ApiError unless the game is being played."""
    if state.status is Status.OPEN:
        raise ApiError(Code.NOT_STARTED, "The game has not started: a seat is still open.")
    if state.status is not Status.PLAYING:
        raise ApiError(Code.FINISHED, "The game is over.")


def _join(state: GameState, command: c.Join) -> tuple[e.Event, ...]:
    if state.status is Status.ABORTED:
        raise ApiError(Code.FINISHED, "The game was aborted.")
    free = state.open_seats
    if command.seat is not None and command.seat >= len(state.seats):
        raise ApiError(Code.BAD_SEATS, f"The game has {len(state.seats)} seats.", field="seat")
    if not free or command.seat not in (None, *free):
        raise ApiError(Code.SEAT_TAKEN, "The seat is taken.", field="seat")
    seat = free[0] if command.seat is None else command.seat
    return (e.SeatTaken(seat, command.name, command.appearance, command.missed_by),)


def _move(state: GameState, command: c.Move, now: int) -> Decision:
    check_playing(state)
    _check_seen(state, command, now)
    _check_turn(state, command.seat)
    uncharged = _uncharged(state, command, now)
    made_at = _made_at(command, now) - uncharged
    if _is_too_late(state, command, made_at):
        return Decision(_time_out(state, (command.seat,), now))
    return _played(state, command, made_at, uncharged)


def _uncharged(state: GameState, command: c.Move, now: int) -> int:
    """How much of its lag a timed move is not charged."""
    clock, seat = state.clock, command.seat
    if clock is None or command.made_at is not None or seat not in clock.running:
        return 0
    return min(uncharged_ms(command.lag_ms, clock.quotas[seat]), now - clock.since)


def _is_too_late(state: GameState, command: c.Move, made_at: int) -> bool:
    """A late move is never made for a seat while its own move may be in transit; a lost game needs certainty."""
    if state.clock is None or state.time_control is None:
        return False
    if command.made_at is not None:
        return state.clock.too_late(command.seat, made_at, grace=0)
    if state.time_control.has_late_moves:
        return state.clock.too_late(command.seat, made_at - CREDIT_MS, grace=0)
    return state.clock.too_late(command.seat, made_at)


def _made_at(command: c.Move | c.SetClock, now: int) -> int:
    return now if command.made_at is None else min(command.made_at, now)


def _set_clock(state: GameState, command: c.SetClock, now: int) -> tuple[e.Event, ...]:
    """Has no effect without a clock, after the end of the game, or when starting a clock that is not due.

    Stopping a clock whose time has run out has the same effect as its expiry.
    """
    clock, seat = state.clock, command.seat
    mode = command.mode if state.version < MAX_EVENTS_FOR_OFFERS else ClockMode.TURN
    if clock is None or not state.is_live or clock.modes[seat] is mode:
        return ()
    if mode is ClockMode.RUNS and seat not in clock.due:
        return ()
    made_at = _made_at(command, now)
    if clock.too_late(seat, made_at, grace=0):
        return _time_out(state, (seat,), now)
    left = list(clock.all_left(now))
    left[seat] = clock.left(seat, made_at)
    return (e.ClockSet(seat, mode, tuple(left)),)


def _resume_clocks(state: GameState, command: c.ResumeClocks, now: int) -> tuple[e.Event, ...]:
    """Has no effect if no clock is running. The mode of the clock in the event is the one that it has."""
    clock = state.clock
    if clock is None or state.status is not Status.PLAYING or not clock.running:
        return ()
    seat = clock.running[0]
    return (e.ClockSet(seat, clock.modes[seat], clock.all_left(now - command.lost_ms)),)


def _check_seen(state: GameState, command: c.Move, now: int) -> None:
    text = None
    if command.expected_ply not in (None, state.ply):
        text = f"The game is at ply {state.ply}, not {command.expected_ply}."
    elif command.expected_moves is not None and command.expected_moves != state.moves:
        text = f"Other moves than expected led to ply {state.ply}."
    if text is not None:
        raise ApiError(Code.STALE_PLY, text, ply=state.ply, table=table_of(state, now))


def _check_turn(state: GameState, seat: int) -> None:
    if seat in state.pending:
        raise ApiError(Code.ALREADY_MOVED, "You have already moved; the other players have not.")
    if seat not in state.to_act:
        raise ApiError(Code.NOT_YOUR_TURN, "It is not your turn.")


def _played(state: GameState, command: c.Move, made_at: int, uncharged: int) -> Decision:
    """Plays the move once, or checks one seat's part of a simultaneous move."""
    if len(command.text) > MAX_MOVE_LENGTH:
        raise ApiError(Code.ILLEGAL_MOVE, f"A move has at most {MAX_MOVE_LENGTH} characters.", field="move")
    clocks = None
    if state.clock is not None and state.time_control is not None:
        clocks = state.clock.after_moves((command.seat,), made_at, state.time_control)
    acting = state.position.to_act
    try:
        if len(acting) == 1:
            position = state.position.after(command.text, command.seat)
            return _moved(command, position, clocks, uncharged)
        part = state.position.check(command.text, command.seat)
    except RuleError as refusal:
        raise ApiError(Code.ILLEGAL_MOVE, str(refusal), field="move") from None
    parts = {**state.pending, command.seat: part}
    if len(parts) < len(acting):
        sealed = e.Sealed(command.seat, part, command.message_id, clocks, uncharged=uncharged)
        return Decision((sealed,))
    return _moved(command, _after_parts(state, parts), clocks, uncharged)


def _after_parts(state: GameState, parts: Mapping[int, str]) -> Position:
    """Returns the position after the moves of all acting seats."""
    position = state.position.copy()
    position.play("/".join(parts[seat] for seat in position.to_act))
    return position


def _moved(command: c.Move, position: Position, clocks: e.Clocks, uncharged: int) -> Decision:
    last = _last_move(position)
    event = e.Moved(command.seat, last, command.message_id, clocks, uncharged=uncharged)
    return Decision((event,), position)


def _last_move(position: Position) -> str:
    if position.last_move is None:
        raise ValueError("a move is in the history")
    return position.last_move


def _give_up(state: GameState, command: c.Leave, now: int) -> tuple[e.Event, ...]:
    if command.seat in state.gone:
        raise ApiError(Code.FINISHED, "You have left this game.")
    note = None if command.note is None else printable_note(command.note)
    return _leave(state, command.seat, command.reason, now, note)


def _leave(
    state: GameState, seat: int, reason: LeaveReason, now: int, note: str | None = None
) -> tuple[e.Event, ...]:
    return (e.Left(seat, reason, state.clocks_at(now), note),)


def _abort(state: GameState, seat: int) -> tuple[e.Event, ...]:
    if not state.is_live:
        raise ApiError(Code.NOT_ABORTABLE, "The game is over.")
    if state.tournament is not None:
        raise ApiError(Code.NOT_ABORTABLE, "A game of a tournament cannot be aborted: resign instead.")
    if state.ply > 0 or state.pending or state.gone:
        raise ApiError(Code.NOT_ABORTABLE, "A game that has begun cannot be aborted: resign instead.")
    return (e.Aborted(seat),)


def _withdraw(state: GameState, command: c.Withdraw) -> tuple[e.Event, ...]:
    is_waiting = state.status is Status.OPEN and len(state.open_seats) >= command.free
    return (e.Aborted(command.seat),) if is_waiting else ()


def _adjudicate(state: GameState, command: c.Adjudicate) -> tuple[e.Event, ...]:
    if not state.is_arranged or not state.is_live:
        return ()
    return (e.Adjudicated(command.reason, command.is_void, command.note),)


def _expire(state: GameState, now: int) -> tuple[e.Event, ...]:
    if state.status is not Status.PLAYING or state.clock is None:
        return ()
    expired = state.clock.expired_seats(now - CREDIT_MS)
    return _time_out(state, expired, now) if expired else ()


def _time_out(state: GameState, seats: tuple[int, ...], now: int) -> tuple[e.Event, ...]:
    """Makes the game's late move for the seats, whose time has run out; or the first of them loses."""
    control = state.time_control
    if state.clock is None or control is None or not control.has_late_moves:
        return _leave(state, seats[0], LeaveReason.TIMEOUT, now)
    text = late_move(state.game)
    if text is None:
        raise ValueError(f"{state.game} has no late move")
    clocks = state.clock.after_moves(seats, now, control)
    late = {seat: state.position.check(text, seat) for seat in seats}
    parts = {**state.pending, **late}
    if len(parts) < len(state.position.to_act):
        return tuple(e.Sealed(seat, part, clocks=clocks, is_late=True) for seat, part in late.items())
    last = _last_move(_after_parts(state, parts))
    return (e.Moved(seats[-1], last, clocks=clocks, late=tuple(late)),)
