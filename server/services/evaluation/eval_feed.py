"""The evaluations of one live game, shared by all its viewers.

They come from the session of the attached bot that plays the game, from a session of the feed's own, or from another
server (``eval_sharing``). A bot's session may contain entries for moves that are not committed yet; these are never
shown. While a bot and other players choose their parts of a simultaneous move, only the values of the current position
are shown.
"""

import asyncio
from collections.abc import Callable
from typing import Protocol

from protocols.bgs.effects import Failed
from protocols.play import eval_session as ev
from protocols.play.eval_history import EvalHistory, Shown
from protocols.values import Entry, FailureCode, GameLine, Status
from server.domain.assistance import hides_best_move
from server.domain.errors import ApiError
from server.domain.game import GameState
from server.services.bots.bgs import Bgs, BgsHost, Listeners, line_of
from server.services.bots.bot_player import BotPlayer
from server.services.bots.bot_seats import BotSeats
from server.services.broadcast import Broadcast

PLAYER_SECONDS = 0.1
"""A bot's player starts a moment after its game: the delay before looking for it again."""

LIVE = (Status.OPEN, Status.PLAYING)


class OwnSource:
    """A session of the feed's own. While no entry is missing it may be taken back; it is reopened when needed.

    ``open_after`` opens a session, given the id of the previous one; ApiError if none is free.
    """

    def __init__(
        self,
        host: BgsHost,
        open_after: Callable[[str | None], Bgs],
        last_id: str | None,
        listeners: Listeners,
    ) -> None:
        self._host = host
        self._open_after = open_after
        self._listeners = listeners
        self._line = GameLine()
        self._is_watched = False
        self._refusal: ev.AnalysisFailed | None = None
        self.bgs = self._open(last_id)

    @property
    def failure(self) -> ev.AnalysisFailed | None:
        """Why no more entries will come, if the session has failed or could not be opened."""
        return self._refusal or _failure_of(self.bgs)

    def entries_for(self, line: GameLine) -> tuple[Entry, ...]:
        """Returns the entries known for the positions of ``line``, without gaps."""
        return self.bgs.entries_for(line)

    def follow(self, state: GameState) -> None:
        """Makes the session follow the game, and ends it with the game."""
        self._line = line_of(state)
        if state.status in LIVE:
            self._keep_up()
        else:
            self.bgs.end()

    def resume(self) -> None:
        """Opens the session again if it was taken back and entries are missing."""
        self._is_watched = True
        self._keep_up()

    def rest(self) -> None:
        """Allows the session to be taken back."""
        self._is_watched = False
        self._settle()

    def close(self) -> None:
        """Ends the session."""
        self.bgs.end()

    def _keep_up(self) -> None:
        if self.bgs.is_ending and self._is_watched and self._is_behind():
            try:
                self.bgs = self._open(self.bgs.id)
            except ApiError as refusal:
                self._refusal = failure_of(refusal)
        self.bgs.follow(self._line)
        self._settle()

    def _open(self, last_id: str | None) -> Bgs:
        bgs = self._open_after(last_id)
        bgs.listeners.add(self._changed)
        return bgs

    def _changed(self) -> None:
        self._settle()
        self._listeners.tell()

    def _is_behind(self) -> bool:
        return len(self.bgs.entries_for(self._line)) <= len(self._line.moves)

    def _settle(self) -> None:
        """Reports whether the session is needed now."""
        if not self._is_watched:
            self._host.abandon(self.bgs)
        elif self._is_behind():
            self._host.resume(self.bgs)
        else:
            self._host.rest(self.bgs)


class PlayerSource:
    """The session of the bot that plays the game. A sleeping bot is woken when a viewer joins."""

    def __init__(self, bots: BotSeats, game_id: str, seat: int, listeners: Listeners) -> None:
        self._bots = bots
        self._game_id = game_id
        self._seat = seat
        self._listeners = listeners
        self._state: GameState | None = None
        self._player: BotPlayer | None = None
        self._bgs: Bgs | None = None
        self._retry: asyncio.TimerHandle | None = None

    @property
    def failure(self) -> ev.AnalysisFailed | None:
        """Why no more entries will come, if the session has failed."""
        return None if (bgs := self._session()) is None else _failure_of(bgs)

    def entries_for(self, line: GameLine) -> tuple[Entry, ...]:
        """Returns the entries known for the positions of ``line``, without gaps."""
        return () if (bgs := self._session()) is None else bgs.entries_for(line)

    def _session(self) -> Bgs | None:
        """The player's session, or its last one after the player has ended."""
        if self._player is not None and self._player.bgs is not None:
            self._bgs = self._player.bgs
        return self._bgs

    def follow(self, state: GameState) -> None:
        """Finds the bot's player, which follows the game by itself."""
        self._cancel_retry()
        self._state = state
        if state.status not in LIVE:
            return
        player = self._bots.player(self._game_id, self._seat)
        if player is not None:
            self._take(player)
        elif self._player is None or self._seat in state.to_act:
            self._retry = asyncio.get_running_loop().call_later(PLAYER_SECONDS, self.follow, state)

    def resume(self) -> None:
        """Starts the session again if it was ended because no move came."""
        player = None if self._state is None else self._bots.awake(self._state, self._seat)
        if player is not None:
            self._take(player)
            player.resume()

    def _take(self, player: BotPlayer) -> None:
        if player is self._player:
            return
        if self._player is not None:
            self._player.listeners.remove(self._listeners.tell)
        self._player = player
        player.listeners.add(self._listeners.tell)
        player.resume()

    def rest(self) -> None:
        """Does nothing: the session belongs to the player."""

    def close(self) -> None:
        """Stops listening to the player. The session continues, because it belongs to the player."""
        self._cancel_retry()
        if self._player is not None:
            self._player.listeners.remove(self._listeners.tell)

    def _cancel_retry(self) -> None:
        if self._retry is not None:
            self._retry.cancel()
            self._retry = None


