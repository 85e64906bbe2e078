"""The server's side of one bot client's socket: attachment, then requests and their responses.

It matches responses to requests by session id and counts invalid messages. It knows neither games nor histories:
``HostedBgs`` decides what to ask and what an answer means. Time limits and the limit on clients belong to the
driver, which is the socket's route.
"""

import re
from dataclasses import dataclass, field
from enum import Enum, auto

from protocols.bgs import messages as bgs
from protocols.bgs.answers import too_long
from protocols.bgs.attach import AttachError, AttachPolicy, RejectionCode, read_attach
from protocols.bgs.codec import BadFieldsError, UncheckedAttach, decode_from_bot, encode
from protocols.session import (
    MAX_MESSAGE_UNITS,
    POLICY_VIOLATION,
    BadMessages,
    Close,
    Effect,
    Event,
    LocalError,
    RemoteError,
    Send,
    is_oversize,
    message_units,
)

MAX_OVERDUE = 1024
"""How many ended sessions are remembered for which a late response may still arrive."""

BGS_ID = re.compile(r'"bgsId"\s*:\s*"([^"\\]*)"')


# ---- events and effects ------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class AttachAccepted(Event):
    """The driver has registered the client; ``now`` is in milliseconds since the epoch.

    With ``resume_secret`` the client can prove in a later attachment that it is the same one.
    """

    server: bgs.ClientInfo
    now: int
    resume_secret: str | None = field(default=None, repr=False)


@dataclass(frozen=True, slots=True)
class AttachRefused(Event):
    """The driver does not accept the client."""

    code: RejectionCode
    message: str


@dataclass(frozen=True, slots=True)
class GameOver(Event):
    """A game of one of the client's bots has ended."""

    result: bgs.GameResult


@dataclass(frozen=True, slots=True)
class RequestTimedOut(Event):
    """The driver gave up the request outstanding on ``bgs_id``; a response that still arrives is late."""

    bgs_id: str


@dataclass(frozen=True, slots=True)
class Dismissed(Event):
    """The driver wants the connection closed: a newer one has replaced it, or the server is stopping."""

    code: int
    reason: str


@dataclass(frozen=True, slots=True)
class Disconnected(Event):
    """The socket has been closed."""


@dataclass(frozen=True, slots=True)
class AttachRequested(Effect):
    """Decide on a well-formed attachment: notify ``AttachAccepted`` or ``AttachRefused``."""

    attach: bgs.Attach


@dataclass(frozen=True, slots=True)
class Answered(Effect):
    """The request outstanding on ``message.bgs_id`` was answered, or could not be sent and was refused here."""

    message: bgs.Response


@dataclass(frozen=True, slots=True)
class Detached(Effect):
    """An attached client has disconnected, and its sessions ``bgs_ids`` are lost."""

    attach: bgs.Attach
    bgs_ids: tuple[str, ...]


class ConnectionState(Enum):
    """The stages of a bot client's connection."""

    NEW = auto()
    DECIDING = auto()
    """The attachment is well formed; the driver has not decided yet."""
    ATTACHED = auto()
    CLOSED = auto()


