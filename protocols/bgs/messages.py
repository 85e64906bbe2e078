"""The messages of the V3 bot protocol as immutable values, and the response that refuses each request.

Values only: ``codec`` reads and writes their JSON. ``evaluation`` is the value for seat 0 in [-1, 1];
``values`` and ``policies`` have one member per seat. ``None`` means that an optional member is absent.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from engines import Candidate, Comparison
from protocols.values import ANY_TOURNAMENT, ClockReading, LadderTerms, TournamentTerms, VariantOffer

PROTOCOL_VERSION = 3

JsonObject = Mapping[str, Any]
"""A JSON object as parsed by Python's json module; treated as immutable."""

Values = tuple[float, ...]
"""One value in [-1, 1] per seat."""

Policies = tuple[Mapping[str, float], ...]
"""One distribution over move texts per seat, for games with simultaneous moves."""

CANCELLED = "cancelled"
"""The error of a response to a request that was cancelled."""


@dataclass(frozen=True, slots=True)
class EvaluationLimits:
    """The limits of one evaluation; None: the engine's default."""

    samples: int | None = None
    time_ms: int | None = None


# ---- requests: host -> bot client -> engine ----------------------------------------------------


@dataclass(frozen=True, slots=True)
class StartGameSession:
    """Start a session at the start position that ``config`` describes completely.

    ``moves``, which only workers get, are to be played from there.
    """

    bgs_id: str
    bot_id: str
    config: JsonObject
    moves: tuple[str, ...] | None = None


@dataclass(frozen=True, slots=True)
class EvaluatePosition:
    """Evaluate the session's position, in which ``expected_ply`` moves must have been played; changes nothing.

    ``clock`` is the bot's, if it is running: the best move is then played when it arrives. ``refused`` says why the
    response to the previous request for the same position was refused; only bots with ``retries`` get it.

    Only workers, and bots that analyse, get the maximum number of ``lines``, with which the response tells all that is
    known. Only workers get the other members: ``limits`` instead of the engine's own, ``priority``, lower first: 0 for
    bot moves, 1 for evaluation bars, 2 for analyses, ``played``, the move that follows, which the response compares
    with the best one if it can, and ``then``, the moves after it, as far as they can help.
    """

    bgs_id: str
    expected_ply: int
    clock: ClockReading | None = None
    limits: EvaluationLimits | None = None
    lines: int | None = None
    priority: int | None = None
    played: str | None = None
    then: tuple[str, ...] | None = None
    refused: str | None = None

    @property
    def following(self) -> tuple[str, ...]:
        """All moves that follow, as far as they are told."""
        return (self.played, *(self.then or ())) if self.played else ()


@dataclass(frozen=True, slots=True)
class ApplyMove:
    """Play ``move`` (the game's own notation) in the position after ``expected_ply`` moves."""

    bgs_id: str
    expected_ply: int
    move: str


@dataclass(frozen=True, slots=True)
class EndGameSession:
    """End the session and free its resources."""

    bgs_id: str


Request = StartGameSession | EvaluatePosition | ApplyMove | EndGameSession


@dataclass(frozen=True, slots=True)
class CancelEvaluation:
    """The response to the session's outstanding ``EvaluatePosition`` is no longer needed, and may come at once.

    Only workers get this; it has no response of its own.
    """

    bgs_id: str


HostMessage = Request | CancelEvaluation
"""What an engine gets from a host."""


# ---- responses: engine -> bot client -> host ---------------------------------------------------


@dataclass(frozen=True, slots=True)
class GameSessionStarted:
    """The response to ``StartGameSession``; ``error`` is empty if and only if ``success`` is true.

    ``ply``: how many of the request's moves were played, all or none; None if it has no moves, or from an engine that
    does not know about them.
    """

    bgs_id: str
    success: bool = True
    error: str = ""
    ply: int | None = None


@dataclass(frozen=True, slots=True)
class EvaluateResponse:
    """The response to ``EvaluatePosition``; on failure ``best_move`` is empty and ``evaluation`` is 0.

    The optional members are those of ``Evaluation``.
    """

    bgs_id: str
    ply: int
    best_move: str = ""
    evaluation: float = 0.0
    success: bool = True
    error: str = ""
    values: Values | None = None
    policies: Policies | None = None
    lines: tuple[Candidate, ...] | None = None
    samples: int | None = None
    inherited: int | None = None
    source: str | None = None
    chances: Values | None = None
    points: Values | None = None
    is_cut: bool | None = None
    comparisons: tuple[Comparison, ...] | None = None
    reviewed: Comparison | None = None


