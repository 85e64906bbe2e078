"""The seat of a UHP engine in a game: the server is its viewer, and plays the seat with it.

The server brings the engine to the game's position, and asks it for a move when it is its turn; both again after every
change of the game. This covers the first ``newgame``, every ``play``, takebacks and the resync of an engine that has
reconnected. An engine whose position differs, or that breaks the protocol, loses.

The engine's clock runs from sending ``bestmove`` to the arrival of the move, less the latency, and while the engine is
disconnected, until it has caught up with the game. Confirming positions costs it no time.
"""

import asyncio
import logging
from contextlib import aclosing, suppress
from functools import partial

from drivers.asked_engine import AskedEngine
from protocols.session import Close, Effect, Send
from protocols.uhp.answers import EngineFailed
from protocols.uhp.remote.effects import NORMAL
from protocols.uhp.remote.think_time import think_time
from protocols.uhp.requests import Depth, MoveTime
from protocols.values import ClockReading, LeaveReason, Status
from server.domain.clocks.clock import CREDIT_MS, ClockMode
from server.domain.errors import ApiError
from server.domain.game import GameState
from server.ports.connection import Connection
from server.services.bots.asked_seat import AskedSeat
from server.services.cluster.topic_reader import retry_until_stored
from server.services.games.game_follower import follow
from server.services.uhp.context import UhpContext
from server.services.uhp.engine_lines import refused
from server.services.uhp.engine_matches import EngineMatch

log = logging.getLogger(__name__)

GRACE_SECONDS = 10.0
"""Extra time beyond the requested time per move, in games without a clock."""

ROUNDING_MS = 5
"""An engine has so much longer than its clock says, so that the clock shows 0 when it loses on time."""

GIVE_UP_SECONDS = 60.0
"""How long a connection that has ended tries to start its seat's clock."""


class EngineSeat(AskedSeat):
    """The seat of an engine in a game. ``is_new``: the engine has just joined the game, so it was not away."""

    def __init__(
        self,
        context: UhpContext,
        connection: Connection,
        engine: AskedEngine,
        match: EngineMatch,
        state: GameState,
        seat: int,
        *,
        is_new: bool,
    ) -> None:
        super().__init__(context.games, state, seat, needs_lease=False)
        self._bus = context.bus
        self._connection = connection
        self._engine = engine
        self._match = match
        self._is_back = is_new
        """Whether the engine has caught up with the game, or did not leave it."""
        self._is_done = False
        self._thinking: asyncio.Task[str] | None = None

    # ---- the game --------------------------------------------------------------------------------

    async def follow(self) -> None:
        """Follows the game. Its end also ends a search."""
        async with aclosing(follow(self._games, self._bus, self._state.id)) as states:
            async for state in states:
                self.update(state)
                if self._match.has(self._seat, self.changed):
                    await self._keep_clock()

    def update(self, state: GameState) -> None:
        """Takes a new state of the game."""
        super().update(state)
        if not self._state.is_live and self._thinking is not None:
            self._thinking.cancel()

    async def play(self) -> GameState:
        """Plays until the game is over, and returns it. Raises EngineFailed."""
        # An engine that joins was not away, even if the game began a moment before.
        await self._set_clock(self._idle_mode(), 0 if self._is_back else None)
        await self.run()
        return self._state

    def _is_playing(self) -> bool:
        return not self._is_done

    async def _step(self) -> float | None:
        state = self._state
        if self._engine.failure is not None:
            raise self._engine.failure
        if not self._is_begun():
            return None
        if state.is_live or not self._engine.is_asked:
            await self._engine.go_to(state.position)
            if state is not self._state:
                return 0.0
        self._is_done = not state.is_live
        return await self._rest(state) if state.is_live else 0.0

    def _is_begun(self) -> bool:
        return self._match.has_begun and self._state.status is not Status.OPEN

    async def _rest(self, state: GameState) -> float | None:
        """Does what is due once the engine has the position of a running game."""
        if not self._is_back:
            self._is_back = True
            await self._set_clock(ClockMode.STANDS, self._arrived_at())
            return 0.0
        self._match.settle(self._seat, state.ply)
        is_asked = self._match.is_asked_at(state.ply) or not self._match.is_led
        if not is_asked or self._seat not in state.to_act:
            return None
        await self._move(state)
        return 0.0

    async def lose(self, failure: EngineFailed) -> list[Effect]:
        """Loses the game by a failure if it is running; returns the engine's last lines."""
        game_id = self._state.id
        if not self._is_begun() or not self._state.is_live:
            return refused(str(failure))
        log.info("game %s: the engine of seat %d loses: %s", game_id, self._seat, failure)
        with suppress(ApiError):
            await self._games.forfeit(game_id, self._seat, LeaveReason(failure.reason), str(failure))
        return [Send(f"err game over: {failure}"), Close(NORMAL, failure.reason)]

    # ---- moves -----------------------------------------------------------------------------------

    async def _move(self, state: GameState) -> None:
        """Asks for a move, and plays it or names it to the leader."""
        await self._set_clock(ClockMode.RUNS)
        if self._state.moves != state.moves or not self._state.is_live:
            return
        clock = self._clock_reading(self._connection.lag_ms())
        limit = think_time(clock, self._match.limit_at(state.ply))
        self._thinking = asyncio.ensure_future(self._engine.best_move(limit, _patience(clock, limit)))
        thinking = self._thinking
        try:
            await asyncio.wait([thinking])
        finally:
            thinking.cancel()
            self._thinking = None
        if not thinking.cancelled():
            await self._take_move(thinking.result(), state)

    async def _take_move(self, move: str, state: GameState) -> None:
        made_at, match = self._arrived_at(), self._match
        if not match.is_led:
            await retry_until_stored(lambda: self._commit(move, state.moves, made_at))
            return
        if match.is_asked_at(state.ply):
            match.asked = None
        await self._set_clock(ClockMode.STANDS, made_at)
        if self._state.is_live:
            match.name(move, state.ply)

    # ---- the clock -------------------------------------------------------------------------------

    def _arrived_at(self) -> int:
        """The time when the last line arrived, less the latency."""
        return self._games.now() - min(self._connection.lag_ms(), CREDIT_MS)

    def _idle_mode(self) -> ClockMode:
        """The clock mode while the engine is not thinking. The clock runs until the engine has caught up, if ever."""
        return ClockMode.TURN if self._match.has_begun and not self._is_back else ClockMode.STANDS

    async def _set_clock(self, mode: ClockMode, made_at: int | None = None) -> None:
        await retry_until_stored(partial(super()._set_clock, mode, made_at))

    async def _keep_clock(self) -> None:
        """Controls the clock again after a starting process, or a connection that ended late, has let it run."""
        state = self._state
        if state.is_live and state.clock is not None and state.clock.modes[self._seat] is ClockMode.TURN:
            await self._set_clock(ClockMode.RUNS if self._thinking is not None else self._idle_mode())

    async def give_clock_back(self) -> None:
        """Lets the clock of a disconnected engine run."""
        with suppress(ApiError, TimeoutError):
            async with asyncio.timeout(GIVE_UP_SECONDS):
                await self._set_clock(ClockMode.TURN)


def _patience(clock: ClockReading | None, limit: MoveTime | Depth) -> float | None:
    """The time limit for a move: the clock if there is one; none for a depth, whose duration is unknown."""
    if clock is not None:
        return (clock.remaining_ms + min(clock.lag_ms, CREDIT_MS) + ROUNDING_MS) / 1000
    return None if isinstance(limit, Depth) else limit.seconds + GRACE_SECONDS
