"""The frames of the game socket that show a game: the two forms of ``state``, as text.

A game that has a dialect is shown in it, any other game as the common position. All clients get the extra members
``seq``, ``offer`` and ``rematch``.
"""

from collections.abc import Mapping
from types import MappingProxyType

from protocols.dialects import dialect_of
from protocols.jsontext import JsonDict, write
from protocols.play.position import position_json, seats_json
from protocols.session import is_oversize
from protocols.values import Table

HISTORY_WINDOW = 500
"""The most moves of the history in a shortened frame for clients with extensions."""


def state_text(table: Table) -> str:
    """The ``state`` frame for all clients, with the whole history, however long it is."""
    dialect = dialect_of(table.game)
    state = position_json(table) if dialect is None else dialect.state_json(table)
    return _frame(table, {"state": write(state)})


def extended_text(table: Table) -> str:
    """The ``state`` frame for clients with extensions, never longer than ``MAX_MESSAGE_UNITS``.

    A frame that would be longer is shortened: it omits ``state``, which duplicates ``position``, and all but the last
    ``HISTORY_WINDOW`` moves of the history.
    """
    position, seats = position_json(table), write(seats_json(table))
    if len(position["history"]) > HISTORY_WINDOW:
        return _frame(table, {}, {"position": write(_windowed(position)), "seats": seats})
    dialect, shown = dialect_of(table.game), write(position)
    state = shown if dialect is None else write(dialect.state_json(table))
    text = _frame(table, {"state": state}, {"position": shown, "seats": seats})
    if not is_oversize(text):
        return text
    return _frame(table, {}, {"position": f'{shown[:-1]},"historyFrom":0}}', "seats": seats})


def _windowed(position: JsonDict) -> JsonDict:
    """The position with only the last moves of its history; ``historyFrom`` is how many are missing before them."""
    first = max(0, len(position["history"]) - HISTORY_WINDOW)
    return {**position, "history": position["history"][first:], "historyFrom": first}


def _frame(table: Table, first: Mapping[str, str], last: Mapping[str, str] = MappingProxyType({})) -> str:
    """The text of a frame; the members ``first`` and ``last`` are JSON text already, which may be long."""
    frame: dict[str, str] = {"type": '"state"', **first, "seq": str(table.seq)}
    if table.offer is not None:
        offer: JsonDict = {"kind": table.offer.kind, "seat": table.offer.seat}
        frame["offer"] = write(
            offer if table.offer.to_ply is None else {**offer, "toPly": table.offer.to_ply}
        )
    if table.rematch is not None:
        frame["rematch"] = write(table.rematch)
    members = (f'"{name}":{text}' for name, text in {**frame, **last}.items())
    return "{" + ",".join(members) + "}"
