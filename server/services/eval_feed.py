"""What is known of one live game's evaluations, shared by all who look.

Either the session of the attached bot that plays the game is looked at, or a session of the feed's own
follows the game. Entries of moves that are not committed yet, which a bot's session has, are never shown.
"""

import asyncio
from collections.abc import Callable
from typing import Protocol

from protocols.bgs.effects import Failed
from protocols.play import eval as ev
from protocols.play.eval_frames import ErrorCode
from server.domain.errors import ApiError
from server.domain.game import GameState, Status
from server.services.bgs import Bgs, BgsHost, Line, Listeners, line_of
from server.services.bot_player import BotPlayer
from server.services.bots import Bots
from server.services.broadcast import Broadcast
from server.services.eval_view import Sight, View, see

PLAYER_SECONDS = 0.1
"""A player takes its seat a moment after its game began: how soon to look again."""

LIVE = (Status.OPEN, Status.PLAYING)


class Source(Protocol):
    """Where a feed's entries come from."""

    @property
    def bgs(self) -> Bgs | None:
        """The session, once there is one."""
        ...

    @property
    def failure(self) -> ev.AnalysisFailed | None:
        """Why there is no session."""
        ...

    def follow(self, state: GameState) -> None:
        """The game has changed."""
        ...

    def resume(self) -> None:
        """Somebody has begun to look."""
        ...

    def rest(self) -> None:
        """Nobody looks for now."""
        ...

    def close(self) -> None:
        """The feed is given up."""
        ...


class OwnSource:
    """A session kept for the feed alone. While no entry is missing it may be taken back, to be opened again later.

    ``open_after`` opens one, given the id of the one before; ApiError when there is no room.
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
        self._line = Line()
        self._is_watched = False
        self.failure: ev.AnalysisFailed | None = None
        self.bgs = self._open(last_id)

    def follow(self, state: GameState) -> None:
        """Brings the session to the game; a finished one does not need it."""
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
        """Leaves the session to whoever needs one."""
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
                self.failure = failure_of(refusal)
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
        """Says whether the session is needed now."""
        if not self._is_watched:
            self._host.abandon(self.bgs)
        elif self._is_behind():
            self._host.resume(self.bgs)
        else:
            self._host.rest(self.bgs)


class PlayerSource:
    """The session of the bot that plays the game. A bot that sleeps is woken for whoever begins to look."""

    def __init__(self, bots: Bots, game_id: str, seat: int, listeners: Listeners) -> None:
        self._bots = bots
        self._game_id = game_id
        self._seat = seat
        self._listeners = listeners
        self._state: GameState | None = None
        self._player: BotPlayer | None = None
        self._bgs: Bgs | None = None
        self._retry: asyncio.TimerHandle | None = None
        self.failure = None

    @property
    def bgs(self) -> Bgs | None:
        """The player's session; when the player has gone, its last one."""
        if self._player is not None and self._player.bgs is not None:
            self._bgs = self._player.bgs
        return self._bgs

    def follow(self, state: GameState) -> None:
        """Finds the player; it follows the game by itself."""
        self._look_no_more()
        self._state = state
        if state.status not in LIVE:
            return
        player = self._bots.player(self._game_id, self._seat)
        if player is not None:
            self._take(player)
        elif self._player is None or self._seat in state.to_act:
            self._retry = asyncio.get_running_loop().call_later(PLAYER_SECONDS, self.follow, state)

    def resume(self) -> None:
        """Has the session begun again if it was ended for want of moves."""
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
        """Nothing: the session is the player's."""

    def close(self) -> None:
        """Leaves the session to the player."""
        self._look_no_more()
        if self._player is not None:
            self._player.listeners.remove(self._listeners.tell)

    def _look_no_more(self) -> None:
        if self._retry is not None:
            self._retry.cancel()
            self._retry = None


class Feed:
    """One live game. ``viewers`` counts who looks; ``touched_at`` is when one last went, in seconds."""

    def __init__(self, state: GameState, now: float, look: Callable[[Listeners], Source]) -> None:
        """``look`` makes the source, which calls the listeners it is given."""
        self.broadcast = Broadcast(ev.show)
        """Sends what follows to those who have been shown a complete history."""
        self.settled = asyncio.Event()
        """Set while there is an entry for every position, or nothing more will come."""
        self.over = asyncio.Event()
        """Set once nothing more will come: the game is over or its analysis has failed."""
        self.viewers = 0
        self.touched_at = now
        self._state = state
        self._line = line_of(state)
        changes = Listeners()
        self._source = look(changes)
        self._source.follow(state)
        self._view = View()
        self.sight = see(self._line, ())
        """What there is to see now."""
        self._look_again()
        changes.add(self._look_again)

    @property
    def bgs(self) -> Bgs | None:
        """The session looked at."""
        return self._source.bgs

    @property
    def failure(self) -> ev.AnalysisFailed | None:
        """Why no more entries come."""
        failed = None if self.bgs is None else self.bgs.failure
        return self._source.failure if failed is None else failure_of_session(failed)

    @property
    def own_id(self) -> str | None:
        """The id of the session that the feed keeps for itself."""
        return self._source.bgs.id if isinstance(self._source, OwnSource) else None

    @property
    def is_spent(self) -> bool:
        """Whether no more entries come."""
        return self.failure is not None

    @property
    def shown(self) -> int:
        """How many entries those who look have been shown that still hold."""
        return self._view.shown

    def is_idle_since(self, oldest: float) -> bool:
        """Whether nobody looks, nor has looked after ``oldest``."""
        return self.viewers == 0 and self.touched_at < oldest

    def resume(self) -> None:
        """Somebody has begun to look."""
        self.viewers += 1
        self._source.resume()
        self._look_again()

    def rest(self, now: float) -> None:
        """One who looked has gone."""
        self.viewers -= 1
        self.touched_at = now
        if self.viewers == 0:
            self._source.rest()

    def take(self, state: GameState) -> None:
        """The game has changed."""
        if state.version > self._state.version:
            self._state, self._line = state, line_of(state)
            self._source.follow(state)
            self._look_again()

    def _look_again(self) -> None:
        """The source tells of much that nobody can see."""
        self.sight = self._see()
        for event in self._view.catch_up(self.sight):
            self.broadcast.send(event)
        if self.sight.is_over or self.sight.failure is not None:
            self.over.set()
        if self.sight.is_complete or self.over.is_set():
            self.settled.set()
        else:
            self.settled.clear()

    def _see(self) -> Sight:
        entries = () if self.bgs is None else self.bgs.entries_for(self._line)
        is_over = self._state.status not in LIVE
        return see(self._line, entries, self.sight, failure=self.failure, is_over=is_over)

    def close(self) -> None:
        """The feed is given up."""
        self._source.close()
        self._look_again()


def failure_of(refusal: ApiError) -> ev.AnalysisFailed:
    """What viewers are told when a session cannot be opened."""
    return ev.AnalysisFailed(ErrorCode.INTERNAL_ERROR, refusal.text, refusal.retry_after_ms)


def failure_of_session(failed: Failed) -> ev.AnalysisFailed:
    """What viewers are told when the session has failed."""
    return ev.AnalysisFailed(ErrorCode(failed.code.value), failed.reason)
