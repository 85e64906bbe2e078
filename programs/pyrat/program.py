"""A PyRat bot of the text protocol in one seat of one game. See ``seat_programs`` for the interface.

A bot that answers neither ``go`` nor ``ready?`` is killed and started again with ``recover``. It loses its game if it
exits, floods its output, or would have to be started again too often.
"""

from collections.abc import Sequence

from engines import Position
from programs.pyrat.process import PyratProcess, PyratSetup
from programs.seat_programs import GONE, LATE, ProgramFailed, move_ms
from protocols.pyrat.text import host as text_host
from protocols.session import Effect
from protocols.values import ClockReading, moves_of

GRACE_SECONDS = 0.25
"""How long after ``stop`` a move is still in time, because of pipes and busy processors."""

READY_SECONDS = 2.0
"""How long a bot may take to answer ``ready?`` after a late move. The protocol asks for one second."""

REHEARSAL_SECONDS = 0.25
"""The most time for a move that is only asked for."""

MOST_RESTARTS = 3
"""A bot that would have to be started again more often loses its game."""


class PyratProgram:
    """One bot. ``process`` has been told the game that began at the start of ``position``."""

    def __init__(self, setup: PyratSetup, process: PyratProcess, seat: int) -> None:
        self._setup = setup
        self._process = process
        self._seat = seat
        self._told: list[str] | None = None
        """The turns that the bot knows; None before the first one is asked for."""
        self._restarts = 0
        self._late = 0

    @classmethod
    async def start(cls, setup: PyratSetup, position: Position, seat: int) -> "PyratProgram":
        """Starts a bot and lets it prepare. Raises OSError or ProgramFailed."""
        process = await PyratProcess.start(setup)
        try:
            await process.set_options(_untold(text_host.options_for(position, process.host.identity), setup))
            begun = process.host.begin(position, seat, setup.times)
            prepared = await process.complete(begun, (setup.times.preprocessing or 0) / 1000 + GRACE_SECONDS)
        except BaseException:
            await process.kill()
            raise
        if isinstance(prepared, text_host.Prepared) and prepared.is_late:
            setup.log(f"{setup.text} was late with its preparation")
        return cls(setup, process, seat)

    async def choose(self, position: Position, clock: ClockReading | None = None) -> str:
        """Returns the bot's move; STAY if it is late. Raises ProgramFailed."""
        usual_ms = self._setup.times.move or 0
        most_seconds = (usual_ms if clock is None else min(usual_ms, move_ms(clock))) / 1000
        if self._told is None and position.ply > 0 and await self._is_ready():
            await self._rehearse(min(most_seconds, REHEARSAL_SECONDS))
        if await self._is_ready():
            request = self._process.host.go(self._new_turns(position))
        else:
            await self._restart(position)
            request = self._process.host.recover(position, self._seat, self._setup.times)
        self._told = moves_of(position.history)
        chosen = await self._process.complete(request, most_seconds, GRACE_SECONDS)
        if not isinstance(chosen, text_host.DirectionChosen):
            raise TypeError(f"a request for a move ended with {type(chosen).__name__}")
        self._late += chosen.is_late
        return position.check(chosen.direction, self._seat)

    async def _rehearse(self, seconds: float) -> None:
        """Asks for a move at the start that is not played, before turns are told that the bot was not asked about.

        Hosts ask in every turn, so that bots may follow a game only from their first ``go``, as those with the text
        protocol's own library do. Raises ProgramFailed.
        """
        request = self._process.host.go([text_host.BEFORE_FIRST])
        self._told = []
        await self._process.complete(request, seconds, GRACE_SECONDS)

    async def close(self, position: Position) -> None:
        """Tells the bot the result if the game is over, and terminates it."""
        try:
            if position.outcome is not None and await self._is_ready():
                request = self._process.host.end(self._new_turns(position), position, self._setup.times)
                await self._process.complete(request, (self._setup.times.postprocessing or 0) / 1000)
        except ProgramFailed as why:
            self._setup.log(f"{why} The game was over.")
        finally:
            await self._process.kill()
        if self._late:
            turns = "turn" if self._late == 1 else "turns"
            self._setup.log(f"{self._setup.text} was late in {self._late} {turns}, and stayed")

    def _new_turns(self, position: Position) -> Sequence[str]:
        turns = moves_of(position.history)
        return [text_host.BEFORE_FIRST, *turns] if self._told is None else turns[len(self._told) :]

    async def _is_ready(self) -> bool:
        """Whether the bot can be asked; waits for it after a late move. Raises ProgramFailed if it has exited."""
        host = self._process.host
        if host.state is text_host.TextHostState.LATE:
            try:
                await self._process.complete(_NOTHING, READY_SECONDS)
            except ProgramFailed as why:
                if why.reason != LATE:
                    raise
        return host.state is text_host.TextHostState.IDLE

    async def _restart(self, position: Position) -> None:
        """Replaces a process that hangs. Raises ProgramFailed."""
        self._restarts += 1
        if self._restarts > MOST_RESTARTS:
            raise ProgramFailed(LATE, f"{self._setup.text} hangs; restarts so far: {MOST_RESTARTS}.")
        self._setup.log(f"{self._setup.text} hangs at turn {position.ply}, and is started again")
        await self._process.kill()
        try:
            self._process = await PyratProcess.start(self._setup)
        except OSError as error:
            raise ProgramFailed(GONE, f"{self._setup.text} cannot be started again: {error}.") from None
        await self._process.set_options(
            _untold(text_host.options_for(position, self._process.host.identity), self._setup)
        )


_NOTHING: list[Effect] = []


def _untold(options: Sequence[tuple[str, str]], setup: PyratSetup) -> list[tuple[str, str]]:
    """The options without those that the user has set."""
    own = {name.lower() for name, _ in setup.options}
    return [(name, value) for name, value in options if name.lower() not in own]
