"""A player can give the others more time on their clocks."""

from server.domain import commands as c
from server.domain import events as e
from server.domain.errors import ApiError, Code
from server.domain.game import GameState

MAX_SECONDS = 600
"""The most that can be given at once."""

MAX_CLOCK_MS = 86_400_000
"""Given time raises no clock above this, the longest initial time of a game."""


def give_time(state: GameState, command: c.AddTime, now: int) -> tuple[e.Event, ...]:
    """Gives time to every other seat still in the game. ApiError if a player's time has already run out."""
    if state.clock is None:
        raise ApiError(Code.NO_CLOCK, "This game has no clock.")
    if state.time_control is not None and state.time_control.has_late_moves:
        raise ApiError(Code.NO_CLOCK, "This game has a time for each move, to which none can be added.")
    if command.seat in state.gone or state.clock.expired(now) is not None:
        raise ApiError(Code.FINISHED, "You have left the game, or a player's time has run out.")
    if not 1 <= command.seconds <= MAX_SECONDS:
        text = f"Give 1 to {MAX_SECONDS} seconds."
        raise ApiError(Code.BAD_SECONDS, text, field="seconds", limit=MAX_SECONDS)
    others = [seat for seat in state.still_in if seat != command.seat]
    clocks = tuple(
        max(left, min(MAX_CLOCK_MS, left + command.seconds * 1000)) if seat in others else left
        for seat, left in enumerate(state.clock.all_left(now))
    )
    return (e.TimeGiven(command.seat, command.seconds, clocks),)
