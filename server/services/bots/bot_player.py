"""One bot at one seat of one game: asks its analyst, plays the answer, and resigns if that fails.

The order of requests is the bot protocol's. Without a clock, a move of the bot is applied in its session, and the
position after it evaluated, before the move is committed; a move that ends the game is not sent to the analyst. A
takeback in between invalidates the planned move: it is dropped, and the session follows the game's moves.

With a clock, a move is committed at once. The bot's clock runs only while its session is asked to play the last move of
the game or to evaluate the position after it. It is stopped while the bot waits for its client, for a session or for
the answer to an earlier request, and while the session replays the game.
"""

from hashlib import blake2b

from engines import RuleError, Variation
from protocols.bgs.messages import EvaluationLimits
from protocols.values import BUILT_IN_CLIENT, ClockReading, GameLine, SeatKind, Status
from server.domain.bots import ListedBot
from server.domain.clocks.clock import ClockMode
from server.domain.errors import ApiError
from server.domain.game import GameState
from server.domain.ladder.results import SERVER_ERROR
from server.ports.analysts import Analyst
from server.services.bots.asked_seat import AskedSeat
from server.services.bots.bgs import Bgs, Listeners, line_of, setup_of
from server.services.bots.bot_context import BotContext
from server.services.bots.bot_registry import client_of
from server.services.bots.planned_move import PlannedMove, plan
from server.services.bots.session_slots import Use

RETRY_SECONDS = 1.0
"""The delay before another attempt if the store or the sessions could not serve a request."""