@dataclass(frozen=True, slots=True)
class MoveApplied:
    """The response to ``ApplyMove``; ``ply`` is the number of moves played, including this one."""

    bgs_id: str
    ply: int
    success: bool = True
    error: str = ""


@dataclass(frozen=True, slots=True)
class GameSessionEnded:
    """The response to ``EndGameSession``."""

    bgs_id: str
    success: bool = True
    error: str = ""


Response = GameSessionStarted | EvaluateResponse | MoveApplied | GameSessionEnded

RESPONSE_OF: Mapping[type[Request], type[Response]] = {
    StartGameSession: GameSessionStarted,
    EvaluatePosition: EvaluateResponse,
    ApplyMove: MoveApplied,
    EndGameSession: GameSessionEnded,
}
"""The type of the response to each type of request."""


# ---- attachment: only between a bot client and the server --------------------------------------


@dataclass(frozen=True, slots=True)
class ClientInfo:
    """Name and version of a program, as it states them."""

    name: str
    version: str


@dataclass(frozen=True, slots=True)
class BotEntry:
    """One bot of a client. If ``username`` is set, the bot is listed for that user only.

    ``is_timed``: it also plays games with a clock. ``ladder``: under which conditions it plays on the ladder; None: it
    does not; ``tournaments``: the same of tournaments. ``version`` is its author's. ``analyses``: anybody may ask it
    about positions that it does not play. ``retries``: how often it is asked again after an illegal move.
    """

    bot_id: str
    name: str
    username: str | None
    variants: Mapping[str, VariantOffer]
    game: str
    official_token: str | None = None
    appearance: Mapping[str, str] | None = None
    is_timed: bool = False
    version: str = ""
    ladder: LadderTerms | None = None
    tournaments: TournamentTerms | None = ANY_TOURNAMENT
    analyses: bool = False
    retries: int = 0


@dataclass(frozen=True, slots=True)
class Attach:
    """The first message of a bot client.

    ``resume_secret`` is from an earlier ``Attached``; ``wants_results`` requests a ``GameResult`` after every game.

    ``is_worker``: the client's bots are not listed and play no games of their own; they evaluate in place of the
    server's built-in engine, in at most ``sessions`` sessions at once (None: as many as the server allows a client).
    """

    client_id: str
    client: ClientInfo
    bots: tuple[BotEntry, ...]
    protocol_version: int = PROTOCOL_VERSION
    resume_secret: str | None = field(default=None, repr=False)
    wants_results: bool = False
    is_worker: bool = False
    sessions: int | None = None


@dataclass(frozen=True, slots=True)
class AttachLimits:
    """The limits that the server announces; the interval is a recommendation and not enforced."""

    max_message_bytes: int = 65_536
    min_client_message_interval_ms: int = 200


@dataclass(frozen=True, slots=True)
class Attached:
    """The server accepted the attachment. ``server_time`` is in milliseconds since the epoch.

    With ``resume_secret`` a later attachment can prove that it comes from the same client.
    """

    server_time: int
    server: ClientInfo
    limits: AttachLimits = AttachLimits()
    protocol_version: int = PROTOCOL_VERSION
    resume_secret: str | None = field(default=None, repr=False)


@dataclass(frozen=True, slots=True)
class AttachRejected:
    """The server rejected an attachment; ``code`` is one of ``attach.RejectionCode``."""

    code: str
    message: str


Attachment = Attach | Attached | AttachRejected


@dataclass(frozen=True, slots=True)
class GameResult:
    """A game of a bot has ended; this message has no response. ``seat`` is the bot's.

    ``result`` has winners, reason and note as in HTTP answers; None if the game was aborted.
    """

    game_id: str
    bot_id: str
    seat: int
    result: JsonObject | None


Message = HostMessage | Response | Attachment | GameResult


def refusal(request: Request, error: str, ply: int = 0) -> Response:
    """The response that refuses ``request``; ``ply`` is the unchanged ply of its session, 0 if it does not exist."""
    return refusal_of(type(request), request.bgs_id, error, ply)


def refusal_of(request_type: type[Request], bgs_id: str, error: str, ply: int = 0) -> Response:
    """The response that refuses a request of which only the type and the session are known."""
    response_type = RESPONSE_OF[request_type]
    if issubclass(response_type, EvaluateResponse | MoveApplied):
        return response_type(bgs_id, ply, success=False, error=error)
    return response_type(bgs_id, success=False, error=error)
