"""Running bot game sessions. Each has a ``HostedBgs``, an analyst, a session slot and a task.

The owner of a session (a bot's player, an evaluation bar or an analysis) passes it the game's moves, is notified of
every change, and then reads the session's properties.
"""

import asyncio
import logging
from collections.abc import Callable, Sequence

from engines import Evaluation, Variation
from protocols.bgs import effects as ef
from protocols.bgs.config import Setup
from protocols.bgs.history import HostedBgs, Phase
from protocols.bgs.messages import EvaluationLimits
from protocols.session import Effect
from protocols.values import ClockReading, Entry, FailureCode, GameLine, moves_of
from server.domain.game import GameState
from server.ports.analysts import Analyst, AnalystGoneError, AnalystSession
from server.services.bots.admission import Admission
from server.services.bots.session_slots import SessionSlot, Use
from server.services.tasks import Tasks

log = logging.getLogger(__name__)

Listener = Callable[[], None]

ReadClock = Callable[[GameLine], ClockReading | None]
"""Returns the clock that runs while the position at the end of a line is evaluated, if there is one."""


def no_clock(line: GameLine) -> ClockReading | None:
    """For evaluations that no clock is charged for, such as those for viewers."""
    return None


class Listeners:
    """Functions called after every change, on the event loop. They must be quick, and are not told what has changed."""

    def __init__(self) -> None:
        self._all: list[Listener] = []

    def add(self, listener: Listener) -> None:
        """Adds a listener."""
        self._all.append(listener)

    def remove(self, listener: Listener) -> None:
        """Removes a listener, if present."""
        if listener in self._all:
            self._all.remove(listener)

    def tell(self) -> None:
        """Calls all listeners."""
        for listener in tuple(self._all):
            listener()


def line_of(state: GameState) -> GameLine:
    """Returns the line played in a game."""
    outcome = state.position.outcome
    return GameLine(state.moves, None if outcome is None else Evaluation.of_outcome(outcome))


def setup_of(
    state: GameState, limits: EvaluationLimits | None = None, variation: Variation | None = None
) -> Setup:
    """Returns the setup of a game. ``limits`` and ``variation`` apply to our engines only."""
    return Setup(state.game, state.variant, state.config, limits or EvaluationLimits(), variation)


def entries_for(
    line: GameLine, moves: Sequence[str], entries: tuple[Entry, ...], first: int = 0
) -> tuple[Entry, ...]:
    """Returns the entries known for the positions of ``line``, without gaps; a final position is worth its result.

    ``entries`` are those of the positions of the line of ``moves``, from the one after ``first`` entries on.
    """
    last = len(line.moves)
    known = entries[: max(0, _shared(moves, line.moves) + 1 - first)]
    if line.final is None or first + len(known) < last:
        return known
    final = Entry(len(moves_of(line.moves)), line.final)
    return (*known[: last - first], final)


