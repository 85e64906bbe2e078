"""Tracks missing players of UHP games, and ends games that wait for them too long.

Whenever a game or the presence of its players changes, each seat is checked for a connection, over UHP or on a page.
Players therefore need not announce that they leave. ``domain.absence`` says how long a game waits.

The log of a game records which server is responsible for a missing player. A server that starts takes over all games,
since the responsible server may have gone; another server to which the player is connected takes its seat back. After
a restart, all players are therefore missing until they are connected again, to any server.
"""

import asyncio
import logging
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from functools import partial

from protocols.values import Status
from server.domain.absence import GracePeriods, due
from server.domain.errors import ApiError
from server.domain.events import WentRemote
from server.domain.game import GameState
from server.services.bus import Bus
from server.services.changes import ALL_GAMES, Change, RemoteChange, RemoteChangesMissed
from server.services.games import Games
from server.services.presence import ALL_PRESENCE, Presence, PresenceChange
from server.services.tasks import Tasks
from server.services.topic_reader import TopicReader, retry_until_read

log = logging.getLogger(__name__)

RETRY_MS = 1000
"""Pause before the store is asked again after a failure."""

Key = tuple[str, int]
"""A game's id and a seat."""


class Absences:
    """The seats whose players this server is responsible for."""

    def __init__(self, games: Games, bus: Bus, presence: Presence, grace: GracePeriods) -> None:
        self._games = games
        self._bus = bus
        self._presence = presence
        self._grace = grace
        self._hosted: set[str] = set()
        """Games waiting for players whose hosts are connected here."""
        self._watched: set[str] = set()
        """Games with seats that this server is responsible for."""
        self._since: dict[Key, int] = {}
        """Times since when seats have been without a connection."""
        self._alarms: dict[Key, asyncio.TimerHandle] = {}
        self._tasks = Tasks()

    async def start(self) -> None:
        """Starts to follow all games, and takes over those of the previous run."""
        changes, arrivals = (
            TopicReader(self._bus, ALL_GAMES, self._may_concern),
            TopicReader(self._bus, ALL_PRESENCE),
        )
        self._tasks.start(self._follow(changes))
        self._tasks.start(self._follow(arrivals))
        self._tasks.start(retry_until_read(self._take_over))

    def stop(self) -> None:
        """Stops tracking: players who are disconnected because the server is stopping do not lose."""
        for alarm in self._alarms.values():
            alarm.cancel()
        self._tasks.cancel()

    def welcome(self, game_id: str, seat: int) -> None:
        """Called when a player has connected over UHP: makes this server responsible for the seat."""
        self._tasks.start(retry_until_read(partial(self._games.go_remote, game_id, seat)))

    @asynccontextmanager
    async def hosting(self, game_id: str) -> AsyncIterator[None]:
        """Within this context, the host of the game counts as present."""
        self._hosted.add(game_id)
        try:
            yield
        finally:
            self._hosted.discard(game_id)

    # ---- taking over -----------------------------------------------------------------------------

    async def _take_over(self) -> None:
        for state in await self._games.live_with_remote():
            for seat in _seats_to_watch(state):
                if not self._is_here(state, seat):
                    await self._games.go_remote(state.id, seat, is_here=False)

    def _answer(self, change: Change) -> None:
        """Takes a seat back if another server reports its player missing although the player is connected here."""
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

    async def _follow(self, followed: TopicReader) -> None:
        async for message in followed.messages(self._check_all):
            match message:
                case Change():
                    if not message.is_own:
                        self._answer(message)
                    self._check(message.state)
                case RemoteChange(game_id=game_id) | PresenceChange(game_id=game_id) if (
                    game_id in self._watched
                ):
                    await retry_until_read(partial(self._check_game, game_id))
                case RemoteChangesMissed():
                    for game_id in tuple(self._watched):
                        await retry_until_read(partial(self._check_game, game_id))

    async def _check_game(self, game_id: str) -> None:
        self._check(await self._games.get(game_id))

    async def _check_all(self) -> None:
        for state in await self._games.live_with_remote():
            self._check(state)
        for game_id in tuple(self._watched):
            await self._check_game(game_id)

    # ---- missing players -------------------------------------------------------------------------

    def _check(self, state: GameState) -> None:
        is_ours = any(seat.missed_by == self._games.server for seat in state.seats)
        if not is_ours and state.id not in self._watched:
            return
        for seat in range(len(state.seats)):
            self._check_seat(state, seat)
        if is_ours and state.is_live:
            self._watched.add(state.id)
        else:
            self._watched.discard(state.id)

    def _check_seat(self, state: GameState, seat: int) -> None:
        key = (state.id, seat)
        alarm = self._alarms.pop(key, None)
        if alarm is not None:
            alarm.cancel()
        moment = self._due(state, seat)
        if moment is not None:
            self._set(key, moment - self._games.now())

    def _due(self, state: GameState, seat: int) -> int | None:
        """When the game has waited long enough; None if it is not waiting."""
        key = (state.id, seat)
        if not self._is_missed(state, seat):
            self._since.pop(key, None)
            return None
        return due(state, seat, self._since.setdefault(key, self._games.now()), self._grace)

    def _is_missed(self, state: GameState, seat: int) -> bool:
        """Whether the player should be connected and is not. A host waiting for an opponent may be away."""
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
        self._alarms[key] = loop.call_later(max(0, milliseconds) / 1000, self._on_alarm, key)

    def _on_alarm(self, key: Key) -> None:
        self._alarms.pop(key, None)
        self._tasks.start(self._expire(key))

    async def _expire(self, key: Key) -> None:
        """Ends the game, unless the player has returned. Sets the alarm again if it came too early."""
        game_id, seat = key
        try:
            state = await self._games.get(game_id)
            moment = self._due(state, seat)
            if moment is None or moment > self._games.now():
                self._check(state)
            else:
                self._check(await self._games.stop_waiting(game_id, seat))
        except ApiError as refusal:
            log.info("game %s: cannot end the wait for seat %d: %s", game_id, seat, refusal)
            if key in self._since and key not in self._alarms:
                self._set(key, RETRY_MS)


def _seats_to_watch(state: GameState) -> Iterable[int]:
    """The seats that some server must be responsible for; in an open game that ends with its host, the host's."""
    if state.status is Status.OPEN and state.ends_with_host:
        return (state.host,)
    return tuple(index for index, seat in enumerate(state.seats) if seat.missed_by is not None)
