"""Bot game sessions under way: one ``HostedBgs``, one analyst, one place among all sessions and one task each.

Whoever keeps a session tells it the game's moves and is woken whenever something has changed; what it then
wants to know it reads here. Bot seats, eval bars and analyses are such keepers.
"""

import asyncio
import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from protocols.bgs import messages as m
from protocols.bgs.config import Limits, Setup, write_config
from protocols.bgs.effects import Ended, Entry, Failed, FailureCode, Request
from protocols.bgs.history import HostedBgs, Phase
from protocols.session import Effect
from server.domain.game import GameState
from server.ports import Analyst, AnalystGoneError
from server.services.admission import Admission
from server.services.session_places import Place, Use

log = logging.getLogger(__name__)

Listener = Callable[[], None]


class Listeners:
    """Called after every change, on the event loop; quick, and looking for themselves what has changed."""

    def __init__(self) -> None:
        self._all: list[Listener] = []

    def add(self, listener: Listener) -> None:
        """Calls ``listener`` after every change from now on."""
        self._all.append(listener)

    def remove(self, listener: Listener) -> None:
        """Calls ``listener`` no more."""
        if listener in self._all:
            self._all.remove(listener)

    def tell(self) -> None:
        """Something has changed."""
        for listener in tuple(self._all):
            listener()


@dataclass(frozen=True, slots=True)
class Line:
    """The moves of a game, and seat 0's value (+1, 0 or -1) if the last one finished it by the rules."""

    moves: tuple[str, ...] = ()
    finished_value: float | None = None


def line_of(state: GameState) -> Line:
    """The line that was played in a game."""
    outcome = state.position.outcome
    return Line(state.moves, None if outcome is None else outcome.values[0])


def config_of(state: GameState, limits: Limits | None = None) -> dict[str, Any]:
    """The complete config of the game's session; ``limits`` are for our own pool only."""
    return write_config(Setup(state.game, state.variant, state.config, limits or Limits()))


class Bgs:
    """One session. Made by ``BgsHost.open``."""

    def __init__(
        self, hosted: HostedBgs, analyst: Analyst, use: Use, on_close: Callable[["Bgs"], None]
    ) -> None:
        self.analyst = analyst
        self.place = Place(use, self._wake, self.end)
        self.failure: Failed | None = None
        self._hosted = hosted
        self._on_close = on_close
        self._line = Line()
        self._to_ask: m.Request | None = None
        self._asking: asyncio.Task[m.Response] | None = None
        self._changed = asyncio.Event()
        self._closed = asyncio.Event()
        self._is_ending = False
        self.listeners = Listeners()

    @property
    def id(self) -> str:
        """The session's id, as the analyst knows it."""
        return self._hosted.bgs_id

    @property
    def is_closed(self) -> bool:
        """Whether the session is over and nothing is outstanding."""
        return self._closed.is_set()

    @property
    def is_ending(self) -> bool:
        """Whether the session was told to end."""
        return self._is_ending

    @property
    def line(self) -> Line:
        """What the session follows."""
        return self._line

    def is_complete(self, line: Line) -> bool:
        """Whether the history has an entry for every position of ``line`` and nothing is outstanding."""
        return self._line == line and self._hosted.phase is Phase.RESTING

    def entries_for(self, line: Line) -> tuple[Entry, ...]:
        """The entries known for the positions of ``line``, from the first ply that is evaluated without a gap."""
        first, last = self._hosted.first_ply, len(line.moves)
        shared = _shared(self._line.moves, line.moves)
        known = self._hosted.history[: max(0, shared + 1 - first)]
        if line.finished_value is None or first + len(known) < last:
            return known
        return (*known[: last - first], Entry(last, line.finished_value, ""))

    # ---- for the keeper --------------------------------------------------------------------------

    def follow(self, line: Line) -> None:
        """Brings the session to ``line``, whether it goes on, back or aside. Nothing, once it is ending."""
        if self._is_ending or self.failure is not None or line == self._line:
            return
        self._line = line
        self._perform(self._hosted.set_moves(line.moves, line.finished_value))

    def end(self) -> None:
        """Ends the session after what is outstanding, which our own pool gives up at once."""
        if self._is_ending:
            return
        self._is_ending = True
        self._perform(self._hosted.end())
        if self._asking is not None and self.analyst.time_limit is None:
            self._asking.cancel()

    def lose_analyst(self) -> None:
        """The analyst has disconnected."""
        self._perform(self._hosted.gone())

    async def closed(self) -> None:
        """Returns once the session is over and nothing is outstanding."""
        await self._closed.wait()

    # ---- the task --------------------------------------------------------------------------------

    async def run(self, *, may_be_held: bool) -> None:
        """Keeps the session until it is over. ``may_be_held``: the analyst may know its id from before."""
        try:
            while not (self.place.is_granted or self._closed.is_set()):
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
            log.exception("session %s", self.id)
            self.failure = Failed("internal error of the server", FailureCode.INTERNAL_ERROR)
        finally:
            if self._asking is not None:
                self._asking.cancel()
            self._close()
            self.listeners.tell()

    async def _ask(self, message: m.Request) -> list[Effect]:
        self._to_ask = None
        self._asking = asyncio.ensure_future(self.analyst.request(message))
        done, _ = await asyncio.wait([self._asking], timeout=self.analyst.time_limit)
        asking, self._asking = self._asking, None
        if not done:
            asking.cancel()
            await asyncio.wait([asking])
            return self._hosted.timed_out()
        if asking.cancelled():
            return self._hosted.timed_out()
        error = asking.exception()
        if isinstance(error, AnalystGoneError):
            return self._hosted.gone()
        return self._hosted.answered(asking.result())

    def _perform(self, effects: list[Effect]) -> None:
        for effect in effects:
            match effect:
                case Request(message=message):
                    self._to_ask = message
                case Failed():
                    self.failure = effect
                case Ended():
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
    """How many moves both begin with."""
    if one == other:
        return len(one)
    pairs = zip(one, other, strict=False)
    return next((index for index, (a, b) in enumerate(pairs) if a != b), min(len(one), len(other)))


