"""Computes the state of a game from its events.

This needs no clock and no random numbers. ``decide`` defines which events a command may cause.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import groupby

from engines import Position
from protocols.values import LeaveReason, Offer, Result, Seat, SeatKind, Status, TimeControl
from server.domain import events as e
from server.domain.clocks.clock import Clock, start_clock
from server.domain.game import GameState, LeftSeat
from server.domain.list_visibility import visibility_of


def fold(game_id: str, log: Iterable[e.Recorded]) -> GameState | None:
    """Returns the state after all events of a complete log; None for an empty log."""
    state: GameState | None = None
    for is_move, run in groupby(log, key=lambda one: isinstance(one.event, e.Moved)):
        recorded = tuple(run)
        if is_move and state is not None and (state.clock is None or _has_clocks(recorded)):
            state = _after_moves(state, recorded)
            continue
        for one in recorded:
            state = apply(game_id, state, one)
    return state


def convert_once(position: Position) -> None:
    """Converts what all positions of the game have in common, which takes long for a large board and is then kept."""
    position.view(None)


def apply(
    game_id: str, state: GameState | None, recorded: e.Recorded, position: Position | None = None
) -> GameState:
    """Returns the state after the next event, number ``state.version + 1``.

    ``position`` is the position after a move if already known; the move is then not played again.
    """
    event, at = recorded.event, recorded.at_ms
    if isinstance(event, e.Created):
        return _clocked(_started(_created(game_id, event, at)), at)
    if state is None:
        raise ValueError(f"the log of game {game_id} does not begin with its creation")
    if isinstance(event, e.Moved):
        return _after_moves(state, (recorded,), position)
    if isinstance(event, e.MovesImported):
        return _after_imported_moves(state, event, recorded)
    changed = _changed(replace(state, version=recorded.seq, updated_at=at), event)
    return _clocked(changed, at)


def _has_clocks(recorded: Sequence[e.Recorded]) -> bool:
    """Whether all of these moves have clocks, in which case only the last one's matter."""
    return all(one.event.clocks is not None for one in recorded if isinstance(one.event, e.Moved))


def _after_moves(
    state: GameState, recorded: Sequence[e.Recorded], position: Position | None = None
) -> GameState:
    """Returns the state after consecutive moves. ``position`` as in ``apply``."""
    moves = [(one.seq, one.event) for one in recorded if isinstance(one.event, e.Moved)]
    if position is None:
        position = state.position.copy()
        position.play(*(move.move for _, move in moves))
    known = {(move.seat, move.message_id): seq for seq, move in moves if move.message_id is not None}
    clock = state.clock
    if clock is not None:
        clock = clock.moved([move.clocks for _, move in moves], recorded[-1].at_ms)
        clock = _compensated(clock, [move for _, move in moves], state.time_control)
    if known:
        state = replace(state, answered={**state.answered, **known})
    return _moved_to(state, position, clock, recorded[-1])


def _after_imported_moves(state: GameState, event: e.MovesImported, recorded: e.Recorded) -> GameState:
    position = state.position.copy()
    position.play(*event.moves)
    clock = state.clock
    if clock is not None:
        clock = clock.moved(event.clocks or (None,) * len(event.moves), recorded.at_ms)
    return _moved_to(state, position, clock, recorded)


def _moved_to(state: GameState, position: Position, clock: Clock | None, last: e.Recorded) -> GameState:
    """Returns the state at a position that moves led to, the last of them recorded as ``last``."""
    after = replace(
        state,
        version=last.seq,
        updated_at=last.at_ms,
        last_move_at=last.at_ms,
        position=position,
        pending={},
        offer=None,
        clock=clock,
    )
    return _clocked(_over(after), last.at_ms)


def _compensated(clock: Clock, moves: Sequence[e.Moved | e.Sealed], control: TimeControl | None) -> Clock:
    if control is None:
        return clock
    return clock.compensated([(move.seat, move.uncharged) for move in moves], control)


def _created(game_id: str, event: e.Created, at: int) -> GameState:
    position = Position(event.game, event.variant, {**event.config, **event.secret})
    control = event.time_control
    return GameState(
        id=game_id,
        position=position,
        config=event.config,
        secret=event.secret,
        status=Status.OPEN,
        seats=event.seats,
        host=event.host,
        match_type=event.match_type,
        created_at=at,
        updated_at=at,
        last_move_at=at,
        time_control=control,
        clock=None if control is None else start_clock(control, len(event.seats)),
        wish=event.wish,
        earlier_score=event.score,
        ends_with_host=event.ends_with_host,
        assistance=event.assistance,
        ladder=event.ladder,
        tournament=event.tournament,
        visibility=visibility_of(event),
    )


def _started(state: GameState) -> GameState:
    is_full = all(seat.kind is not SeatKind.OPEN for seat in state.seats)
    return replace(state, status=Status.PLAYING) if is_full else state


