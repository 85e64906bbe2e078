"""Who is missing since when, of those who play over UHP; and what becomes of a game that waits for them in vain.

One question decides, asked whenever a game or who is there changes: is anybody connected to the seat now, over UHP
or on a page? So nobody has to report that it leaves, and it does not matter when it does. That a seat is remote
stands in the log of its game: after a restart all of them are missing until they are back. How long a game waits is
said by ``domain.absence``.
"""

import asyncio
import logging
from collections.abc import Coroutine
from contextlib import suppress
from functools import partial
from typing import Any

from server.domain.absence import Grace, due
from server.domain.errors import ApiError
from server.domain.events import LeaveReason
from server.domain.game import GameState, Status
from server.ports import Bus
from server.services.changes import ALL_GAMES, Change
from server.services.following import Followed, until_read
from server.services.games import Games
from server.services.presence import ALL_PRESENCE, Presence, PresenceChange

log = logging.getLogger(__name__)

RETRY_MS = 1000
"""When the store could not be asked, it is asked again after this time."""

Key = tuple[str, int]
"""A game's id and a seat."""


class Absences:
    """The remote seats of running games whose players are missed here.

    ``is_alone``: every player of every game connects to this server. Otherwise it misses only those who have come to
    it, and whoever has moved on to another server is missed all the same.
    """

    def __init__(self, games: Games, bus: Bus, presence: Presence, grace: Grace, *, is_alone: bool) -> None:
        self._games = games
        self._bus = bus
        self._presence = presence
        self._grace = grace
        self._is_alone = is_alone
        self._expected: dict[str, set[int]] = {}
        """Seats by game whose players are missed when they are gone."""
        self._since: dict[Key, int] = {}
        """Since when the missing ones are."""
        self._alarms: dict[Key, asyncio.TimerHandle] = {}
        self._tasks: set[asyncio.Task[None]] = set()

    async def start(self) -> None:
        """Takes up what the last stop has left, then follows all games. Nobody may be connected yet."""
        changes, arrivals = Followed(self._bus, ALL_GAMES), Followed(self._bus, ALL_PRESENCE)
        if self._is_alone:
            await self._call_off_deserted()
        await self._look_at_all()
        self._spawn(self._follow(changes))
        self._spawn(self._follow(arrivals))

    def stop(self) -> None:
        """Waits for nobody any more: the server stops, and everybody leaves by that."""
        for alarm in self._alarms.values():
            alarm.cancel()
        for task in self._tasks:
            task.cancel()

    def expect_remote(self, game_id: str, seat: int) -> None:
        """Somebody comes to the seat over UHP, and is missed from when it is gone again, also after a restart."""
        self._expect(game_id, seat)
        self._spawn(until_read(partial(self._games.go_remote, game_id, seat)))

    def _expect(self, game_id: str, seat: int) -> None:
        self._expected.setdefault(game_id, set()).add(seat)

    # ---- what changes ----------------------------------------------------------------------------

    async def _follow(self, followed: Followed) -> None:
        async for message in followed.messages(self._look_at_all):
            match message:
                case Change():
                    self._take(message)
                case PresenceChange(game_id=game_id) if game_id in self._expected:
                    await until_read(partial(self._look_again, game_id))

    def _take(self, change: Change) -> None:
        if change.is_own:
            for seat in change.went_remote:
                self._expect(change.state.id, seat)
        self._look(change.state)

    async def _look_again(self, game_id: str) -> None:
        self._look(await self._games.get(game_id))

    async def _look_at_all(self) -> None:
        if self._is_alone:
            for state in await self._games.live_with_remote():
                for seat, taken in enumerate(state.seats):
                    if taken.is_remote:
                        self._expect(state.id, seat)
        for game_id in tuple(self._expected):
            await self._look_again(game_id)

    async def _call_off_deserted(self) -> None:
        """The games of those who waited for an opponent when the server was killed."""
        for state in await self._games.live_with_remote():
            if state.ends_with_host and state.status is Status.OPEN:
                with suppress(ApiError):
                    await self._games.abort(state.id, state.host)

    # ---- who is missing --------------------------------------------------------------------------

    def _look(self, state: GameState) -> None:
        for seat in self._expected.get(state.id, ()):
            self._look_for(state, seat)
        if not state.is_live:
            self._expected.pop(state.id, None)

    def _look_for(self, state: GameState, seat: int) -> None:
        key = (state.id, seat)
        self._silence(key)
        if state.status is not Status.PLAYING or seat in self._presence.attendance(state.id).here:
            self._since.pop(key, None)
            return
        now = self._games.now()
        moment = due(state, seat, self._since.setdefault(key, now), self._grace)
        if moment is not None:
            self._set(key, moment - now)

    # ---- waiting ---------------------------------------------------------------------------------

    def _silence(self, key: Key) -> None:
        alarm = self._alarms.pop(key, None)
        if alarm is not None:
            alarm.cancel()

    def _set(self, key: Key, milliseconds: int) -> None:
        loop = asyncio.get_running_loop()
        self._alarms[key] = loop.call_later(max(0, milliseconds) / 1000, self._ring, key)

    def _ring(self, key: Key) -> None:
        self._alarms.pop(key, None)
        self._spawn(self._expire(key))

    async def _expire(self, key: Key) -> None:
        """Ends the game for who has not come back. An alarm that rang too early is set again."""
        game_id, seat = key
        try:
            state = await self._games.get(game_id)
            since = self._since.get(key)
            moment = None if since is None else due(state, seat, since, self._grace)
            if moment is None or moment > self._games.now():
                self._look(state)
            else:
                await self._games.forfeit(game_id, seat, LeaveReason.DISCONNECT)
        except ApiError as refusal:
            log.info("game %s: seat %d is gone, but: %s", game_id, seat, refusal)
            if key in self._since and key not in self._alarms:
                self._set(key, RETRY_MS)

    def _spawn(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
