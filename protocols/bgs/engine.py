"""The engine's side of the V3 protocol: sessions, each a position, asked one thing after the other.

``EngineSessions`` speaks messages and is what our own pool's analyst drives; ``EngineSession`` puts JSON
lines around it for stdin and stdout. Positions come from a factory and are only played on here;
searching is the driver's work: it keeps a search for every session opened, advances it, and answers each
``Evaluate``.
"""

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from protocols.bgs import messages as m
from protocols.bgs.codec import BadFieldsError, decode_request, encode
from protocols.bgs.config import MISSING_FIELDS, Limits, check_complete, read_config
from protocols.session import Effect, Event, LocalError, Log, RemoteError, Send

MAX_LINE_BYTES = 65_536
"""The longest line an engine reads, in UTF-8."""

MAX_SESSIONS = 256
"""How many sessions an engine holds at once unless told otherwise."""

MAX_QUOTED = 100
"""How much of an unreadable move its refusal repeats, in characters."""

MAX_QUEUED = 1024
"""How many requests a session that is evaluating keeps for later."""


# ---- what is needed of the rules ---------------------------------------------------------------


class OutcomeLike(Protocol):
    """How a game ended."""

    @property
    def values(self) -> Sequence[float]:
        """Worth per seat: +1, 0 or -1."""
        ...


class PositionLike(Protocol):
    """What a session uses of ``engines.Position``. Refusals are ``ValueError`` and change nothing."""

    @property
    def config(self) -> m.JsonObject:
        """The complete start configuration, nothing defaulted, without game and variant."""
        ...

    @property
    def ply(self) -> int:
        """Moves played."""
        ...

    @property
    def outcome(self) -> OutcomeLike | None:
        """How the game ended, None while it runs."""
        ...

    def play(self, *moves: str) -> Any:  # noqa: ANN401  events, which nobody here reads
        """Play recorded moves, all or none."""
        ...

    def undo(self) -> None:
        """Take back the last entry of the history."""
        ...

    def copy(self) -> "PositionLike":
        """The same position, to be played on separately."""
        ...


class OpenPosition(Protocol):
    """Makes the start position of a game, as ``engines.Position`` does; raises ``ValueError``."""

    def __call__(self, game: str, variant: str, config: m.JsonObject, /) -> PositionLike:
        """The start position that ``config`` (without game and variant) describes."""
        ...


# ---- events and effects ------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Evaluated(Event):
    """A search is done. ``evaluation`` is seat 0's value in [-1, 1], ``values`` has one member per seat."""

    bgs_id: str
    evaluation: float
    best_move: str
    values: m.Values | None = None
    policies: m.Policies | None = None
    source: str | None = None
    samples: int | None = None


@dataclass(frozen=True, slots=True)
class EvaluationFailed(Event):
    """A search gave no result; ``error`` is told to the host."""

    bgs_id: str
    error: str


@dataclass(frozen=True, slots=True)
class Respond(Effect):
    """Send ``message`` to the host."""

    message: m.Response


@dataclass(frozen=True, slots=True)
class SessionOpened(Effect):
    """Keep a search from ``position``, which is the driver's own, for ``bgs_id``."""

    bgs_id: str
    position: PositionLike
    limits: Limits


@dataclass(frozen=True, slots=True)
class Advance(Effect):
    """Play the legal ``move`` in the search of ``bgs_id``."""

    bgs_id: str
    move: str


@dataclass(frozen=True, slots=True)
class Evaluate(Effect):
    """Search on in ``bgs_id`` within ``limits`` and notify ``Evaluated`` or ``EvaluationFailed``."""

    bgs_id: str
    limits: Limits


@dataclass(frozen=True, slots=True)
class SessionClosed(Effect):
    """Free the search of ``bgs_id``."""

    bgs_id: str


# ---- sessions ----------------------------------------------------------------------------------


@dataclass(slots=True)
class _Held:
    """A session: its position, and the evaluation under way if there is one."""

    position: PositionLike
    limits: Limits
    evaluating: m.EvaluatePosition | None = None
    queued: deque[m.Request] = field(default_factory=deque)


