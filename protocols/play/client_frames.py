"""The frames that a client of the game socket sends, read into effects for the driver to carry out.

This module only parses; the rules and the game decide what a player may do. A frame that cannot be read raises
``RemoteError``. Called by the session in ``game_session``; chat is read in ``chat``, and requests that are answered
individually in ``actions``.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum

from protocols.dialects import dialect_of
from protocols.jsontext import JsonDict, MistypedError, count, filled, member, optional
from protocols.session import Effect
from protocols.values import ClaimKind, OfferKind, Table

MAX_MESSAGE_ID = 128
"""The longest id that a client may give a message, in characters."""


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
    """Make, accept or reject an offer; ``kind`` is a value of ``OfferKind``."""

    kind: str
    step: OfferStep


@dataclass(frozen=True, slots=True)
class Resign(Effect):
    """Resign for the player."""


@dataclass(frozen=True, slots=True)
class ClaimResult(Effect):
    """Claim the win or a draw for the player against one who has been away for too long."""

    kind: ClaimKind


@dataclass(frozen=True, slots=True)
class GiveTime(Effect):
    """Give every opponent this many seconds of thinking time. The game limits how many."""

    seconds: int


@dataclass(frozen=True, slots=True)
class AskTime(Effect):
    """A ping: answer with the current time."""


def read_message_id(value: object) -> str:
    """The id that a client gave a message; MistypedError if it is too long or blank."""
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
    dialect = None if table is None else dialect_of(table.game)
    if table is None or dialect is None:
        raise MistypedError("a move as text")
    return dialect.move_text(move, table.config)


def _offer(kind: str, step: OfferStep) -> Callable[[JsonDict, Table | None], Effect]:
    effect = HandleOffer(kind, step)
    return lambda message, table: effect


def _claim(kind: ClaimKind) -> Callable[[JsonDict, Table | None], Effect]:
    return lambda message, table: ClaimResult(kind)


PLAYER_FRAMES: Mapping[str, Callable[[JsonDict, Table | None], Effect]] = {
    "submit-move": _submit_move,
    "resign": lambda message, table: Resign(),
    **{f"claim-{kind.value}": _claim(kind) for kind in ClaimKind},
    "give-time": lambda message, table: GiveTime(member(message, "seconds", count)),
    **{f"{kind.value}-{step.value}": _offer(kind.value, step) for kind in OfferKind for step in OfferStep},
}
"""How to read the frames that only players may send, by type; ``table`` is the game as the client last saw it."""
