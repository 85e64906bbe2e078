"""The frames of the game socket that show a game: ``state`` in its two forms, as text.

Wallwars is shown in its site's shape, every other game as the common position; the extra members ``seq``,
``offer`` and ``rematch`` go to everybody.
"""

from protocols.jsontext import JsonDict, write
from protocols.play import site
from protocols.play.position import position_json, seats_json
from protocols.play.table import Table
from protocols.session import is_oversize

HISTORY_WINDOW = 500
"""The most moves of a history in a frame for clients with extensions that is shortened."""


def state_text(table: Table) -> str:
    """The ``state`` that every client gets. The site's clients expect the whole history, however long it is."""
    state = site.state_json(table) if table.game == site.GAME else position_json(table)
    return write(_frame(table, {"state": state}))


def extended_text(table: Table) -> str:
    """The ``state`` for clients that asked for extensions, never longer than a message may be.

    One that would be is shortened: ``state`` is left out, since ``position`` says the same, and so are all but the
    last moves of the history.
    """
    position, seats = position_json(table), {"seats": seats_json(table)}
    if len(position["history"]) <= HISTORY_WINDOW:
        state = site.state_json(table) if table.game == site.GAME else position
        text = write({**_frame(table, {"state": state}), "position": position, **seats})
        if not is_oversize(text):
            return text
    return write({**_frame(table, {}), "position": _windowed(position), **seats})


def _windowed(position: JsonDict) -> JsonDict:
    """The position with the last moves of its history, and the number of those before them."""
    first = max(0, len(position["history"]) - HISTORY_WINDOW)
    return {**position, "history": position["history"][first:], "historyFrom": first}


def _frame(table: Table, content: JsonDict) -> JsonDict:
    frame: JsonDict = {"type": "state", **content, "seq": table.seq}
    if table.proposal is not None:
        offer: JsonDict = {"kind": table.proposal.kind, "seat": table.proposal.seat}
        frame["offer"] = offer if table.proposal.to_ply is None else {**offer, "toPly": table.proposal.to_ply}
    if table.rematch is not None:
        frame["rematch"] = table.rematch
    return frame
