"""The state of one played game: the fold of its events.

Which events a command may cause is said in ``decide``.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Any

from engines import Position
from server.domain import events as e
from server.domain.clock import Clock, TimeControl, start_clock
from server.domain.seats import Seat, SeatKind


class Status(StrEnum):
    """The life of a game. It is open until every seat is taken."""

    OPEN = "open"
    PLAYING = "playing"
    FINISHED = "finished"
    ABORTED = "aborted"


@dataclass(frozen=True, slots=True)
class Result:
    """How the game ended. ``winners`` is empty for a draw; ``scores`` is None in games without points."""

    winners: tuple[int, ...]
    reason: str
    scores: tuple[float, ...] | None = None


@dataclass(frozen=True, slots=True)
class Offer:
    """A proposal of ``seat`` that is waiting for the seats that are not in ``accepted``."""

    kind: e.OfferKind
    seat: int
    to_ply: int | None = None
    accepted: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class GameState:
    """One game after ``version`` events. Never changed: ``position`` is shared, copy it before playing on it.

    ``config`` is the public configuration and ``secret`` what it leaves out. ``pending`` holds sealed parts
    of a simultaneous move by seat: it leaves the server only as the seats that still have to move.
    ``answered`` maps a seat and its message id to the version that the message caused.
    """

    id: str
    position: Position
    config: Mapping[str, Any]
    secret: Mapping[str, Any]
    seats: tuple[Seat, ...]
    host: int
    match_type: str
    created_at: int
    updated_at: int
    last_move_at: int
    version: int = 1
    status: Status = Status.OPEN
    result: Result | None = None
    time_control: TimeControl | None = None
    clock: Clock | None = None
    pending: Mapping[int, str] = field(default_factory=dict)
    offer: Offer | None = None
    gone: tuple[int, ...] = ()
    answered: Mapping[tuple[int, str], int] = field(default_factory=dict)

    @property
    def game(self) -> str:
        """The game's name in the catalogue."""
        return self.position.game

    @property
    def variant(self) -> str:
        """The variant's name."""
        return self.position.variant

    @property
    def ply(self) -> int:
        """Moves played."""
        return self.position.ply

    @property
    def moves(self) -> tuple[str, ...]:
        """The history, tails and forfeits included."""
        return tuple(self.position.history)

    @property
    def to_act(self) -> tuple[int, ...]:
        """The seats that still have to move; none unless the game is being played."""
        if self.status is not Status.PLAYING:
            return ()
        return tuple(seat for seat in self.position.to_act if seat not in self.pending)

    @property
    def still_in(self) -> tuple[int, ...]:
        """The seats that have not left."""
        return tuple(seat for seat in range(len(self.seats)) if seat not in self.gone)

    @property
    def is_live(self) -> bool:
        """Whether the game may still change: it is open or being played."""
        return self.status in (Status.OPEN, Status.PLAYING)

    @property
    def has_bot(self) -> bool:
        """Whether a bot plays a seat."""
        return any(seat.kind is SeatKind.BOT for seat in self.seats)

    def position_at(self, ply: int) -> Position:
        """The position after the first ``ply`` moves; the caller owns it."""
        position = self.position.copy()
        while position.ply > ply:
            position.undo()
        return position


def fold(game_id: str, log: Iterable[e.Recorded]) -> GameState | None:
    """The state after the events of a log, from its first; None for an empty one."""
    state: GameState | None = None
    for recorded in log:
        state = apply(game_id, state, recorded)
    return state


def apply(game_id: str, state: GameState | None, recorded: e.Recorded) -> GameState:
    """The state after one more event, which follows the ``state.version`` events before it."""
    event, at = recorded.event, recorded.at_ms
    if isinstance(event, e.Created):
        return _started(_created(game_id, event, at))
    if state is None:
        raise ValueError(f"the log of game {game_id} does not begin with its creation")
    changed = _changed(replace(state, version=recorded.seq, updated_at=at), event, at)
    return _clocked(changed, at)


