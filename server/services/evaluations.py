"""The evaluations service: who analyses a game for those who look at it, and what each of them is told.

A live game has one feed for everybody. A finished game is replayed for each viewer, in a session that ends at
once. A viewer is a stream of events for the eval socket's session; it looks at the present state of things
whenever it wakes, so a slow viewer misses nothing that still counts.
"""

import asyncio
import secrets
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import contextmanager
from functools import partial

from protocols.bgs.history import next_id
from protocols.play import eval as ev
from protocols.play.eval_frames import RejectionCode
from protocols.session import Event
from server.domain.assistance import allows_evaluation
from server.domain.bots import HOUSE, LEVELS
from server.domain.errors import ApiError
from server.domain.game import GameState
from server.domain.seats import SeatKind
from server.ports import Analyst, Bus
from server.services.around import Around
from server.services.bgs import Bgs, Listeners, config_of, line_of
from server.services.bots import Bots
from server.services.broadcast import Peer
from server.services.changes import ALL_GAMES, Change, FarChange, FarChangesMissed
from server.services.eval_feed import (
    LIVE,
    Feed,
    OwnSource,
    PlayerSource,
    Source,
    failure_of,
    failure_of_session,
)
from server.services.eval_view import see
from server.services.following import Followed, until_read
from server.services.roster import client_of
from server.services.session_places import Use

VIEWER = "guest"
"""The name of a viewer in the ids of replays: there are no accounts."""

UNASSISTED = "This game is played without engine assistance: evaluations are shown when it is over."
"""Why a viewer is rejected. The codes are the only ones that existing clients know."""

SWEEP_SECONDS = 60.0


