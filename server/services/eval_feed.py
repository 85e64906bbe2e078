"""What is known of one live game's evaluations, shared by all who look, and what each has been shown.

Either the session of the attached bot that plays the game is looked at, or a session of the feed's own
follows the game. Entries of moves that are not committed yet, which a bot's session has, are never shown.
"""

import asyncio
from collections.abc import Callable
from typing import Protocol

from protocols.bgs.effects import Entry, Failed
from protocols.play import eval as ev
from protocols.session import Event
from server.domain.game import GameState, Status
from server.services.bgs import Bgs, Line, Listeners, line_of
from server.services.bot_player import BotPlayer
from server.services.bots import Bots

PLAYER_SECONDS = 0.1
"""A player takes its seat a moment after its game began: how soon to look again."""

LIVE = (Status.OPEN, Status.PLAYING)


class Source(Protocol):
    """Where a feed's entries come from."""

    @property
    def bgs(self) -> Bgs | None:
        """The session, once there is one."""
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
    """A session kept for the feed alone."""

    def __init__(self, bgs: Bgs, listeners: Listeners) -> None:
        self.bgs = bgs
        bgs.listeners.add(listeners.tell)

    def follow(self, state: GameState) -> None:
        """Brings the session to the game; a finished one needs it no more."""
        if state.status in LIVE:
            self.bgs.follow(line_of(state))
        else:
            self.bgs.end()

    def resume(self) -> None:
        """Keeps the session."""
        self.bgs.is_spare = False

    def rest(self) -> None:
        """Leaves the session to whoever needs one."""
        self.bgs.is_spare = True

    def close(self) -> None:
        """Ends the session."""
        self.bgs.end()


class PlayerSource:
    """The session of the bot that plays the game."""

    def __init__(self, bots: Bots, game_id: str, seat: int, listeners: Listeners) -> None:
        self._bots = bots
        self._game_id = game_id
        self._seat = seat
        self._listeners = listeners
        self._player: BotPlayer | None = None
        self._bgs: Bgs | None = None
        self._retry: asyncio.TimerHandle | None = None

    @property
    def bgs(self) -> Bgs | None:
        """The player's session; when the player has gone, its last one."""
        if self._player is not None and self._player.bgs is not None:
            self._bgs = self._player.bgs
        return self._bgs

    def follow(self, state: GameState) -> None:
        """Finds the player; it follows the game by itself."""
        if self._player is not None or state.status not in LIVE:
            return
        self._player = self._bots.player(self._game_id, self._seat)
        if self._player is None:
            self._retry = asyncio.get_running_loop().call_later(PLAYER_SECONDS, self.follow, state)
        else:
            self._player.listeners.add(self._listeners.tell)
            self.resume()

    def resume(self) -> None:
        """Has the session begun again if it was ended for want of moves."""
        if self._player is not None:
            self._player.resume()

    def rest(self) -> None:
        """Nothing: the session is the player's."""

    def close(self) -> None:
        """Leaves the session to the player."""
        if self._retry is not None:
            self._retry.cancel()
        if self._player is not None:
            self._player.listeners.remove(self._listeners.tell)


class Feed:
    """One live game. ``viewers`` counts who looks; ``touched_at`` is when one last went, in seconds."""

    def __init__(self, state: GameState, now: float, look: Callable[[Listeners], Source]) -> None:
        """``look`` makes the source, which calls the listeners it is given."""
        self.listeners = Listeners()
        self.viewers = 0
        self.touched_at = now
        self._state = state
        self._source = look(self.listeners)
        self._source.follow(state)

    @property
    def line(self) -> Line:
        """The game's moves."""
        return line_of(self._state)

    @property
    def is_over(self) -> bool:
        """Whether the game is."""
        return self._state.status not in LIVE

    @property
    def bgs(self) -> Bgs | None:
        """The session looked at."""
        return self._source.bgs

    @property
    def failure(self) -> Failed | None:
        """Why no more entries come."""
        return None if self.bgs is None else self.bgs.failure

    @property
    def entries(self) -> tuple[Entry, ...]:
        """The entries of the game's positions, as far as they are known."""
        return () if self.bgs is None else self.bgs.entries_for(self.line)

    @property
    def own_id(self) -> str | None:
        """The id of the session that the feed keeps for itself."""
        return self._source.bgs.id if isinstance(self._source, OwnSource) else None

    @property
    def is_spent(self) -> bool:
        """Whether no more entries come: its session failed, or its own was taken away while nobody looked."""
        was_taken = isinstance(self._source, OwnSource) and self._source.bgs.is_ending
        return was_taken or self.failure is not None

    def is_idle_since(self, oldest: float) -> bool:
        """Whether nobody looks, nor has looked after ``oldest``."""
        return self.viewers == 0 and self.touched_at < oldest

    def resume(self) -> None:
        """Somebody has begun to look."""
        self.viewers += 1
        self._source.resume()

    def rest(self, now: float) -> None:
        """One who looked has gone."""
        self.viewers -= 1
        self.touched_at = now
        if self.viewers == 0:
            self._source.rest()

    def take(self, state: GameState) -> None:
        """The game has changed."""
        if state.version > self._state.version:
            self._state = state
            self._source.follow(state)
            self.listeners.tell()

    def close(self) -> None:
        """The feed is given up."""
        self._source.close()
        self.listeners.tell()


class View:
    """What one viewer has been shown, and therefore has to be told next."""

    def __init__(self) -> None:
        self.is_complete = False
        """Whether an entry has been shown for every position of the line last told."""
        self.has_failed = False
        self._is_announced = False
        """Whether the viewer knows that a history is coming, or has had one."""
        self._shown: tuple[str, ...] | None = None
        """The moves of which every position's entry has been shown; None: nothing that still holds."""

    def catch_up(self, line: Line, entries: tuple[Entry, ...]) -> list[Event]:
        """What brings the viewer to ``entries``, which are those known of ``line`` from ply 0 on."""
        voided = self._void_unless_prefix(line.moves)
        self.is_complete = len(entries) == len(line.moves) + 1
        if self._shown is not None:
            news: list[Event] = [ev.EntryReady(entry) for entry in entries[len(self._shown) + 1 :]]
            self._shown = line.moves[: max(len(self._shown), len(entries) - 1)]
            return news
        if not self.is_complete:
            return [*voided, *self._announce(line)]
        self._shown, self._is_announced = line.moves, True
        return [*voided, ev.HistoryComplete(entries)]

    def fail(self, failed: ev.AnalysisFailed) -> ev.AnalysisFailed:
        """The viewer is told that nothing more will come."""
        self.has_failed = True
        return failed

    def _void_unless_prefix(self, moves: tuple[str, ...]) -> list[Event]:
        if self._shown is None or moves[: len(self._shown)] == self._shown:
            return []
        self._shown = None
        return [ev.HistoryVoid()]

    def _announce(self, line: Line) -> list[Event]:
        if self._is_announced:
            return []
        self._is_announced = True
        return [ev.HistoryPending(len(line.moves))]