class BgsHost:
    """All sessions of the server."""

    def __init__(self, admission: Admission) -> None:
        self.admission = admission
        self._running: dict[tuple[str, str], Bgs] = {}
        self._tasks: set[asyncio.Task[None]] = set()

    def __len__(self) -> int:
        return len(self._running)

    def open(
        self,
        use: Use,
        analyst: Analyst,
        bgs_id: str,
        bot_id: str,
        config: m.JsonObject,
        *,
        may_be_held: bool = False,
        first_ply: int = 0,
    ) -> Bgs:
        """Starts a session; ``may_be_held``: after a restart of ours. ApiError when no session is free.

        Positions before ``first_ply`` are not evaluated. A session for bot moves is never refused: it starts when it
        has a place. An id must be closed before the same analyst gets it again.
        """
        key = (analyst.id, bgs_id)
        if key in self._running:
            raise ValueError(f"session {bgs_id} of {analyst.id} is still running")
        places = self.admission.places_of(analyst)
        if use is not Use.BOT_MOVE:
            places.check_room(use)

        def close(bgs: Bgs) -> None:
            del self._running[key]
            places.leave(bgs.place)

        hosted = HostedBgs(bgs_id, bot_id, config, first_ply)
        bgs = self._running[key] = Bgs(hosted, analyst, use, close)
        places.admit(bgs.place)
        task = asyncio.ensure_future(bgs.run(may_be_held=may_be_held))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return bgs

    def rest(self, bgs: Bgs) -> None:
        """The keeper can do without the session until it says otherwise: it may be ended for somebody else."""
        self.admission.places_of(bgs.analyst).rest(bgs.place)

    def abandon(self, bgs: Bgs) -> None:
        """The keeper has no use for the session at present: as ``rest``, but anybody may have it at once."""
        self.admission.places_of(bgs.analyst).abandon(bgs.place)

    def resume(self, bgs: Bgs) -> None:
        """The keeper needs the session again."""
        self.admission.places_of(bgs.analyst).resume(bgs.place)

    def lose(self, analyst: Analyst) -> None:
        """The analyst has disconnected: all its sessions fail."""
        for bgs in [bgs for bgs in self._running.values() if bgs.analyst is analyst]:
            bgs.lose_analyst()

    async def stop(self) -> None:
        """Drops everything without asking anybody."""
        for task in tuple(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
