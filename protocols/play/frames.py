"""The frames of the game socket that show a game: ``state`` in its two forms.

Wallwars is shown in its site's shape, every other game as the common position; the extra members ``seq``,
``offer`` and ``rematch`` go to everybody.
"""

from protocols.jsontext import JsonDict
from protocols.play import site
from protocols.play.position import position_json, seats_json
from protocols.play.table import Table


def state_frame(table: Table) -> JsonDict:
    """The ``state`` that every client gets."""
    state = site.state_json(table) if table.game == site.GAME else position_json(table)
    frame: JsonDict = {"type": "state", "state": state, "seq": table.seq}
    if table.proposal is not None:
        offer: JsonDict = {"kind": table.proposal.kind, "seat": table.proposal.seat}
        frame["offer"] = offer if table.proposal.to_ply is None else {**offer, "toPly": table.proposal.to_ply}
    if table.rematch is not None:
        frame["rematch"] = table.rematch
    return frame


def extended_frame(table: Table) -> JsonDict:
    """The ``state`` for clients that asked for extensions."""
    frame = state_frame(table)
    frame["position"] = position_json(table) if table.game == site.GAME else frame["state"]
    frame["seats"] = seats_json(table)
    return frame
