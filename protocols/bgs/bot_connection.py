"""The server's side of one bot client's socket: attachment, then requests and their responses.

It pairs responses with requests by session id and counts what it cannot use. It does not know games or
histories: whose request it is, and what an answer means, is ``HostedBgs``'s part. Time limits and the
number of clients are the driver's; the driver is the socket's route.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from enum import Enum, auto
from typing import Any

from protocols.bgs import messages as m
from protocols.bgs.attach import AttachError, AttachPolicy, RejectionCode, read_attach
from protocols.bgs.codec import BadFieldsError, UncheckedAttach, decode_from_bot, encode
from protocols.session import (
    MAX_BAD_MESSAGES,
    POLICY_VIOLATION,
    Close,
    Effect,
    Event,
    LocalError,
    RemoteError,
    Send,
    is_oversize,
    log_bad_message,
)

MAX_OVERDUE = 1024
"""How many ended sessions are remembered for which a late response may still come."""


# ---- events and effects ------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class AttachAccepted(Event):
    """The driver has registered the client; ``now`` is in milliseconds since the epoch.

    ``resume_secret`` is what the client can prove with, in a later attachment, that it is the same one.
    """

    server: m.ClientInfo
    now: int
    resume_secret: str | None = field(default=None, repr=False)


@dataclass(frozen=True, slots=True)
class AttachRefused(Event):
    """The driver has no place for the client."""

    code: RejectionCode
    message: str


@dataclass(frozen=True, slots=True)
class GameOver(Event):
    """A game of one of the client's bots is over."""

    result: m.GameResult


@dataclass(frozen=True, slots=True)
class RequestTimedOut(Event):
    """The request outstanding on ``bgs_id`` was given up; its response is late from now on."""

    bgs_id: str


@dataclass(frozen=True, slots=True)
class Dismissed(Event):
    """The driver wants the connection closed: a newer one took its place, or the server stops."""

    code: int
    reason: str


@dataclass(frozen=True, slots=True)
class Disconnected(Event):
    """The socket is gone."""


@dataclass(frozen=True, slots=True)
class AttachRequested(Effect):
    """Answer a well-formed attachment with ``AttachAccepted`` or ``AttachRefused``."""

    attach: m.Attach


@dataclass(frozen=True, slots=True)
class Answered(Effect):
    """The request outstanding on ``message.bgs_id`` is answered, or refused by us as unsendable."""

    message: m.Response


@dataclass(frozen=True, slots=True)
class Detached(Effect):
    """An attached client is gone, and with it its sessions ``bgs_ids``."""

    attach: m.Attach
    bgs_ids: tuple[str, ...]


class ConnectionState(Enum):
    """Where a bot client's connection stands."""

    NEW = auto()
    DECIDING = auto()
    """The attachment is well formed; the driver has not answered it."""
    ATTACHED = auto()
    CLOSED = auto()


