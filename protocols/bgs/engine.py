"""The engine's side of the V3 protocol: sessions with a position each, which handle one request at a time.

Requests and responses are JSON lines, on stdin and stdout of ``plyhouse engine``. Positions come from a factory. The
driver searches: it keeps a search for each open session, advances it, and answers each ``Evaluate``.
"""

from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import chain, repeat

from engines import MOVES_AHEAD, BadNotation, Evaluation, Position, Variation
from protocols.bgs import messages as bgs
from protocols.bgs.answers import response_to
from protocols.bgs.codec import BadFieldsError, decode_from_host, encode
from protocols.bgs.config import MISSING_FIELDS, check_complete, read_config
from protocols.bgs.messages import EvaluationLimits
from protocols.session import Effect, Event, LocalError, Log, RemoteError, Send
from protocols.values import ClockReading

MAX_LINE_BYTES = 262_144
"""The longest line that an engine reads, in bytes of UTF-8: more than any start of a game takes (200 kB)."""

MAX_SESSIONS = 256
"""The default limit on concurrent sessions."""

MAX_QUOTED = 100
"""The longest part of an invalid move that an error repeats, in characters."""

MAX_QUEUED = 1024
"""How many requests can wait in a session that is evaluating."""


# ---- events and effects ------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Evaluated(Event):
    """A search has finished."""

    bgs_id: str
    evaluation: Evaluation


@dataclass(frozen=True, slots=True)
class EvaluationFailed(Event):
    """A search has failed; ``error`` is sent to the host."""

    bgs_id: str
    error: str


@dataclass(frozen=True, slots=True)
class SessionOpened(Effect):
    """Create a search for ``bgs_id`` from ``position``, which the driver may keep. ``variation``: None for its own."""

    bgs_id: str
    position: Position
    limits: EvaluationLimits
    variation: Variation | None = None


@dataclass(frozen=True, slots=True)
class Advance(Effect):
    """Play the legal ``move`` in the search of ``bgs_id``."""

    bgs_id: str
    move: str


@dataclass(frozen=True, slots=True)
class Evaluate(Effect):
    """Continue the search of ``bgs_id`` within ``limits``, and notify ``Evaluated`` or ``EvaluationFailed``.

    ``clock`` is running, if there is one: the search has to leave time for later moves. ``lines``, ``priority``
    and ``following`` as in ``EvaluatePosition``.
    """

    bgs_id: str
    limits: EvaluationLimits
    clock: ClockReading | None = None
    lines: int | None = None
    priority: int | None = None
    following: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class CancelSearch(Effect):
    """Stop the search of ``bgs_id`` if possible, and notify ``EvaluationFailed``, unless it has just finished."""

    bgs_id: str


@dataclass(frozen=True, slots=True)
class SessionClosed(Effect):
    """Free the search of ``bgs_id``."""

    bgs_id: str


# ---- sessions ----------------------------------------------------------------------------------


@dataclass(slots=True)
class _Held:
    """A session: its position, and its evaluation in progress, if any."""

    position: Position
    limits: EvaluationLimits
    evaluating: bgs.EvaluatePosition | None = None
    queued: deque[bgs.Request] = field(default_factory=deque)