class BotPlayer(AskedSeat):
    """Plays one bot's seat, by asking an analyst of this server.

    ``is_left_over``: another server, or a previous run of this one, played it before.
    """

    def __init__(
        self,
        context: BotContext,
        state: GameState,
        seat: int,
        analyst: Analyst,
        *,
        is_left_over: bool,
    ) -> None:
        self.bot_id = state.seats[seat].bot_id or ""
        self._is_attached = client_of(self.bot_id) != BUILT_IN_CLIENT
        super().__init__(context.games, state, seat, needs_lease=not self._is_attached)
        self._context = context
        self.listeners = Listeners()
        """Called whenever ``bgs`` has changed or been replaced."""
        self._is_left_over = is_left_over
        self._is_back = is_left_over and self._is_attached
        self.is_engaged = is_left_over or not self._is_attached or not _has_human(state) or _has_begun(state)
        """Whether the bot may be asked for moves; False until a human player has connected."""
        self._created_at = context.now()
        self._analyst = analyst
        self._why_lost: str | None = None
        self.bgs: Bgs | None = None
        """The current session, if there is one."""
        self._planned: PlannedMove | None = None
        self._parked_at: int | None = None
        """The version of the game at which the session was ended because no move came."""

    # ---- calls from other parts ------------------------------------------------------------------

    @property
    def is_asleep(self) -> bool:
        """Whether the bot ended its session because no move came, and nothing has happened since."""
        return self._parked_at == self._state.version and self._why_lost is None

    def update(self, state: GameState) -> None:
        """Takes a new state of the game."""
        self.is_engaged = self.is_engaged or _has_begun(state)
        super().update(state)

    def engage(self) -> None:
        """Allows the bot to be asked for moves: a human player has connected."""
        self.is_engaged = True
        self._wake()

    def resume(self) -> None:
        """Starts the session again for a viewer, if it was ended because no move came."""
        self._parked_at = None
        self._wake()

    def _wake(self) -> None:
        super()._wake()
        self.listeners.tell()

    # ---- the task --------------------------------------------------------------------------------

    async def run(self) -> None:
        """Plays until the game is over, the bot has resigned or is asleep, or another server holds the lease.

        Returns once the session is closed, so that the next one can have its id. Cancelling this changes nothing.
        """
        try:
            await super().run()
        except Exception:
            await self._leave()
            raise
        await self._leave()

    async def _leave(self) -> None:
        if self.bgs is not None:
            self.bgs.end()
            await self.bgs.closed()

    def _is_playing(self) -> bool:
        state = self._state
        is_ours = self._context.analyst_here(state, self._seat) is self._analyst
        is_in_game = state.status is Status.PLAYING and self._seat not in state.gone
        return is_ours and is_in_game and not self.is_asleep

    async def _step(self) -> float | None:
        try:
            if self._why_lost is not None:
                await self._give_up(self._why_lost)
                return 0.0
            if not self._may_ask():
                await self._control_clock(ClockMode.STANDS)
                return self._wait_for_arrival()
            return await self._play(self.bgs or self._open(self._analyst))
        except ApiError:
            return RETRY_SECONDS

    def _may_ask(self) -> bool:
        if self._parked_at is not None and self._parked_at != self._state.version:
            self._parked_at = None
        return self.is_engaged and self._parked_at is None

    def _wait_for_arrival(self) -> float | None:
        """If no player connects, an attached bot that has the first move is asked anyway; any other bot sleeps."""
        wait_times, is_due = self._context.wait_times, self._seat in self._state.to_act
        seconds = wait_times.arrival if is_due else wait_times.attached_idle
        left = self._created_at + seconds - self._context.now()
        if left > 0:
            return left
        if is_due:
            self.is_engaged = True
        else:
            self._parked_at = self._state.version
        return 0.0

    # ---- the session -----------------------------------------------------------------------------

    def _open(self, analyst: Analyst) -> Bgs:
        state = self._state
        bot = self._context.registry.find(self.bot_id, state.game)
        samples = None if bot is None else bot.samples
        bgs = self._context.host.open(
            Use.BOT_MOVE if _has_human(state) else Use.BOT_GAME,
            analyst,
            self._bgs_id(),
            self.bot_id.partition(":")[2],
            setup_of(state, EvaluationLimits(samples=samples), self._variation(bot)),
            may_be_held=self._is_left_over and self._is_attached,
            from_last_move=not self._is_attached,
            read_clock=self._read_clock,
        )
        bgs.listeners.add(self._wake)
        self.bgs = bgs
        return bgs

    def _variation(self, bot: ListedBot | None) -> Variation | None:
        """That of a built-in bot in this seat of this game, whichever server plays it."""
        if bot is None or bot.noise is None:
            return None
        seed = self._state.id if self._context.bot_seed is None else self._context.bot_seed
        digest = blake2b(f"{seed}/{self._seat}".encode(), digest_size=8).digest()
        return Variation(bot.noise, int.from_bytes(digest) >> 1, bot.network_noise)

    def _bgs_id(self) -> str:
        bots = [seat for seat in self._state.seats if seat.kind is SeatKind.BOT]
        return self._state.id if len(bots) == 1 else f"{self._state.id}~s{self._seat}"

    async def _play(self, bgs: Bgs) -> float | None:
        if bgs.failure is not None:
            self._why_lost = bgs.failure.reason.replace("the analyst", "the bot", 1)
            return 0.0
        bgs.follow(self._planned_line())
        await self._control_clock(ClockMode.TURN if bgs.is_at_end else ClockMode.STANDS)
        line = self._planned_line()
        if not bgs.is_complete(line):
            return None
        if self._planned is not None:
            await self._commit(self._planned.text, self._planned.base)
        elif self._seat in self._state.to_act:
            await self._choose(bgs.entries_for(line)[-1].evaluation.best_move)
        else:
            return await self._rest(bgs)
        return 0.0

    async def _control_clock(self, mode: ClockMode) -> None:
        """Sets the clock. A client that comes back to a running game gets no time back that it had used before."""
        is_charged, self._is_back = self._is_back, False
        await self._run_clock(mode, is_charged=is_charged)

    def _read_clock(self, line: GameLine) -> ClockReading | None:
        """None for a bot that knows no clocks: on the ladder, it has a time for each move that it is not told."""
        bot, clock = self._context.registry.find(self.bot_id, self._state.game), self._state.clock
        if bot is not None and not bot.is_timed:
            return None
        is_running = clock is not None and self._seat in clock.due and line == line_of(self._state)
        return self._clock_reading() if is_running else None

    def _planned_line(self) -> GameLine:
        """Returns the game's moves, followed by the planned one unless it has become stale."""
        planned = self._planned
        if planned is not None and planned.recorded is not None and planned.base == self._state.moves:
            return GameLine((*planned.base, planned.recorded))
        self._planned = None
        return line_of(self._state)

    async def _rest(self, bgs: Bgs) -> float | None:
        """Waits for the next move; ends the session if none comes in time. Another game may get its slot earlier."""
        wait_times, version = self._context.wait_times, self._state.version
        self._context.host.rest(bgs)
        await self._wait(wait_times.attached_idle if self._is_attached else wait_times.pool_idle)
        self._context.host.resume(bgs)
        if self.changed.is_set() and not bgs.is_ending:
            return 0.0
        bgs.end()
        await bgs.closed()
        self.bgs = None
        self._parked_at = version
        return 0.0

    # ---- moves -----------------------------------------------------------------------------------

    async def _choose(self, best_move: str) -> None:
        """Plans the move, or commits it at once."""
        try:
            move = plan(self._state, self._seat, best_move)
        except RuleError as refusal:
            self._why_lost = f"illegal move {best_move[:100]!r}: {refusal}"
            return
        if move.recorded is None:
            await self._commit(move.text, move.base)
        else:
            self._planned = move

    async def _give_up(self, why: str) -> None:
        if self.bgs is not None:
            self.bgs.end()
        # The server's own errors are known by their note, which no client may write.
        await self.resign(f"the bot answered: {why}" if why == SERVER_ERROR else why)


def _has_begun(state: GameState) -> bool:
    return state.ply > 0 or bool(state.pending)


def _has_human(state: GameState) -> bool:
    return any(seat.kind is not SeatKind.BOT for seat in state.seats)