class Bgs:
    """One session. Created by ``BgsHost.open``."""

    def __init__(
        self,
        bgs_id: str,
        hosted: HostedBgs,
        analyst: Analyst,
        session: AnalystSession,
        use: Use,
        on_close: Callable[["Bgs"], None],
        read_clock: ReadClock,
    ) -> None:
        self.id = bgs_id
        self.analyst = analyst
        self.slot = SessionSlot(use, self._wake, self.end)
        self.failure: ef.Failed | None = None
        self._hosted = hosted
        self._session = session
        self._on_close = on_close
        self._read_clock = read_clock
        self._alarm: asyncio.TimerHandle | None = None
        """Cancels the outstanding request."""
        self._line = GameLine()
        self._to_ask: ef.Request | None = None
        self._asking: asyncio.Task[Evaluation | None] | None = None
        self._changed = asyncio.Event()
        self._closed = asyncio.Event()
        self._is_ending = False
        self.listeners = Listeners()

    @property
    def is_closed(self) -> bool:
        """Whether the session has ended and no request is outstanding."""
        return self._closed.is_set()

    @property
    def is_ending(self) -> bool:
        """Whether ``end`` has been called."""
        return self._is_ending

    @property
    def line(self) -> GameLine:
        """The line that the session follows."""
        return self._line

    def is_complete(self, line: GameLine) -> bool:
        """Whether ``line`` has an entry for each position that is to be evaluated, and no request is outstanding."""
        return self._line == line and self._hosted.phase is Phase.RESTING

    @property
    def is_at_end(self) -> bool:
        """Whether the line has been played in the session, or its last move is being played."""
        return self.slot.is_granted and self._hosted.is_at_end

    def entries_for(self, line: GameLine) -> tuple[Entry, ...]:
        """Returns the entries known for the positions of ``line``, from the first evaluated ply on, without gaps."""
        return entries_for(line, self._line.moves, self._hosted.history, self._hosted.first)

    # ---- for the owner ---------------------------------------------------------------------------

    def follow(self, line: GameLine) -> None:
        """Makes the session follow ``line``, which may extend, shorten or replace the current one.

        No effect once the session is ending or has failed.
        """
        if self._is_ending or self.failure is not None or line == self._line:
            return
        self._line = line
        self._perform(self._hosted.set_line(line))
        self._limit_time(0.0)

    def end(self) -> None:
        """Ends the session after the outstanding request, which the engine pool cancels immediately."""
        if self._is_ending:
            return
        self._is_ending = True
        self._perform(self._hosted.end())
        self._limit_time(0.0)
        if self._asking is not None and self.analyst.time_limit is None:
            self._asking.cancel()

    def lose_analyst(self) -> None:
        """Called when the analyst has disconnected."""
        self._perform(self._hosted.gone())

    async def closed(self) -> None:
        """Returns once the session has ended and no request is outstanding."""
        await self._closed.wait()

    # ---- the task --------------------------------------------------------------------------------

    async def run(self, *, may_be_held: bool) -> None:
        """Runs the session until it ends. ``may_be_held``: the analyst may have a session with this id already."""
        try:
            while not (self.slot.is_granted or self._closed.is_set()):
                await self._changed.wait()
                self._changed.clear()
            if not self._closed.is_set():
                self._perform(self._hosted.rebuild() if may_be_held else self._hosted.start())
            while not self._closed.is_set():
                await self._changed.wait()
                self._changed.clear()
                if self._to_ask is not None:
                    self._perform(await self._ask(self._to_ask))
        except Exception:
            log.exception("error in session %s", self.id)
            self.failure = ef.Failed("internal error of the server", FailureCode.INTERNAL_ERROR)
        finally:
            if self._asking is not None:
                self._asking.cancel()
            if self._alarm is not None:
                self._alarm.cancel()
            self._close()
            self.listeners.tell()

    async def _ask(self, request: ef.Request) -> list[Effect]:
        self._to_ask = None
        is_last = isinstance(request, ef.EvaluateSession) and self._hosted.is_at_end
        clock = self._read_clock(self._line) if is_last else None
        asking = self._asking = asyncio.ensure_future(self._answer(request, clock))
        self._limit_time(0.0 if clock is None else clock.remaining_ms / 1000)
        await asyncio.wait([asking])
        self._asking = None
        if self._alarm is not None:
            self._alarm.cancel()
            self._alarm = None
        if asking.cancelled():
            return self._hosted.timed_out()
        try:
            return self._hosted.answered(asking.result())
        except AnalystGoneError:
            return self._hosted.gone()
        except ef.AnswerError as error:
            return self._hosted.failed(error)

    def _limit_time(self, more: float) -> None:
        """Limits the time for the outstanding request to the analyst's limit and ``more`` seconds from now.

        An earlier limit stays. A request with a clock gets ``more`` time until the line changes: its answer is useless
        then, but the next request has to wait for it.
        """
        seconds = self.analyst.time_limit
        if self._asking is None or seconds is None:
            return
        loop = asyncio.get_running_loop()
        at = loop.time() + seconds + more
        if self._alarm is not None:
            at = min(at, self._alarm.when())
            self._alarm.cancel()
        self._alarm = loop.call_at(at, self._asking.cancel)

    async def _answer(self, request: ef.Request, clock: ClockReading | None) -> Evaluation | None:
        match request:
            case ef.OpenSession():
                await self._session.open()
            case ef.AdvanceSession(move=move):
                await self._session.advance(move)
            case ef.EvaluateSession(following=following):
                return await self._session.evaluate(clock, following)
            case ef.CloseSession():
                await self._session.close()
        return None

    def _perform(self, effects: list[Effect]) -> None:
        for effect in effects:
            match effect:
                case ef.OpenSession() | ef.AdvanceSession() | ef.EvaluateSession() | ef.CloseSession():
                    self._to_ask = effect
                case ef.Failed():
                    self.failure = effect
                case ef.Ended():
                    self._close()
        self._changed.set()
        self.listeners.tell()

    def _wake(self) -> None:
        self._changed.set()

    def _close(self) -> None:
        if not self._closed.is_set():
            self._closed.set()
            self._on_close(self)


