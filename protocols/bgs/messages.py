"""The messages of the V3 bot protocol as immutable values, and the answer that refuses each request.

Values only: JSON is read and written in ``codec``. Names are Python's; inside these values the
evaluation is seat 0's value in [-1, 1] and ``values``/``policies`` have one member per seat. ``None``
means that an optional member is absent.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

PROTOCOL_VERSION = 3

DEFAULT_GAME: Final = "wallwars"
"""The game of whoever names none: the protocol was made for it, and its site's clients know no other."""

JsonObject = Mapping[str, Any]
"""A JSON object as Python's json module reads it; treated as immutable."""

Values = tuple[float, ...]
"""One value in [-1, 1] per seat."""

Policies = tuple[Mapping[str, float], ...]
"""One distribution over move texts per seat, for games with simultaneous moves."""


# ---- requests: host -> bot client -> engine ----------------------------------------------------


@dataclass(frozen=True, slots=True)
class StartGameSession:
    """Start a session at the position that ``config`` describes completely, at ply 0."""

    bgs_id: str
    bot_id: str
    config: JsonObject


@dataclass(frozen=True, slots=True)
class EvaluatePosition:
    """Evaluate the session's position, which must have ``expected_ply`` moves behind it; changes nothing."""

    bgs_id: str
    expected_ply: int


@dataclass(frozen=True, slots=True)
class ApplyMove:
    """Play ``move`` (the game's own notation) in the position after ``expected_ply`` moves."""

    bgs_id: str
    expected_ply: int
    move: str


@dataclass(frozen=True, slots=True)
class EndGameSession:
    """End the session and free what it holds."""

    bgs_id: str


Request = StartGameSession | EvaluatePosition | ApplyMove | EndGameSession


# ---- responses: engine -> bot client -> host ---------------------------------------------------


@dataclass(frozen=True, slots=True)
class GameSessionStarted:
    """The answer to ``StartGameSession``; ``error`` is empty on success and never otherwise."""

    bgs_id: str
    success: bool = True
    error: str = ""


@dataclass(frozen=True, slots=True)
class EvaluateResponse:
    """The answer to ``EvaluatePosition``; on failure ``best_move`` is empty and the evaluation 0.

    ``source`` and ``samples`` are known for our own pool only and never go over a bot's wire.
    """

    bgs_id: str
    ply: int
    best_move: str = ""
    evaluation: float = 0.0
    success: bool = True
    error: str = ""
    values: Values | None = None
    policies: Policies | None = None
    source: str | None = None
    samples: int | None = None


@dataclass(frozen=True, slots=True)
class MoveApplied:
    """The answer to ``ApplyMove``; ``ply`` counts the moves now behind the position."""

    bgs_id: str
    ply: int
    success: bool = True
    error: str = ""


@dataclass(frozen=True, slots=True)
class GameSessionEnded:
    """The answer to ``EndGameSession``."""

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
"""Which response answers which request."""


# ---- attachment: only between a bot client and the server --------------------------------------


@dataclass(frozen=True, slots=True)
class ClientInfo:
    """Name and version of a program, as it gives them."""

    name: str
    version: str


@dataclass(frozen=True, slots=True)
class Range:
    """An inclusive range of board sizes."""

    min: int
    max: int

    def __contains__(self, size: int) -> bool:
        return self.min <= size <= self.max


@dataclass(frozen=True, slots=True)
class BoardSize:
    """A board size that a bot recommends."""

    board_width: int
    board_height: int


@dataclass(frozen=True, slots=True)
class VariantOffer:
    """What a bot plays of one variant. Board ranges exist for games with a choice of board size only."""

    board_width: Range | None = None
    board_height: Range | None = None
    recommended: tuple[BoardSize, ...] = ()


@dataclass(frozen=True, slots=True)
class BotEntry:
    """One bot of a client. ``username`` None: listed for everybody, else for that user only."""

    bot_id: str
    name: str
    username: str | None
    variants: Mapping[str, VariantOffer]
    game: str = DEFAULT_GAME
    official_token: str | None = None
    appearance: Mapping[str, str] | None = None


@dataclass(frozen=True, slots=True)
class Attach:
    """The first message of a bot client.

    ``resume_secret`` is that of an earlier ``Attached``; ``wants_results`` asks for a ``GameResult`` at every end.
    """

    client_id: str
    client: ClientInfo
    bots: tuple[BotEntry, ...]
    protocol_version: int = PROTOCOL_VERSION
    resume_secret: str | None = field(default=None, repr=False)
    wants_results: bool = False


@dataclass(frozen=True, slots=True)
class AttachLimits:
    """What the server announces; the interval is advice and never enforced."""

    max_message_bytes: int = 65_536
    min_client_message_interval_ms: int = 200


@dataclass(frozen=True, slots=True)
class Attached:
    """The server took the attachment. ``server_time`` is in milliseconds since the epoch.

    ``resume_secret`` proves in a later attachment that it comes from the same client.
    """

    server_time: int
    server: ClientInfo
    limits: AttachLimits = AttachLimits()
    protocol_version: int = PROTOCOL_VERSION
    resume_secret: str | None = field(default=None, repr=False)


@dataclass(frozen=True, slots=True)
class AttachRejected:
    """The server refused an attachment; ``code`` is one of ``attach.RejectionCode``."""

    code: str
    message: str


Attachment = Attach | Attached | AttachRejected


@dataclass(frozen=True, slots=True)
class GameResult:
    """A game of a bot is over; nothing is answered. ``seat`` is the bot's.

    ``result`` has winners, reason and note as in HTTP answers; None: the game was aborted.
    """

    game_id: str
    bot_id: str
    seat: int
    result: JsonObject | None


Message = Request | Response | Attachment | GameResult


def refusal(request: Request, error: str, ply: int = 0) -> Response:
    """The answer that refuses ``request``; ``ply`` is its session's unchanged ply, 0 without a session."""
    return refusal_of(type(request), request.bgs_id, error, ply)


def refusal_of(request_type: type[Request], bgs_id: str, error: str, ply: int = 0) -> Response:
    """The answer that refuses a request of which no more is known than its type and session."""
    response_type = RESPONSE_OF[request_type]
    if issubclass(response_type, EvaluateResponse | MoveApplied):
        return response_type(bgs_id, ply, success=False, error=error)
    return response_type(bgs_id, success=False, error=error)
