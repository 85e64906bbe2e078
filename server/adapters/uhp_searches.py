"""UHP engines behind engine sessions: does with them what ``protocols.bgs.engine`` asks for. ``plyhouse engine --uhp``.

A UHP engine knows one game at a time, so any of a few processes takes whatever evaluation comes next, and goes to its
position first. An engine that fails is ended, and the evaluation is tried once more with a new one.

UHP has no evaluations. The value that is answered is that of our own search for the position after the engine's move:
what the move is worth to somebody else. The best move is the engine's.
"""

import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from queue import SimpleQueue
from typing import Any

from engines import BadConfig, BadNotation, Position, RuleError, Search
from protocols.bgs import config as wire
from protocols.bgs.engine import (
    MAX_SESSIONS,
    Advance,
    EngineSessions,
    Evaluate,
    Evaluated,
    EvaluationFailed,
    SessionClosed,
    SessionOpened,
)
from protocols.uhp.answers import Identity
from protocols.uhp.game_string import GAME, BadGameString
from protocols.uhp.requests import Depth, MoveTime
from server.adapters.pool_searches import Finished, SearchEffect
from server.adapters.uhp_command import UhpCommand
from server.adapters.uhp_engine import EngineFailed, UhpEngine

VALUE_MS = 200
"""How long our own search looks at the position after a move, for its value."""

ALL = 1 << 30
"""Simulations, where time alone is limited."""

GRACE_SECONDS = 1.0
"""Seconds after its time limit before an engine is interrupted, and after that before it is killed."""

DEPTH_SECONDS = 7.0
"""Seconds before a search to a depth is interrupted: a bot has to answer within ten seconds."""


@dataclass(frozen=True, slots=True)
class Task:
    """One evaluation."""

    bgs_id: str
    position: Position
    limit: MoveTime | Depth


class UhpSearches:
    """Evaluations by a few engines of one kind. ``log`` gets lines for the operator."""

    def __init__(
        self,
        command: UhpCommand,
        limit: MoveTime | Depth,
        processes: int,
        log: Callable[[str], None],
    ) -> None:
        """``limit`` is for sessions that bring none of their own. Starts nothing yet."""
        self._limit = limit
        self._positions: dict[str, Position] = {}
        self._tasks: SimpleQueue[Task | None] = SimpleQueue()
        self._desks = [Desk(command, log) for _ in range(processes)]
        self._threads: list[threading.Thread] = []

    def posting(self, post: Callable[[Finished], None]) -> "UhpSearches":
        """Starts the workers; each calls ``post`` from its thread when an evaluation ends."""
        self._threads = [
            threading.Thread(target=self._work, args=(desk, post), name="uhp-worker", daemon=True)
            for desk in self._desks
        ]
        for thread in self._threads:
            thread.start()
        return self

    def carry_out(self, effect: SearchEffect) -> None:
        """Does it at once; an evaluation is only begun."""
        match effect:
            case SessionOpened(position=position):
                if not isinstance(position, Position):
                    raise TypeError("sessions must be made by uhp_sessions")
                self._positions[effect.bgs_id] = position
            case Advance(move=move):
                self._positions[effect.bgs_id].play(move)
            case Evaluate(limits=limits):
                position = self._positions[effect.bgs_id].copy()
                self._tasks.put(Task(effect.bgs_id, position, self._limit_of(limits)))
            case SessionClosed():
                self._positions.pop(effect.bgs_id, None)

    def stop(self) -> None:
        """Stops the engines and interrupts running searches."""
        for _ in self._threads:
            self._tasks.put(None)
        for desk in self._desks:
            desk.interrupt()
        for thread in self._threads:
            thread.join()

    def _limit_of(self, own: wire.Limits) -> MoveTime | Depth:
        return self._limit if own.time_ms is None else MoveTime(max(1, own.time_ms // 1000))

    def _work(self, desk: "Desk", post: Callable[[Finished], None]) -> None:
        while (task := self._tasks.get()) is not None:
            post(Finished(task.bgs_id, desk.evaluate(task), None))
        desk.close()


class Desk:
    """One engine, started when it is needed and again after it failed. Used by one thread."""

    def __init__(self, command: UhpCommand, log: Callable[[str], None]) -> None:
        self._command = command
        self._log = log
        self._engine: UhpEngine | None = None
        self._name = command.text

    def evaluate(self, task: Task) -> Evaluated | EvaluationFailed:
        """The engine's best move, and what it is worth."""
        try:
            move = self._choose_or_retry(task)
            values = value_after(task.position, move)
        except (EngineFailed, BadGameString, RuleError, OSError) as error:
            return EvaluationFailed(task.bgs_id, str(error))
        self._log(f"{task.bgs_id}: {move} {values[0]:+.3f}")
        return Evaluated(task.bgs_id, values[0], move, values=values, source=self._name)

    def interrupt(self) -> None:
        """Ends a search under way. From any thread."""
        engine = self._engine
        if engine is not None:
            engine.interrupt()

    def close(self) -> None:
        """Ends the engine."""
        engine, self._engine = self._engine, None
        if engine is not None:
            engine.close()

    def _choose_or_retry(self, task: Task) -> str:
        try:
            return self._choose(task)
        except EngineFailed as why:
            self._log(f"{task.bgs_id}: {why} Starting the engine again.")
            self.close()
        try:
            return self._choose(task)
        except EngineFailed:
            self.close()
            raise

    def _choose(self, task: Task) -> str:
        engine = self._running()
        engine.go_to(task.position)
        limit = task.limit
        seconds = GRACE_SECONDS + limit.seconds if isinstance(limit, MoveTime) else DEPTH_SECONDS
        overdue = threading.Timer(seconds, engine.interrupt)
        overdue.start()
        try:
            return engine.best_move(limit, seconds + GRACE_SECONDS).move
        finally:
            overdue.cancel()

    def _running(self) -> UhpEngine:
        if self._engine is None:
            self._engine = UhpEngine(self._command, self._log)
            self._name = self._engine.begin().name
        return self._engine


def uhp_sessions(identity: Identity) -> EngineSessions:
    """Engine sessions of what an engine plays."""

    def open_position(game: str, variant: str, config: Mapping[str, Any], /) -> Position:
        if game != GAME:
            raise BadConfig(f"this engine plays {GAME}, not {game}")
        if lacking := identity.lacks(variant):
            raise BadConfig(f"this engine does not play {variant}: it lacks {', '.join(lacking)}")
        return Position(game, variant, config)

    return EngineSessions(open_position, BadNotation, MAX_SESSIONS)


def value_after(position: Position, move: str) -> tuple[float, ...]:
    """The value per seat of the position after ``move``, by our own search, or exactly where the game is over."""
    after = position.copy()
    after.play(move)
    if after.outcome is not None:
        return tuple(after.outcome.values)
    search = Search(after)
    search.run(ALL, VALUE_MS)
    return tuple(search.report().values)
