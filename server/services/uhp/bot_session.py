"""A game of a UHP engine on the ladder, as an ``AnalystSession`` that only chooses moves.

UHP has no evaluations. The engine is asked about the positions in which its clock runs, which it does whenever it is
to move, since all games of the ladder have clocks. It gets the whole game when it is first asked, and from then on each
move, and confirms every position.
"""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from typing import Final, Protocol, TypeVar

from drivers.asked_engine import AskedEngine
from engines import Evaluation, Position
from protocols.bgs.config import Setup
from protocols.uhp.remote.think_time import think_time
from protocols.values import ClockReading

T = TypeVar("T")

VALUES: Final = (0.0, 0.0)
"""Stand for the missing values. Nobody is shown evaluations of a running game of the ladder."""


class EngineAccess(Protocol):
    """The engine behind a connection, which its sessions share."""

    @property
    def time_limit(self) -> float:
        """Seconds for one answer, in addition to the time on the clock."""
        ...

    def lag_ms(self) -> int:
        """The latency to the engine, in milliseconds."""
        ...

    async def ask(self, work: Callable[[AskedEngine], Awaitable[T]]) -> T:
        """Asks the engine what ``work`` asks, after everything before. Raises AnalystGoneError or AnswerError.

        Cancelling this discards the answer.
        """
        ...


class UhpBotSession:
    """One game."""

    def __init__(self, access: EngineAccess, setup: Setup) -> None:
        self._access = access
        self._setup = setup
        self._position = Position(setup.game, setup.variant, setup.config)
        self._is_shown = False
        """Whether the engine has been given the game."""

    async def open(self) -> None:
        """Starts the game, once the engine has answered all that it was asked before."""
        setup = self._setup
        self._position, self._is_shown = Position(setup.game, setup.variant, setup.config), False
        await self._access.ask(_nothing)

    async def advance(self, move: str) -> None:
        """Plays a move."""
        self._position.play(move)
        if self._is_shown:
            position, seconds = self._position.copy(), self._access.time_limit
            await self._access.ask(lambda engine: engine.go_to(position, seconds))

    async def evaluate(self, clock: ClockReading | None = None, following: Sequence[str] = ()) -> Evaluation:
        """Returns the engine's move in the current position, without values; no move if its clock does not run."""
        if clock is None:
            return Evaluation(VALUES)
        self._is_shown = True
        position, reply_seconds = self._position.copy(), self._access.time_limit
        limit = think_time(replace(clock, lag_ms=self._access.lag_ms()))
        seconds = clock.remaining_ms / 1000 + reply_seconds

        async def choose(engine: AskedEngine) -> str:
            await engine.go_to(position, reply_seconds)
            return await engine.best_move(limit, seconds)

        return Evaluation(VALUES, await self._access.ask(choose))

    async def close(self) -> None:
        """Returns once the engine has answered all that it was asked: it can play another game then."""
        await self._access.ask(_nothing)


async def _nothing(engine: AskedEngine) -> None:
    """Asks nothing."""
