"""Evaluation bars of games that another server evaluates, because the bot that does so is attached to that one.

A server announces which games its bars show, and which server is to evaluate each. That one sends it all entries that
it has, and from then on every new one, until the announcement is withdrawn. If messages were missed, it is announced
again, with another number.
"""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import replace
from functools import partial
from itertools import count
from typing import Final

from protocols.play.eval_session import AnalysisFailed
from protocols.values import Entry, GameLine
from server.domain.errors import ApiError
from server.domain.game import GameState
from server.services.bots.bgs import Listeners, entries_for
from server.services.cluster.announcements import AnnouncementChange, Announcements
from server.services.cluster.bus import Bus
from server.services.cluster.server_messages import SERVERS, EntriesShared, eval_topic
from server.services.cluster.topic_reader import TopicReader
from server.services.evaluation.eval_feed import LIVE, Feed
from server.services.tasks import Tasks

BARS: Final = "bars"
"""The kind of the announcements of games that bars show, each ``[server, number]``, by game id."""

PATIENCE_SECONDS = 5.0
"""How long the other server may take to send what it has."""


class SharedSource:
    """The entries that ``server`` sends.

    ``on_silence`` is called if it does not answer, or sends nothing after the game has changed.
    """

    def __init__(
        self,
        sharing: "EvalSharing",
        server: str,
        game_id: str,
        listeners: Listeners,
        on_silence: Callable[[], None],
    ) -> None:
        self.server = server
        self.game_id = game_id
        self.failure: AnalysisFailed | None = None
        self._sharing = sharing
        self._listeners = listeners
        self._on_silence = on_silence
        self._moves: tuple[str, ...] = ()
        self._entries: tuple[Entry, ...] = ()
        self._is_watched = False
        self._alarm: asyncio.TimerHandle | None = None

    def entries_for(self, line: GameLine) -> tuple[Entry, ...]:
        """Returns the entries known for the positions of ``line``, without gaps."""
        return entries_for(line, self._moves, self._entries)

    def follow(self, state: GameState) -> None:
        """Expects the other server, which follows the game as well, to send something for these moves."""
        if self._is_watched and state.status in LIVE and state.moves != self._moves:
            self._expect()

    def resume(self) -> None:
        """Asks for the entries, and for all further ones."""
        if not self._is_watched:
            self._is_watched = True
            self._expect()
            self._sharing.ask(self)

    def rest(self) -> None:
        """Asks for no more entries."""
        if self._is_watched:
            self._is_watched = False
            self._expect_nothing()
            self._sharing.leave(self)

    close = rest

    def _expect(self) -> None:
        self._expect_nothing()
        self._alarm = asyncio.get_running_loop().call_later(PATIENCE_SECONDS, self._on_silence)

    def _expect_nothing(self) -> None:
        if self._alarm is not None:
            self._alarm.cancel()

    def take(self, sent: EntriesShared) -> None:
        """Takes what the other server has sent; asks again if something in between is missing."""
        self._expect_nothing()
        if sent.first > len(self._entries):
            self._sharing.ask(self)
            return
        self._moves, self.failure = sent.moves, sent.failure
        self._entries = (*self._entries[: sent.first], *sent.entries)
        self._listeners.tell()


class _Shared:
    """The entries of one feed, sent to one other server. ``server``: this one."""

    def __init__(self, feed: Feed, server: str, send: Callable[[EntriesShared], None]) -> None:
        self._feed = feed
        self._server = server
        self._send = send
        self._sent: EntriesShared | None = None
        feed.resume()
        feed.listeners.add(self._look)
        self._look()

    def _look(self) -> None:
        feed, known = self._feed, () if self._sent is None else self._sent.entries
        now = EntriesShared(self._server, feed.state.id, feed.line.moves, 0, feed.entries, feed.failure)
        if now != self._sent:
            pairs = enumerate(zip(known, now.entries, strict=False))
            shared = min(len(known), len(now.entries))
            first = next((index for index, (one, other) in pairs if one is not other), shared)
            self._sent = now
            self._send(replace(now, first=first, entries=now.entries[first:]))

    def end(self, now: float) -> None:
        """Sends no more entries."""
        self._feed.listeners.remove(self._look)
        self._feed.rest(now)


class EvalSharing:
    """What this server shows of other servers' evaluations, and they of this one's.

    ``open_feed`` returns the feed of a live game; None if there is none. ``now`` returns seconds of a monotonic clock.
    """

    def __init__(
        self,
        bus: Bus,
        announcements: Announcements,
        open_feed: Callable[[str], Awaitable[Feed | None]],
        now: Callable[[], float],
    ) -> None:
        self._bus = bus
        self._announcements = announcements
        self._open_feed = open_feed
        self._now = now
        self._sources: dict[str, SharedSource] = {}
        """What this server shows, by game."""
        self._shared: dict[tuple[str, str], _Shared] = {}
        """What the others show, by server and game."""
        self._wanted: dict[tuple[str, str], object] = {}
        """The announcements of what they show."""
        self._numbers = count()
        self._tasks = Tasks()
        announcements.listen(BARS, self._take_announcement)

    def start(self) -> None:
        """Starts to receive other servers' entries."""
        reader = TopicReader(self._bus, SERVERS, lambda message: isinstance(message, EntriesShared))
        reader.add(eval_topic(self._announcements.server))
        self._tasks.start(reader.follow(self._take, self._ask_again))

    async def stop(self) -> None:
        """Stops sending and receiving."""
        await self._tasks.stop()

    # ---- what this server shows ------------------------------------------------------------------

    def ask(self, source: SharedSource) -> None:
        """Asks the server of a source for all entries."""
        self._sources[source.game_id] = source
        wanted = [source.server, next(self._numbers)]
        self._tasks.start(self._announcements.put(BARS, source.game_id, wanted))

    def leave(self, source: SharedSource) -> None:
        """Asks for no more entries of a game."""
        if self._sources.get(source.game_id) is source:
            del self._sources[source.game_id]
            self._tasks.start(self._announcements.withdraw(BARS, source.game_id))

    async def _take(self, sent: EntriesShared) -> None:
        source = self._sources.get(sent.game_id)
        if source is not None and source.server == sent.server:
            source.take(sent)

    async def _ask_again(self) -> None:
        for source in tuple(self._sources.values()):
            self.ask(source)

    # ---- what the others show --------------------------------------------------------------------

    async def _take_announcement(self, change: AnnouncementChange) -> None:
        key = change.server, change.key
        self._wanted.pop(key, None)
        if (shared := self._shared.pop(key, None)) is not None:
            shared.end(self._now())
        if change.value is not None and change.value[0] == self._announcements.server:
            self._wanted[key] = change
            with suppress(ApiError):
                feed = await self._open_feed(change.key)
                if feed is not None and self._wanted.get(key) is change:
                    self._shared[key] = _Shared(feed, self._announcements.server, partial(self._send, key[0]))

    def _send(self, server: str, sent: EntriesShared) -> None:
        self._tasks.start(self._bus.publish(eval_topic(server), sent))
