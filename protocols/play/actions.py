"""Requests of the game socket that are answered individually: ``action-request``, ``actionAck``, ``actionNack``.

An action is one of the requests in ``client_frames``, with an id that its answer repeats. The names of the actions and
of the codes are the Wallwars site's. Called by the session in ``game_session``.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final

from protocols.jsontext import JsonDict, MistypedError, count, filled, member
from protocols.play.client_frames import GiveTime, HandleOffer, OfferStep, Resign, read_message_id
from protocols.session import Effect, Event
from protocols.values import Table

MAX_ACTION = 64
"""The longest name of an action that an answer repeats, in characters."""


class NackCode(StrEnum):
    """Why an action was refused."""

    INVALID_PAYLOAD = "INVALID_PAYLOAD"
    UNKNOWN_ACTION = "UNKNOWN_ACTION"
    INTERNAL_ERROR = "INTERNAL_ERROR"
    NOT_ALLOWED = "NOT_ALLOWED"
    ALREADY_PENDING = "ALREADY_PENDING"
    TOO_LATE = "TOO_LATE"
    REMATCH_NOT_AVAILABLE = "REMATCH_NOT_AVAILABLE"
    REMATCH_ALREADY_DECIDED = "REMATCH_ALREADY_DECIDED"
    INVALID_SECONDS = "INVALID_SECONDS"


@dataclass(frozen=True, slots=True)
class Asked:
    """The id of a request and the name of its action, which every answer repeats."""

    request_id: str
    action: str


@dataclass(frozen=True, slots=True)
class Act(Effect):
    """Carry out ``wish``, then notify ``ActionDone`` or ``ActionRefused``."""

    asked: Asked
    wish: Effect


@dataclass(frozen=True, slots=True)
class RefuseAction(Effect):
    """Notify ``ActionRefused`` at once, with the current time."""

    asked: Asked
    code: NackCode
    message: str


@dataclass(frozen=True, slots=True)
class ActionDone(Event):
    """The action was done; ``now`` in milliseconds since the epoch."""

    asked: Asked
    now: int


@dataclass(frozen=True, slots=True)
class ActionRefused(Event):
    """The action was refused, and nothing has changed."""

    asked: Asked
    now: int
    code: NackCode
    message: str
    is_retryable: bool = False


class _UnusableError(Exception):
    """The payload of an action cannot be used."""

    def __init__(self, code: NackCode, text: str) -> None:
        super().__init__(text)
        self.code = code


def read_action(message: JsonDict, table: Table | None, seat: int) -> Act | RefuseAction:
    """Read the action that the player of ``seat`` requests; RemoteError if its id or name is invalid."""
    asked = Asked(member(message, "requestId", read_message_id), member(message, "action", _name))
    read = _ACTIONS.get(asked.action)
    if read is None:
        return RefuseAction(asked, NackCode.UNKNOWN_ACTION, "There is no such action.")
    try:
        wish = read(message.get("payload"))
    except _UnusableError as error:
        return RefuseAction(asked, error.code, str(error))
    if _is_pending(wish, table, seat):
        return RefuseAction(asked, NackCode.ALREADY_PENDING, "Your offer is waiting for an answer.")
    return Act(asked, wish)


def refusal(asked: Asked, now: int, body: Mapping[str, Any]) -> ActionRefused:
    """The answer to an action that the game refused, given the body of that error."""
    code = _NACK_OF.get(body["code"], NackCode.NOT_ALLOWED)
    return ActionRefused(asked, now, code, body["error"], "retryAfterMs" in body)


def action_json(event: ActionDone | ActionRefused) -> JsonDict:
    """The frame that answers a request."""
    asked = {"requestId": event.asked.request_id, "action": event.asked.action}
    if isinstance(event, ActionDone):
        return {"type": "actionAck", **asked, "serverTime": event.now}
    why = {"code": event.code.value, "message": event.message, "retryable": event.is_retryable}
    return {"type": "actionNack", **asked, **why, "serverTime": event.now}


# ---- actions ---------------------------------------------------------------------------------------


def _name(value: object) -> str:
    name = filled(value)
    if len(name) > MAX_ACTION:
        raise MistypedError(f"a string of at most {MAX_ACTION} characters")
    return name


def _is_pending(wish: Effect, table: Table | None, seat: int) -> bool:
    """Whether the same player has already made this offer."""
    if not isinstance(wish, HandleOffer) or table is None or table.offer is None:
        return False
    own = (table.offer.kind, table.offer.seat) == (wish.kind, seat)
    return own and wish.step is OfferStep.OFFER


def _give_time(payload: object) -> Effect:
    seconds = payload.get("seconds") if isinstance(payload, dict) else None
    try:
        return GiveTime(count(seconds))
    except MistypedError as error:
        raise _UnusableError(NackCode.INVALID_SECONDS, f"seconds must be {error}.") from None


def _respond_rematch(payload: object) -> Effect:
    decision = payload.get("decision") if isinstance(payload, dict) else None
    step = _DECISIONS.get(decision) if isinstance(decision, str) else None
    if step is None:
        raise _UnusableError(NackCode.INVALID_PAYLOAD, "decision must be accepted or declined.")
    return HandleOffer("rematch", step)


_DECISIONS: Final = {"accepted": OfferStep.ACCEPT, "declined": OfferStep.REJECT}

_ACTIONS: Final[Mapping[str, Callable[[object], Effect]]] = {
    "resign": lambda payload: Resign(),
    "offerDraw": lambda payload: HandleOffer("draw", OfferStep.OFFER),
    "requestTakeback": lambda payload: HandleOffer("takeback", OfferStep.OFFER),
    "giveTime": _give_time,
    "offerRematch": lambda payload: HandleOffer("rematch", OfferStep.OFFER),
    "respondRematch": _respond_rematch,
}

_NACK_OF: Final[Mapping[str, NackCode]] = {
    "finished": NackCode.TOO_LATE,
    "bad-seconds": NackCode.INVALID_SECONDS,
    "no-offer": NackCode.REMATCH_NOT_AVAILABLE,
    "no-rematch": NackCode.REMATCH_NOT_AVAILABLE,
    "rematch-decided": NackCode.REMATCH_ALREADY_DECIDED,
    "internal": NackCode.INTERNAL_ERROR,
    "unavailable": NackCode.INTERNAL_ERROR,
}
"""The site's code for each error code of the game; all others become NOT_ALLOWED."""

ACTION_NAMES: Final = tuple(_ACTIONS)
"""The names of all actions."""
