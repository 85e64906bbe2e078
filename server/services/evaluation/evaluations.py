"""The evaluations service: provides the viewers of a game with evaluations of its positions.

All viewers of a live game share one feed, those of a finished game one replay (``eval_replays``). A viewer is a stream
of events for the session of its eval socket. It always reads the current state, so a slow viewer misses nothing that
is still valid.
"""

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import contextmanager
from functools import partial

from protocols.bgs.history import next_id
from protocols.play import eval_session as ev
from protocols.play.eval_frames import EvalRejectionCode
from protocols.play.eval_history import Shown
from protocols.session import Event
from protocols.values import BUILT_IN_CLIENT, SeatKind
from server.domain.assistance import allows_evaluation
from server.domain.errors import ApiError
from server.domain.game import GameState
from server.domain.levels import LEVELS
from server.ports.analysts import Analyst
from server.ports.connection import Connection
from server.ports.store import Listing, ListingQuery
from server.services.bots.bgs import Bgs, Listeners, setup_of
from server.services.bots.bot_context import BotContext
from server.services.bots.bot_registry import client_of
from server.services.bots.bot_seats import BotSeats
from server.services.bots.session_slots import Use
from server.services.cluster.bus import Bus
from server.services.cluster.changes import Change
from server.services.cluster.games_reader import GamesReader
from server.services.cluster.topic_reader import retry_until_read
from server.services.evaluation.eval_feed import LIVE, Feed, OwnSource, PlayerSource, Source, failure_of
from server.services.evaluation.eval_replays import Replays
from server.services.evaluation.eval_sharing import EvalSharing, SharedSource
from server.services.tasks import Tasks

UNASSISTED = "This game is played without engine assistance: evaluations are shown when it is over."
"""The reason for rejecting a viewer. Existing clients know no other rejection codes."""

SWEEP_SECONDS = 60.0


