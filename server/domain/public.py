"""What everybody may see of a game: its state as the protocols' ``Table``, and as the public position."""

from dataclasses import replace
from typing import Any

from protocols.play.position import position_json
from protocols.play.table import Control, Player, Proposal, Result, Table
from server.domain import game
from server.domain.errors import ApiError, Code
from server.domain.game import GameState, Status
from server.domain.seats import Seat, SeatKind


def table_of(state: GameState, now: int) -> Table:
    """The public picture of ``state``, with the clocks of the moment ``now``.

    The secret is public once it is over.
    """
    control = state.time_control
    is_over = not state.is_live
    result, offer = state.result, state.offer
    return Table(
        game_id=state.id,
        seq=state.version,
        position=state.position,
        config={**state.config, **state.secret} if is_over else state.config,
        status=state.status.value,
        to_act=state.to_act,
        players=tuple(_player(seat) for seat in state.seats),
        host=state.host,
        match_type=state.match_type,
        created_at=state.created_at,
        updated_at=state.updated_at,
        last_move_at=state.last_move_at,
        result=None if result is None else result_of(result),
        clocks=state.clocks_at(now),
        running=() if state.clock is None else state.clock.running,
        control=None
        if control is None
        else Control(control.initial_seconds, control.increment_seconds, control.preset),
        proposal=None if offer is None else Proposal(offer.kind.value, offer.seat, offer.to_ply),
        rematch=state.rematch,
        score=state.score,
        assistance=state.assistance.value,
    )


def result_of(result: game.Result) -> Result:
    """The result as everybody may see it."""
    return Result(result.winners, result.reason, result.scores, result.note)


def _player(seat: Seat) -> Player:
    is_engine = seat.kind is SeatKind.HUMAN and seat.missed_by is not None
    return Player(seat.kind.value, seat.name, seat.bot_id, seat.appearance, "uhp" if is_engine else None)


def past_table(state: GameState, ply: int, now: int) -> Table:
    """The picture of the game as it stood after ``ply`` moves, to look at; ApiError ``not-found`` beyond the last.

    A past moment has neither clocks nor a result.
    """
    table = table_of(state, now)
    if ply == state.ply:
        return table
    if ply > state.ply:
        raise ApiError(Code.NOT_FOUND, f"The game has {state.ply} moves.", field="ply", ply=state.ply)
    position = state.position_at(ply)
    return replace(
        table,
        position=position,
        status=Status.PLAYING.value,
        to_act=tuple(position.to_act),
        result=None,
        clocks=None,
        running=(),
        proposal=None,
    )


def public_position(state: GameState, now: int, staged: str = "") -> dict[str, Any]:
    """The public position of ``state`` as JSON."""
    return position_json(table_of(state, now), staged)
