"""One bot at one seat of one game: asks its analyst, plays the answer, gives the seat up when that fails.

The flow is the bot protocol's: the history is always one evaluation ahead, a move of the bot is sent to its
analyst and the position after it evaluated before the move is committed, and a move that ends the game is not
sent at all. A takeback in between makes what was planned stale: it is dropped, and the session brought to the
game's moves.
"""

import asyncio
from dataclasses import dataclass
from functools import partial

from engines import RuleError
from protocols.bgs.config import Limits
from server.domain.bots import HOUSE
from server.domain.clock import ClockMode
from server.domain.errors import ApiError, Code
from server.domain.game import GameState, Status
from server.domain.seats import SeatKind
from server.ports import Analyst
from server.services.around import Around
from server.services.bgs import Bgs, Line, Listeners, config_of, line_of
from server.services.roster import client_of
from server.services.session_places import Use

RETRY_SECONDS = 1.0
"""When the store or the sessions could not take something, it is tried again after this time."""


@dataclass(frozen=True, slots=True)
class _Planned:
    """A move not committed yet: played after ``base``, as sent and as it will be recorded."""

    base: tuple[str, ...]
    text: str
    recorded: str


class BotPlayer:
    """The bot. ``is_left_over``: the game was running when the server started."""

    def __init__(self, around: Around, state: GameState, seat: int, *, is_left_over: bool) -> None:
        self._around = around
        self._state = state
        self._seat = seat
        self.bot_id = state.seats[seat].bot_id or ""
        self.listeners = Listeners()
        """Called whenever ``bgs`` is another one or has changed."""
        self._is_left_over = is_left_over
        self._is_attached = client_of(self.bot_id) != HOUSE
        self._is_engaged = is_left_over or not self._is_attached or not _has_human(state) or _has_begun(state)
        self._created_at = around.now()
        self._analyst = around.roster.analyst_of(self.bot_id)
        self._is_away = False
        self._why_lost = None if self._analyst or is_left_over else "the bot is not attached"
        self._bgs: Bgs | None = None
        self._planned: _Planned | None = None
        self._parked_at: int | None = None
        """The version of the game at which the session was ended for want of moves."""
        self._wake = asyncio.Event()
        self._wake.set()

    # ---- what others tell and ask ----------------------------------------------------------------

    @property
    def bgs(self) -> Bgs | None:
        """The session of the moment."""
        return self._bgs

    @property
    def is_engaged(self) -> bool:
        """Whether the bot may be asked: not before a player is there."""
        return self._is_engaged

    @property
    def is_asleep(self) -> bool:
        """Whether the bot has ended its session for want of moves, and nothing has happened since."""
        return self._parked_at == self._state.version and self._why_lost is None

    def update(self, state: GameState) -> None:
        """The game has changed."""
        if state.version > self._state.version:
            self._state = state
            self._is_engaged = self._is_engaged or _has_begun(state)
            self._changed()

    def engage(self) -> None:
        """A player is there: the bot may be asked."""
        self._is_engaged = True
        self._changed()

    def resume(self) -> None:
        """Somebody wants to see the session: it is begun again if it was ended for want of moves."""
        self._parked_at = None
        self._changed()

    @property
    def is_waiting(self) -> bool:
        """Whether the bot's client has not attached since the server started."""
        return self._analyst is None and self._why_lost is None

    def meet_client(self) -> None:
        """The bot's client has attached."""
        if self._analyst is None:
            self._analyst = self._around.roster.analyst_of(self.bot_id)
            self._changed()

    def lose(self, client: Analyst) -> None:
        """A client has disconnected; if it played this seat, the seat is given up."""
        if self._analyst is client:
            self._why_lost = "the bot disconnected"
            self._changed()

    def _changed(self) -> None:
        self._wake.set()
        self.listeners.tell()

    # ---- the task --------------------------------------------------------------------------------

    async def run(self) -> None:
        """Plays until the game is over, the seat given up, or the bot asleep. Cancelled, it leaves all as it is."""
        while self._is_playing() and not self.is_asleep:
            self._wake.clear()
            await self._wait(await self._step())
        if self._bgs is not None:
            self._bgs.end()
        if self._is_away:
            await self._around.presence.set_back(self._state.id, self._seat)

    def _is_playing(self) -> bool:
        return self._state.status is Status.PLAYING and self._seat not in self._state.gone

    async def _wait(self, seconds: float | None) -> None:
        try:
            async with asyncio.timeout(seconds):
                await self._wake.wait()
        except TimeoutError:
            return

    async def _step(self) -> float | None:
        """Does what is due; how long to wait for something to happen at most."""
        try:
            if self._why_lost is not None:
                await self._give_up(self._why_lost)
                return 0.0
            await self._show_presence()
            if self._analyst is None:
                return self._wait_for_client()
            if not self._is_wanted():
                return self._wait_for_arrival()
            return await self._play(self._bgs or self._open(self._analyst))
        except ApiError:
            return RETRY_SECONDS

    async def _show_presence(self) -> None:
        """Tells the players when the bot's client is away, and when it is back."""
        if self._is_away != (self._analyst is None):
            self._is_away = self._analyst is None
            presence = self._around.presence
            tell = presence.set_away if self._is_away else presence.set_back
            await tell(self._state.id, self._seat)

    def _wait_for_client(self) -> float:
        left = self._created_at + self._around.patience.rejoin - self._around.now()
        if left <= 0:
            self._why_lost = "the bot did not come back"
        return max(0.0, left)

    def _is_wanted(self) -> bool:
        if self._parked_at is not None and self._parked_at != self._state.version:
            self._parked_at = None
        return self._is_engaged and self._parked_at is None

    def _wait_for_arrival(self) -> float | None:
        """An attached bot that moves first is asked in the end; another one sleeps when nobody comes."""
        patience, is_due = self._around.patience, self._seat in self._state.to_act
        left = (
            self._created_at + (patience.arrival if is_due else patience.attached_idle) - self._around.now()
        )
        if left > 0:
            return left
        if is_due:
            self._is_engaged = True
        else:
            self._parked_at = self._state.version
        return 0.0

    # ---- the session -----------------------------------------------------------------------------

    def _open(self, analyst: Analyst) -> Bgs:
        state = self._state
        bot = self._around.roster.find(self.bot_id, state.game)
        samples = None if bot is None else bot.samples
        bgs = self._around.host.open(
            Use.BOT_MOVE,
            analyst,
            self._bgs_id(),
            self.bot_id.partition(":")[2],
            config_of(state, Limits(samples=samples)),
            may_be_held=self._is_left_over and self._is_attached,
        )
        bgs.listeners.add(self._changed)
        self._bgs = bgs
        return bgs

    def _bgs_id(self) -> str:
        bots = [seat for seat in self._state.seats if seat.kind is SeatKind.BOT]
        return self._state.id if len(bots) == 1 else f"{self._state.id}~s{self._seat}"

    async def _play(self, bgs: Bgs) -> float | None:
        if bgs.failure is not None:
            self._why_lost = bgs.failure.reason.replace("the analyst", "the bot", 1)
            return 0.0
        line = self._wanted_line()
        bgs.follow(line)
        await self._mind_clock(bgs, line)
        if not bgs.is_complete(line):
            return None
        if self._planned is not None:
            await self._commit(self._planned.text)
        elif self._seat in self._state.to_act:
            await self._choose(bgs.entries_for(line)[-1].best_move)
        else:
            return await self._rest(bgs)
        return 0.0

    async def _mind_clock(self, bgs: Bgs, line: Line) -> None:
        """Has the bot's clock stand while its session waits for a place, or replays the game after it lost its place.

        Neither is the bot's doing. What it thinks about the position itself is charged.
        """
        clock = self._state.clock
        if clock is None or self._seat not in self._state.to_act:
            return
        is_behind = not bgs.place.is_granted or len(bgs.entries_for(line)) < len(line.moves)
        mode = ClockMode.STANDS if is_behind else ClockMode.TURN
        if clock.modes[self._seat] is not mode:
            self.update(await self._around.games.set_clock(self._state.id, self._seat, mode))

    def _wanted_line(self) -> Line:
        """The game's moves, and after them the planned one, unless it has become stale."""
        planned = self._planned
        if planned is not None and planned.base == self._state.moves:
            return Line((*planned.base, planned.recorded))
        self._planned = None
        return line_of(self._state)

    async def _rest(self, bgs: Bgs) -> float | None:
        """Waits for the next move, with the session for a while, then without.

        It may be taken away before, for a game that needs one now.
        """
        patience, version = self._around.patience, self._state.version
        self._around.host.rest(bgs)
        await self._wait(patience.attached_idle if self._is_attached else patience.pool_idle)
        self._around.host.resume(bgs)
        if self._wake.is_set() and not bgs.is_ending:
            return 0.0
        bgs.end()
        await bgs.closed()
        self._bgs = None
        self._parked_at = version
        return 0.0

    # ---- moves -----------------------------------------------------------------------------------

    async def _choose(self, best_move: str) -> None:
        """Plans the move. One that ends the game, or waits for other seats, is committed at once."""
        position, seat = self._state.position, self._seat
        try:
            text = position.check(self._own_part(best_move), seat)
        except RuleError as refusal:
            self._why_lost = f"illegal move {best_move[:100]!r}: {refusal}"
            return
        if len(position.to_act) > 1:
            await self._commit(text)
            return
        after = position.copy()
        after.play(text)
        if after.outcome is not None:
            await self._commit(text)
        else:
            self._planned = _Planned(self._state.moves, text, after.history[-1])

    def _own_part(self, best_move: str) -> str:
        """The bot's own part of a best move, which is joint where several seats move at once."""
        acting = self._state.position.to_act
        parts = best_move.split("/") if len(acting) > 1 else [best_move]
        return parts[acting.index(self._seat)] if len(parts) == len(acting) else best_move

    async def _commit(self, text: str) -> None:
        move = partial(self._around.games.move, self._state.id, self._seat, text)
        try:
            self.update((await move(expected_moves=self._state.moves)).state)
        except ApiError as refusal:
            if refusal.code is Code.UNAVAILABLE:
                raise
            self.update(await self._around.games.get(self._state.id))

    async def _give_up(self, why: str) -> None:
        if self._bgs is not None:
            self._bgs.end()
        try:
            self.update(await self._around.games.abandon_bot(self._state.id, self._seat, why))
        except ApiError as refusal:
            if refusal.code is Code.UNAVAILABLE:
                raise
            self.update(await self._around.games.get(self._state.id))


def _has_begun(state: GameState) -> bool:
    return state.ply > 0 or bool(state.pending)


def _has_human(state: GameState) -> bool:
    return any(seat.kind is not SeatKind.BOT for seat in state.seats)
