"""The server's side of one viewer's eval socket: handshake, a complete history, then its growth ply by ply.

Driven by the socket's route, which passes on what the analysis service says of a game (entries added,
cleared, at rest). A viewer gets each ply once; after a takeback nothing until the history is complete again.
Who may look, and which analyst answers, is the driver's to decide.
"""

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum, auto
from functools import cached_property
from typing import Any

from protocols.bgs.effects import Entry
from protocols.jsontext import JsonDict, read_object
from protocols.play import eval_frames as f
from protocols.session import (
    MAX_BAD_MESSAGES,
    POLICY_VIOLATION,
    Close,
    Effect,
    Event,
    LocalError,
    RemoteError,
    Send,
    log_bad_message,
)

# ---- events and effects -------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class GameBoard:
    """What a handshake must agree with. Sizes are None for games without a choice of board size."""

    variant: str
    board_width: int | None = None
    board_height: int | None = None


@dataclass(frozen=True, slots=True)
class ViewRequested(Effect):
    """Answer a handshake that fits the game with ``Accepted`` or ``Rejected``."""


@dataclass(frozen=True, slots=True)
class Accepted(Event):
    """The viewer may look, and somebody can evaluate the game."""


@dataclass(frozen=True, slots=True)
class Rejected(Event):
    """The viewer may not look, or nobody can evaluate the game."""

    code: f.RejectionCode
    message: str


@dataclass(frozen=True, slots=True)
class HistoryPending(Event):
    """The history is not complete yet; the game has ``total_moves`` moves."""

    total_moves: int


@dataclass(frozen=True)
class HistoryComplete(Event):
    """The history is complete for the game's moves; entry k is the position after k moves."""

    entries: tuple[Entry, ...]

    @cached_property
    def frame(self) -> Send:
        """What shows it, written once for all viewers who are told by this event."""
        return Send(f.encode(f.EvalHistory(self.entries)))


@dataclass(frozen=True)
class EntryReady(Event):
    """The history has grown by ``entry``."""

    entry: Entry

    @cached_property
    def frame(self) -> Send:
        """What shows it, written once for all viewers who are told by this event."""
        return Send(f.encode(f.EvalUpdate(self.entry)))


@dataclass(frozen=True, slots=True)
class HistoryShown(Event):
    """The frames of ``show`` have shown the viewer a history of ``entries`` entries that still holds; 0: none."""

    entries: int


@dataclass(frozen=True, slots=True)
class HistoryVoid(Event):
    """The history is void and will be made again."""


@dataclass(frozen=True, slots=True)
class AnalysisFailed(Event):
    """No evaluations come any more; the viewer may ask again by a new handshake, at best after so many milliseconds."""

    code: f.ErrorCode
    message: str
    retry_after_ms: int | None = None


@dataclass(frozen=True, slots=True)
class ViewerGone(Event):
    """The socket is gone."""


class ViewerState(Enum):
    """Where a viewer stands."""

    NEW = auto()
    """No handshake yet, none accepted, or the analysis failed."""
    DECIDING = auto()
    WAITING = auto()
    """Accepted; without a history, or with one that is void."""
    LIVE = auto()
    CLOSED = auto()


def show(event: Event) -> list[Effect]:
    """What an event of the analysis is to all viewers who have been shown everything before it."""
    return [event.frame] if isinstance(event, HistoryComplete | EntryReady) else []


