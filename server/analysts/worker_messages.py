"""Messages between servers and workers: what they say, how they are written, and which Redis keys carry them.

A server adds jobs, cancellations and closings to a worker's stream, and the worker adds answers to the server's. Each
announces itself under a key that expires unless it is renewed. Every process has a new id for each connection to
Redis, so that nothing of an earlier connection counts. Pure; ``worker_analyst`` and ``worker`` send and read them.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256
from typing import Annotated, Any, Final, Literal

from pydantic import Field, TypeAdapter, ValidationError

from engines import Evaluation
from engines.pool import Limits, Priority

MAX_MESSAGE_BYTES: Final = 1 << 20
"""The largest message. A game of 10,000 moves takes about a tenth of it."""

WORKERS: Final = "plyhouse:workers"
"""The set of the workers' ids."""


def stream_of(process: str) -> str:
    """The stream that a server or worker reads."""
    return f"plyhouse:stream:{process}"


def presence_of(process: str) -> str:
    """The key that exists while a server or worker is alive. A worker's has its ``WorkerState``."""
    return f"plyhouse:alive:{process}"


def search_key(fingerprint: str) -> str:
    """The key with the id of the worker that runs a search."""
    return f"plyhouse:search:{fingerprint}"


@dataclass(frozen=True, slots=True)
class SearchJob:
    """A search that ``server`` asks for: the position after ``moves``, within ``limits``, with ``lines`` candidates.

    ``session`` names the session whose tree the search continues, if the worker has it. The job has everything
    needed to start a new one.
    """

    id: str
    server: str
    session: str
    game: str
    variant: str
    config: Mapping[str, Any]
    moves: tuple[str, ...]
    limits: Limits
    priority: Priority = Priority.BOT_MOVE
    lines: int = 0
    type: Literal["evaluate"] = "evaluate"

    @property
    def fingerprint(self) -> str:
        """A hash of what is searched: equal for equal searches of different servers."""
        limits = self.limits.samples, self.limits.time_ms
        searched = (self.game, self.variant, self.config, self.moves, limits, self.lines)
        return sha256(json.dumps(searched, sort_keys=True, default=dict).encode()).hexdigest()[:32]


@dataclass(frozen=True, slots=True)
class CancelJob:
    """The server no longer needs the job."""

    job: str
    type: Literal["cancel"] = "cancel"


@dataclass(frozen=True, slots=True)
class ReleaseSession:
    """The session of the server is over."""

    server: str
    session: str
    type: Literal["close"] = "close"


@dataclass(frozen=True, slots=True)
class JobDone:
    """The worker has finished the job."""

    job: str
    evaluation: Evaluation
    type: Literal["done"] = "done"


@dataclass(frozen=True, slots=True)
class JobDeclined:
    """The worker cannot run the job; ``reason`` says why."""

    job: str
    reason: str
    type: Literal["declined"] = "declined"


@dataclass(frozen=True, slots=True)
class WorkerState:
    """What a worker announces: its total and its free sessions, its evaluators, and the ids of the jobs it has."""

    sessions: int
    free: int
    evaluators: tuple[str, ...] = ()
    jobs: frozenset[str] = frozenset()
    type: Literal["worker"] = "worker"


Message = SearchJob | CancelJob | ReleaseSession | JobDone | JobDeclined | WorkerState

_CODEC: Final[TypeAdapter[Message]] = TypeAdapter(Annotated[Message, Field(discriminator="type")])


class UnreadableMessageError(Exception):
    """The bytes are not a message, or one of another version of Plyhouse."""


def write_message(message: Message) -> bytes:
    """Writes a message as JSON."""
    return _CODEC.dump_json(message)


def read_message(text: bytes) -> Message:
    """The inverse of ``write_message``. Raises UnreadableMessageError."""
    if len(text) > MAX_MESSAGE_BYTES:
        raise UnreadableMessageError(f"{len(text)} bytes are too many")
    try:
        return _CODEC.validate_json(text)
    except ValidationError as error:
        raise UnreadableMessageError(error.errors()[0]["msg"]) from None
