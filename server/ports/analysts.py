"""The interfaces of what evaluates positions: the engine pool, and the clients of attached bots and of workers."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from engines import Evaluation, Position
from protocols.bgs import messages as bgs
from protocols.bgs.config import Setup
from protocols.values import ClockReading
from server.domain.bots import BotProtocol, ListedBot


class BotDirectory(Protocol):
    """The bots that can be played against."""

    def choose(
        self,
        bot_id: str | None,
        position: Position,
        *,
        is_timed: bool,
        with_people: bool = True,
        is_rated: bool = False,
        is_awaited: bool = False,
    ) -> ListedBot:
        """Returns the bot with this id (None: the strongest built-in one) for a game that starts at ``position``.

        ``is_rated``: the game is one of the ladder; ``is_awaited``: room for it may be kept. ApiError if the bot is
        unknown, or does not play such a game.
        """
        ...


class AnalystGoneError(Exception):
    """The analyst has disconnected; its sessions are gone."""


class AnalystSession(Protocol):
    """A game that an analyst follows. One call at a time; cancelling a call discards its answer.

    Calls raise AnalystGoneError, RefusalError if the analyst refuses, and AnswerError if its answer is invalid.
    """

    async def open(self) -> None:
        """Opens the session at the start of the game. It can be opened again after ``close``."""
        ...

    async def advance(self, move: str) -> None:
        """Plays a move, written as in the game's history."""
        ...

    async def evaluate(self, clock: ClockReading | None = None, following: Sequence[str] = ()) -> Evaluation:
        """Evaluates the current position, which must not be final.

        ``clock`` is the clock of the seat that plays the best move; None: it is not running. ``following``: the next
        moves of the game, if they are known. Our engines compare the first of them with the best one
        (``Evaluation.comparisons``), and look ahead at all of them.
        """
        ...

    async def close(self) -> None:
        """Closes the session, if the analyst has it open."""
        ...


class Analyst(Protocol):
    """Evaluates positions of games: the engine pool, or the client of an attached bot."""

    @property
    def id(self) -> str:
        """The analyst's id. Session ids are unique per analyst only."""
        ...

    @property
    def time_limit(self) -> float | None:
        """Seconds for one answer; None for the engine pool, which always answers and can be cancelled."""
        ...

    @property
    def most_sessions(self) -> int | None:
        """How many sessions the analyst can have at once; None: as many as the server allows."""
        ...

    def session(self, session_id: str, bot_id: str, setup: Setup) -> AnalystSession:
        """Returns an unopened session of the bot ``bot_id`` for the game that starts at ``setup``."""
        ...


class ConnectedClient(Analyst, Protocol):
    """The connection of a bot client to this server. It answers for all bots of the client."""

    @property
    def address(self) -> str | None:
        """The address that limits are counted by; None: no limit applies to the client."""
        ...

    @property
    def protocol(self) -> BotProtocol:
        """The protocol of its bots."""
        ...

    def tell_result(self, result: bgs.GameResult) -> None:
        """Sends the client the result of a game of one of its bots, if it subscribed to results."""
        ...

    async def is_alive(self) -> bool:
        """Whether the client answers a ping in time."""
        ...

    def dismiss(self, code: int, reason: str) -> None:
        """Closes the connection; its owner is notified before this returns."""
        ...


class ConnectedWorker(ConnectedClient, Protocol):
    """The connection of a worker, which is sent messages directly."""

    async def request(self, message: bgs.Request) -> bgs.Response:
        """Returns the worker's response. Raises AnalystGoneError. Cancelling this also cancels an evaluation."""
        ...


@dataclass(frozen=True, slots=True)
class WorkerStatistics:
    """The workers attached to a server, their sessions in total and free, and its unfinished evaluations by them.

    The other numbers are counts since the start: evaluations by workers, and those that a worker did not finish.
    """

    workers: int = 0
    sessions: int = 0
    free: int = 0
    jobs: int = 0
    evaluations: int = 0
    failures: int = 0
