"""The server's side of one viewer's eval socket: handshake, a complete history, then one update per new entry.

Driven by the socket's route, which forwards the events of the evaluations service. The service decides who may view
and which analyst is used, and tracks what viewers have been sent (``eval_history``): each event is sent as it comes.
"""

from dataclasses import dataclass
from enum import Enum, auto
from functools import cached_property

from protocols.jsontext import JsonDict, read_object, write
from protocols.play import eval_frames as frames
from protocols.session import BadMessages, Effect, Event, LocalError, RemoteError, Send
from protocols.values import Entry, FailureCode

# ---- events and effects -------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class GameBoard:
    """What a handshake must match. Sizes are None for games without a choice of board size."""

    variant: str
    board_width: int | None = None
    board_height: int | None = None


@dataclass(frozen=True, slots=True)
class ViewRequested(Effect):
    """Answer a handshake that fits the game with ``Accepted`` or ``Rejected``."""


@dataclass(frozen=True, slots=True)
class Accepted(Event):
    """The viewer may see evaluations, and an analyst is available."""


@dataclass(frozen=True, slots=True)
class Rejected(Event):
    """The viewer may not see evaluations, or no analyst is available."""

    code: frames.EvalRejectionCode
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
        """The frame that shows the history, encoded once for all viewers."""
        return Send(write(frames.history_json(self.entries)))


@dataclass(frozen=True)
class EntryReady(Event):
    """The history has grown by ``entry``."""

    entry: Entry

    @cached_property
    def frame(self) -> Send:
        """The frame that shows the entry, encoded once for all viewers."""
        return Send(write(frames.update_json(self.entry)))


@dataclass(frozen=True, slots=True)
class AnalysisFailed(Event):
    """No more evaluations follow. The viewer may send a new handshake, preferably after ``retry_after_ms``."""

    code: FailureCode
    message: str
    retry_after_ms: int | None = None


@dataclass(frozen=True, slots=True)
class EvalViewerGone(Event):
    """The socket has been closed."""


class EvalViewerState(Enum):
    """The stages of a viewer's connection."""

    NEW = auto()
    """No handshake yet, none accepted, or the analysis failed."""
    DECIDING = auto()
    ACCEPTED = auto()
    CLOSED = auto()


def show(event: Event) -> list[Effect]:
    """The frames for an event of the analysis, the same for all viewers who have been sent everything before it."""
    match event:
        case HistoryComplete(frame=frame) | EntryReady(frame=frame):
            return [frame]
        case HistoryPending(total_moves=total_moves):
            return _send({"type": "eval-pending", "totalMoves": total_moves})
    return []


class EvalViewer:
    """The server's side of one viewer's connection."""

    def __init__(self, game_id: str, board: GameBoard | None) -> None:
        """``game_id`` is the one in the socket's address; ``board`` is None if there is no such game."""
        self._game_id = game_id
        self._board = board
        self._state = EvalViewerState.NEW
        self._bad_messages = BadMessages()

    # ---- frames of the viewer -------------------------------------------------------------------

    def receive(self, frame: str) -> list[Effect]:
        """Handle one text frame."""
        if self._state is EvalViewerState.CLOSED:
            return []
        try:
            fields = read_object(frame)
        except RemoteError as error:
            return self._count_bad(str(error))
        match fields.get("type"):
            case "ping":
                return _send({"type": "pong"})
            case "eval-handshake":
                return self._take_handshake(fields)
            case "eval-request":
                refused = "single positions are not evaluated here"
                request_id = frames.read_request_id(fields)
                return _send(frames.error_json(FailureCode.INTERNAL_ERROR, refused, request_id=request_id))
            case other:
                return self._count_bad(f"unknown message type {str(other)[:40]!r}")

    def _count_bad(self, reason: str) -> list[Effect]:
        effects = self._bad_messages.add(reason)
        if self._bad_messages.are_too_many:
            self._state = EvalViewerState.CLOSED
        return effects

    def _take_handshake(self, fields: JsonDict) -> list[Effect]:
        if self._state is not EvalViewerState.NEW:
            return self._count_bad("a second handshake")
        try:
            handshake = frames.read_handshake(fields)
        except RemoteError as error:
            return _rejected(frames.EvalRejectionCode.INTERNAL_ERROR, str(error))
        fault = self._fault(handshake)
        if fault is not None:
            return fault
        self._state = EvalViewerState.DECIDING
        return [ViewRequested()]

    def _fault(self, handshake: frames.EvalHandshake) -> list[Effect] | None:
        board = self._board
        if board is None or handshake.game_id != self._game_id:
            return _rejected(frames.EvalRejectionCode.GAME_NOT_FOUND, "There is no such game.")
        seen = (handshake.board_width, handshake.board_height)
        is_sized = board.board_width is not None
        if handshake.variant != board.variant or (
            is_sized and seen != (board.board_width, board.board_height)
        ):
            text = "The game has another variant or board size."
            return _rejected(frames.EvalRejectionCode.UNSUPPORTED_VARIANT, text)
        return None

    # ---- events of the driver -------------------------------------------------------------------

    def notify(self, event: Event) -> list[Effect]:
        """Handle one event from the driver."""
        match self._state, event:
            case _, EvalViewerGone():
                self._state = EvalViewerState.CLOSED
                return []
            case EvalViewerState.DECIDING, Accepted():
                self._state = EvalViewerState.ACCEPTED
                return _send({"type": "eval-handshake-accepted"})
            case EvalViewerState.DECIDING, Rejected(code=code, message=message):
                self._state = EvalViewerState.NEW
                return _rejected(code, message)
            case EvalViewerState.ACCEPTED, AnalysisFailed():
                self._state = EvalViewerState.NEW
                retry = event.retry_after_ms
                return _send(frames.error_json(event.code, event.message, retry_after_ms=retry))
            case EvalViewerState.ACCEPTED, HistoryPending() | HistoryComplete() | EntryReady():
                return show(event)
            case _, HistoryPending() | HistoryComplete() | EntryReady() | AnalysisFailed():
                return []  # The analysis sends its events to all viewers of a game at once.
            case EvalViewerState.CLOSED, Accepted() | Rejected():
                return []
        raise LocalError(self._state, event)


def _rejected(code: frames.EvalRejectionCode, message: str) -> list[Effect]:
    return _send({"type": "eval-handshake-rejected", "code": code, "message": message})


def _send(frame: JsonDict) -> list[Effect]:
    return [Send(write(frame))]
