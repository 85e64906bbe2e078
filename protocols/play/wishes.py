"""What a client of the game socket wishes: its frames, read into effects for the driver to carry out.

Who may wish what is judged by the rules and the game; here is only what a frame says. A frame that cannot be
read raises ``RemoteError``. Called by the session in ``game``; chat is read in ``chat``, and the requests
that want an answer of their own in ``actions``.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum

from protocols.jsontext import JsonDict, MistypedError, count, filled, member, optional
from protocols.play import site
from protocols.play.table import Table
from protocols.session import Effect

MAX_MESSAGE_ID = 128
"""Characters of the id that a client gives a message."""

OFFERS = ("takeback", "draw", "rematch")
"""What players can offer each other."""


class OfferStep(StrEnum):
    """What a player does about an offer."""

    OFFER = "offer"
    ACCEPT = "accept"
    REJECT = "reject"


@dataclass(frozen=True, slots=True)
class SubmitMove(Effect):
    """Play ``text`` for the player."""

    text: str
    expected_ply: int | None = None
    message_id: str | None = None


@dataclass(frozen=True, slots=True)
class HandleOffer(Effect):
    """Make, accept or reject an offer; ``kind`` is one of ``OFFERS``."""

    kind: str
    step: OfferStep


@dataclass(frozen=True, slots=True)
class Resign(Effect):
    """Resign for the player."""


@dataclass(frozen=True, slots=True)
class GiveTime(Effect):
    """Give every opponent this many seconds of thinking time; the game knows how many are allowed."""

    seconds: int


@dataclass(frozen=True, slots=True)
class AskTime(Effect):
    """Tell the time: a ping is answered with it."""


def read_message_id(value: object) -> str:
    """The id that a client gives a message; MistypedError."""
    message_id = filled(value)
    if len(message_id) > MAX_MESSAGE_ID:
        raise MistypedError(f"a string of at most {MAX_MESSAGE_ID} characters")
    return message_id


def _submit_move(message: JsonDict, table: Table | None) -> Effect:
    return SubmitMove(
        member(message, "move", lambda move: _move_text(move, table)),
        member(message, "expectedPly", optional(count)),
        member(message, "clientMsgId", optional(read_message_id)),
    )


def _move_text(move: object, table: Table | None) -> str:
    if isinstance(move, str):
        return move
    if table is not None and table.game == site.GAME:
        return site.move_text(move, table.config["boardHeight"])
    raise MistypedError("a move as text")


def _offer(kind: str, step: OfferStep) -> Callable[[JsonDict, Table | None], Effect]:
    effect = HandleOffer(kind, step)
    return lambda message, table: effect


WISHES: Mapping[str, Callable[[JsonDict, Table | None], Effect]] = {
    "submit-move": _submit_move,
    "resign": lambda message, table: Resign(),
    "give-time": lambda message, table: GiveTime(member(message, "seconds", count)),
    **{f"{kind}-{step.value}": _offer(kind, step) for kind in OFFERS for step in OfferStep},
}
"""How the frames of players are read, by their type; ``table`` is the game as the client last saw it."""