def _created(game_id: str, event: e.Created, at: int) -> GameState:
    position = Position(event.game, event.variant, {**event.config, **event.secret})
    control = event.time_control
    return GameState(
        id=game_id,
        position=position,
        config=event.config,
        secret=event.secret,
        seats=event.seats,
        host=event.host,
        match_type=event.match_type,
        created_at=at,
        updated_at=at,
        last_move_at=at,
        time_control=control,
        clock=None if control is None else start_clock(control, len(event.seats)),
    )


def _started(state: GameState) -> GameState:
    is_full = all(seat.kind is not SeatKind.OPEN for seat in state.seats)
    return replace(state, status=Status.PLAYING) if is_full else state


def _changed(state: GameState, event: e.Event, at: int) -> GameState:
    match event:
        case e.SeatTaken():
            return _seat_taken(state, event)
        case e.Sealed():
            sealed = replace(state, pending={**state.pending, event.seat: event.move}, offer=None)
            return _timed(_remembered(sealed, event), event.clocks)
        case e.Moved():
            return _timed(_remembered(_moved(state, event, at), event), event.clocks)
        case e.TookBack():
            back = replace(state, position=state.position_at(event.to_ply), pending={}, offer=None)
            return _timed(back, event.clocks)
        case e.Offered():
            return replace(state, offer=Offer(event.kind, event.seat, event.to_ply))
        case e.OfferAccepted() if state.offer is not None:
            return replace(state, offer=replace(state.offer, accepted=(*state.offer.accepted, event.seat)))
        case e.OfferRejected():
            return replace(state, offer=None)
        case e.Left():
            return _timed(_left(state, event), event.clocks)
        case e.DrawAgreed():
            return _finished(state, Result((), "draw-agreement"))
        case _:
            raise ValueError(f"{type(event).__name__} cannot follow in the log of game {state.id}")


def _seat_taken(state: GameState, event: e.SeatTaken) -> GameState:
    seats = list(state.seats)
    seats[event.seat] = Seat(SeatKind.HUMAN, name=event.name, appearance=event.appearance)
    return _started(replace(state, seats=tuple(seats)))


def _moved(state: GameState, event: e.Moved, at: int) -> GameState:
    position = state.position.copy()
    position.play(event.move)
    return _over(replace(state, position=position, pending={}, offer=None, last_move_at=at))


def _left(state: GameState, event: e.Left) -> GameState:
    """Whoever leaves is skipped from now on.

    The last one left has won without another entry in the history.
    """
    state = replace(state, gone=(*state.gone, event.seat), pending={}, offer=None)
    if len(state.still_in) == 1:
        return _finished(state, Result(state.still_in, event.reason.value))
    position = state.position.copy()
    position.forfeit(event.seat)
    return _over(replace(state, position=position))


def _over(state: GameState) -> GameState:
    outcome = state.position.outcome
    if outcome is None:
        return state
    scores = None if outcome.scores is None else tuple(outcome.scores)
    return _finished(state, Result(tuple(outcome.winners), outcome.reason, scores))


def _finished(state: GameState, result: Result) -> GameState:
    return replace(state, status=Status.FINISHED, result=result, pending={}, offer=None)


def _remembered(state: GameState, event: e.Sealed | e.Moved) -> GameState:
    if event.message_id is None:
        return state
    return replace(state, answered={**state.answered, (event.seat, event.message_id): state.version})


def _timed(state: GameState, clocks: e.Clocks) -> GameState:
    if state.clock is None or clocks is None:
        return state
    return replace(state, clock=replace(state.clock, remaining=clocks, running=(), since=state.updated_at))


def _clocked(state: GameState, at: int) -> GameState:
    """The clock runs for the seats to act, from the first move on.

    What changed the seats to act also charged it.
    """
    if state.clock is None:
        return state
    running = state.to_act if state.ply > 0 else ()
    if running == state.clock.running:
        return state
    clock = state.clock
    return replace(state, clock=Clock(clock.all_left(at), running, at))