def _shared(one: Sequence[str], other: Sequence[str]) -> int:
    """The length of the common prefix of two lists of moves."""
    if one == other:
        return len(one)
    pairs = zip(one, other, strict=False)
    return next((index for index, (a, b) in enumerate(pairs) if a != b), min(len(one), len(other)))


WAITING = (Use.BOT_MOVE, Use.BOT_GAME)
"""The uses whose sessions are never refused."""


class BgsHost:
    """All running sessions of the server."""

    def __init__(self, admission: Admission) -> None:
        self.admission = admission
        self._running: dict[tuple[str, str], Bgs] = {}
        self._tasks = Tasks()

    def __len__(self) -> int:
        return len(self._running)

    def open(
        self,
        use: Use,
        analyst: Analyst,
        bgs_id: str,
        bot_id: str,
        setup: Setup,
        *,
        may_be_held: bool = False,
        first: int = 0,
        compares: bool = False,
        from_last_move: bool = False,
        read_clock: ReadClock = no_clock,
    ) -> Bgs:
        """Starts a session. ApiError if none is free. The caller sets its line at once.

        ``first``, ``compares`` and ``from_last_move`` are explained at ``HostedBgs``.
        ``may_be_held``: the analyst may still have a session with this id from before a restart of the server. A
        session for bot moves is never refused: it starts when a slot is free. An id can be reused with the same
        analyst only after its session has closed. ``read_clock`` is called when the last position of the line is to
        be evaluated.
        """
        key = (analyst.id, bgs_id)
        if key in self._running:
            raise ValueError(f"session {bgs_id} of {analyst.id} is still running")
        slots = self.admission.slots_of(analyst)
        if use not in WAITING:
            slots.check_room(use)

        def close(bgs: Bgs) -> None:
            del self._running[key]
            slots.leave(bgs.slot)

        session = analyst.session(bgs_id, bot_id, setup)
        hosted = HostedBgs(first, compares=compares, from_last_move=from_last_move)
        bgs = self._running[key] = Bgs(bgs_id, hosted, analyst, session, use, close, read_clock)
        slots.admit(bgs.slot)
        self._tasks.start(bgs.run(may_be_held=may_be_held))
        return bgs

    def rest(self, bgs: Bgs) -> None:
        """Marks the session as idle: until ``resume`` it may be ended to free its slot."""
        self.admission.slots_of(bgs.analyst).rest(bgs.slot)

    def abandon(self, bgs: Bgs) -> None:
        """Marks the session as unused: like ``rest``, but its slot may be reassigned immediately, for any use."""
        self.admission.slots_of(bgs.analyst).abandon(bgs.slot)

    def resume(self, bgs: Bgs) -> None:
        """Marks the session as in use again."""
        self.admission.slots_of(bgs.analyst).resume(bgs.slot)

    def lose(self, analyst: Analyst) -> None:
        """Called when an analyst has disconnected: all its sessions fail."""
        for bgs in [bgs for bgs in self._running.values() if bgs.analyst is analyst]:
            bgs.lose_analyst()

    async def stop(self) -> None:
        """Cancels all sessions without ending them at their analysts."""
        await self._tasks.stop()
