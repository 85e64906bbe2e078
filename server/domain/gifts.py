"""Thinking time as a gift: what a player may give the others."""

from server.domain import commands as c
from server.domain import events as e
from server.domain.errors import ApiError, Code
from server.domain.game import GameState

MAX_SECONDS = 600
"""The most that is given at once."""

MAX_CLOCK_MS = 86_400_000
"""No gift brings a clock above this: as much as a game can begin with."""


def give_time(state: GameState, command: c.GiveTime, now: int) -> tuple[e.Event, ...]:
    """More time for every other seat that is still in. Nobody is saved whose time is over."""
    if state.clock is None:
        raise ApiError(Code.NO_CLOCK, "This game has no clock.")
    if command.seat in state.gone or state.clock.expired(now) is not None:
        raise ApiError(Code.FINISHED, "The time is over.")
    if not 1 <= command.seconds <= MAX_SECONDS:
        text = f"Give 1 to {MAX_SECONDS} seconds."
        raise ApiError(Code.BAD_SECONDS, text, field="seconds", limit=MAX_SECONDS)
    taking = [seat for seat in state.still_in if seat != command.seat]
    clocks = tuple(
        max(left, min(MAX_CLOCK_MS, left + command.seconds * 1000)) if seat in taking else left
        for seat, left in enumerate(state.clock.all_left(now))
    )
    return (e.TimeGiven(command.seat, command.seconds, clocks),)
