"""Every error that a client can get: the closed list of codes, and the exception that carries them.

``routes`` turns an ``ApiError`` into a response body or an error frame. No other errors reach clients.
"""

from collections.abc import Iterable
from enum import StrEnum
from http import HTTPStatus

from engines.near_names import known_names
from protocols.values import Table

MOST_LETTERS = 1_000
"""The length from which texts are cut, since they may quote what a client has sent."""


class Code(StrEnum):
    """The kind of an error, for programs. ``docs/api.md`` documents exactly these. ``status``: its HTTP status."""

    _value_: str
    status: HTTPStatus

    def __new__(cls, value: str, status: HTTPStatus) -> "Code":
        """Makes the code with this text and status."""
        code = str.__new__(cls, value)
        code._value_, code.status = value, status
        return code

    MALFORMED = "malformed", HTTPStatus.BAD_REQUEST
    NO_TOKEN = "no-token", HTTPStatus.UNAUTHORIZED
    NOT_YOUR_SEAT = "not-your-seat", HTTPStatus.FORBIDDEN
    FORBIDDEN_ORIGIN = "forbidden-origin", HTTPStatus.FORBIDDEN
    RATED_GAME = "rated-game", HTTPStatus.FORBIDDEN
    NO_ASSISTANCE = "no-assistance", HTTPStatus.FORBIDDEN
    NOT_FOUND = "not-found", HTTPStatus.NOT_FOUND
    UNKNOWN_BOT = "unknown-bot", HTTPStatus.NOT_FOUND
    METHOD_NOT_ALLOWED = "method-not-allowed", HTTPStatus.METHOD_NOT_ALLOWED
    NOT_STARTED = "not-started", HTTPStatus.CONFLICT
    FINISHED = "finished", HTTPStatus.CONFLICT
    STARTED = "started", HTTPStatus.CONFLICT
    STALE_PLY = "stale-ply", HTTPStatus.CONFLICT
    NOT_YOUR_TURN = "not-your-turn", HTTPStatus.CONFLICT
    ALREADY_MOVED = "already-moved", HTTPStatus.CONFLICT
    SEAT_TAKEN = "seat-taken", HTTPStatus.CONFLICT
    NO_OFFER = "no-offer", HTTPStatus.CONFLICT
    NO_CLAIM = "no-claim", HTTPStatus.CONFLICT
    NO_CLOCK = "no-clock", HTTPStatus.CONFLICT
    NOT_ABORTABLE = "not-abortable", HTTPStatus.CONFLICT
    NO_REMATCH = "no-rematch", HTTPStatus.CONFLICT
    REMATCH_DECIDED = "rematch-decided", HTTPStatus.CONFLICT
    TOO_LARGE = "too-large", HTTPStatus(413)
    UNKNOWN_GAME = "unknown-game", HTTPStatus.UNPROCESSABLE_ENTITY
    BAD_CONFIG = "bad-config", HTTPStatus.UNPROCESSABLE_ENTITY
    BAD_SEATS = "bad-seats", HTTPStatus.UNPROCESSABLE_ENTITY
    BAD_TIME_CONTROL = "bad-time-control", HTTPStatus.UNPROCESSABLE_ENTITY
    BAD_TAKEBACK = "bad-takeback", HTTPStatus.UNPROCESSABLE_ENTITY
    BAD_RECORD = "bad-record", HTTPStatus.UNPROCESSABLE_ENTITY
    BAD_SECONDS = "bad-seconds", HTTPStatus.UNPROCESSABLE_ENTITY
    ILLEGAL_MOVE = "illegal-move", HTTPStatus.UNPROCESSABLE_ENTITY
    UNSUPPORTED = "unsupported", HTTPStatus.UNPROCESSABLE_ENTITY
    RATED_UNAVAILABLE = "rated-unavailable", HTTPStatus.UNPROCESSABLE_ENTITY
    OVER_LIMIT = "over-limit", HTTPStatus.UNPROCESSABLE_ENTITY
    TOO_MANY_REQUESTS = "too-many-requests", HTTPStatus.TOO_MANY_REQUESTS
    INTERNAL = "internal", HTTPStatus.INTERNAL_SERVER_ERROR
    NOT_IMPLEMENTED = "not-implemented", HTTPStatus.NOT_IMPLEMENTED
    UNAVAILABLE = "unavailable", HTTPStatus.SERVICE_UNAVAILABLE


class ApiError(Exception):
    """A request was refused, and nothing was changed.

    ``text`` is a sentence for people. ``field`` names the invalid member; both are cut if they are long. ``limit`` is
    the limit that was exceeded, ``retry_after_ms`` how long to wait before trying again; ``ply`` and ``table`` describe
    the current game.
    """

    def __init__(
        self,
        code: Code,
        text: str,
        *,
        field: str | None = None,
        limit: int | None = None,
        retry_after_ms: int | None = None,
        ply: int | None = None,
        table: Table | None = None,
    ) -> None:
        super().__init__(text)
        self.code = code
        self.text = _cut(text)
        self.field = None if field is None else _cut(field)
        self.limit = limit
        self.retry_after_ms = retry_after_ms
        self.ply = ply
        self.table = table

    @property
    def status(self) -> int:
        """The HTTP status."""
        return self.code.status.value


def _cut(text: str) -> str:
    return text if len(text) <= MOST_LETTERS else f"{text[:MOST_LETTERS]}…"


def not_found(game_id: str) -> ApiError:
    """Returns the error for an unknown game id."""
    return ApiError(Code.NOT_FOUND, f"There is no game {game_id!r}.")


def unknown_game(name: str, offered: Iterable[str]) -> ApiError:
    """Returns the error for an unknown name of a game, with the nearest of those ``offered``, or all of them."""
    text = f"There is no game called {name!r}{known_names(name, offered) or '.'}"
    return ApiError(Code.UNKNOWN_GAME, text, field="game")


def store_unavailable(why: str) -> ApiError:
    """Returns the error for a failure of the store; the same request may succeed later."""
    return ApiError(Code.UNAVAILABLE, f"Nothing was stored: {why}.", retry_after_ms=1000)


def out_of_service() -> ApiError:
    """Returns the error of a server whose clients have to go to another one."""
    text = "This server cannot reach its database, but another one can: connect to that one."
    return ApiError(Code.UNAVAILABLE, text, retry_after_ms=1000)


def list_unavailable() -> ApiError:
    """Returns the error for a list that took too long; the same request may succeed later."""
    return ApiError(Code.UNAVAILABLE, "The list took too long. Try again later.", retry_after_ms=1000)


def openings_unavailable() -> ApiError:
    """Returns the error for openings that took too long to read; the same request may succeed later."""
    return ApiError(
        Code.UNAVAILABLE, "Reading the openings took too long. Try again later.", retry_after_ms=1000
    )
