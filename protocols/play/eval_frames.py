"""The frames of the eval socket (``/ws/eval/{gameId}``) as values, and their text.

``evaluation`` is seat 0's value in [-1, 1] inside and P1's on the wire: the same number. Called by ``eval``.
"""

from dataclasses import dataclass
from enum import StrEnum

from protocols.bgs.effects import Entry
from protocols.jsontext import JsonDict, MistypedError, count, member, optional, string, write


class RejectionCode(StrEnum):
    """Why a handshake is rejected."""

    NO_BOT = "NO_BOT"
    RATED_PLAYER = "RATED_PLAYER"
    UNSUPPORTED_VARIANT = "UNSUPPORTED_VARIANT"
    GAME_NOT_FOUND = "GAME_NOT_FOUND"
    INTERNAL_ERROR = "INTERNAL_ERROR"


class ErrorCode(StrEnum):
    """Why evaluations stop. A ``FailureCode`` of a hosted session is the code of the same name."""

    TIMEOUT = "TIMEOUT"
    BOT_DISCONNECTED = "BOT_DISCONNECTED"
    INVALID_POSITION = "INVALID_POSITION"
    NOT_CONNECTED = "NOT_CONNECTED"
    INTERNAL_ERROR = "INTERNAL_ERROR"


# ---- from the browser --------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Handshake:
    """What the viewer believes to look at. Board sizes are None where the viewer names none."""

    game_id: str
    variant: str
    board_width: int | None = None
    board_height: int | None = None


def read_handshake(fields: JsonDict) -> Handshake:
    """The members of an ``eval-handshake``; raises ``RemoteError``."""
    return Handshake(
        member(fields, "gameId", string),
        member(fields, "variant", string),
        member(fields, "boardWidth", optional(count)),
        member(fields, "boardHeight", optional(count)),
    )


def read_request_id(fields: JsonDict) -> str | None:
    """The id of an ``eval-request``, None where it cannot be read."""
    try:
        return string(fields.get("requestId"))
    except MistypedError:
        return None


# ---- to the browser ----------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class HandshakeAccepted:
    """Evaluations will come."""


@dataclass(frozen=True, slots=True)
class HandshakeRejected:
    """None will come on this handshake."""

    code: RejectionCode
    message: str


@dataclass(frozen=True, slots=True)
class EvalPending:
    """A history over ``total_moves`` moves is being made."""

    total_moves: int


@dataclass(frozen=True, slots=True)
class EvalHistory:
    """All entries from ply 0; replaces whatever the viewer had."""

    entries: tuple[Entry, ...]


@dataclass(frozen=True, slots=True)
class EvalUpdate:
    """The next entry."""

    entry: Entry


@dataclass(frozen=True, slots=True)
class EvalError:
    """No more evaluations come; or, with a request's id, none for that request.

    ``retry_after_ms``: when it is worth asking again, where the reason passes.
    """

    code: ErrorCode
    message: str
    request_id: str | None = None
    retry_after_ms: int | None = None


@dataclass(frozen=True, slots=True)
class Pong:
    """The reply to a ping."""


Frame = HandshakeAccepted | HandshakeRejected | EvalPending | EvalHistory | EvalUpdate | EvalError | Pong


def encode(frame: Frame) -> str:
    """The one text of ``frame``."""
    return write(_frame_json(frame))


def _frame_json(frame: Frame) -> JsonDict:
    match frame:
        case HandshakeAccepted():
            return {"type": "eval-handshake-accepted"}
        case HandshakeRejected(code, message):
            return {"type": "eval-handshake-rejected", "code": code, "message": message}
        case EvalPending(total_moves):
            return {"type": "eval-pending", "totalMoves": total_moves}
        case EvalHistory(entries):
            return {"type": "eval-history", "entries": [entry_json(entry) for entry in entries]}
        case EvalUpdate(entry):
            return {"type": "eval-update", **entry_json(entry)}
        case EvalError():
            return _error_json(frame)
        case Pong():
            return {"type": "pong"}


def _error_json(error: EvalError) -> JsonDict:
    optional = {"requestId": error.request_id, "retryAfterMs": error.retry_after_ms}
    present = {name: value for name, value in optional.items() if value is not None}
    return {"type": "eval-error", "code": error.code, "message": error.message, **present}


def entry_json(entry: Entry) -> JsonDict:
    """An entry as histories and updates write it; what is not known is left out."""
    out: JsonDict = {"ply": entry.ply, "evaluation": entry.evaluation, "bestMove": entry.best_move}
    more = {
        "values": entry.values,
        "policies": entry.policies,
        "source": entry.source,
        "samples": entry.samples,
    }
    out.update({name: value for name, value in more.items() if value is not None})
    return out
