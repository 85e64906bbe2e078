"""Lag: how much of a move's time in transit is not charged to the clock of its seat.

As on lichess, each seat has a quota: a move takes from it what it is not charged, and each move adds a little, so that
a slow line is compensated throughout but nobody gains time by pretending to be slow. The measured lag is part of the
command, and what was not charged part of the event, so that replaying a game needs no measurement.
"""

from typing import Final

from protocols.values import TimeControl

MOST_MS: Final = 500
"""The most that one move is not charged, and the most that a move adds to the quota."""

LEAST_GAIN_MS: Final = 100
"""The least that a move adds to the quota."""

MOVES: Final = 40
"""The number of moves for which the time of a game is estimated."""

FIRST, HIGHEST = 3, 7
"""The quota at the start of a game and the highest one, in gains."""


def gain_ms(control: TimeControl) -> int:
    """How much each move adds to the quota of its seat: two thousandths of the estimated time of a game."""
    seconds = control.initial_seconds + MOVES * control.increment_seconds
    return min(MOST_MS, max(LEAST_GAIN_MS, 2 * seconds))


def first_quota(control: TimeControl) -> int:
    """The quota at the start of a game, in milliseconds."""
    return FIRST * gain_ms(control)


def quota_after(quota: int, uncharged: int, control: TimeControl) -> int:
    """The quota after a move that was not charged ``uncharged`` milliseconds."""
    gain = gain_ms(control)
    return min(HIGHEST * gain, quota - uncharged + gain)


def uncharged_ms(lag_ms: int, quota: int) -> int:
    """How much of a measured round trip a move is not charged."""
    return max(0, min(lag_ms, quota, MOST_MS))
