"""A seat that the server plays by asking a program: its loop, its clock, and the commands to its game.

``bot_player`` asks bots, ``uhp.engine_seat`` a UHP engine that has connected. Both do what is due after every change of
the game and of the program, commit moves only to the position that they were chosen for, and control the seat's clock.
"""

import asyncio
import logging
from abc import ABC, abstractmethod
from functools import partial

from protocols.values import ClockReading
from server.domain.clocks.clock import ClockMode
from server.domain.errors import ApiError, Code
from server.domain.game import GameState
from server.ports.store import Lease
from server.services.games.games import Games

log = logging.getLogger(__name__)


class AskedSeat(ABC):
    """One seat. ``needs_lease``: whether only the server that holds the game's lease may play it."""

    def __init__(self, games: Games, state: GameState, seat: int, *, needs_lease: bool) -> None:
        self._games = games
        self._state = state
        self._seat = seat
        self._needs_lease = needs_lease
        self.changed = asyncio.Event()
        """Set when something may be due: the game or the program has changed."""

    def update(self, state: GameState) -> None:
        """Takes a new state of the game."""
        if state.version > self._state.version:
            self._state = state
            self._wake()

    def _wake(self) -> None:
        self.changed.set()

    # ---- the loop --------------------------------------------------------------------------------

    async def run(self) -> None:
        """Plays until the seat needs no more moves from here."""
        while self._is_playing():
            self.changed.clear()
            await self._wait(await self._step())

    @abstractmethod
    def _is_playing(self) -> bool:
        """Whether there may be something to do, now or after a change."""

    @abstractmethod
    async def _step(self) -> float | None:
        """Does what is due, and returns the maximum number of seconds to wait for a change; None: no limit."""

    async def _wait(self, seconds: float | None) -> None:
        try:
            async with asyncio.timeout(seconds):
                await self.changed.wait()
        except TimeoutError:
            return

    # ---- the game --------------------------------------------------------------------------------

    @property
    def _lease(self) -> Lease | None:
        """The lease that commands need. Raises ApiError if this server does not hold it."""
        return self._games.leases.lease(self._state.id) if self._needs_lease else None

    def _clock_reading(self, lag_ms: int = 0) -> ClockReading | None:
        """The seat's clock as the program is told it, or None. ``lag_ms`` is the latency to the program."""
        clock, control = self._state.clock, self._state.time_control
        if clock is None or control is None:
            return None
        return clock.reading(self._seat, self._games.now(), control, lag_ms)

    async def _set_clock(self, mode: ClockMode, made_at: int | None = None) -> None:
        """Sets when the seat's clock runs, from ``made_at`` on; None: from now on. Raises ApiError."""
        self.update(await self._games.set_clock(self._state.id, self._seat, mode, made_at, self._lease))

    async def _run_clock(self, mode: ClockMode, *, is_charged: bool = False) -> None:
        """Sets the seat's clock if its move is timed.

        Stopping it gives back the time since it began to run, unless ``is_charged``.
        """
        clock = self._state.clock
        if clock is None or self._seat not in clock.due or clock.modes[self._seat] is mode:
            return
        is_refunded = mode is ClockMode.STANDS and not is_charged
        await self._set_clock(mode, clock.since if is_refunded else None)

    async def resign(self, why: str) -> None:
        """Resigns for a bot that cannot continue, with a public note. Raises ApiError."""
        self.update(await self._games.abandon_bot(self._state.id, self._seat, why, self._lease))

    async def _commit(self, move: str, moves: tuple[str, ...], made_at: int | None = None) -> None:
        """Plays a move chosen after ``moves``; the game refuses it if another change came first.

        Raises ApiError ``unavailable``.
        """
        play = partial(self._games.move, self._state.id, self._seat, move, lease=self._lease)
        try:
            self.update((await play(expected_moves=moves, made_at=made_at)).state)
        except ApiError as refusal:
            if refusal.code is Code.UNAVAILABLE:
                raise
            log.info("game %s: a move of seat %d was refused: %s", self._state.id, self._seat, refusal)
            self.update(await self._games.get(self._state.id))
