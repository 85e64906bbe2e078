"""The results of commands: of any one in ``command_handler``, and of particular operations of ``games``."""

from collections.abc import Mapping
from dataclasses import dataclass

from engines.late_moves import late_move
from protocols.values import Table
from server.domain.errors import ApiError, Code
from server.domain.events import Event, Left, late_seats
from server.domain.game import GameState
from server.domain.public_table import table_of
from server.services.cluster.changes import Change


@dataclass(frozen=True, slots=True)
class CommandResult:
    """The state after a command, and the change that it caused, if any."""

    state: GameState
    change: Change | None = None

    @property
    def events(self) -> tuple[Event, ...]:
        """The events that the command caused; empty if it changed nothing."""
        return () if self.change is None else self.change.events

    @property
    def table(self) -> Table:
        """The public part of the state, with the clocks at the time of its last event."""
        return table_of(self.state, self.state.updated_at) if self.change is None else self.change.table


@dataclass(frozen=True, slots=True)
class NewTable:
    """A new game and the tokens of its human seats, by seat. They cannot be retrieved again."""

    state: GameState
    tokens: Mapping[int, str]


@dataclass(frozen=True, slots=True)
class MoveAck:
    """The acknowledgement of a move.

    ``pending`` are the seats whose parts of a simultaneous move are missing; until they arrive, ``ply`` is unchanged.
    ``state`` is the game after the move, and ``table`` its public part. A repeated message gets the same ones as the
    first time.
    """

    ply: int
    pending: tuple[int, ...]
    state: GameState
    table: Table


def acknowledge(done: CommandResult, seat: int) -> MoveAck:
    """The acknowledgement of a move of ``seat``. Raises ApiError if it came too late."""
    state = done.state
    if any(isinstance(event, Left) for event in done.events):
        raise ApiError(Code.FINISHED, "Your time has run out.", ply=state.ply)
    if seat in late_seats(done.events):
        text = f"Your time for this move has run out, so that you have played {late_move(state.game)}."
        raise ApiError(Code.ALREADY_MOVED, text, ply=state.ply)
    return MoveAck(state.ply, state.to_act if seat in state.pending else (), state, done.table)


@dataclass(frozen=True, slots=True)
class Joined:
    """The seat that a player has taken, and its token."""

    state: GameState
    seat: int
    token: str