class EvalViewer:
    """One viewer of one game's evaluations, seen from the server."""

    def __init__(self, game_id: str, board: GameBoard | None) -> None:
        """``game_id`` is the one in the socket's address; ``board`` is None when there is no such game."""
        self._game_id = game_id
        self._board = board
        self._state = ViewerState.NEW
        self._sent = 0
        """How many entries the viewer has, when live."""
        self._bad_messages = 0

    @property
    def state(self) -> ViewerState:
        """Where the viewer stands."""
        return self._state

    # ---- frames of the viewer -------------------------------------------------------------------

    def receive(self, frame: str) -> list[Effect]:
        """Take one text frame."""
        if self._state is ViewerState.CLOSED:
            return []
        try:
            fields = read_object(frame)
        except RemoteError as error:
            return self._count_bad(str(error))
        match fields.get("type"):
            case "ping":
                return _send(f.Pong())
            case "eval-handshake":
                return self._take_handshake(fields)
            case "eval-request":
                refused = "single positions are not evaluated here"
                request_id = f.read_request_id(fields)
                return _send(f.EvalError(f.ErrorCode.INTERNAL_ERROR, refused, request_id))
            case other:
                return self._count_bad(f"unknown message type {str(other)[:40]!r}")

    def receive_binary(self) -> list[Effect]:
        """Take a binary frame, whatever is in it."""
        return self._count_bad("a binary frame")

    def _count_bad(self, reason: str) -> list[Effect]:
        if self._state is ViewerState.CLOSED:
            return []
        self._bad_messages += 1
        logged = log_bad_message(self._bad_messages, reason)
        if self._bad_messages < MAX_BAD_MESSAGES:
            return logged
        self._state = ViewerState.CLOSED
        return [*logged, Close(POLICY_VIOLATION, "Too many unexpected messages")]

    def _take_handshake(self, fields: JsonDict) -> list[Effect]:
        if self._state is not ViewerState.NEW:
            return self._count_bad("a second handshake")
        try:
            handshake = f.read_handshake(fields)
        except RemoteError as error:
            return _send(f.HandshakeRejected(f.RejectionCode.INTERNAL_ERROR, str(error)))
        fault = self._fault(handshake)
        if fault is not None:
            return _send(fault)
        self._state = ViewerState.DECIDING
        return [ViewRequested()]

    def _fault(self, handshake: f.Handshake) -> f.HandshakeRejected | None:
        board = self._board
        if board is None or handshake.game_id != self._game_id:
            return f.HandshakeRejected(f.RejectionCode.GAME_NOT_FOUND, "There is no such game.")
        seen = (handshake.board_width, handshake.board_height)
        is_sized = board.board_width is not None
        if handshake.variant != board.variant or (
            is_sized and seen != (board.board_width, board.board_height)
        ):
            text = "The game has another variant or board size."
            return f.HandshakeRejected(f.RejectionCode.UNSUPPORTED_VARIANT, text)
        return None

    # ---- events of the driver -------------------------------------------------------------------

    def notify(self, event: Event) -> list[Effect]:
        """Take one event of the driver."""
        step = _TABLE.get((self._state, type(event)))
        if step is None:
            raise LocalError(self._state, event)
        return step(self, event)

    def _accept(self, _: Accepted) -> list[Effect]:
        self._state = ViewerState.WAITING
        return _send(f.HandshakeAccepted())

    def _reject(self, rejected: Rejected) -> list[Effect]:
        self._state = ViewerState.NEW
        return _send(f.HandshakeRejected(rejected.code, rejected.message))

    def _announce(self, pending: HistoryPending) -> list[Effect]:
        return _send(f.EvalPending(pending.total_moves))

    def _show_all(self, complete: HistoryComplete) -> list[Effect]:
        self._state = ViewerState.LIVE
        self._sent = len(complete.entries)
        return [complete.frame]

    def _show_rest(self, complete: HistoryComplete) -> list[Effect]:
        missing = complete.entries[self._sent :]
        self._sent += len(missing)
        return [effect for entry in missing for effect in _send(f.EvalUpdate(entry))]

    def _show_entry(self, ready: EntryReady) -> list[Effect]:
        """Send an entry once; one beyond the next would leave a gap, which only the driver can have made."""
        if ready.entry.ply > self._sent:
            raise LocalError(self._state, ready)
        if ready.entry.ply < self._sent:
            return []
        self._sent += 1
        return [ready.frame]

    def _note_shown(self, shown: HistoryShown) -> list[Effect]:
        self._state = ViewerState.LIVE if shown.entries else ViewerState.WAITING
        self._sent = shown.entries
        return []

    def _void(self, _: HistoryVoid) -> list[Effect]:
        self._state = ViewerState.WAITING
        return []

    def _fail(self, failed: AnalysisFailed) -> list[Effect]:
        self._state = ViewerState.NEW
        return _send(f.EvalError(failed.code, failed.message, retry_after_ms=failed.retry_after_ms))

    def _leave(self, _: ViewerGone) -> list[Effect]:
        self._state = ViewerState.CLOSED
        return []

    def _ignore(self, _: Event) -> list[Effect]:
        return []


def _send(frame: f.Frame) -> list[Effect]:
    return [Send(f.encode(frame))]


_Step = Callable[[EvalViewer, Any], list[Effect]]
_V = EvalViewer
_S = ViewerState
_OF_THE_ANALYSIS = (
    HistoryPending,
    HistoryComplete,
    EntryReady,
    HistoryShown,
    HistoryVoid,
    AnalysisFailed,
)

# What is missing here is impossible: the driver is told so by a LocalError. The analysis speaks to all
# viewers of a game at once, so what it says to one who is not accepted (any more) is no mistake.
_TABLE: dict[tuple[ViewerState, type[Event]], _Step] = {
    **{
        (state, event): _V._ignore for state in (_S.NEW, _S.DECIDING, _S.CLOSED) for event in _OF_THE_ANALYSIS
    },
    **{(state, ViewerGone): _V._leave for state in ViewerState},
    (_S.DECIDING, Accepted): _V._accept,
    (_S.DECIDING, Rejected): _V._reject,
    (_S.WAITING, HistoryPending): _V._announce,
    (_S.WAITING, HistoryComplete): _V._show_all,
    (_S.WAITING, EntryReady): _V._ignore,
    (_S.WAITING, HistoryShown): _V._note_shown,
    (_S.WAITING, HistoryVoid): _V._ignore,
    (_S.WAITING, AnalysisFailed): _V._fail,
    (_S.LIVE, HistoryPending): _V._ignore,
    (_S.LIVE, HistoryComplete): _V._show_rest,
    (_S.LIVE, EntryReady): _V._show_entry,
    (_S.LIVE, HistoryShown): _V._note_shown,
    (_S.LIVE, HistoryVoid): _V._void,
    (_S.LIVE, AnalysisFailed): _V._fail,
    (_S.CLOSED, Accepted): _V._ignore,
    (_S.CLOSED, Rejected): _V._ignore,
}
