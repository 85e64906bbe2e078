"""Role ``engine`` (model A): drives the seat of a UHP 1.0 engine that has dialled in. Its moves are ordinary ones.

On the engine's clock is what passes between the sending of ``bestmove`` and the arrival of the move, less what the
line was on its way; and whatever it was away, until it has shown that it is back in the game. Checking that it plays
along is not: from then on its clock stands, but while it thinks.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import TypeVar

from protocols.session import Effect, Event
from protocols.uhp.remote.budget import Clockface
from protocols.uhp.remote.engine_seat import Deadline, EngineSeat, GameNow, MoveChosen, Settled, Solicited
from protocols.uhp.remote.handshake import Handshake
from protocols.uhp.remote.showing import ending
from protocols.uhp.remote.words import NORMAL, GiveUp, NotSeated, Seated, Seek
from protocols.uhp.requests import Depth, MoveTime
from protocols.uhp.viewer import TimeIsUp
from server.domain.clock import CREDIT_MS, ClockMode
from server.domain.errors import ApiError, Code
from server.domain.events import LeaveReason
from server.domain.game import GameState, Status
from server.domain.public import table_of
from server.ports import OverrunError, Subscription
from server.services.changes import Change, game_topic
from server.services.uhp.desk import Desk
from server.services.uhp.pump import Pump
from server.services.uhp.seating import NoSeat, Seating, find_game, seat_by_token, take_seat
from server.services.uhp.tables import EngineTable
from server.services.uhp.wire import Wire

log = logging.getLogger(__name__)

T = TypeVar("T")

RETRY_SECONDS = 1.0
"""What the store could not take is tried again after this time."""

PATIENCE_SECONDS = 60.0
"""For so long a connection that has ended tries to have its clock run."""

TRY_AGAIN_LATER = 1013


class Engine:
    """One connection. ``given``: the seat that its handshake's token opens."""

    def __init__(self, desk: Desk, wire: Wire, handshake: Handshake, given: Seating | None) -> None:
        self._desk = desk
        self._wire = wire
        self._handshake = handshake
        self._given = given
        self._session = EngineSeat(handshake.wish, with_secret=handshake.has_secret)
        self._pump = Pump(wire, self._session, self._do, lambda: self._session.is_asked)
        self._deadline: Deadline | None = None
        self._alarm: asyncio.TimerHandle | None = None
        self._seating: Seating | None = None
        self._table: EngineTable | None = None
        self._state: GameState | None = None
        """The game as the session was last told."""
        self._is_back = given is None
        """Whether the engine has stood in the game, or has not been away from it."""

    async def run(self) -> None:
        """Until the connection ends."""
        try:
            await self._pump.run(self._session.start())
        finally:
            self._set_alarm(None)

    # ---- what the session asks -------------------------------------------------------------------

    async def _do(self, effect: Effect) -> Sequence[Event]:
        match effect:
            case Seek():
                self._pump.spawn(self._play(effect))
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
        """The alarm for a move rings when the clock has run out, and so is set again when that runs."""
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
            self._alarm = loop.call_later(max(0.0, deadline.seconds), self._ring, deadline)

    def _ring(self, deadline: Deadline) -> None:
        self._pump.spawn(self._expire(deadline))

    async def _expire(self, deadline: Deadline) -> None:
        if self._deadline is deadline:
            await self._pump.tell(TimeIsUp())

    async def _give_up(self, seating: Seating, reason: LeaveReason, note: str | None) -> None:
        log.info("game %s: the engine of seat %d loses: %s", seating.game_id, seating.seat, note)
        with suppress(ApiError):
            await self._desk.games.forfeit(seating.game_id, seating.seat, reason, note)

    # ---- moves -----------------------------------------------------------------------------------

    async def _take_move(self, chosen: MoveChosen) -> None:
        """A table's leader decides about the move; without one it counts."""
        made_at = self._arrived_at()
        if self._table is not None and chosen.is_led:
            self._table.has_move(len(chosen.moves))
            state = await self._set_clock(ClockMode.STANDS, made_at)
            if state.is_live:
                await self._table.name(chosen.move, len(chosen.moves))
        else:
            self._pump.spawn(self._commit(chosen, made_at))

    def _arrived_at(self) -> int:
        """When the line that has just been read came, less what it was on its way."""
        return self._desk.games.now() - min(self._wire.lag_ms(), CREDIT_MS)

    async def _commit(self, chosen: MoveChosen, made_at: int) -> None:
        """Plays the move. What the game refuses has been overtaken by a change that is told by itself."""
        games, (game_id, seat) = self._desk.games, self._place
        move, moves = chosen.move, chosen.moves
        try:
            await _stored(lambda: games.move(game_id, seat, move, expected_moves=moves, made_at=made_at))
        except ApiError as refusal:
            log.info("a move of an engine was not taken: %s", refusal)

    async def _set_clock(self, mode: ClockMode, made_at: int | None = None) -> GameState:
        games, (game_id, seat) = self._desk.games, self._place
        return await _stored(lambda: games.set_clock(game_id, seat, mode, made_at))

    async def _give_clock_back(self) -> None:
        """Whoever is away has its clock running."""
        with suppress(ApiError, TimeoutError):
            async with asyncio.timeout(PATIENCE_SECONDS):
                await self._set_clock(ClockMode.TURN)

    @property
    def _place(self) -> tuple[str, int]:
        """The game and the seat."""
        if self._seating is None:
            raise TypeError("an engine without a seat")
        return self._seating.game_id, self._seating.seat

    # ---- what the table tells --------------------------------------------------------------------

    async def look(self) -> None:
        """Who leads, or whether the game has begun, is otherwise now."""
        if self._state is not None:
            await self._tell(self._state)

    async def solicit(self, limit: MoveTime | Depth) -> None:
        """The main viewer wants a move."""
        await self._pump.tell(Solicited(limit))

    # ---- a game ----------------------------------------------------------------------------------

    async def _play(self, wanted: Seek) -> None:
        """Finds a seat and holds it until the connection ends."""
        try:
            seating = await self._find(wanted)
        except NoSeat as refusal:
            await self._pump.tell(NotSeated(str(refusal)))
            return
        desk, game_id, seat = self._desk, seating.game_id, seating.seat
        async with desk.places.held(seating, self._dismiss):
            with desk.tables.at(game_id) as table:
                subscription = desk.bus.subscribe(game_topic(game_id))
                self._seating, self._table = seating, table
                table.sit(seat, self)
                try:
                    await table.agree()
                    await self._pump.tell(Seated(seat, game_id, seating.token))
                    await self._follow(seating, subscription)
                finally:
                    subscription.close()
                    if table.leave(seat, self):
                        await self._give_clock_back()
                        await table.agree()

    async def _find(self, wanted: Seek) -> Seating:
        if self._given is not None:
            return self._given
        if self._handshake.game is not None:
            wish = wanted.wish
            return await take_seat(self._desk.games, self._handshake.game, wish.seat, wish.name)
        return await self._desk.matchmaking.find(wanted.wish, self._wire.address)

    async def _follow(self, seating: Seating, subscription: Subscription) -> None:
        """Subscribed before the first look, so that no change is missed."""
        try:
            # Who comes to a game has not been away from it, though the game may have begun a moment before this.
            made_at = 0 if self._given is None else None
            await self._show(await self._set_clock(self._idle_mode(), made_at))
            async for message in subscription:
                if isinstance(message, Change):
                    await self._show(message.state)
        except OverrunError:
            self._wire.close(TRY_AGAIN_LATER, "too slow")

    async def _show(self, state: GameState) -> None:
        before = self._state
        if before is not None and state.version <= before.version:
            return
        self._state = state
        await self._take_clock(state)
        await self._tell(state)

    async def _take_clock(self, state: GameState) -> None:
        """Another process that starts, or a connection that ends late, gives back what it takes to be nobody's."""
        clock, (_, seat) = state.clock, self._place
        if state.is_live and clock is not None and clock.modes[seat] is ClockMode.TURN:
            is_thinking = self._deadline is not None and self._deadline.is_move
            await self._set_clock(ClockMode.RUNS if is_thinking else self._idle_mode())

    def _idle_mode(self) -> ClockMode:
        """For an engine that is not thinking. One that comes and never answers would stop its clock for nothing."""
        is_due = self._table is not None and self._table.has_begun
        return ClockMode.TURN if is_due and not self._is_back else ClockMode.STANDS

    async def _settle(self, table: EngineTable, ply: int) -> None:
        """The engine stands in the game: only now it is known what is left to think."""
        if self._is_back:
            await table.settle(self._place[1], ply)
            return
        self._is_back = True
        state = await self._set_clock(ClockMode.STANDS, self._arrived_at())
        if self._state is None or state.version > self._state.version:
            self._state = state
        await self.look()

    async def _tell(self, state: GameState) -> None:
        table = self._table
        if table is None or not table.has_begun or state.status is Status.OPEN:
            return
        clock, is_returning = self._clock(state), not self._is_back
        await self._pump.tell(
            GameNow(state.position, clock, _ending(state), table.is_led, is_returning=is_returning)
        )

    def _clock(self, state: GameState) -> Clockface | None:
        """The clock of the engine's seat."""
        clock, control, (_, seat) = state.clock, state.time_control, self._place
        if clock is None or control is None:
            return None
        remaining = clock.left(seat, self._desk.games.now())
        return Clockface(remaining, control.increment_seconds * 1000, self._wire.lag_ms())

    def _dismiss(self) -> None:
        self._wire.send("err another connection has taken this seat")
        self._wire.close(NORMAL, "replaced")


def _ending(state: GameState) -> str | None:
    """How a game has ended, "WhiteWins timeout"; None while it goes on."""
    return None if state.is_live else ending(table_of(state, state.updated_at))


async def _stored(command: Callable[[], Awaitable[T]]) -> T:
    """What a command gives, as soon as the store takes it; ApiError for all other refusals."""
    while True:
        try:
            return await command()
        except ApiError as refusal:
            if refusal.code is not Code.UNAVAILABLE:
                raise
        await asyncio.sleep(RETRY_SECONDS)


async def prepare_engine(desk: Desk, wire: Wire, handshake: Handshake) -> Engine:
    """Judges the handshake of an engine. NoSeat.

    An open seat is taken once the engine has shown what it can play.
    """
    given: Seating | None = None
    if handshake.token is not None:
        given = await seat_by_token(desk.games, handshake.token, handshake.game)
    game_id = given.game_id if given is not None else handshake.game
    if game_id is not None:
        state = await find_game(desk.games, game_id)
        if not state.is_live:
            raise NoSeat(f"the game is over: {_ending(state)}")
        handshake = replace(handshake, wish=replace(handshake.wish, type=state.variant))
    return Engine(desk, wire, handshake, given)
