"""Programs behind engine sessions: carries out effects of ``protocols.bgs.engine`` for programs that play one seat.

A request for an evaluation does not name a seat, and its best move is joint if seats act together. So a session runs
one process for each seat, and the best move consists of what each of them plays. All processes think at the same time.

Programs give no values. Those in the answer are of our own search of the position after the move, an independent
opinion about it. The policies are certain of the chosen moves.
"""

import asyncio
from collections.abc import Callable, Coroutine, Iterable, Mapping
from dataclasses import replace
from functools import partial
from typing import Any

from engines import BadConfig, Evaluation, Position
from programs.engine.pool_searches import Finished
from programs.own_values import VALUE_MS, value_after
from programs.seat_programs import ProgramFailed, SeatProgram, SeatProgramSource, TurnTimes
from protocols.bgs import engine
from protocols.session import Effect
from protocols.values import ClockReading

MOST_SESSIONS = 16
"""Sessions at once; each has a process for every seat."""


class ProgramSearches:
    """Evaluations by programs of one kind. ``log`` is called with lines for the operator."""

    def __init__(self, command: SeatProgramSource, times: TurnTimes, log: Callable[[str], None]) -> None:
        """No program is started yet."""
        self._command = command
        self._times = times
        self._log = log
        self._post: Callable[[Finished], None] | None = None
        self._sessions: dict[str, _Session] = {}
        self._evaluations: set[asyncio.Task[None]] = set()
        self._closing: set[asyncio.Task[None]] = set()

    def posting(self, post: Callable[[Finished], None]) -> "ProgramSearches":
        """Sets the function that is called when an evaluation ends."""
        self._post = post
        return self

    def carry_out(self, effect: Effect) -> None:
        """Carries out an effect; evaluations are only started."""
        match effect:
            case engine.SessionOpened(bgs_id=bgs_id, position=position, limits=own):
                times = self._times if own.time_ms is None else replace(self._times, move_ms=own.time_ms)
                self._sessions[bgs_id] = _Session(self._command, times, self._log, position)
            case engine.Advance(bgs_id=bgs_id, move=move):
                self._sessions[bgs_id].position.play(move)
            case engine.Evaluate(bgs_id=bgs_id, clock=clock):
                _start(self._evaluate(bgs_id, self._sessions[bgs_id], clock), self._evaluations)
            case engine.SessionClosed(bgs_id=bgs_id):
                _start(self._sessions.pop(bgs_id).close(), self._closing)

    async def stop(self) -> None:
        """Terminates the programs."""
        for evaluation in self._evaluations:
            evaluation.cancel()
        await asyncio.gather(*self._evaluations, return_exceptions=True)
        while self._sessions:
            _start(self._sessions.popitem()[1].close(), self._closing)
        await asyncio.gather(*self._closing)

    async def _evaluate(self, bgs_id: str, session: "_Session", clock: ClockReading | None) -> None:
        finished: Finished
        try:
            finished = engine.Evaluated(bgs_id, await session.evaluate(clock))
        except (ProgramFailed, OSError) as error:
            await session.close()
            finished = engine.EvaluationFailed(bgs_id, str(error))
        if self._post is not None:
            self._post(finished)


def _start(work: Coroutine[Any, Any, None], tasks: set[asyncio.Task[None]]) -> None:
    """Starts a task, and keeps it in ``tasks`` while it runs."""
    task = asyncio.ensure_future(work)
    tasks.add(task)
    task.add_done_callback(tasks.discard)


class _Session:
    """One session and the programs of its seats, which start and prepare at once."""

    def __init__(
        self,
        command: SeatProgramSource,
        times: TurnTimes,
        log: Callable[[str], None],
        position: Position,
    ) -> None:
        self.position = position
        self._name = command.text
        self._start = partial(command.start, times=times, log=log)
        self._programs = self._start_all()

    async def evaluate(self, clock: ClockReading | None) -> Evaluation:
        """Returns the moves of all seats that are to act, with their value. Raises ProgramFailed or OSError."""
        position = self.position.copy()
        self._programs = self._programs or self._start_all()  # They were closed after a failure.
        acting = position.to_act
        value_ms = VALUE_MS if clock is None else clock.share_ms
        choosing = (self._choose(position, seat, clock) for seat in acting)
        moves = _all_or_raise(await asyncio.gather(*choosing, return_exceptions=True))
        best_move = "/".join(moves)
        values = await asyncio.to_thread(value_after, position, best_move, value_ms)
        policies = tuple({move: 1.0} for move in moves) if len(moves) > 1 else None
        return Evaluation(values, best_move, policies=policies, source=self._name)

    async def close(self) -> None:
        """Terminates the programs."""
        programs, self._programs = self._programs, []
        await asyncio.gather(*map(self._end, programs))

    def _start_all(self) -> "list[asyncio.Future[SeatProgram]]":
        seats = range(self.position.seats)
        return [asyncio.ensure_future(self._start(self.position.copy(), seat)) for seat in seats]

    async def _choose(self, position: Position, seat: int, clock: ClockReading | None) -> str:
        return await (await self._programs[seat]).choose(position, clock)

    async def _end(self, starting: "asyncio.Future[SeatProgram]") -> None:
        """Terminates a program that may not have started yet, or could not be started."""
        starting.cancel()
        try:
            program = await starting
        except (asyncio.CancelledError, ProgramFailed, OSError):
            return
        await program.close(self.position)


def _all_or_raise(results: Iterable[str | BaseException]) -> list[str]:
    """The results, once all are known. Raises the first exception among them."""
    moves = []
    for result in results:
        if isinstance(result, BaseException):
            raise result
        moves.append(result)
    return moves


def program_sessions(game: str, lacks: Mapping[str, str], most: int) -> engine.EngineSessions:
    """Engine sessions for the game of a program, without the variants that it ``lacks``."""

    def open_position(wanted: str, variant: str, config: Mapping[str, Any], /) -> Position:
        if wanted != game:
            raise BadConfig(f"this program plays {game}, not {wanted}")
        if variant in lacks:
            raise BadConfig(f"this program does not play {variant}: {lacks[variant]}")
        return Position(wanted, variant, config)

    return engine.EngineSessions(open_position, most)
