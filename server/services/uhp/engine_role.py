"""Role ``engine`` (model A): drives the seat of a UHP 1.0 engine that has connected to the server.

The engine's clock runs from sending ``bestmove`` to the arrival of the move, less the latency, and while the engine is
disconnected, until it has caught up with the game. Apart from that, its clock runs only while it thinks: confirming
positions costs it no time.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence
from contextlib import aclosing, suppress
from dataclasses import replace
from typing import TypeVar

from protocols.session import Effect, Event
from protocols.uhp.remote.effects import GiveUp, NotSeated, Seated, Seek
from protocols.uhp.remote.engine_seat import Deadline, EngineSeat, GameNow, MoveChosen, Settled
from protocols.uhp.remote.game_lines import ending
from protocols.uhp.remote.handshake import Handshake
from protocols.uhp.viewer import TimeIsUp
from protocols.values import ClockReading, LeaveReason, Status
from server.domain.clock import CREDIT_MS, ClockMode
from server.domain.errors import ApiError, Code
from server.domain.game import GameState
from server.domain.public_table import table_of
from server.services.game_follower import follow
from server.services.uhp.context import Run, UhpContext
from server.services.uhp.engine_matches import EngineMatch
from server.services.uhp.line_driver import LineDriver
from server.services.uhp.seat_access import NoSeatError, SeatAccess, find_game, seat_by_token, take_seat
from server.services.uhp.wire import Wire

log = logging.getLogger(__name__)

T = TypeVar("T")

RETRY_SECONDS = 1.0
"""Pause before a command that the store could not execute is tried again."""

GIVE_UP_SECONDS = 60.0
"""How long a connection that has ended tries to start its seat's clock."""


