"""The frames of the eval socket (``/ws/eval/{gameId}``), which show ``engines.Evaluation``.

On the wire, ``evaluation`` is the value for P1, seat 0. Called by ``eval_session``.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from protocols.jsontext import JsonDict, MistypedError, count, member, optional, string
from protocols.values import Entry, FailureCode, extra_values


class EvalRejectionCode(StrEnum):
    """Why a handshake is rejected."""

    NO_BOT = "NO_BOT"
    RATED_PLAYER = "RATED_PLAYER"
    UNSUPPORTED_VARIANT = "UNSUPPORTED_VARIANT"
    GAME_NOT_FOUND = "GAME_NOT_FOUND"
    INTERNAL_ERROR = "INTERNAL_ERROR"


# ---- from the browser --------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class EvalHandshake:
    """The game that the viewer expects. Board sizes are None if the handshake does not contain them."""

    game_id: str
    variant: str
    board_width: int | None = None
    board_height: int | None = None


def read_handshake(fields: JsonDict) -> EvalHandshake:
    """Read an ``eval-handshake``; RemoteError if it is malformed."""
    return EvalHandshake(
        member(fields, "gameId", string),
        member(fields, "variant", string),
        member(fields, "boardWidth", optional(count)),
        member(fields, "boardHeight", optional(count)),
    )


def read_request_id(fields: JsonDict) -> str | None:
    """The id of an ``eval-request``; None if it is missing or not a string."""
    try:
        return string(fields.get("requestId"))
    except MistypedError:
        return None


# ---- to the browser ----------------------------------------------------------------------------


def error_json(
    code: FailureCode, message: str, *, request_id: str | None = None, retry_after_ms: int | None = None
) -> JsonDict:
    """The frame after which no more evaluations follow, or none for the request with ``request_id``."""
    optional = {"requestId": request_id, "retryAfterMs": retry_after_ms}
    present = {name: value for name, value in optional.items() if value is not None}
    return {"type": "eval-error", "code": code, "message": message, **present}


def history_json(entries: Iterable[Entry]) -> JsonDict:
    """The frame with all entries from ply 0; replaces everything sent before."""
    return {"type": "eval-history", "entries": [entry_json(entry) for entry in entries]}


def update_json(entry: Entry) -> JsonDict:
    """The frame with the next entry."""
    return {"type": "eval-update", **entry_json(entry)}


def entry_json(entry: Entry) -> JsonDict:
    """An entry of a history or an update; unknown members are left out."""
    evaluation = entry.evaluation
    out: JsonDict = {
        "ply": entry.ply,
        "evaluation": evaluation.values[0],
        "bestMove": evaluation.best_move,
    }
    more = {
        "values": extra_values(evaluation),
        "chances": evaluation.chances,
        "points": evaluation.points,
        "policies": evaluation.policies,
    }
    out.update({name: value for name, value in more.items() if value is not None})
    if evaluation.source:
        out.update(source=evaluation.source, samples=evaluation.samples)
    return out