class Source(Protocol):
    """Where a feed's entries come from."""

    @property
    def failure(self) -> ev.AnalysisFailed | None:
        """Why no more entries will come, if that is so."""
        ...

    def entries_for(self, line: GameLine) -> tuple[Entry, ...]:
        """Returns the entries known for the positions of ``line``, without gaps."""
        ...

    def follow(self, state: GameState) -> None:
        """Takes a new state of the game."""
        ...

    def resume(self) -> None:
        """Called when a viewer has joined."""
        ...

    def rest(self) -> None:
        """Called when the last viewer has left."""
        ...

    def close(self) -> None:
        """Called when the feed no longer needs the source."""
        ...


class Feed:
    """The evaluations of one live game. ``touched_at`` is when a viewer last left, in seconds."""

    def __init__(self, state: GameState, now: float, look: Callable[[Listeners], Source]) -> None:
        """``look`` creates the source, which must call the given listeners after every change."""
        self.broadcast = Broadcast(ev.show)
        """Sends further events to the viewers that have been shown a complete history."""
        self.settled = asyncio.Event()
        """Set while there is an entry for every position, or once no more entries will come."""
        self.over = asyncio.Event()
        """Set once no more entries will come: the game is over or its analysis has failed."""
        self.viewers = 0
        self.touched_at = now
        self.state = state
        self.line = line_of(state)
        self._changes = Listeners()
        """Called by the source."""
        self.listeners = Listeners()
        """Called after every change of the entries."""
        self._refusal: ev.AnalysisFailed | None = None
        self.source = look(self._changes)
        self.source.follow(state)
        self.shown = Shown()
        """What the viewers in the broadcast have been shown."""
        self.entries: tuple[Entry, ...] = ()
        """The entries known now, also the parts of the last one that viewers may not see yet."""
        self.history = EvalHistory(self.line)
        """What viewers may see of them."""
        self._look_again()
        self._changes.add(self._look_again)

    @property
    def failure(self) -> ev.AnalysisFailed | None:
        """Why no more entries will come, if the analysis has failed or there is no session for it."""
        return self._refusal or self.source.failure

    @property
    def own_id(self) -> str | None:
        """The id of the feed's own session; None if it has none."""
        return self.source.bgs.id if isinstance(self.source, OwnSource) else None

    @property
    def is_spent(self) -> bool:
        """Whether the analysis has failed, so that no more entries will come."""
        return self.failure is not None

    async def complete_history(self) -> EvalHistory:
        """Waits until the history is complete, or no more entries will come; returns it."""
        while not self.settled.is_set():  # It may be cleared again before the waiting task runs.
            await self.settled.wait()
        return self.history

    def is_idle_since(self, oldest: float) -> bool:
        """Whether the feed has had no viewers since before ``oldest``."""
        return self.viewers == 0 and self.touched_at < oldest

    def resume(self) -> None:
        """Called when a viewer has joined."""
        self.viewers += 1
        self.source.resume()
        self._look_again()

    def rest(self, now: float) -> None:
        """Called when a viewer has left."""
        self.viewers -= 1
        self.touched_at = now
        if self.viewers == 0:
            self.source.rest()

    def take(self, state: GameState) -> None:
        """Called when the game has changed."""
        if state.version > self.state.version:
            self.state, self.line = state, line_of(state)
            self.source.follow(state)
            self._look_again()

    def change_source(self, look: Callable[[Listeners], Source]) -> None:
        """Continues with the entries of another source. The analysis fails if that one finds no session."""
        self.source.close()
        try:
            self.source = look(self._changes)
        except ApiError as refusal:
            self._refusal = failure_of(refusal)
        else:
            self.source.follow(self.state)
            if self.viewers:
                self.source.resume()
        self._look_again()

    def _look_again(self) -> None:
        """Reads the session's entries and sends what is new; many changes of the source lead to no event."""
        self.entries = self.source.entries_for(self.line)
        hides_last = hides_best_move(self.state)
        self.history = self.history.updated(self.line, self.entries, hides_last=hides_last)
        for event in self.shown.news(self.history):
            self.broadcast.send(event)
        if self.state.status not in LIVE or self.failure is not None:
            self.over.set()
        if self.history.is_complete or self.over.is_set():
            self.settled.set()
        else:
            self.settled.clear()
        self.listeners.tell()

    def close(self) -> None:
        """Called when the feed is dropped."""
        self.source.close()
        self._look_again()


def failure_of(refusal: ApiError) -> ev.AnalysisFailed:
    """The event for viewers when a session cannot be opened."""
    return ev.AnalysisFailed(FailureCode.INTERNAL_ERROR, refusal.text, refusal.retry_after_ms)


def _failure_of(bgs: Bgs) -> ev.AnalysisFailed | None:
    return None if bgs.failure is None else failure_of_session(bgs.failure)


def failure_of_session(failed: Failed) -> ev.AnalysisFailed:
    """The event for viewers when a session has failed."""
    return ev.AnalysisFailed(failed.code, failed.reason)
