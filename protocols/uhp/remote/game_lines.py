"""A game at the server as lines on the wire: GameStrings, clocks, and the ending.

Used by the sessions of all roles. The result may differ from the board: a game that ended off the board, such as by
resignation, is shown with the GameState of its result.
"""

from dataclasses import replace
from typing import Final

from protocols.session import Close, Effect, Send
from protocols.uhp.game_string import DRAW, WINS, state_of, write
from protocols.uhp.remote.effects import NORMAL
from protocols.values import OfferKind, Result, Status, Table

RESIGN: Final = "resign"
"""The reason on the wire for resignations."""

REASONS: Final = {"resignation": RESIGN, "draw-agreement": "agreement"}
"""Reasons whose name on the wire differs from the one in results."""

ABORT: Final = "abort"
"""The reason on the wire for aborted games."""


def is_over(table: Table) -> bool:
    """Whether the game is finished or aborted."""
    return table.status in (Status.FINISHED, Status.ABORTED)


def is_draw_offered(table: Table, seat: int) -> bool:
    """Whether another player offers ``seat`` a draw."""
    offer = table.offer
    return offer is not None and offer.kind is OfferKind.DRAW and offer.seat != seat


def state_of_table(table: Table) -> str:
    """The GameState of the result; without a result, as in an aborted game, that of the board."""
    return _state_of_result(table.result) or state_of(table.position)


def _state_of_result(result: Result | None) -> str | None:
    if result is None:
        return None
    return WINS[result.winners[0]] if result.winners else DRAW


def reason_of(table: Table) -> str:
    """The reason of the ending, as named on the wire."""
    if table.result is None:
        return ABORT
    return REASONS.get(table.result.reason, table.result.reason)


def game_string(table: Table) -> str:
    """The GameString with the state of the result."""
    return write(table.position, _state_of_result(table.result))


def ending(table: Table) -> str:
    """The arguments of ``end``: state and reason."""
    return f"{state_of_table(table)} {reason_of(table)}"


def game_over(table: Table) -> str:
    """The error line for commands after the end of the game."""
    return f"err game over: {state_of_table(table)} ({reason_of(table)})"


def clock_line(table: Table) -> str | None:
    """``clock <white_ms> <black_ms>``; None without a clock."""
    return None if table.clocks is None else " ".join(("clock", *map(str, table.clocks)))


def is_news(before: Table | None, now: Table) -> bool:
    """Whether ``now`` is a later state of the game than ``before``, and the game has started."""
    return now.status is not Status.OPEN and (before is None or now.seq > before.seq)


def shown(before: Table | None, now: Table, *, with_clock: bool) -> list[str]:
    """The lines for the states after ``before``: GameStrings, each with the clocks before it if wanted.

    Nothing if the board and the status have not changed.
    """
    if before is not None and (before.status, before.position.history) == (now.status, now.position.history):
        return []
    lines = []
    for moment in passed_by(before, now):
        clocks = clock_line(moment) if with_clock else None
        lines += [game_string(moment)] if clocks is None else [clocks, game_string(moment)]
    return lines


def shown_to_end(before: Table | None, now: Table, *, with_clock: bool) -> list[Effect]:
    """The same as effects. Once the game is over, its ending follows, and the connection is closed."""
    out: list[Effect] = [*map(Send, shown(before, now, with_clock=with_clock))]
    if is_over(now):
        out += [Send(f"end {ending(now)}"), Close(NORMAL, "game over")]
    return out


def passed_by(before: Table | None, now: Table) -> list[Table]:
    """The states after ``before``, up to and including ``now``, one for each ply.

    Just ``now`` if there is no ``before``, after a takeback, or if no move was played. Intermediate states have the
    current clocks.
    """
    if before is None or now.ply <= before.ply + 1:
        return [now]
    return [*(_at(now, ply) for ply in range(before.ply + 1, now.ply)), now]


def _at(table: Table, ply: int) -> Table:
    position = table.position.copy()
    while position.ply > ply:
        position.undo()
    return replace(table, position=position, status=Status.PLAYING, result=None)