class Engine:
    """One connection. ``given``: the seat of the handshake's token."""

    def __init__(
        self, context: UhpContext, wire: Wire, handshake: Handshake, given: SeatAccess | None
    ) -> None:
        self._context = context
        self._wire = wire
        self._handshake = handshake
        self._given = given
        self._session = EngineSeat(handshake.criteria, with_secret=handshake.has_secret)
        self._driver = LineDriver(wire, self._session, self._do, lambda: self._session.is_asked)
        self._deadline: Deadline | None = None
        self._alarm: asyncio.TimerHandle | None = None
        self._seating: SeatAccess | None = None
        self._table: EngineMatch | None = None
        self._state: GameState | None = None
        """The game as last sent to the session."""
        self._is_back = given is None
        """Whether the engine has caught up with the game, or did not leave it."""

    async def run(self) -> None:
        """Runs until the connection ends."""
        try:
            await self._driver.run(self._session.start())
        finally:
            self._set_alarm(None)

    # ---- what the session asks -------------------------------------------------------------------

    async def _do(self, effect: Effect) -> Sequence[Event]:
        match effect:
            case Seek():
                self._driver.spawn(self._play(effect))
            case Deadline():
                await self._take_deadline(effect)
            case Settled(ply=ply) if self._table is not None:
                await self._settle(self._table, ply)
            case MoveChosen():
                await self._take_move(effect)
            case GiveUp(reason=reason, note=note) if self._seating is not None:
                await self._give_up(self._seating, LeaveReason(reason), note)
            case _:
                raise TypeError(f"an engine's seat asks for {type(effect).__name__}")
        return []

    async def _take_deadline(self, deadline: Deadline) -> None:
        """Sets the alarm. For a move, sets it again once the clock runs, since it must ring when that runs out."""
        self._set_alarm(deadline)
        if deadline.is_move:
            await self._set_clock(ClockMode.RUNS)
            if self._deadline is deadline:
                self._set_alarm(deadline)

    def _set_alarm(self, deadline: Deadline | None) -> None:
        if self._alarm is not None:
            self._alarm.cancel()
        self._deadline, self._alarm = deadline, None
        if deadline is not None and deadline.seconds is not None:
            loop = asyncio.get_running_loop()
            self._alarm = loop.call_later(max(0.0, deadline.seconds), self._on_alarm, deadline)

    def _on_alarm(self, deadline: Deadline) -> None:
        self._driver.spawn(self._expire(deadline))

    async def _expire(self, deadline: Deadline) -> None:
        if self._deadline is deadline:
            await self._driver.tell(TimeIsUp())

    async def _give_up(self, seat_access: SeatAccess, reason: LeaveReason, note: str | None) -> None:
        log.info("game %s: the engine of seat %d loses: %s", seat_access.game_id, seat_access.seat, note)
        with suppress(ApiError):
            await self._context.games.forfeit(seat_access.game_id, seat_access.seat, reason, note)

    # ---- moves -----------------------------------------------------------------------------------

    async def _take_move(self, chosen: MoveChosen) -> None:
        """Passes the move to the leader, who decides about it; without a leader, plays it."""
        made_at = self._arrived_at()
        ply = len(chosen.moves)
        if self._table is not None and chosen.is_led:
            lead = self._table.lead
            if lead is not None and self._table.limit_at(ply) is not None:
                lead.asked = None
            state = await self._set_clock(ClockMode.STANDS, made_at)
            if state.is_live:
                await self._table.name(chosen.move, ply)
        else:
            self._driver.spawn(self._commit(chosen, made_at))

    def _arrived_at(self) -> int:
        """The time when the last line arrived, less the latency."""
        return self._context.games.now() - min(self._wire.lag_ms(), CREDIT_MS)

    async def _commit(self, chosen: MoveChosen, made_at: int) -> None:
        """Plays the move. If another change came first, the game refuses it; the session learns of that separately."""
        games, (game_id, seat) = self._context.games, self._place
        move, moves = chosen.move, chosen.moves
        try:
            await _stored(lambda: games.move(game_id, seat, move, expected_moves=moves, made_at=made_at))
        except ApiError as refusal:
            log.info("an engine's move was refused: %s", refusal)

    async def _set_clock(self, mode: ClockMode, made_at: int | None = None) -> GameState:
        games, (game_id, seat) = self._context.games, self._place
        return await _stored(lambda: games.set_clock(game_id, seat, mode, made_at))

    async def _give_clock_back(self) -> None:
        """Lets the clock of a disconnected engine run."""
        with suppress(ApiError, TimeoutError):
            async with asyncio.timeout(GIVE_UP_SECONDS):
                await self._set_clock(ClockMode.TURN)

    @property
    def _place(self) -> tuple[str, int]:
        """The game and the seat."""
        if self._seating is None:
            raise TypeError("an engine without a seat")
        return self._seating.game_id, self._seating.seat

    # ---- what the match reports ------------------------------------------------------------------

    async def _refresh(self) -> None:
        """Called when the leader has come, gone or decided something."""
        if self._state is not None:
            await self._tell(self._state)

    # ---- a game ----------------------------------------------------------------------------------

    async def _play(self, wanted: Seek) -> None:
        """Finds a seat and holds it until the connection ends."""
        try:
            seat_access = await self._find(wanted)
        except ApiError as refusal:
            await self._driver.tell(NotSeated(str(refusal).rstrip(".")))
            return
        context, game_id, seat = self._context, seat_access.game_id, seat_access.seat
        async with context.seat_connections.held(seat_access, self._wire):
            with context.matches.at(game_id) as table:
                self._seating, self._table = seat_access, table
                try:
                    await table.sit(seat, self._refresh)
                    await self._driver.tell(Seated(seat, game_id, seat_access.token))
                    await self._follow(game_id)
                finally:
                    if table.leave(seat, self._refresh):
                        await self._give_clock_back()
                        await table.agree()

    async def _find(self, wanted: Seek) -> SeatAccess:
        if self._given is not None:
            return self._given
        if self._handshake.game is not None:
            criteria = wanted.criteria
            return await take_seat(self._context.games, self._handshake.game, criteria.seat, criteria.name)
        return await self._context.matchmaking.find(wanted.criteria, self._wire.address)

    async def _follow(self, game_id: str) -> None:
        # An engine that joins was not away, even if the game began a moment before.
        made_at = 0 if self._given is None else None
        await self._show(await self._set_clock(self._idle_mode(), made_at))
        async with aclosing(follow(self._context.games, self._context.bus, game_id)) as states:
            async for state in states:
                await self._show(state)

    async def _show(self, state: GameState) -> None:
        before = self._state
        if before is not None and state.version <= before.version:
            return
        self._state = state
        await self._take_clock(state)
        await self._tell(state)

    async def _take_clock(self, state: GameState) -> None:
        """Resets the clock if a starting process, or a connection that ended late, has treated the seat as empty."""
        clock, (_, seat) = state.clock, self._place
        if state.is_live and clock is not None and clock.modes[seat] is ClockMode.TURN:
            is_thinking = self._deadline is not None and self._deadline.is_move
            await self._set_clock(ClockMode.RUNS if is_thinking else self._idle_mode())

    def _idle_mode(self) -> ClockMode:
        """The clock mode while the engine is not thinking. The clock runs until the engine has caught up, if ever."""
        is_due = self._table is not None and self._table.has_begun
        return ClockMode.TURN if is_due and not self._is_back else ClockMode.STANDS

    async def _settle(self, table: EngineMatch, ply: int) -> None:
        """Called when the engine has the game's position: its clock stops, and its remaining time is known."""
        if self._is_back:
            await table.settle(self._place[1], ply)
            return
        self._is_back = True
        state = await self._set_clock(ClockMode.STANDS, self._arrived_at())
        if self._state is None or state.version > self._state.version:
            self._state = state
        await self._refresh()

    async def _tell(self, state: GameState) -> None:
        table = self._table
        if table is None or not table.has_begun or state.status is Status.OPEN:
            return
        clock, is_returning = self._clock(state), not self._is_back
        is_led, limit = table.lead is not None, table.limit_at(state.ply)
        await self._driver.tell(
            GameNow(state.position, clock, _ending(state), is_led, limit, is_returning=is_returning)
        )

    def _clock(self, state: GameState) -> ClockReading | None:
        """The clock of the engine's seat, or None."""
        clock, control, (_, seat) = state.clock, state.time_control, self._place
        if clock is None or control is None:
            return None
        return clock.reading(seat, self._context.games.now(), control, self._wire.lag_ms())


def _ending(state: GameState) -> str | None:
    """How the game ended, "WhiteWins timeout"; None while it continues."""
    return None if state.is_live else ending(table_of(state, state.updated_at))


async def _stored(command: Callable[[], Awaitable[T]]) -> T:
    """Repeats a command until the store is available; returns its result. Other refusals raise ApiError."""
    while True:
        try:
            return await command()
        except ApiError as refusal:
            if refusal.code is not Code.UNAVAILABLE:
                raise
        await asyncio.sleep(RETRY_SECONDS)


async def prepare_engine(context: UhpContext, wire: Wire, handshake: Handshake) -> Run:
    """Checks the handshake of an engine. Raises ApiError.

    An open seat is taken only after the engine has announced what it can play.
    """
    given: SeatAccess | None = None
    if handshake.token is not None:
        given = await seat_by_token(context.games, handshake.token, handshake.game)
    game_id = given.game_id if given is not None else handshake.game
    if game_id is not None:
        state = await find_game(context.games, game_id)
        if not state.is_live:
            raise NoSeatError(f"the game is over: {_ending(state)}")
        handshake = replace(handshake, criteria=replace(handshake.criteria, type=state.variant))
    return Engine(context, wire, handshake, given).run
