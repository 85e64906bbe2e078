"""Claims: in a game without a clock, whoever waits for an absent player may end the game.

A claim is possible once the player to move has been away for long enough: since the last connection, and since the
last move, as a player without a connection may play over HTTP. With a clock, the absent player's time runs out by
itself. ``services.games.claims`` knows who is absent.
"""

from collections.abc import Mapping

from protocols.values import ClaimKind, LeaveReason, SeatKind, Status
from server.domain import commands as c
from server.domain import events as e
from server.domain.errors import ApiError, Code
from server.domain.game import GameState


def may_claim(state: GameState, seat: int) -> bool:
    """Whether ``seat`` could claim anything if the players to move were absent for long enough."""
    return _refusal(state, seat) is None


def claimable_at(state: GameState, seat: int, last_seen: Mapping[int, int], after_ms: int) -> int | None:
    """When ``seat`` may claim the win if nothing changes; None: it may not. Arguments as in ``commands.ClaimGame``."""
    absent = _absent(state, last_seen)
    if not absent or _refusal(state, seat) is not None:
        return None
    return min(max(last_seen[one], state.last_move_at) for one in absent) + after_ms


def decide(state: GameState, command: c.ClaimGame, now: int) -> tuple[e.Event, ...]:
    """Returns the events of a claim: the absent player leaves, or the game is a draw. The game is being played."""
    refusal = _refusal(state, command.seat)
    if refusal is not None:
        raise ApiError(Code.NO_CLAIM, refusal)
    absent = _absent(state, command.last_seen)
    if not absent:
        raise ApiError(Code.NO_CLAIM, "Nobody who has to move is absent.")
    longest = min(absent, key=lambda seat: command.last_seen[seat])
    away = now - max(command.last_seen[longest], state.last_move_at)
    if away < command.after_ms:
        text = f"The other player may still return: you can end the game after {_seconds(command.after_ms)}."
        raise ApiError(Code.NO_CLAIM, text, retry_after_ms=command.after_ms - away)
    if command.kind is ClaimKind.WIN:
        return (e.Left(longest, LeaveReason.DISCONNECT),)
    if set(state.still_in) != {command.seat, longest}:
        raise ApiError(Code.NO_CLAIM, "Other players are still in the game.")
    return (e.DrawClaimed(command.seat),)


def _refusal(state: GameState, seat: int) -> str | None:
    """Why ``seat`` cannot claim anything, whoever is absent; None if it can."""
    if state.status is not Status.PLAYING or seat in state.gone:
        return "You are not playing in this game any more."
    if state.clock is not None:
        return "The game has a clock: an absent player loses when its time is up."
    if state.ply == 0 and not state.pending:
        return "Nobody has moved: abort the game instead."
    return "It is your turn: move first." if seat in state.to_act else None


def _absent(state: GameState, last_seen: Mapping[int, int]) -> tuple[int, ...]:
    """The seats to move whose players are absent."""
    return tuple(
        seat for seat in state.to_act if seat in last_seen and state.seats[seat].kind is SeatKind.HUMAN
    )


def _seconds(ms: int) -> str:
    return "a second" if ms <= 1000 else f"{-(-ms // 1000)} seconds"
