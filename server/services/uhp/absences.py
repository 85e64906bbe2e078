"""Who is missing since when, of those who play over UHP; and what becomes of a game that waits for them in vain.

One question decides, asked whenever a game or who is there changes: is anybody connected to the seat now, over UHP
or on a page? So nobody has to report that it leaves, and it does not matter when it does. How long a game waits is
said by ``domain.absence``.

Which server misses a player stands in the log of the game. One that starts takes that over for every game, since
whoever had it may be gone; another at which the player is takes it back. So after a restart all are missing until
they are back, wherever that is.
"""

import asyncio
import logging
from collections.abc import AsyncIterator, Coroutine, Iterable
from contextlib import asynccontextmanager
from functools import partial
from typing import Any

from server.domain.absence import Grace, due
from server.domain.errors import ApiError
from server.domain.events import WentRemote
from server.domain.game import GameState, Status
from server.ports import Bus
from server.services.changes import ALL_GAMES, Change, FarChange, FarChangesMissed
from server.services.following import Followed, until_read
from server.services.games import Games
from server.services.presence import ALL_PRESENCE, Presence, PresenceChange

log = logging.getLogger(__name__)

RETRY_MS = 1000
"""When the store could not be asked, it is asked again after this time."""

Key = tuple[str, int]
"""A game's id and a seat."""


class Absences:
    """The seats whose players are missed by this server."""

    def __init__(self, games: Games, bus: Bus, presence: Presence, grace: Grace) -> None:
        self._games = games
        self._bus = bus
        self._presence = presence
        self._grace = grace
        self._hosted: set[str] = set()
        """Games that wait for players, with those who have opened them connected here."""
        self._watched: set[str] = set()
        """Games with seats that are missed here."""
        self._since: dict[Key, int] = {}
        """Since when the missing ones are."""
        self._alarms: dict[Key, asyncio.TimerHandle] = {}
        self._tasks: set[asyncio.Task[None]] = set()

    async def start(self) -> None:
        """Follows all games, and takes over those that the last stop has left."""
        changes, arrivals = (
            Followed(self._bus, ALL_GAMES, self._may_concern),
            Followed(self._bus, ALL_PRESENCE),
        )
        self._spawn(self._follow(changes))
        self._spawn(self._follow(arrivals))
        self._spawn(until_read(self._take_over))

    def stop(self) -> None:
        """Waits for nobody any more: the server stops, and everybody leaves by that."""
        for alarm in self._alarms.values():
            alarm.cancel()
        for task in self._tasks:
            task.cancel()

    def welcome(self, game_id: str, seat: int) -> None:
        """A player has come over UHP: it is missed here when it is gone again, also after a restart."""
        self._spawn(until_read(partial(self._games.go_remote, game_id, seat)))

    @asynccontextmanager
    async def hosting(self, game_id: str) -> AsyncIterator[None]:
        """Whoever has opened the game is there as long as this lasts."""
        self._hosted.add(game_id)
        try:
            yield
        finally:
            self._hosted.discard(game_id)

    # ---- taking over -----------------------------------------------------------------------------

    async def _take_over(self) -> None:
        for state in await self._games.live_with_remote():
            for seat in _to_be_missed(state):
                if not self._is_here(state, seat):
                    await self._games.go_remote(state.id, seat, is_here=False)

    def _answer(self, change: Change) -> None:
        """Whom another server asks for is here."""
        for event in change.events:
            if (
                isinstance(event, WentRemote)
                and not event.is_here
                and self._is_here(change.state, event.seat)
            ):
                self.welcome(change.state.id, event.seat)

    # ---- what changes ----------------------------------------------------------------------------

    def _may_concern(self, message: object) -> bool:
        if not isinstance(message, Change):
            return True
        return message.state.has_remote or message.state.id in self._watched

    async def _follow(self, followed: Followed) -> None:
        async for message in followed.messages(self._look_at_all):
            match message:
                case Change():
                    if not message.is_own:
                        self._answer(message)
                    self._look(message.state)
                case FarChange(game_id=game_id) | PresenceChange(game_id=game_id) if game_id in self._watched:
                    await until_read(partial(self._look_again, game_id))
                case FarChangesMissed():
                    for game_id in tuple(self._watched):
                        await until_read(partial(self._look_again, game_id))

    async def _look_again(self, game_id: str) -> None:
        self._look(await self._games.get(game_id))

    async def _look_at_all(self) -> None:
        for state in await self._games.live_with_remote():
            self._look(state)
        for game_id in tuple(self._watched):
            await self._look_again(game_id)

    # ---- who is missing --------------------------------------------------------------------------

    def _look(self, state: GameState) -> None:
        is_ours = any(seat.missed_by == self._games.server for seat in state.seats)
        if not is_ours and state.id not in self._watched:
            return
        for seat in range(len(state.seats)):
            self._look_for(state, seat)
        if is_ours and state.is_live:
            self._watched.add(state.id)
        else:
            self._watched.discard(state.id)

    def _look_for(self, state: GameState, seat: int) -> None:
        key = (state.id, seat)
        alarm = self._alarms.pop(key, None)
        if alarm is not None:
            alarm.cancel()
        moment = self._due(state, seat)
        if moment is not None:
            self._set(key, moment - self._games.now())

    def _due(self, state: GameState, seat: int) -> int | None:
        """When the game has waited long enough; None when it need not wait."""
        key = (state.id, seat)
        if not self._is_missed(state, seat):
            self._since.pop(key, None)
            return None
        return due(state, seat, self._since.setdefault(key, self._games.now()), self._grace)

    def _is_missed(self, state: GameState, seat: int) -> bool:
        """Whether the player should be here and is not: nobody is missed who waits at home for an opponent."""
        has_begun = state.status is Status.PLAYING or (state.status is Status.OPEN and state.ends_with_host)
        is_ours = state.seats[seat].missed_by == self._games.server
        return has_begun and is_ours and not self._is_here(state, seat)

    def _is_here(self, state: GameState, seat: int) -> bool:
        if state.status is Status.OPEN and state.ends_with_host:
            return state.id in self._hosted
        return seat in self._presence.attendance(state.id).here

    # ---- waiting ---------------------------------------------------------------------------------

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
            moment = self._due(state, seat)
            if moment is None or moment > self._games.now():
                self._look(state)
            else:
                self._look(await self._games.stop_waiting(game_id, seat))
        except ApiError as refusal:
            log.info("game %s: seat %d is gone, but: %s", game_id, seat, refusal)
            if key in self._since and key not in self._alarms:
                self._set(key, RETRY_MS)

    def _spawn(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)


def _to_be_missed(state: GameState) -> Iterable[int]:
    """The seats that some server has to miss; for an open game that ends with its host, the host's."""
    if state.status is Status.OPEN and state.ends_with_host:
        return (state.host,)
    return tuple(index for index, seat in enumerate(state.seats) if seat.missed_by is not None)
