"""The public part of a game's state, as a ``Table``."""

from dataclasses import replace

from protocols.values import Status, Table
from server.domain.errors import ApiError, Code
from server.domain.game import GameState


def table_of(state: GameState, now: int) -> Table:
    """Returns the public part of ``state``, with the clocks at the time ``now``.

    Once the game is over, the secret part of the configuration is public too.
    """
    is_over = not state.is_live
    return Table(
        game_id=state.id,
        seq=state.version,
        position=state.position,
        config={**state.config, **state.secret} if is_over else state.config,
        status=state.status,
        to_act=state.to_act,
        seats=state.seats,
        host=state.host,
        match_type=state.match_type,
        created_at=state.created_at,
        updated_at=state.updated_at,
        last_move_at=state.last_move_at,
        result=state.result,
        clocks=state.clocks_at(now),
        running=() if state.clock is None else state.clock.running,
        time_control=state.time_control,
        offer=state.offer,
        rematch=state.rematch,
        score=state.score,
        assistance=state.assistance,
        ladder=state.ladder,
        tournament=state.tournament,
        host_knows_order=state.host_knows_order,
    )


def past_table(state: GameState, ply: int, now: int) -> Table:
    """Returns the game as it was after ``ply`` moves; ApiError ``not-found`` if it has fewer.

    A past table has neither clocks nor a result.
    """
    table = table_of(state, now)
    if ply == state.ply:
        return table
    if ply > state.ply:
        raise ApiError(Code.NOT_FOUND, f"The game has {state.ply} moves.", field="ply", ply=state.ply)
    position = state.position.at_ply(ply)
    return replace(
        table,
        position=position,
        status=Status.PLAYING,
        to_act=tuple(position.to_act),
        result=None,
        clocks=None,
        running=(),
        offer=None,
    )
