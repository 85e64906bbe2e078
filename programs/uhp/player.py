"""UHP engines as arena players: ``uhp:CMD`` in place of a named strategy.

Each game has its own engine, so that games do not affect each other. An engine that dies, is late or sends an illegal
move loses the game: ``engines.arena.Forfeit`` with the reason.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from engines import Position
from engines.arena import Forfeit
from engines.inference import Model
from engines.pool import Limits
from programs.background_loop import wait_for
from programs.seat_programs import UnsuitableProgram
from programs.uhp.command import UhpCommand, move_time
from programs.uhp.driven_engine import DrivenUhpEngine, identify, ignore_line
from protocols.uhp.answers import EngineFailed, Identity
from protocols.uhp.game_string import GAME
from protocols.uhp.requests import Depth, MoveTime

PREFIX = "uhp:"

GRACE_SECONDS = 2.0
"""Tolerance for late moves, due to pipes and to other games that share the cores."""

DEPTH_SECONDS = 600.0
"""Time limit for a search to a fixed depth."""


@dataclass(frozen=True)
class UhpBot:
    """A contender of the arena. ``text`` is the notation as the user wrote it."""

    text: str
    command: UhpCommand

    @classmethod
    def parse(cls, text: str) -> "UhpBot":
        """Parses ``uhp:CMD``. Raises UnsuitableProgram."""
        return cls(text, UhpCommand.parse(text.removeprefix(PREFIX)))

    def limit(self, limits: Limits) -> MoveTime | Depth:
        """The limit per move in terms of UHP. Raises UnsuitableProgram if UHP cannot express it."""
        limit = self.command.limit or move_time(limits.time_ms or 0)
        if limit is None:
            raise UnsuitableProgram(f"{self.text}: give the time of a move in whole seconds")
        return limit

    def introduce(self, game: str, variant: str, limits: Limits) -> Identity:
        """Starts the engine once to read its name, so that problems show before the match.

        Raises UnsuitableProgram if the engine does not play the game, OSError or EngineFailed if it does not work.
        """
        self.limit(limits)
        if game != GAME:
            raise UnsuitableProgram(f"{self.text} plays {GAME}, not {game}")
        identity = identify(self.command)
        if lacking := identity.lacks(variant):
            raise UnsuitableProgram(f"{self.text} does not play {variant}: it lacks {', '.join(lacking)}")
        return identity

    def player(self, position: Position, limits: Limits, seed: int, models: Sequence[Model]) -> "UhpPlayer":
        """Starts a new engine. Raises OSError."""
        del seed, models  # UHP has no command for a seed
        return UhpPlayer(
            wait_for(DrivenUhpEngine.start(self.command, ignore_line)), position, self.limit(limits)
        )


class UhpPlayer:
    """One engine in one seat of one game."""

    def __init__(self, engine: DrivenUhpEngine, start: Position, limit: MoveTime | Depth) -> None:
        self._engine = engine
        self._position = start.copy()
        self._limit = limit
        self._move_seconds = limit.seconds + GRACE_SECONDS if isinstance(limit, MoveTime) else DEPTH_SECONDS
        self._has_begun = False

    def choose(self, position: Position, seat: int) -> str:
        """Returns the engine's best move. Raises Forfeit."""
        del seat
        try:
            self._go_to(position)
            return wait_for(self._engine.best_move(self._limit, self._move_seconds))
        except EngineFailed as why:
            raise Forfeit(self, why.reason, str(why)) from None

    def played(self, move: str) -> None:
        """Sends the engine the move and compares its position with ours. Raises Forfeit."""
        self._position.play(move)
        try:
            self._go_to(self._position)
        except EngineFailed as why:
            raise Forfeit(self, why.reason, str(why)) from None

    def close(self) -> None:
        """Terminates the engine."""
        wait_for(self._engine.aclose())

    def _go_to(self, position: Position) -> None:
        if not self._has_begun:
            self._has_begun = True
            wait_for(self._engine.begin())
        wait_for(self._engine.go_to(position))
