"""Programs as arena players: ``KIND:CMD`` in place of a named strategy.

Each game has its own process, so that games do not affect each other. A program that hangs or violates its protocol
loses the game, as ``engines.arena_game`` describes, with the reason. One that exits ends the match, since the results
would say little about how strong it is; or it loses the game, if the match tolerates that.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from engines import Position
from engines.arena_game import Forfeit
from engines.inference import Model
from engines.pool import Limits
from programs.background_loop import wait_for
from programs.seat_programs import (
    GONE,
    ProgramFailed,
    SeatProgram,
    SeatProgramCommand,
    TurnTimes,
    UnsuitableProgram,
)

DISCONNECTED = "disconnect"
"""What UHP says of engines that have exited; for the arena they have crashed, like all programs."""


@dataclass(frozen=True)
class ProgramBot:
    """A contender of the arena. ``log`` is called with lines for the operator.

    ``may_crash``: the match goes on if the program exits.
    """

    text: str
    command: SeatProgramCommand
    log: Callable[[str], None]
    may_crash: bool = False

    def introduce(self, game: str, variant: str, limits: Limits) -> str:
        """Starts the program once to read its name, so that problems show before the match.

        Raises UnsuitableProgram if it does not play the game within the limits, ProgramFailed if it does not work.
        """
        if game != self.command.game:
            raise UnsuitableProgram(f"{self.text} plays {self.command.game}, not {game}")
        try:
            known = wait_for(self.command.identify(times_of(limits)))
        except UnsuitableProgram as why:
            raise UnsuitableProgram(f"{self.text}: {why}") from None
        except ProgramFailed as why:
            raise ProgramFailed(why.reason, f"{self.text} does not start: {why}") from None
        except OSError as why:
            raise ProgramFailed(GONE, f"{self.text} does not start: {why.strerror or why}") from None
        if variant in known.lacks:
            raise UnsuitableProgram(f"{self.text} does not play {variant}: {known.lacks[variant]}")
        return known.name

    def player(
        self, position: Position, limits: Limits, seed: int, models: Sequence[Model]
    ) -> "ProgramPlayer":
        """Returns a player, which starts its program when it is first to move."""
        del seed, models  # programs have neither
        return ProgramPlayer(self, position, times_of(limits))


def times_of(limits: Limits) -> TurnTimes:
    """The times of a program; 0 ms where it has limits of its own."""
    return TurnTimes(round(limits.time_ms or 0))


class ProgramPlayer:
    """One program in one seat of one game."""

    def __init__(self, bot: ProgramBot, position: Position, times: TurnTimes) -> None:
        """``position``: the start of the arena's game."""
        self._bot = bot
        self._position = position
        self._times = times
        self._program: SeatProgram | None = None

    def choose(self, position: Position, seat: int) -> str:
        """Returns the program's move.

        Raises Forfeit, OSError if the program cannot be started, or ProgramFailed if it has exited and may not.
        """
        self._position = position
        try:
            if self._program is None:
                self._program = wait_for(
                    self._bot.command.start(position.copy(), seat, self._times, self._bot.log)
                )
            return wait_for(self._program.choose(position.copy()))
        except ProgramFailed as why:
            reason = GONE if why.reason == DISCONNECTED else why.reason
            if reason == GONE and not self._bot.may_crash:
                raise ProgramFailed(reason, f"{self._bot.text} has crashed: {why}") from None
            raise Forfeit(self, reason, str(why)) from None

    def played(self, move: str) -> None:
        """Does nothing: the program is told the moves when it is to move."""

    def close(self) -> None:
        """Terminates the program. By then, the arena's position is the end of the game."""
        if self._program is not None:
            wait_for(self._program.close(self._position.copy()))