class EngineSessions:
    """All sessions of one engine. Requests of one session are answered in the order in which they came."""

    def __init__(
        self,
        open_position: OpenPosition,
        bad_notation: type[ValueError],
        max_sessions: int = MAX_SESSIONS,
    ) -> None:
        """``bad_notation`` is what ``play`` raises for text that is no move at all."""
        self._open_position = open_position
        self._bad_notation = bad_notation
        self._max_sessions = max_sessions
        self._held: dict[str, _Held] = {}

    @property
    def is_idle(self) -> bool:
        """Whether everything asked has been answered."""
        return all(held.evaluating is None for held in self._held.values())

    def __len__(self) -> int:
        return len(self._held)

    def request(self, message: m.Request) -> list[Effect]:
        """Take one request; while its session evaluates, it waits for its turn."""
        held = self._held.get(message.bgs_id)
        if held is None or held.evaluating is None:
            return self._serve(message)
        if len(held.queued) >= MAX_QUEUED:
            error = f"Session {message.bgs_id} is busy"
            return [Respond(m.refusal(message, error, held.position.ply))]
        held.queued.append(message)
        return []

    def notify(self, event: Event) -> list[Effect]:
        """Take the result of a search, then serve what waited for it."""
        match event:
            case Evaluated(bgs_id=bgs_id):
                held, request = self._finish(bgs_id, event)
                response: m.Response = _response(request, event)
            case EvaluationFailed(bgs_id=bgs_id, error=error):
                held, request = self._finish(bgs_id, event)
                response = m.refusal(request, error or "No result", held.position.ply)
            case _:
                raise LocalError("HOLDING_SESSIONS", event)
        return [Respond(response), *self._serve_queued(held)]

    def _finish(self, bgs_id: str, event: Event) -> tuple[_Held, m.EvaluatePosition]:
        held = self._held.get(bgs_id)
        if held is None or held.evaluating is None:
            raise LocalError(f"{bgs_id} not evaluating", event)
        request, held.evaluating = held.evaluating, None
        return held, request

    def _serve_queued(self, held: _Held) -> list[Effect]:
        """Serve what waited, up to the next evaluation.

        Among it may be an end and a new start under the same id: then ``request`` queues the rest there.
        """
        effects: list[Effect] = []
        while held.queued and held.evaluating is None:
            effects += self.request(held.queued.popleft())
        return effects

    # ---- the four requests ----------------------------------------------------------------------

    def _serve(self, message: m.Request) -> list[Effect]:
        if isinstance(message, m.StartGameSession):
            return self._start(message)
        held = self._held.get(message.bgs_id)
        if held is None:
            return [Respond(m.refusal(message, f"Session {message.bgs_id} not found"))]
        if isinstance(message, m.EndGameSession):
            del self._held[message.bgs_id]
            return [SessionClosed(message.bgs_id), Respond(m.GameSessionEnded(message.bgs_id))]
        ply = held.position.ply
        if message.expected_ply != ply:
            error = f"Ply mismatch: expected {message.expected_ply}, got {ply}"
            return [Respond(m.refusal(message, error, ply))]
        if isinstance(message, m.ApplyMove):
            return self._apply(held, message)
        return self._evaluate(held, message)

    def _start(self, message: m.StartGameSession) -> list[Effect]:
        if message.bgs_id in self._held:
            return [Respond(m.refusal(message, f"Session {message.bgs_id} already exists"))]
        if len(self._held) >= self._max_sessions:
            error = f"Maximum session limit reached ({self._max_sessions})"
            return [Respond(m.refusal(message, error))]
        try:
            setup = read_config(message.config)
            position = self._open_position(setup.game, setup.variant, setup.config)
            check_complete(setup.config, position.config)
        except ValueError as error:
            return [Respond(m.refusal(message, str(error) or MISSING_FIELDS))]
        self._held[message.bgs_id] = _Held(position, setup.limits)
        opened = SessionOpened(message.bgs_id, position.copy(), setup.limits)
        return [opened, Respond(m.GameSessionStarted(message.bgs_id))]

    def _apply(self, held: _Held, message: m.ApplyMove) -> list[Effect]:
        if held.position.outcome is not None:
            error = "Failed to apply move: the game is over"
            return [Respond(m.refusal(message, error, held.position.ply))]
        position = held.position
        ply = position.ply
        try:
            position.play(message.move)
        except self._bad_notation:
            return [Respond(m.refusal(message, _unparsed(message.move), ply))]
        except ValueError as reason:
            return [Respond(m.refusal(message, f"Failed to apply move: {reason}", ply))]
        if position.ply == ply and position.outcome is not None:
            # A record may say that a seat gave up; that is the end of a game, but no move of one.
            position.undo()
            return [Respond(m.refusal(message, _unparsed(message.move), ply))]
        return [Advance(message.bgs_id, message.move), Respond(m.MoveApplied(message.bgs_id, position.ply))]

    def _evaluate(self, held: _Held, message: m.EvaluatePosition) -> list[Effect]:
        outcome = held.position.outcome
        if outcome is not None:
            values = tuple(outcome.values)
            return [Respond(_response(message, Evaluated(message.bgs_id, values[0], "", values)))]
        held.evaluating = message
        return [Evaluate(message.bgs_id, held.limits)]


def _unparsed(move: str) -> str:
    return f"Failed to parse move notation: {move[:MAX_QUOTED]}"


def _response(request: m.EvaluatePosition, result: Evaluated) -> m.EvaluateResponse:
    """The answer to ``request``. Values of two seats sum to 0 and are left out, except beside policies."""
    values = result.values
    says_more = values is not None and (len(values) > 2 or result.policies is not None)
    return m.EvaluateResponse(
        request.bgs_id,
        request.expected_ply,
        result.best_move,
        result.evaluation,
        values=values if says_more else None,
        policies=result.policies,
        source=result.source,
        samples=result.samples,
    )


class EngineSession:
    """An engine on JSON lines: ``receive`` takes a line without its end, ``Send`` is a line to write."""

    def __init__(self, sessions: EngineSessions) -> None:
        self._sessions = sessions

    @property
    def is_idle(self) -> bool:
        """Whether everything received has been answered."""
        return self._sessions.is_idle

    def receive(self, frame: str) -> list[Effect]:
        """Take one line. What is no request of the protocol is only reported."""
        if len(frame) > MAX_LINE_BYTES or len(frame.encode("utf-8", "surrogatepass")) > MAX_LINE_BYTES:
            return [Log(f"ignored a line of more than {MAX_LINE_BYTES} bytes")]
        try:
            message = decode_request(frame)
        except BadFieldsError as error:
            refusal = m.refusal_of(error.message_type, error.bgs_id, str(error))
            return [Send(encode(refusal))]
        except RemoteError as error:
            return [Log(f"ignored a line: {error}")]
        return _as_lines(self._sessions.request(message))

    def notify(self, event: Event) -> list[Effect]:
        """Take the result of a search."""
        return _as_lines(self._sessions.notify(event))


def _as_lines(effects: list[Effect]) -> list[Effect]:
    return [Send(encode(effect.message)) if isinstance(effect, Respond) else effect for effect in effects]
