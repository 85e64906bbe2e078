"""A game at the server as the lines of the wire: its GameStrings, its clocks, and how it ended.

Used by the sessions of every role. What the board shows and what counts may differ: a game that ended off the
board is shown with the state that counts.
"""

from dataclasses import replace
from typing import Final

from protocols.play.table import Table
from protocols.uhp.game_string import DRAW, WINS, state_of, write
from protocols.uhp.remote.wish import Tempo, write_tempo

RESIGN: Final = "resign"
"""The reason of a game that was given up."""

REASONS: Final = {"resignation": RESIGN, "draw-agreement": "agreement"}
"""Reasons that the wire calls otherwise than results do."""

ABORT: Final = "abort"
"""The reason of a game that was called off."""


def is_over(table: Table) -> bool:
    """Whether nothing more can happen in the game."""
    return table.status in ("finished", "aborted")


def state_of_table(table: Table) -> str:
    """The GameState that counts. A game that was called off has that of its board."""
    result = table.result
    if result is None:
        return state_of(table.position)
    return WINS[result.winners[0]] if result.winners else DRAW


def reason_of(table: Table) -> str:
    """Why a game that is over has ended, in the words of the wire."""
    if table.result is None:
        return ABORT
    return REASONS.get(table.result.reason, table.result.reason)


def game_string(table: Table) -> str:
    """The game as it stands."""
    return write(table.position, state_of_table(table))


def ending(table: Table) -> str:
    """What ``end`` says: the state that counts, and why."""
    return f"{state_of_table(table)} {reason_of(table)}"


def game_over(table: Table) -> str:
    """The refusal of whatever comes after the end."""
    return f"err game over: {state_of_table(table)} ({reason_of(table)})"


def clock_line(table: Table) -> str | None:
    """``clock <white_ms> <black_ms>``; None without a clock."""
    return None if table.clocks is None else " ".join(("clock", *map(str, table.clocks)))


def tempo_of(table: Table) -> str:
    """The clock of the game as it stands behind ``tc=``."""
    control = table.control
    return write_tempo(None if control is None else Tempo(control.initial_seconds, control.increment_seconds))


def passed_by(before: Table | None, now: Table) -> list[Table]:
    """The moments between two pictures, one a ply and the last one itself, so that no ply is left out.

    Without ``before``, after a takeback, or where nothing was played: the last alone. A moment that has passed has
    the clocks of the present.
    """
    if before is None or now.ply <= before.ply + 1:
        return [now]
    return [*(_at(now, ply) for ply in range(before.ply + 1, now.ply)), now]


def _at(table: Table, ply: int) -> Table:
    position = table.position.copy()
    while position.ply > ply:
        position.undo()
    return replace(table, position=position, status="playing", result=None)