class Evaluations:
    """All feeds and replays. ``pool`` evaluates the games that no attached bot evaluates."""

    def __init__(self, context: BotContext, bots: BotSeats, bus: Bus, pool: Analyst) -> None:
        self._context = context
        self._bots = bots
        self._bus = bus
        self._pool = pool
        self._replays = Replays(self._open, context.host.admission.work)
        self._sharing = EvalSharing(bus, context.announcements, self._shared_feed, context.now)
        self._feeds: dict[str, Feed] = {}
        self._spent: dict[str, str] = {}
        """The last session id of each live game whose feed was dropped. It is not used again."""
        self._tasks = Tasks()

    def start(self) -> None:
        """Starts to follow the games and to drop feeds without viewers."""
        self._sharing.start()
        self._context.registry.listeners.add(self._check_sources)
        changes = GamesReader(self._bus, self._may_concern, self._may_concern_row)
        self._tasks.start(changes.follow(self._take_change, self._take_row, self._read_again))
        self._tasks.repeat(self._sweep)

    async def stop(self) -> None:
        """Stops following games."""
        await self._sharing.stop()
        await self._tasks.stop()

    # ---- one viewer ------------------------------------------------------------------------------

    async def follow(
        self, game_id: str, viewer: Connection, seat: int | None = None, address: str | None = None
    ) -> AsyncIterator[Event]:
        """Yields the events for a viewer's session, from the answer to the handshake to the last one.

        Events for all viewers of a live game are sent directly to ``viewer`` in the meantime. ``seat`` is the viewer's
        seat, None for a spectator; ``address`` is the client's.
        """
        try:
            state = await self._context.games.get(game_id)
            if not allows_evaluation(state):
                code = EvalRejectionCode.NO_BOT if seat is None else EvalRejectionCode.RATED_PLAYER
                yield ev.Rejected(code, UNASSISTED)
                return
            if not self._can_evaluate(state):
                yield ev.Rejected(EvalRejectionCode.NO_BOT, "No engine here can evaluate this game.")
                return
        except ApiError as refusal:
            yield ev.Rejected(EvalRejectionCode.INTERNAL_ERROR, refusal.text)
            return
        yield ev.Accepted()
        try:
            with self._context.host.admission.bars.holding(address):
                async for event in self._show(state, viewer):
                    yield event
        except ApiError as refusal:
            yield failure_of(refusal)

    async def _show(self, state: GameState, viewer: Connection) -> AsyncIterator[Event]:
        """Yields the evaluations of a game, live or finished. ApiError if no session is free."""
        shown = Shown()
        if state.status in LIVE:
            feed = self._feed(state)
            async for event in self._look(feed, viewer, shown):
                yield event
            if feed.failure is not None or feed.history.is_complete:
                return
        async for event in self._replays.follow(await self._context.games.get(state.id), shown):
            yield event

    def _can_evaluate(self, state: GameState) -> bool:
        registry = self._context.registry
        if state.status in LIVE and _only_attached_bot(state) is not None:
            return True
        house_plays = any(
            bot.game == state.game and bot.client_id == BUILT_IN_CLIENT for bot in registry.bots
        )
        return house_plays or registry.official_for(state.position) is not None

    async def _look(self, feed: Feed, viewer: Connection, shown: Shown) -> AsyncIterator[Event]:
        """Yields the events of a live game until it is over or its analysis has failed."""
        with _watching(feed, self._context.now):
            if not feed.history.is_complete:
                yield ev.HistoryPending(feed.history.plies)
            while (history := await feed.complete_history()).is_complete:
                await self._context.host.admission.work.run_accepted(history.encode)
                while news := shown.news(history):
                    for event in news:
                        yield event
                    history = feed.history  # It may have grown meanwhile.
                if shown.is_same(feed.shown):
                    with feed.broadcast.joined(viewer):
                        await feed.over.wait()
                    shown.take(feed.shown)
                    break
            if feed.failure is not None:
                yield feed.failure

    # ---- feeds -----------------------------------------------------------------------------------

    def _feed(self, state: GameState) -> Feed:
        """Returns the game's feed, replacing one that has failed. ApiError if no session is free."""
        feed = self._feeds.get(state.id)
        if feed is not None and feed.is_spent:
            self._give_up(state.id)
            feed = None
        if feed is None:
            feed = Feed(state, self._context.now(), lambda listeners: self._source(state, listeners))
            self._feeds[state.id] = feed
        return feed

    def _source(self, state: GameState, listeners: Listeners) -> Source:
        """That of the attached bot that plays the game, or a session of the feed's own.

        If the bot, or an official one, is attached to another server, that one evaluates.
        """
        server, seat = self._server_of(state), _only_attached_bot(state)
        if server is not None and self._bus.state().trouble is None:
            on_silence = partial(self._use_own_source, state.id)
            return SharedSource(self._sharing, server, state.id, listeners, on_silence)
        if seat is None:
            return self._own_source(state, listeners)
        return PlayerSource(self._bots, state.id, seat, listeners)

    def _own_source(self, state: GameState, listeners: Listeners) -> OwnSource:
        def open_after(last_id: str | None) -> Bgs:
            return self._open(state, state.id if last_id is None else next_id(last_id))

        return OwnSource(self._context.host, open_after, self._spent.get(state.id), listeners)

    def _server_of(self, state: GameState) -> str | None:
        """The other server to which the bot is attached that plays the game, or an official bot; None if none is."""
        registry, seat = self._context.registry, _only_attached_bot(state)
        if seat is not None:
            attached = registry.player_of(state.seats[seat].bot_id or "", state)
        else:
            official = registry.official_for(state.position)
            attached = None if official is None else official[1]
        return attached.server if attached is not None and attached.client is None else None

    def _check_sources(self) -> None:
        """Called when clients have come or gone: the bots of some games may be attached to other servers now."""
        for feed in self._feeds.values():
            known = feed.source.server if isinstance(feed.source, SharedSource) else None
            is_moved = not isinstance(feed.source, OwnSource) and self._server_of(feed.state) != known
            if is_moved and feed.state.status in LIVE:
                feed.change_source(partial(self._source, feed.state))

    def _use_own_source(self, game_id: str) -> None:
        """Evaluates a game here after all, if the other server does not answer."""
        if (feed := self._feeds.get(game_id)) is not None:
            feed.change_source(partial(self._own_source, feed.state))

    async def _shared_feed(self, game_id: str) -> Feed | None:
        """The feed of a game that another server shows."""
        state = await self._context.games.get(game_id)
        return self._feed(state) if state.status in LIVE and allows_evaluation(state) else None

    def _open(self, state: GameState, bgs_id: str) -> Bgs:
        self._context.host.admission.work.check()
        analyst, bot_id = self._evaluator(state)
        return self._context.host.open(Use.EVAL_BAR, analyst, bgs_id, bot_id, setup_of(state))

    def _evaluator(self, state: GameState) -> tuple[Analyst, str]:
        """An official bot of this server, or the strongest built-in one; with its own id."""
        official = self._context.registry.official_for(state.position)
        if official is None or official[1].client is None:
            return self._pool, LEVELS[-1].bot_id
        return official[1].client, official[0].bot_id

    def _give_up(self, game_id: str) -> None:
        feed = self._feeds.pop(game_id)
        if feed.own_id is not None:
            self._spent[game_id] = feed.own_id
        feed.close()

    def _may_concern(self, change: Change) -> bool:
        return change.state.id in self._feeds or not change.state.is_live

    def _may_concern_row(self, row: Listing) -> bool:
        return row.game_id in self._feeds or row.status not in LIVE

    async def _take_change(self, change: Change) -> None:
        self._take(change.state)

    async def _take_row(self, listing: Listing) -> None:
        if listing.game_id in self._feeds:
            await retry_until_read(partial(self._look_again, listing.game_id))
        elif listing.status not in LIVE:
            self._forget(listing.game_id)

    async def _read_again(self) -> None:
        games = ListingQuery(game_ids=(*self._feeds, *self._spent))
        for listing in await self._context.games.listings(games):
            await self._take_row(listing)

    async def _look_again(self, game_id: str) -> None:
        self._take(await self._context.games.get(game_id))

    def _take(self, state: GameState) -> None:
        feed = self._feeds.get(state.id)
        if feed is not None:
            feed.take(state)
        if state.status not in LIVE:
            self._forget(state.id)

    def _forget(self, game_id: str) -> None:
        """Drops the feed of a finished game."""
        self._feeds.pop(game_id, None)
        self._spent.pop(game_id, None)

    async def _sweep(self) -> None:
        await asyncio.sleep(SWEEP_SECONDS)
        oldest = self._context.now() - self._context.wait_times.pool_idle
        for game_id in [name for name, feed in self._feeds.items() if feed.is_idle_since(oldest)]:
            self._give_up(game_id)


def _only_attached_bot(state: GameState) -> int | None:
    """The seat of the game's only bot if that is an attached one; otherwise None."""
    bots = [(index, seat) for index, seat in enumerate(state.seats) if seat.kind is SeatKind.BOT]
    if len(bots) != 1 or client_of(bots[0][1].bot_id or "") == BUILT_IN_CLIENT:
        return None
    return bots[0][0]


@contextmanager
def _watching(feed: Feed, now: Callable[[], float]) -> Iterator[None]:
    feed.resume()
    try:
        yield
    finally:
        feed.rest(now())