class BotConnection:
    """The server's side of one bot client's connection."""

    def __init__(self, policy: AttachPolicy) -> None:
        self._policy = policy
        self._state = ConnectionState.NEW
        self._attach: bgs.Attach | None = None
        self._bad_messages = BadMessages()
        self._waiting: dict[str, bgs.Request] = {}
        self._sessions: dict[str, bgs.Response | None] = {}
        """The client's sessions by id, in the order they started, each with its last answer."""
        self._overdue: dict[str, None] = {}
        """Ids of ended sessions for which a response is still due, oldest first."""

    @property
    def state(self) -> ConnectionState:
        """The stage of the connection."""
        return self._state

    @property
    def attach(self) -> bgs.Attach | None:
        """The client's attach message; None before a valid one."""
        return self._attach

    # ---- frames of the client -------------------------------------------------------------------

    def receive(self, frame: str) -> list[Effect]:
        """Handle one text frame."""
        if self._state is ConnectionState.CLOSED:
            return []
        if is_oversize(frame):
            why = f"a message too long ({message_units(frame):,} of {MAX_MESSAGE_UNITS:,})"
            return [*self._refuse_oversize(frame), *self._take_oversize(why)]
        try:
            message = decode_from_bot(frame)
        except BadFieldsError as error:
            return [*self._refuse_unreadable(error), *self._count_bad(str(error))]
        except RemoteError as error:
            return self._count_bad(str(error))
        if isinstance(message, UncheckedAttach):
            return self._take_attach(message)
        if self._state is not ConnectionState.ATTACHED:
            return self._count_bad("a message before attach")
        return self._take_response(message)

    def receive_binary(self) -> list[Effect]:
        """Count a binary frame as invalid."""
        return self._count_bad("a binary frame")

    def _count_bad(self, reason: str) -> list[Effect]:
        if self._state is ConnectionState.CLOSED:
            return []
        effects = self._bad_messages.add(reason)
        return [*effects, *self._lose()] if self._bad_messages.are_too_many else effects

    def _take_oversize(self, reason: str) -> list[Effect]:
        """Before the attachment it can only be one, whose client would wait for an answer."""
        if self._state is not ConnectionState.NEW:
            return self._count_bad(reason)
        return self._reject(AttachRefused(RejectionCode.INVALID_MESSAGE, reason))

    # ---- attachment -----------------------------------------------------------------------------

    def _take_attach(self, message: UncheckedAttach) -> list[Effect]:
        if self._state is not ConnectionState.NEW:
            rejected = bgs.AttachRejected(RejectionCode.INVALID_MESSAGE, "Already attached.")
            return [Send(encode(rejected))]
        try:
            self._attach = read_attach(message.fields, self._policy)
        except AttachError as error:
            return self._reject(AttachRefused(error.code, str(error)))
        self._state = ConnectionState.DECIDING
        return [AttachRequested(self._attach)]

    def _reject(self, refused: AttachRefused) -> list[Effect]:
        rejected = bgs.AttachRejected(refused.code, refused.message)
        return [Send(encode(rejected)), *self._close(POLICY_VIOLATION, "Attach failed")]

    def _accept(self, accepted: AttachAccepted) -> list[Effect]:
        self._state = ConnectionState.ATTACHED
        attached = bgs.Attached(accepted.now, accepted.server, resume_secret=accepted.resume_secret)
        return [Send(encode(attached))]

    def _show_result(self, over: GameOver) -> list[Effect]:
        wants_results = self._attach is not None and self._attach.wants_results
        return [Send(encode(over.result))] if wants_results else []

    # ---- requests and responses -----------------------------------------------------------------

    def request(self, message: bgs.Request) -> list[Effect]:
        """Send ``message``; exactly one ``Answered`` follows, unless the driver gives up the request first."""
        if self._state is not ConnectionState.ATTACHED or message.bgs_id in self._waiting:
            raise LocalError(self._state, message)
        text = encode(message)
        if is_oversize(text):
            return [Answered(bgs.refusal(message, "the request is too long to be sent"))]
        self._waiting[message.bgs_id] = message
        self._sessions.setdefault(message.bgs_id)
        return [Send(text)]

    def cancel(self, request: bgs.Request) -> list[Effect] | None:
        """Cancel ``request`` as far as a worker can; its response is still awaited. None if it was not sent."""
        if self._waiting.get(request.bgs_id) is not request:
            return None
        is_cancellable = isinstance(request, bgs.EvaluatePosition)
        return [Send(encode(bgs.CancelEvaluation(request.bgs_id)))] if is_cancellable else []

    def _take_response(self, message: bgs.Response) -> list[Effect]:
        request = self._waiting.get(message.bgs_id)
        if request is None:
            return self._take_unawaited(message.bgs_id)
        if isinstance(request, bgs.EndGameSession) and not isinstance(message, bgs.GameSessionEnded):
            return []  # A late answer to an older request: an end is sent after a time-out, too.
        if self._is_repeated(request, message):
            return []
        del self._waiting[message.bgs_id]
        if isinstance(message, bgs.GameSessionEnded) or _is_refused_start(message):
            self._sessions.pop(message.bgs_id, None)
        else:
            self._sessions[message.bgs_id] = message
        return [Answered(message)]

    def _is_repeated(self, request: bgs.Request, message: bgs.Response) -> bool:
        """Whether a response of the wrong type is a copy of the previous response, to be ignored.

        Before a start, the previous response can only be the end of an earlier session with that id.
        """
        if isinstance(message, bgs.RESPONSE_OF[type(request)]):
            return False
        if isinstance(request, bgs.StartGameSession):
            return isinstance(message, bgs.GameSessionEnded)
        before = self._sessions.get(message.bgs_id)
        return type(message) is type(before) and _ply(message) == _ply(before)

    def _take_unawaited(self, bgs_id: str) -> list[Effect]:
        if bgs_id in self._sessions or bgs_id in self._overdue:
            return []
        return self._count_bad("a response for a session that this client does not hold")

    def _refuse_oversize(self, frame: str) -> list[Effect]:
        """Refuse the request that an overlong message, which is not decoded, seems to answer."""
        named = BGS_ID.search(frame)
        request = None if named is None else self._waiting.get(named[1])
        return [] if request is None else self._take_response(bgs.refusal(request, too_long(frame)))

    def _refuse_unreadable(self, error: BadFieldsError) -> list[Effect]:
        """Refuse the request in the client's name, rather than letting it time out, if the response cannot be read."""
        request = self._waiting.get(error.bgs_id)
        if request is None or bgs.RESPONSE_OF[type(request)] is not error.message_type:
            return []
        return self._take_response(bgs.refusal(request, str(error)))

    def _give_up(self, timed_out: RequestTimedOut) -> list[Effect]:
        request = self._waiting.pop(timed_out.bgs_id, None)
        if request is None:
            raise LocalError(self._state, timed_out)
        if isinstance(request, bgs.EndGameSession):
            self._sessions.pop(timed_out.bgs_id, None)
        self._overdue[timed_out.bgs_id] = None
        if len(self._overdue) > MAX_OVERDUE:
            del self._overdue[next(iter(self._overdue))]
        return []

    # ---- events of the driver -------------------------------------------------------------------

    def notify(self, event: Event) -> list[Effect]:
        """Handle one event from the driver."""
        match self._state, event:
            case ConnectionState.DECIDING, AttachAccepted():
                return self._accept(event)
            case ConnectionState.DECIDING, AttachRefused():
                return self._reject(event)
            case ConnectionState.ATTACHED, GameOver():
                return self._show_result(event)
            case ConnectionState.ATTACHED, RequestTimedOut():
                return self._give_up(event)
            case ConnectionState.CLOSED, AttachAccepted():
                return self._detach()  # The driver has decided too late.
            case (
                ConnectionState.CLOSED,
                AttachRefused() | GameOver() | RequestTimedOut() | Dismissed() | Disconnected(),
            ):
                return []
            case _, Dismissed(code=code, reason=reason):
                return self._close(code, reason)
            case _, Disconnected():
                return self._lose()
        raise LocalError(self._state, event)

    def _close(self, code: int, reason: str) -> list[Effect]:
        return [Close(code, reason), *self._lose()]

    def _lose(self) -> list[Effect]:
        was_attached = self._state is ConnectionState.ATTACHED
        self._state = ConnectionState.CLOSED
        self._waiting.clear()
        return self._detach() if was_attached else []

    def _detach(self) -> list[Effect]:
        """Report that a registered client has disconnected."""
        if self._attach is None:
            raise LocalError(self._state, "detaching a client that never attached")
        return [Detached(self._attach, tuple(self._sessions))]


def _ply(message: bgs.Response | None) -> int | None:
    return message.ply if isinstance(message, bgs.EvaluateResponse | bgs.MoveApplied) else None


def _is_refused_start(message: bgs.Response) -> bool:
    return isinstance(message, bgs.GameSessionStarted) and not message.success
