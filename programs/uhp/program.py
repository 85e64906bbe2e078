"""A UHP engine in one seat of one game (``seat_programs``): with an engine of its own, or one that it shares.

In the arena each game has its own engine, so that games do not affect each other. Behind engine sessions a few engines
serve all of them (``SharedUhpCommand``): each goes to the position of the next request first. One that fails is
terminated, and the request is repeated once with a new one.
"""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

from engines import Position, RuleError
from programs.seat_programs import ProgramFailed, ProgramIdentity, TurnTimes, UnsuitableProgram, ignore_line
from programs.uhp.command import UhpCommand, move_time
from programs.uhp.driven_engine import DrivenUhpEngine
from protocols.uhp.answers import EngineFailed, Identity
from protocols.uhp.game_string import GAME, TYPES, BadGameString
from protocols.uhp.remote.think_time import think_time
from protocols.uhp.requests import Depth, MoveTime
from protocols.values import ClockReading

GRACE_SECONDS = 2.0
"""Tolerance for late moves, due to pipes and to other games that share the cores."""

DEPTH_SECONDS = 600.0
"""Time limit for a search to a fixed depth."""

OVERDUE_SECONDS = 1.0
"""How long after its time limit a shared engine is interrupted, and how long after that it is killed."""

OVERDUE_DEPTH_SECONDS = 7.0
"""When its search to a fixed depth is interrupted: bots have to answer within ten seconds."""


@dataclass(frozen=True, slots=True)
class UhpProgramCommand(UhpCommand):
    """How to start an engine."""

    game: str = GAME

    @property
    def has_own_limit(self) -> bool:
        """Whether the command sets a time or a depth."""
        return self.limit is not None

    def limit_within(self, times: TurnTimes) -> MoveTime | Depth:
        """The limit per move in terms of UHP. Raises UnsuitableProgram if UHP cannot express it."""
        limit = self.limit or move_time(times.move_ms)
        if limit is None:
            raise UnsuitableProgram("give the time of a move in whole seconds")
        if times.most_ms is not None and isinstance(limit, MoveTime) and limit.seconds * 1000 > times.most_ms:
            raise UnsuitableProgram(f"a bot has at most {times.most_ms // 1000} seconds")
        return limit

    async def identify(self, times: TurnTimes) -> ProgramIdentity:
        """Starts the engine once and returns what it reports. Raises as ``SeatProgramCommand.identify``."""
        self.limit_within(times)
        engine, known = await self._start_engine()
        await engine.aclose()
        return ProgramIdentity(known.name, _lacks(known))

    async def start(
        self, position: Position, seat: int, times: TurnTimes, log: Callable[[str], None]
    ) -> "UhpProgram":
        """Starts an engine for a game. Raises OSError or ProgramFailed."""
        engine, _ = await self._start_engine()
        return UhpProgram(engine, self.limit_within(times))

    async def _start_engine(self) -> tuple[DrivenUhpEngine, Identity]:
        try:
            return await DrivenUhpEngine.start(self, ignore_line)
        except EngineFailed as why:
            raise ProgramFailed(why.reason, str(why)) from None

    def shared(self, processes: int) -> "SharedUhpCommand":
        """The same for many games, which share this many engines."""
        return SharedUhpCommand(self, processes)


def _lacks(known: Identity) -> dict[str, str]:
    return {kind: f"it lacks {', '.join(lacking)}" for kind in TYPES if (lacking := known.lacks(kind))}


class UhpProgram:
    """One engine in one seat."""

    def __init__(self, engine: DrivenUhpEngine, limit: MoveTime | Depth) -> None:
        self._engine = engine
        self._limit = limit

    async def choose(self, position: Position, clock: ClockReading | None = None) -> str:
        """Returns the engine's best move, after which it must show the same position as ours. Raises ProgramFailed."""
        limit = self._limit if clock is None else think_time(clock, self._limit)
        seconds = limit.seconds + GRACE_SECONDS if isinstance(limit, MoveTime) else DEPTH_SECONDS
        try:
            await self._engine.go_to(position)
            move = await self._engine.best_move(limit, seconds)
            after = position.copy()
            after.play(move)
            await self._engine.go_to(after)
        except EngineFailed as why:
            raise ProgramFailed(why.reason, str(why)) from None
        return move

    async def close(self, position: Position) -> None:
        """Terminates the engine."""
        await self._engine.aclose()


# ---- shared engines ------------------------------------------------------------------------------


@dataclass(eq=False)
class SharedUhpCommand:
    """At most ``most`` engines, each started on demand; an idle one takes the next request of any game."""

    own: UhpProgramCommand
    most: int
    _idle: list[DrivenUhpEngine] = field(default_factory=list)
    _busy: set[DrivenUhpEngine] = field(default_factory=set)

    def __post_init__(self) -> None:
        self._free = asyncio.Semaphore(self.most)

    @property
    def text(self) -> str:
        """The command as the user wrote it."""
        return self.own.text

    async def start(
        self, position: Position, seat: int, times: TurnTimes, log: Callable[[str], None]
    ) -> "SharedUhpProgram":
        """Starts nothing: engines are started on demand."""
        return SharedUhpProgram(self, self.own.limit_within(times), log)

    @asynccontextmanager
    async def engine(self, log: Callable[[str], None]) -> AsyncIterator[DrivenUhpEngine]:
        """Waits for an engine and lends it. It is terminated if the context ends with an exception."""
        async with self._free:
            engine = self._idle.pop() if self._idle else (await DrivenUhpEngine.start(self.own, log))[0]
            self._busy.add(engine)
            try:
                yield engine
            except BaseException:
                engine.interrupt()
                await engine.aclose()
                raise
            else:
                self._idle.append(engine)
            finally:
                self._busy.discard(engine)

    async def stop(self) -> None:
        """Terminates the engines, whatever they are doing."""
        engines, self._idle = [*self._idle, *self._busy], []
        for engine in engines:
            engine.interrupt()
        await asyncio.gather(*(engine.aclose() for engine in engines))


class SharedUhpProgram:
    """A seat that shared engines play."""

    def __init__(
        self, engines: SharedUhpCommand, limit: MoveTime | Depth, log: Callable[[str], None]
    ) -> None:
        self._engines = engines
        self._limit = limit
        self._log = log

    async def choose(self, position: Position, clock: ClockReading | None = None) -> str:
        """Returns an engine's best move. Raises ProgramFailed if two engines have failed, or OSError."""
        limit = think_time(clock, self._limit)
        try:
            return await self._ask(position, limit)
        except EngineFailed as why:
            self._log(f"{why} Restarting the engine.")
        try:
            return await self._ask(position, limit)
        except EngineFailed as why:
            raise ProgramFailed(why.reason, str(why)) from None

    async def close(self, position: Position) -> None:
        """Does nothing: the engines are not its own."""

    async def _ask(self, position: Position, limit: MoveTime | Depth) -> str:
        seconds = limit.seconds + OVERDUE_SECONDS if isinstance(limit, MoveTime) else OVERDUE_DEPTH_SECONDS
        try:
            async with self._engines.engine(self._log) as engine:
                await engine.go_to(position)
                overdue = asyncio.get_running_loop().call_later(seconds, engine.interrupt)
                try:
                    return await engine.best_move(limit, seconds + OVERDUE_SECONDS)
                finally:
                    overdue.cancel()
        except (BadGameString, RuleError) as error:
            raise ProgramFailed("protocol", str(error)) from None