class BotConnection:
    """One bot client's connection, seen from the server."""

    def __init__(self, policy: AttachPolicy) -> None:
        self._policy = policy
        self._state = ConnectionState.NEW
        self._attach: m.Attach | None = None
        self._bad_messages = 0
        self._waiting: dict[str, m.Request] = {}
        self._sessions: dict[str, m.Response | None] = {}
        """The sessions held by this client by id, in the order they began, each with its last answer."""
        self._overdue: dict[str, None] = {}
        """Ids of ended sessions of which a response is still due, oldest first."""

    @property
    def state(self) -> ConnectionState:
        """Where the connection stands."""
        return self._state

    @property
    def attach(self) -> m.Attach | None:
        """What the client attached with, once that was well formed."""
        return self._attach

    # ---- frames of the client -------------------------------------------------------------------

    def receive(self, frame: str) -> list[Effect]:
        """Take one text frame."""
        if self._state is ConnectionState.CLOSED:
            return []
        if is_oversize(frame):
            return self.receive_oversize()
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
        """Take a binary frame, whatever is in it."""
        return self._count_bad("a binary frame")

    def receive_oversize(self) -> list[Effect]:
        """Take a frame that was too long to be read."""
        return self._count_bad("a message too long")

    def _count_bad(self, reason: str) -> list[Effect]:
        if self._state is ConnectionState.CLOSED:
            return []
        self._bad_messages += 1
        logged = log_bad_message(self._bad_messages, reason)
        if self._bad_messages < MAX_BAD_MESSAGES:
            return logged
        return [*logged, *self._close(POLICY_VIOLATION, "Too many unexpected messages")]

    # ---- attachment -----------------------------------------------------------------------------

    def _take_attach(self, message: UncheckedAttach) -> list[Effect]:
        if self._state is not ConnectionState.NEW:
            rejected = m.AttachRejected(RejectionCode.INVALID_MESSAGE, "Already attached.")
            return [Send(encode(rejected))]
        try:
            self._attach = read_attach(message.fields, self._policy)
        except AttachError as error:
            return self._reject(AttachRefused(error.code, str(error)))
        self._state = ConnectionState.DECIDING
        return [AttachRequested(self._attach)]

    def _reject(self, refused: AttachRefused) -> list[Effect]:
        rejected = m.AttachRejected(refused.code, refused.message)
        return [Send(encode(rejected)), *self._close(POLICY_VIOLATION, "Attach failed")]

    def _accept(self, accepted: AttachAccepted) -> list[Effect]:
        self._state = ConnectionState.ATTACHED
        attached = m.Attached(accepted.now, accepted.server, resume_secret=accepted.resume_secret)
        return [Send(encode(attached))]

    def _show_result(self, over: GameOver) -> list[Effect]:
        wants_results = self._attach is not None and self._attach.wants_results
        return [Send(encode(over.result))] if wants_results else []

    # ---- requests and responses -----------------------------------------------------------------

    def request(self, message: m.Request) -> list[Effect]:
        """Send ``message``; exactly one ``Answered`` follows, unless the driver gives it up before."""
        if self._state is not ConnectionState.ATTACHED or message.bgs_id in self._waiting:
            raise LocalError(self._state, message)
        text = encode(message)
        if is_oversize(text):
            return [Answered(m.refusal(message, "the request is too long to be sent"))]
        self._waiting[message.bgs_id] = message
        self._sessions.setdefault(message.bgs_id)
        return [Send(text)]

    def _take_response(self, message: m.Response) -> list[Effect]:
        request = self._waiting.get(message.bgs_id)
        if request is None:
            return self._take_unawaited(message.bgs_id)
        if isinstance(request, m.EndGameSession) and not isinstance(message, m.GameSessionEnded):
            return []  # A late answer to something older: an end is sent after a time-out, too.
        if self._is_repeated(request, message):
            return []
        del self._waiting[message.bgs_id]
        if isinstance(message, m.GameSessionEnded) or _is_refused_start(message):
            self._sessions.pop(message.bgs_id, None)
        else:
            self._sessions[message.bgs_id] = message
        return [Answered(message)]

    def _is_repeated(self, request: m.Request, message: m.Response) -> bool:
        """Whether an answer that does not fit the request is the answer before it once more: it has no waiter.

        Before a start there can only have been the end of an earlier session of that id.
        """
        if isinstance(message, m.RESPONSE_OF[type(request)]):
            return False
        if isinstance(request, m.StartGameSession):
            return isinstance(message, m.GameSessionEnded)
        before = self._sessions.get(message.bgs_id)
        return type(message) is type(before) and _ply(message) == _ply(before)

    def _take_unawaited(self, bgs_id: str) -> list[Effect]:
        if bgs_id in self._sessions or bgs_id in self._overdue:
            return []
        return self._count_bad("a response for a session that this client does not hold")

    def _refuse_unreadable(self, error: BadFieldsError) -> list[Effect]:
        """Answer for a client whose response cannot be read, rather than let the request time out."""
        request = self._waiting.get(error.bgs_id)
        if request is None or m.RESPONSE_OF[type(request)] is not error.message_type:
            return []
        return self._take_response(m.refusal(request, str(error)))

    def _give_up(self, timed_out: RequestTimedOut) -> list[Effect]:
        request = self._waiting.pop(timed_out.bgs_id, None)
        if request is None:
            raise LocalError(self._state, timed_out)
        if isinstance(request, m.EndGameSession):
            self._sessions.pop(timed_out.bgs_id, None)
        self._overdue[timed_out.bgs_id] = None
        if len(self._overdue) > MAX_OVERDUE:
            del self._overdue[next(iter(self._overdue))]
        return []

    # ---- events of the driver -------------------------------------------------------------------

    def notify(self, event: Event) -> list[Effect]:
        """Take one event of the driver."""
        step = _TABLE.get((self._state, type(event)))
        if step is None:
            raise LocalError(self._state, event)
        return step(self, event)

    def _dismiss(self, dismissed: Dismissed) -> list[Effect]:
        return self._close(dismissed.code, dismissed.reason)

    def _close(self, code: int, reason: str) -> list[Effect]:
        return [Close(code, reason), *self._lose(None)]

    def _lose(self, _: object) -> list[Effect]:
        was_attached = self._state is ConnectionState.ATTACHED
        self._state = ConnectionState.CLOSED
        self._waiting.clear()
        return self._detach(None) if was_attached else []

    def _detach(self, _: object) -> list[Effect]:
        """Tell the driver that a client it has registered is gone."""
        if self._attach is None:
            raise LocalError(self._state, "detaching a client that never attached")
        return [Detached(self._attach, tuple(self._sessions))]

    def _ignore(self, _: object) -> list[Effect]:
        return []


def _ply(message: m.Response | None) -> int | None:
    return message.ply if isinstance(message, m.EvaluateResponse | m.MoveApplied) else None


def _is_refused_start(message: m.Response) -> bool:
    return isinstance(message, m.GameSessionStarted) and not message.success


_Step = Callable[[BotConnection, Any], list[Effect]]
_B = BotConnection
_S = ConnectionState

# What is missing here is impossible: the driver is told so by a LocalError. A driver may decide late, so an
# attachment accepted after the socket was lost is detached at once.
_TABLE: dict[tuple[ConnectionState, type[Event]], _Step] = {
    (_S.NEW, Dismissed): _B._dismiss,
    (_S.NEW, Disconnected): _B._lose,
    (_S.DECIDING, AttachAccepted): _B._accept,
    (_S.DECIDING, AttachRefused): _B._reject,
    (_S.DECIDING, Dismissed): _B._dismiss,
    (_S.DECIDING, Disconnected): _B._lose,
    (_S.ATTACHED, GameOver): _B._show_result,
    (_S.ATTACHED, RequestTimedOut): _B._give_up,
    (_S.ATTACHED, Dismissed): _B._dismiss,
    (_S.ATTACHED, Disconnected): _B._lose,
    (_S.CLOSED, AttachAccepted): _B._detach,
    (_S.CLOSED, AttachRefused): _B._ignore,
    (_S.CLOSED, GameOver): _B._ignore,
    (_S.CLOSED, RequestTimedOut): _B._ignore,
    (_S.CLOSED, Dismissed): _B._ignore,
    (_S.CLOSED, Disconnected): _B._ignore,
}
