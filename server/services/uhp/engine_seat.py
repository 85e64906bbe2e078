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

from protocols.session import Close, Effect, Log, Send
from protocols.uhp.answers import EngineFailed
from protocols.uhp.remote.effects import NORMAL
from protocols.uhp.remote.think_time import think_time
from protocols.uhp.requests import Depth, MoveTime
from protocols.values import ClockReading, LeaveReason, Status
from server.domain.clock import CREDIT_MS, ClockMode
from server.domain.errors import ApiError
from server.domain.game import GameState
from server.services.game_follower import follow
from server.services.topic_reader import retry_until_stored
from server.services.uhp.asked_engine import AskedEngine
from server.services.uhp.context import UhpContext
from server.services.uhp.engine_matches import EngineMatch
from server.services.uhp.seat_access import SeatAccess
from server.services.uhp.wire import Wire

log = logging.getLogger(__name__)

GRACE_SECONDS = 10.0
"""Extra time beyond the requested time per move, in games without a clock."""

GIVE_UP_SECONDS = 60.0
"""How long a connection that has ended tries to start its seat's clock."""


class EngineSeat:
    """The seat of an engine in a game. ``is_new``: the engine has just joined the game, so it was not away."""

    def __init__(
        self,
        context: UhpContext,
        wire: Wire,
        engine: AskedEngine,
        match: EngineMatch,
        access: SeatAccess,
        *,
        is_new: bool,
    ) -> None:
        self._context = context
        self._wire = wire
        self._engine = engine
        self._match = match
        self._game_id, self._seat = access.game_id, access.seat
        self._is_back = is_new
        """Whether the engine has caught up with the game, or did not leave it."""
        self._state: GameState | None = None
        self._thinking: asyncio.Task[str] | None = None
        self.changed = asyncio.Event()
        """Set when the game or the match has changed, or the engine has failed."""

    # ---- the game --------------------------------------------------------------------------------

    async def follow(self) -> None:
        """Follows the game. Its end also ends a search."""
        # An engine that joins was not away, even if the game began a moment before.
        await self._show(await self._set_clock(self._idle_mode(), 0 if self._is_back else None))
        async with aclosing(follow(self._context.games, self._context.bus, self._game_id)) as states:
            async for state in states:
                await self._show(state)

    async def _show(self, state: GameState) -> None:
        if self._state is not None and state.version <= self._state.version:
            return
        self._state = state
        self.changed.set()
        if not state.is_live and self._thinking is not None:
            self._thinking.cancel()
        # A starting process, or a connection that ended late, has treated the seat as empty.
        if state.is_live and state.clock is not None and state.clock.modes[self._seat] is ClockMode.TURN:
            await self._set_clock(ClockMode.RUNS if self._thinking is not None else self._idle_mode())

    async def play(self) -> GameState:
        """Plays until the game is over, and returns it. Raises EngineFailed."""
        while True:
            self.changed.clear()
            state = self._state
            if self._engine.failure is not None:
                raise self._engine.failure
            if state is None or not self._is_begun(state):
                await self.changed.wait()
            elif not state.is_live and self._engine.is_asked:
                return state
            else:
                await self._engine.go_to(state.position)
                if state is self._state and await self._rest(state):
                    return state

    def _is_begun(self, state: GameState) -> bool:
        return self._match.has_begun and state.status is not Status.OPEN

    async def _rest(self, state: GameState) -> bool:
        """Does what is due once the engine has the game's position. Returns whether the game is over."""
        if not self._is_back:
            self._is_back = True
            await self._show(await self._set_clock(ClockMode.STANDS, self._arrived_at()))
            return False
        self._match.settle(self._seat, state.ply)
        is_asked = self._match.limit_at(state.ply) is not None or not self._match.is_led
        if is_asked and self._seat in state.to_act:
            await self._move(state)
        elif state.is_live:
            await self.changed.wait()
        return not state.is_live

    async def lose(self, failure: EngineFailed) -> list[Effect]:
        """Loses the game by a failure if it is running; returns the engine's last lines."""
        state = self._state
        if state is None or not self._is_begun(state) or not state.is_live:
            return refused(str(failure))
        log.info("game %s: the engine of seat %d loses: %s", self._game_id, self._seat, failure)
        with suppress(ApiError):
            reason = LeaveReason(failure.reason)
            await self._context.games.forfeit(self._game_id, self._seat, reason, str(failure))
        return [Send(f"err game over: {failure}"), Close(NORMAL, failure.reason)]

    # ---- moves -----------------------------------------------------------------------------------

    async def _move(self, state: GameState) -> None:
        """Asks for a move, and plays it or names it to the leader."""
        after = await self._set_clock(ClockMode.RUNS)
        if after.moves != state.moves or not after.is_live:
            await self._show(after)
            return
        clock = self._clock(after)
        limit = think_time(clock, self._match.limit_at(state.ply))
        thinking = asyncio.ensure_future(self._engine.best_move(limit, _patience(clock, limit)))
        self._thinking = thinking
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
            await self._commit(move, state, made_at)
            return
        if match.limit_at(state.ply) is not None:
            match.asked = None
        if (await self._set_clock(ClockMode.STANDS, made_at)).is_live:
            match.name(move, state.ply)

    async def _commit(self, move: str, state: GameState, made_at: int) -> None:
        """Plays the move. If another change came first, the game refuses it."""
        games, game_id, moves = self._context.games, self._game_id, state.moves
        try:
            done = await retry_until_stored(
                lambda: games.move(game_id, self._seat, move, expected_moves=moves, made_at=made_at)
            )
            await self._show(done.state)
        except ApiError as refusal:
            log.info("an engine's move was refused: %s", refusal)
            await self._show(await games.get(game_id))

    # ---- the clock -------------------------------------------------------------------------------

    def _arrived_at(self) -> int:
        """The time when the last line arrived, less the latency."""
        return self._context.games.now() - min(self._wire.lag_ms(), CREDIT_MS)

    def _idle_mode(self) -> ClockMode:
        """The clock mode while the engine is not thinking. The clock runs until the engine has caught up, if ever."""
        return ClockMode.TURN if self._match.has_begun and not self._is_back else ClockMode.STANDS

    async def _set_clock(self, mode: ClockMode, made_at: int | None = None) -> GameState:
        games = self._context.games
        return await retry_until_stored(lambda: games.set_clock(self._game_id, self._seat, mode, made_at))

    async def give_clock_back(self) -> None:
        """Lets the clock of a disconnected engine run."""
        with suppress(ApiError, TimeoutError):
            async with asyncio.timeout(GIVE_UP_SECONDS):
                await self._set_clock(ClockMode.TURN)

    def _clock(self, state: GameState) -> ClockReading | None:
        """The clock of the engine's seat, or None."""
        clock, control = state.clock, state.time_control
        if clock is None or control is None:
            return None
        return clock.reading(self._seat, self._context.games.now(), control, self._wire.lag_ms())


def _patience(clock: ClockReading | None, limit: MoveTime | Depth) -> float | None:
    """The time limit for a move: the clock if there is one; none for a depth, whose duration is unknown."""
    if clock is not None:
        return (clock.remaining_ms + min(clock.lag_ms, CREDIT_MS)) / 1000
    return None if isinstance(limit, Depth) else limit.seconds + GRACE_SECONDS


def refused(why: str) -> list[Effect]:
    """The last lines to an engine that plays no game."""
    return [Log(why), Send(f"err {why}"), Close(NORMAL, "refused")]