class EngineSessions:
    """All sessions of one engine. Each session answers its requests in order; every ``Send`` is a line to write."""

    def __init__(
        self, open_position: Callable[[str, str, bgs.JsonObject], Position], max_sessions: int = MAX_SESSIONS
    ) -> None:
        """``open_position`` makes the start of a game from its name, variant and config; raises ValueError."""
        self._open_position = open_position
        self._max_sessions = max_sessions
        self._held: dict[str, _Held] = {}

    @property
    def is_busy(self) -> bool:
        """Whether a request is not answered yet."""
        return any(held.evaluating is not None for held in self._held.values())

    def __len__(self) -> int:
        return len(self._held)

    def receive(self, frame: str) -> list[Effect]:
        """Handle one line, without its newline. Anything but a request of the protocol is logged and ignored."""
        if not frame.strip():
            return []
        try:
            if len(frame) > MAX_LINE_BYTES or len(frame.encode()) > MAX_LINE_BYTES:
                return [Log(f"ignored a line of more than {MAX_LINE_BYTES} bytes")]
            message = decode_from_host(frame)
        except UnicodeEncodeError:
            return [Log("ignored a line that is not UTF-8")]
        except RemoteError as error:
            return [_refuse_unreadable(error)]
        return self._cancel(message) if isinstance(message, bgs.CancelEvaluation) else self.request(message)

    def _cancel(self, message: bgs.CancelEvaluation) -> list[Effect]:
        held = self._held.get(message.bgs_id)
        is_evaluating = held is not None and held.evaluating is not None
        return [CancelSearch(message.bgs_id)] if is_evaluating else []

    def request(self, message: bgs.Request) -> list[Effect]:
        """Handle one request, or queue it while its session is evaluating."""
        held = self._held.get(message.bgs_id)
        if held is None or held.evaluating is None:
            return self._serve(message)
        if len(held.queued) >= MAX_QUEUED:
            error = f"Session {message.bgs_id} is busy"
            return [_respond(bgs.refusal(message, error, held.position.ply))]
        held.queued.append(message)
        return []

    def notify(self, event: Event) -> list[Effect]:
        """Handle the result of a search, then the requests that waited for it."""
        match event:
            case Evaluated(bgs_id=bgs_id):
                held, request = self._finish(bgs_id, event)
                response: bgs.Response = response_to(request, event.evaluation)
            case EvaluationFailed(bgs_id=bgs_id, error=error):
                held, request = self._finish(bgs_id, event)
                response = bgs.refusal(request, error or "No result", held.position.ply)
            case _:
                raise LocalError("HOLDING_SESSIONS", event)
        return [_respond(response), *self._serve_queued(held)]

    def _finish(self, bgs_id: str, event: Event) -> tuple[_Held, bgs.EvaluatePosition]:
        held = self._held.get(bgs_id)
        if held is None or held.evaluating is None:
            raise LocalError(f"{bgs_id} not evaluating", event)
        request, held.evaluating = held.evaluating, None
        return held, request

    def _serve_queued(self, held: _Held) -> list[Effect]:
        """Handle queued requests, up to the next evaluation.

        They may end the session and start one with the same id: then ``request`` queues the rest in the new one.
        """
        effects: list[Effect] = []
        while held.queued and held.evaluating is None:
            effects += self.request(held.queued.popleft())
        return effects

    # ---- the four requests ----------------------------------------------------------------------

    def _serve(self, message: bgs.Request) -> list[Effect]:
        if isinstance(message, bgs.StartGameSession):
            return self._start(message)
        held = self._held.get(message.bgs_id)
        if held is None:
            return [_respond(bgs.refusal(message, f"Session {message.bgs_id} not found"))]
        if isinstance(message, bgs.EndGameSession):
            del self._held[message.bgs_id]
            return [SessionClosed(message.bgs_id), _respond(bgs.GameSessionEnded(message.bgs_id))]
        ply = held.position.ply
        if message.expected_ply != ply:
            error = f"Ply mismatch: expected {message.expected_ply}, got {ply}"
            return [_respond(bgs.refusal(message, error, ply))]
        if isinstance(message, bgs.ApplyMove):
            return self._apply(held, message)
        return self._evaluate(held, message)

    def _start(self, message: bgs.StartGameSession) -> list[Effect]:
        if message.bgs_id in self._held:
            return [_respond(bgs.refusal(message, f"Session {message.bgs_id} already exists"))]
        if len(self._held) >= self._max_sessions:
            error = f"Maximum session limit reached ({self._max_sessions})"
            return [_respond(bgs.refusal(message, error))]
        try:
            setup = read_config(message.config)
            position = self._open_position(setup.game, setup.variant, setup.config)
            check_complete(setup.config, position.config)
            start = position.copy()
            position.play(*message.moves or ())
        except ValueError as error:
            return [_respond(bgs.refusal(message, str(error) or MISSING_FIELDS))]
        self._held[message.bgs_id] = _Held(position, setup.limits)
        opened = SessionOpened(message.bgs_id, start, setup.limits, setup.variation)
        advances = [Advance(message.bgs_id, move) for move in message.moves or ()]
        ply = None if message.moves is None else position.ply
        return [opened, *advances, _respond(bgs.GameSessionStarted(message.bgs_id, ply=ply))]

    def _apply(self, held: _Held, message: bgs.ApplyMove) -> list[Effect]:
        if held.position.outcome is not None:
            error = "Failed to apply move: the game is over"
            return [_respond(bgs.refusal(message, error, held.position.ply))]
        position = held.position
        ply = position.ply
        try:
            position.play(message.move)
        except BadNotation:
            return [_respond(bgs.refusal(message, _unparsed(message.move), ply))]
        except ValueError as reason:
            return [_respond(bgs.refusal(message, f"Failed to apply move: {reason}", ply))]
        if position.ply == ply and position.outcome is not None:
            # A record may contain a seat's resignation, which ends the game without being a move.
            position.undo()
            return [_respond(bgs.refusal(message, _unparsed(message.move), ply))]
        return [
            Advance(message.bgs_id, message.move),
            _respond(bgs.MoveApplied(message.bgs_id, position.ply)),
        ]

    def _evaluate(self, held: _Held, message: bgs.EvaluatePosition) -> list[Effect]:
        outcome = held.position.outcome
        if outcome is not None:
            return [_respond(response_to(message, Evaluation(tuple(outcome.values))))]
        following = message.following[:MOVES_AHEAD]
        if (refusal := _refusal_of(following, held.position)) is not None:
            return [_respond(bgs.refusal(message, refusal, held.position.ply))]
        held.evaluating = message
        limits = message.limits or held.limits
        return [Evaluate(message.bgs_id, limits, message.clock, message.lines, message.priority, following)]


def _refusal_of(following: Sequence[str], position: Position) -> str | None:
    """Why moves cannot follow a position; None if they can."""
    if not following:
        return None
    after = position.copy()
    for move, purpose in zip(following, chain(["compare"], repeat("look ahead")), strict=False):
        try:
            after.play(move)
        except ValueError as error:
            return f"Failed to {purpose}: {error}"
    return None


def _refuse_unreadable(error: RemoteError) -> Effect:
    """Answers a request that cannot be read, and logs any other line."""
    if isinstance(error, BadFieldsError) and error.message_type in bgs.RESPONSE_OF:
        return _respond(bgs.refusal_of(error.message_type, error.bgs_id, str(error)))
    return Log(f"ignored a line: {error}")


def _unparsed(move: str) -> str:
    return f"Failed to parse move notation: {move[:MAX_QUOTED]}"


def _respond(message: bgs.Response) -> Send:
    return Send(encode(message))