def _changed(state: GameState, event: e.Event) -> GameState:
    match event:
        case e.SeatTaken():
            return _seat_taken(state, event)
        case e.WentRemote(seat=seat, missed_by=server):
            return _timed(_seated(state, seat, replace(state.seats[seat], missed_by=server)), event.clocks)
        case e.Sealed():
            clock = state.clock and _compensated(state.clock, [event], state.time_control)
            pending = {**state.pending, event.seat: event.move}
            sealed = replace(state, pending=pending, offer=None, clock=clock)
            return _timed(_remembered(sealed, event), event.clocks)
        case e.TookBack():
            return _timed(_taken_back(state, event.to_ply), event.clocks)
        case e.Offered() | e.OfferAccepted() | e.OfferRejected() | e.RematchStarted():
            return _negotiated(state, event)
        case e.Left() | e.DrawAgreed() | e.DrawClaimed() | e.Imported() | e.Aborted() | e.Adjudicated():
            return _ended(state, event)
        case e.TimeGiven():
            return _timed(_given(state, event.clocks), event.clocks)
        case e.ClockSet():
            return _timed(_clock_set(state, event), event.clocks)
        case _:
            raise ValueError(f"{type(event).__name__} cannot follow in the log of game {state.id}")


def _negotiated(
    state: GameState, event: e.Offered | e.OfferAccepted | e.OfferRejected | e.RematchStarted
) -> GameState:
    match event:
        case e.Offered():
            return replace(state, offer=Offer(event.kind, event.seat, event.to_ply))
        case e.OfferAccepted() if state.offer is not None:
            return replace(state, offer=replace(state.offer, accepted=(*state.offer.accepted, event.seat)))
        case e.OfferAccepted() | e.OfferRejected():
            return replace(state, offer=None)
        case e.RematchStarted():
            return replace(state, rematch=event.game_id, offer=None)


def _seat_taken(state: GameState, event: e.SeatTaken) -> GameState:
    seat = Seat(SeatKind.HUMAN, name=event.name, appearance=event.appearance, missed_by=event.missed_by)
    return _started(_seated(state, event.seat, seat))


def _seated(state: GameState, index: int, seat: Seat) -> GameState:
    return replace(state, seats=(*state.seats[:index], seat, *state.seats[index + 1 :]))


def _ended(
    state: GameState,
    event: e.Left | e.DrawAgreed | e.DrawClaimed | e.Imported | e.Aborted | e.Adjudicated,
) -> GameState:
    match event:
        case e.Left():
            return _timed(_left(state, event), event.clocks)
        case e.DrawAgreed():
            return _finished(state, Result((), "draw-agreement"))
        case e.DrawClaimed():
            return _finished(state, Result((), LeaveReason.DISCONNECT.value))
        case e.Imported():
            return _imported(state, event)
        case e.Adjudicated(is_void=False):
            return _finished(state, Result((), event.reason, note=event.note))
        case e.Aborted() | e.Adjudicated():
            return replace(state, status=Status.ABORTED, pending={}, offer=None)


def _left(state: GameState, event: e.Left) -> GameState:
    """Skips the seat from now on.

    If only one seat remains, it wins, and the history gets no entry for this.
    """
    gone = (*state.gone, event.seat)
    left = (*state.left, LeftSeat(event.seat, event.reason, event.note, state.ply))
    state = replace(state, gone=gone, left=left, pending={}, offer=None)
    if len(state.still_in) == 1:
        return _finished(state, Result(state.still_in, event.reason.value, note=event.note))
    position = state.position.copy()
    position.forfeit(event.seat)
    return _over(replace(state, position=position))


def _imported(state: GameState, event: e.Imported) -> GameState:
    """Ends the game: by the rules, with the record's result, or without a result."""
    elos = event.elos or (None,) * len(state.seats)
    seats = tuple(replace(seat, elo=elo) for seat, elo in zip(state.seats, elos, strict=True))
    state = replace(state, imported=event, seats=seats, clock=state.clock if event.has_clocks else None)
    if state.status is Status.FINISHED:
        return state
    if event.winners is None or event.reason is None:
        return replace(state, status=Status.ABORTED)
    return _finished(state, Result(event.winners, event.reason, note=event.note))


def _over(state: GameState) -> GameState:
    outcome = state.position.outcome
    if outcome is None:
        return state
    return _finished(state, Result.by_rules(outcome))


def _finished(state: GameState, result: Result) -> GameState:
    return replace(state, status=Status.FINISHED, result=result, pending={}, offer=None)


def _remembered(state: GameState, event: e.Sealed) -> GameState:
    if event.message_id is None:
        return state
    return replace(state, answered={**state.answered, (event.seat, event.message_id): state.version})


def _timed(state: GameState, clocks: e.Clocks) -> GameState:
    if state.clock is None or clocks is None:
        return state
    return replace(state, clock=replace(state.clock, remaining=clocks, since=state.updated_at))


def _taken_back(state: GameState, to_ply: int) -> GameState:
    clock = None if state.clock is None else state.clock.taken_back(to_ply)
    return replace(state, position=state.position.at_ply(to_ply), clock=clock, pending={}, offer=None)


def _given(state: GameState, clocks: e.Clocks) -> GameState:
    if state.clock is None or clocks is None:
        return state
    return replace(state, clock=state.clock.given(clocks, state.updated_at))


def _clock_set(state: GameState, event: e.ClockSet) -> GameState:
    return state if state.clock is None else replace(state, clock=state.clock.set(event.seat, event.mode))


def _clocked(state: GameState, at: int) -> GameState:
    """Times the moves of the seats to act from ``at`` on, unless the clock has yet to start with the first move.

    The first part of a simultaneous move starts the clock, too. The event that changed the seats to act has already
    deducted the time used before ``at``.
    """
    if state.clock is None or state.time_control is None:
        return state
    is_started = state.ply > 0 or bool(state.pending) or state.time_control.starts_at_once
    due = state.to_act if is_started else ()
    clock = state.clock
    if due == clock.due:
        return state
    return replace(state, clock=replace(clock, remaining=clock.all_left(at), due=due, since=at))
