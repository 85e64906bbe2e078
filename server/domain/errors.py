"""Every refusal that a client can get: the closed list of codes, and the one exception that carries them.

``routes`` turns an ``ApiError`` into a body or an error frame. Nothing else reaches a client.
"""

from collections.abc import Mapping
from enum import StrEnum
from http import HTTPStatus
from typing import Any, Final


class Code(StrEnum):
    """What went wrong, for programs. The documented list is this one."""

    MALFORMED = "malformed"
    NO_TOKEN = "no-token"  # noqa: S105 - a code, not a secret
    NOT_YOUR_SEAT = "not-your-seat"
    FORBIDDEN_ORIGIN = "forbidden-origin"
    RATED_GAME = "rated-game"
    NO_ASSISTANCE = "no-assistance"
    NOT_FOUND = "not-found"
    UNKNOWN_BOT = "unknown-bot"
    METHOD_NOT_ALLOWED = "method-not-allowed"
    NOT_STARTED = "not-started"
    FINISHED = "finished"
    STALE_PLY = "stale-ply"
    NOT_YOUR_TURN = "not-your-turn"
    ALREADY_MOVED = "already-moved"
    SEAT_TAKEN = "seat-taken"
    NO_OFFER = "no-offer"
    NO_CLOCK = "no-clock"
    NOT_ABORTABLE = "not-abortable"
    NO_REMATCH = "no-rematch"
    REMATCH_DECIDED = "rematch-decided"
    TOO_LARGE = "too-large"
    UNKNOWN_GAME = "unknown-game"
    BAD_CONFIG = "bad-config"
    BAD_SEATS = "bad-seats"
    BAD_TIME_CONTROL = "bad-time-control"
    BAD_TAKEBACK = "bad-takeback"
    BAD_RECORD = "bad-record"
    BAD_SECONDS = "bad-seconds"
    ILLEGAL_MOVE = "illegal-move"
    UNSUPPORTED = "unsupported"
    RATED_UNAVAILABLE = "rated-unavailable"
    OVER_LIMIT = "over-limit"
    TOO_MANY_REQUESTS = "too-many-requests"
    INTERNAL = "internal"
    UNAVAILABLE = "unavailable"


STATUS: Final[Mapping[Code, HTTPStatus]] = {
    Code.MALFORMED: HTTPStatus.BAD_REQUEST,
    Code.NO_TOKEN: HTTPStatus.UNAUTHORIZED,
    Code.NOT_YOUR_SEAT: HTTPStatus.FORBIDDEN,
    Code.FORBIDDEN_ORIGIN: HTTPStatus.FORBIDDEN,
    Code.RATED_GAME: HTTPStatus.FORBIDDEN,
    Code.NO_ASSISTANCE: HTTPStatus.FORBIDDEN,
    Code.NOT_FOUND: HTTPStatus.NOT_FOUND,
    Code.UNKNOWN_BOT: HTTPStatus.NOT_FOUND,
    Code.METHOD_NOT_ALLOWED: HTTPStatus.METHOD_NOT_ALLOWED,
    Code.NOT_STARTED: HTTPStatus.CONFLICT,
    Code.FINISHED: HTTPStatus.CONFLICT,
    Code.STALE_PLY: HTTPStatus.CONFLICT,
    Code.NOT_YOUR_TURN: HTTPStatus.CONFLICT,
    Code.ALREADY_MOVED: HTTPStatus.CONFLICT,
    Code.SEAT_TAKEN: HTTPStatus.CONFLICT,
    Code.NO_OFFER: HTTPStatus.CONFLICT,
    Code.NO_CLOCK: HTTPStatus.CONFLICT,
    Code.NOT_ABORTABLE: HTTPStatus.CONFLICT,
    Code.NO_REMATCH: HTTPStatus.CONFLICT,
    Code.REMATCH_DECIDED: HTTPStatus.CONFLICT,
    Code.TOO_LARGE: HTTPStatus(413),
    Code.UNKNOWN_GAME: HTTPStatus.UNPROCESSABLE_ENTITY,
    Code.BAD_CONFIG: HTTPStatus.UNPROCESSABLE_ENTITY,
    Code.BAD_SEATS: HTTPStatus.UNPROCESSABLE_ENTITY,
    Code.BAD_TIME_CONTROL: HTTPStatus.UNPROCESSABLE_ENTITY,
    Code.BAD_TAKEBACK: HTTPStatus.UNPROCESSABLE_ENTITY,
    Code.BAD_RECORD: HTTPStatus.UNPROCESSABLE_ENTITY,
    Code.BAD_SECONDS: HTTPStatus.UNPROCESSABLE_ENTITY,
    Code.ILLEGAL_MOVE: HTTPStatus.UNPROCESSABLE_ENTITY,
    Code.UNSUPPORTED: HTTPStatus.UNPROCESSABLE_ENTITY,
    Code.RATED_UNAVAILABLE: HTTPStatus.UNPROCESSABLE_ENTITY,
    Code.OVER_LIMIT: HTTPStatus.UNPROCESSABLE_ENTITY,
    Code.TOO_MANY_REQUESTS: HTTPStatus.TOO_MANY_REQUESTS,
    Code.INTERNAL: HTTPStatus.INTERNAL_SERVER_ERROR,
    Code.UNAVAILABLE: HTTPStatus.SERVICE_UNAVAILABLE,
}
"""The HTTP status of each code."""


class ApiError(Exception):
    """A refusal. Whoever raises it has changed nothing.

    ``text`` is a sentence for people. ``field`` names the member at fault, ``limit`` the limit that was
    passed, ``retry_after_ms`` when it is worth trying again; ``ply`` and ``position`` are the game's present
    ones.
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
        position: Mapping[str, Any] | None = None,
    ) -> None:
        super().__init__(text)
        self.code = code
        self.text = text
        self.field = field
        self.limit = limit
        self.retry_after_ms = retry_after_ms
        self.ply = ply
        self.position = position

    @property
    def status(self) -> int:
        """The HTTP status."""
        return STATUS[self.code].value

    def body(self) -> dict[str, Any]:
        """The members of an error body: absent ones are left out."""
        optional = {
            "field": self.field,
            "limit": self.limit,
            "retryAfterMs": self.retry_after_ms,
            "ply": self.ply,
            "position": self.position,
        }
        present = {name: value for name, value in optional.items() if value is not None}
        return {"error": self.text, "code": self.code.value, **present}


def not_found(game_id: str) -> ApiError:
    """There is no game with this id."""
    return ApiError(Code.NOT_FOUND, f"There is no game {game_id!r}.")


def store_unavailable(why: str) -> ApiError:
    """The store took nothing; the same request may succeed later."""
    return ApiError(Code.UNAVAILABLE, f"Nothing was stored: {why}.", retry_after_ms=1000)
