"""The evaluations service: who analyses a game for those who look at it, and what each of them is told.

A live game has one feed for everybody. A finished game is replayed for each viewer in a session that ends at
once. A viewer is a stream of events for the eval socket's session; each stream looks at the present state of the
feed when it wakes, so a slow viewer misses nothing that still counts.
"""

import asyncio
import secrets
from collections.abc import AsyncIterator, Coroutine, Iterator
from contextlib import contextmanager
from typing import Any

from protocols.bgs.effects import Failed, FailureCode
from protocols.bgs.history import next_id
from protocols.play import eval as ev
from protocols.play.eval_frames import ErrorCode, RejectionCode
from protocols.session import Event
from server.domain.bots import HOUSE, LEVELS
from server.domain.errors import ApiError
from server.domain.game import GameState
from server.domain.seats import SeatKind
from server.ports import Analyst, Bus, OverrunError, Subscription
from server.services.bgs import Bgs, Listeners, config_of, line_of
from server.services.bot_player import Around
from server.services.bots import Bots
from server.services.changes import Change, game_topic
from server.services.eval_feed import LIVE, Feed, OwnSource, PlayerSource, Source
from server.services.eval_view import View
from server.services.roster import client_of

VIEWER = "guest"
"""The name of a viewer in the ids of replays: there are no accounts."""

SWEEP_SECONDS = 60.0


class Evaluations:
    """All feeds and replays. ``pool`` analyses whatever no attached bot does."""

    def __init__(self, around: Around, bots: Bots, bus: Bus, pool: Analyst) -> None:
        self._around = around
        self._bots = bots
        self._bus = bus
        self._pool = pool
        self._feeds: dict[str, Feed] = {}
        self._timed_out: dict[str, str] = {}
        """The last session id that timed out, by live game: it is not used again."""
        self._tasks: set[asyncio.Task[None]] = set()

    def start(self) -> None:
        """Begins to give up feeds that nobody looks at."""
        self._spawn(self._sweep())

    async def stop(self) -> None:
        """Gives everything up."""
        for task in tuple(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def follow(self, game_id: str) -> AsyncIterator[Event]:
        """What one viewer is told, from the answer to the handshake on. It ends when nothing more will come."""
        try:
            state = await self._around.games.get(game_id)
            self._check_evaluable(state)
            feed = await self._feed(state) if state.status in LIVE else None
        except _NobodyError:
            yield ev.Rejected(RejectionCode.NO_BOT, "Nobody here can evaluate this game.")
            return
        except ApiError as refusal:
            yield ev.Rejected(RejectionCode.INTERNAL_ERROR, refusal.text)
            return
        yield ev.Accepted()
        view = View()
        if feed is not None:
            async for event in self._look(feed, view):
                yield event
        if view.wants_replay:
            async for event in self._replay(await self._around.games.get(game_id), view):
                yield event

    def _check_evaluable(self, state: GameState) -> None:
        if self._around.roster.official_for(state.position) is None and not self._plays(state):
            raise _NobodyError

    def _plays(self, state: GameState) -> bool:
        return any(bot.game == state.game and bot.client_id == HOUSE for bot in self._around.roster.bots)

    # ---- live games ------------------------------------------------------------------------------

    async def _look(self, feed: Feed, view: View) -> AsyncIterator[Event]:
        with _watching(feed, self._around.now) as changed:
            feed.resume()
            while True:
                changed.clear()
                for event in view.catch_up(feed.line, feed.entries):
                    yield event
                if feed.failure is not None and not feed.is_over:
                    view.give_up()
                    yield _failed(feed.failure)
                if feed.is_over or view.is_done:
                    return
                await changed.wait()

    async def _feed(self, state: GameState) -> Feed:
        """The game's feed; a failed one is replaced."""
        feed = self._feeds.get(state.id)
        if feed is None or feed.failure is not None:
            changes = self._bus.subscribe(game_topic(state.id))
            feed = Feed(state, self._around.now(), lambda listeners: self._source(state, listeners))
            self._feeds[state.id] = feed
            self._spawn(self._keep(feed, state.id, changes))
        return feed

    def _source(self, state: GameState, listeners: Listeners) -> Source:
        seats = [index for index, seat in enumerate(state.seats) if seat.kind is SeatKind.BOT]
        if len(seats) == 1 and client_of(state.seats[seats[0]].bot_id or "") != HOUSE:
            return PlayerSource(self._bots, state.id, seats[0], listeners)
        used = self._timed_out.get(state.id)
        return OwnSource(self._open(state, state.id if used is None else next_id(used)), listeners)

    def _open(self, state: GameState, bgs_id: str) -> Bgs:
        official = self._around.roster.official_for(state.position)
        analyst, bot_id = (
            (self._pool, LEVELS[-1].bot_id) if official is None else (official[1], official[0].bot_id)
        )
        return self._around.host.open(analyst, bgs_id, bot_id, config_of(state))

    async def _keep(self, feed: Feed, game_id: str, changes: Subscription) -> None:
        try:
            while not feed.is_over and feed.failure is None and self._feeds.get(game_id) is feed:
                try:
                    async for change in changes:
                        if isinstance(change, Change):
                            feed.take(change.state)
                        if feed.is_over:
                            break
                except OverrunError:
                    changes = self._bus.subscribe(game_topic(game_id))
                    feed.take(await self._around.games.get(game_id))
        finally:
            changes.close()
            feed.close()
