"""A UHP engine as a player of the arena: ``uhp:CMD`` between the named strategies.

Each game has an engine of its own, so that what happens in one does not touch the next. An engine that dies, is late,
or sends what is no legal move has lost that game: ``engines.arena.Forfeit`` with the reason.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from engines import Position
from engines.arena import Forfeit
from engines.inference import Model
from engines.pool import Limits
from protocols.uhp.answers import Identity
from protocols.uhp.game_string import GAME
from protocols.uhp.requests import Depth, MoveTime
from server.adapters.uhp_command import BadCommand, UhpCommand, move_time
from server.adapters.uhp_engine import EngineFailed, UhpEngine, identify, unheard

PREFIX = "uhp:"

GRACE_SECONDS = 2.0
"""How much later than its time a move may come: pipes take some, and so do games that share the cores."""

DEPTH_SECONDS = 600.0
"""For a search that ends at a depth, whatever the time."""


@dataclass(frozen=True)
class UhpBot:
    """A contender of the arena. ``text`` is how the user wrote it."""

    text: str
    command: UhpCommand

    @classmethod
    def parse(cls, text: str) -> "UhpBot":
        """Reads ``uhp:CMD``. BadCommand."""
        return cls(text, UhpCommand.parse(text.removeprefix(PREFIX)))

    def limit(self, limits: Limits) -> MoveTime | Depth:
        """What its engine is told for a move. BadCommand where the protocol cannot say it."""
        limit = self.command.limit or move_time(limits.time_ms or 0)
        if limit is None:
            raise BadCommand(f"{self.text}: give the time of a move in whole seconds")
        return limit

    def introduce(self, game: str, variant: str, limits: Limits) -> Identity:
        """Starts the engine once, for its name; so what cannot work ends before a match and not in all its games.

        BadCommand: it does not play this. OSError, EngineFailed: it does not run.
        """
        self.limit(limits)
        if game != GAME:
            raise BadCommand(f"{self.text} plays {GAME}, not {game}")
        identity = identify(self.command)
        if lacking := identity.lacks(variant):
            raise BadCommand(f"{self.text} does not play {variant}: it lacks {', '.join(lacking)}")
        return identity

    def player(self, position: Position, limits: Limits, seed: int, models: Sequence[Model]) -> "UhpPlayer":
        """A new engine. OSError."""
        del seed, models  # the protocol has no word for a seed
        return UhpPlayer(UhpEngine(self.command, unheard), position, self.limit(limits))


class UhpPlayer:
    """One engine in one seat of one game."""

    def __init__(self, engine: UhpEngine, start: Position, limit: MoveTime | Depth) -> None:
        self._engine = engine
        self._position = start.copy()
        self._limit = limit
        self._patience = limit.seconds + GRACE_SECONDS if isinstance(limit, MoveTime) else DEPTH_SECONDS
        self._has_begun = False

    def choose(self, position: Position, seat: int) -> str:
        """The engine's best move. Forfeit."""
        del seat
        try:
            self._begin()
            self._engine.go_to(position)
            return self._engine.best_move(self._limit, self._patience).move
        except EngineFailed as why:
            raise Forfeit(self, why.failed.reason, str(why)) from None

    def played(self, move: str) -> None:
        """Shows the engine the move, and compares where that leaves it. Forfeit."""
        self._position.play(move)
        try:
            self._begin()
            self._engine.go_to(self._position)
        except EngineFailed as why:
            raise Forfeit(self, why.failed.reason, str(why)) from None

    def close(self) -> None:
        """Ends the engine."""
        self._engine.close()

    def _begin(self) -> None:
        if not self._has_begun:
            self._has_begun = True
            self._engine.begin()