class Evaluations:
    """All feeds and replays. ``pool`` analyses whatever no attached bot does."""

    def __init__(self, around: Around, bots: Bots, bus: Bus, pool: Analyst) -> None:
        self._around = around
        self._bots = bots
        self._bus = bus
        self._pool = pool
        self._feeds: dict[str, Feed] = {}
        self._spent: dict[str, str] = {}
        """The last session id of each live game whose feed was given up: what failed is not used again."""
        self._tasks: list[asyncio.Task[None]] = []

    def start(self) -> None:
        """Begins to follow the games, and to give up feeds that nobody looks at."""
        changes = Followed(self._bus, ALL_GAMES, self._may_concern)
        self._tasks = [
            asyncio.ensure_future(self._follow_games(changes)),
            asyncio.ensure_future(self._sweep()),
        ]

    async def stop(self) -> None:
        """Gives everything up."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    # ---- one viewer ------------------------------------------------------------------------------

    async def follow(
        self, game_id: str, viewer: Peer, seat: int | None = None, address: str | None = None
    ) -> AsyncIterator[Event]:
        """What a viewer's session is told, from the answer to the handshake until nothing more will come.

        What all viewers of a live game are shown alike is sent to ``viewer`` meanwhile. ``seat`` is the one that it
        plays, None for a spectator. ``address`` is the client's.
        """
        try:
            state = await self._around.games.get(game_id)
            if not allows_evaluation(state):
                code = RejectionCode.NO_BOT if seat is None else RejectionCode.RATED_PLAYER
                yield ev.Rejected(code, UNASSISTED)
                return
            if not self._can_evaluate(state):
                yield ev.Rejected(RejectionCode.NO_BOT, "Nobody here can evaluate this game.")
                return
        except ApiError as refusal:
            yield ev.Rejected(RejectionCode.INTERNAL_ERROR, refusal.text)
            return
        yield ev.Accepted()
        try:
            with self._around.host.admission.bars.holding(address):
                async for event in self._show(state, viewer):
                    yield event
        except ApiError as refusal:
            yield failure_of(refusal)

    async def _show(self, state: GameState, viewer: Peer) -> AsyncIterator[Event]:
        """The evaluations of a game, live or finished. ApiError when no session is free."""
        if state.status in LIVE:
            feed = self._feed(state)
            async for event in self._look(feed, viewer):
                yield event
            if feed.sight.failure is not None or feed.sight.is_complete:
                return
        async for event in self._replay(await self._around.games.get(state.id)):
            yield event

    def _can_evaluate(self, state: GameState) -> bool:
        roster = self._around.roster
        if state.status in LIVE and _only_attached_bot(state) is not None:
            return True
        house_plays = any(bot.game == state.game and bot.client_id == HOUSE for bot in roster.bots)
        return house_plays or roster.official_for(state.position) is not None

    async def _look(self, feed: Feed, viewer: Peer) -> AsyncIterator[Event]:
        """Until the game is over or its analysis has failed."""
        with _watching(feed, self._around.now):
            if not feed.sight.is_complete:
                yield ev.HistoryPending(len(feed.sight.line.moves))
            while not feed.settled.is_set():
                await feed.settled.wait()
            if feed.sight.is_complete:
                with feed.broadcast.joined(viewer):
                    yield feed.sight.history
                    await feed.over.wait()
                yield ev.HistoryShown(feed.shown)
            if feed.sight.failure is not None:
                yield feed.sight.failure

    async def _replay(self, state: GameState) -> AsyncIterator[Event]:
        """The whole history of a finished game, from a session of the viewer's own. ApiError."""
        bgs = self._open(state, f"{state.id}_{VIEWER}_{secrets.token_hex(4)}")
        changed = asyncio.Event()
        bgs.listeners.add(changed.set)
        line = line_of(state)
        try:
            bgs.follow(line)
            yield ev.HistoryPending(len(line.moves))
            while bgs.failure is None and not bgs.is_complete(line):
                changed.clear()
                await changed.wait()
        finally:
            bgs.end()
        if bgs.failure is not None:
            yield failure_of_session(bgs.failure)
        else:
            yield see(line, bgs.entries_for(line)).history

    # ---- feeds -----------------------------------------------------------------------------------

    def _feed(self, state: GameState) -> Feed:
        """The game's feed; one of no more use is replaced. ApiError when no session is free."""
        feed = self._feeds.get(state.id)
        if feed is not None and feed.is_spent:
            self._give_up(state.id)
            feed = None
        if feed is None:
            feed = Feed(state, self._around.now(), lambda listeners: self._source(state, listeners))
            self._feeds[state.id] = feed
        return feed

    def _source(self, state: GameState, listeners: Listeners) -> Source:
        seat = _only_attached_bot(state)
        if seat is not None:
            return PlayerSource(self._bots, state.id, seat, listeners)

        def open_after(last_id: str | None) -> Bgs:
            return self._open(state, state.id if last_id is None else next_id(last_id))

        return OwnSource(self._around.host, open_after, self._spent.get(state.id), listeners)

    def _open(self, state: GameState, bgs_id: str) -> Bgs:
        official = self._around.roster.official_for(state.position)
        if official is None:
            return self._around.host.open(
                Use.EVAL_BAR, self._pool, bgs_id, LEVELS[-1].bot_id, config_of(state)
            )
        bot, analyst = official
        return self._around.host.open(Use.EVAL_BAR, analyst, bgs_id, bot.bot_id, config_of(state))

    def _give_up(self, game_id: str) -> None:
        feed = self._feeds.pop(game_id)
        if feed.own_id is not None:
            self._spent[game_id] = feed.own_id
        feed.close()

    def _may_concern(self, message: object) -> bool:
        return not isinstance(message, Change) or message.state.id in self._feeds or not message.state.is_live

    async def _follow_games(self, changes: Followed) -> None:
        async for change in changes.messages(self._read_again):
            match change:
                case Change():
                    self._take(change.state)
                case FarChange(game_id=game_id) if game_id in self._feeds:
                    await until_read(partial(self._look_again, game_id))
                case FarChange(listing=listing) if listing.status not in LIVE:
                    self._forget(listing.game_id)
                case FarChangesMissed():
                    await until_read(self._read_again)

    async def _read_again(self) -> None:
        for game_id in tuple(self._feeds):
            await self._look_again(game_id)

    async def _look_again(self, game_id: str) -> None:
        self._take(await self._around.games.get(game_id))

    def _take(self, state: GameState) -> None:
        feed = self._feeds.get(state.id)
        if feed is not None:
            feed.take(state)
        if state.status not in LIVE:
            self._forget(state.id)

    def _forget(self, game_id: str) -> None:
        """The game is over."""
        self._feeds.pop(game_id, None)
        self._spent.pop(game_id, None)
        self._around.host.admission.games.end(game_id)

    async def _sweep(self) -> None:
        while True:
            await asyncio.sleep(SWEEP_SECONDS)
            oldest = self._around.now() - self._around.patience.pool_idle
            for game_id in [name for name, feed in self._feeds.items() if feed.is_idle_since(oldest)]:
                self._give_up(game_id)


def _only_attached_bot(state: GameState) -> int | None:
    """The seat of the game's attached bot, where that is its only bot."""
    bots = [(index, seat) for index, seat in enumerate(state.seats) if seat.kind is SeatKind.BOT]
    if len(bots) != 1 or client_of(bots[0][1].bot_id or "") == HOUSE:
        return None
    return bots[0][0]


@contextmanager
def _watching(feed: Feed, now: Callable[[], float]) -> Iterator[None]:
    feed.resume()
    try:
        yield
    finally:
        feed.rest(now())
