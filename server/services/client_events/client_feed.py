"""What is known of one client with readers: its bots, their running games, and why they pause; changes are events."""

from collections import OrderedDict
from collections.abc import Iterable, Mapping
from typing import Final

from protocols.values import Status
from server.domain.bots import ListedBot
from server.domain.game import GameState
from server.domain.ladder.rating_pool import PoolKey
from server.domain.tournaments.state import TournamentState
from server.services.bots.bot_registry import AttachedBots
from server.services.client_events.client_event import (
    BotAttached,
    BotDetached,
    ClientEvent,
    GameStarted,
    LadderPaused,
    LadderResumed,
    StreamClosed,
    finished,
    forfeited,
    own_games,
)
from server.services.client_events.event_stream import EventStream

MOST_STREAMS: Final = 2
"""How many readers a client has at once: one, and another one that takes over from it."""

MOST_OVER: Final = 1000
"""Of how many games that are over it is known that their end has been told."""

CLOCKS_DIFFER_MS: Final = 5000
"""A game without a beginning that ends has begun since, if it did so by the clock of another server."""

REPLACED: Final = f"a newer stream of the client has taken over: it has {MOST_STREAMS} at most"

BotKey = tuple[str, str]
"""The id of a bot and its game: a client may offer one id for several games."""

PauseKey = tuple[str, PoolKey]


class ClientFeed:
    """The events of a client since ``since``. Each game begins once, and ends at most once after that."""

    def __init__(self, client_id: str, since: int) -> None:
        self.client_id = client_id
        self.streams: list[EventStream] = []
        self._since = since
        self._told: AttachedBots | None = None
        self._bots: dict[BotKey, BotAttached] = {}
        self._running: dict[str, list[GameStarted]] = {}
        self._over: OrderedDict[str, None] = OrderedDict()
        self._paused: dict[PauseKey, LadderPaused] = {}

    @property
    def known(self) -> list[ClientEvent]:
        """The events that say how things are now: attached bots, running games, pauses."""
        games = (event for events in self._running.values() for event in events)
        return [*self._bots.values(), *games, *self._paused.values()]

    @property
    def running(self) -> tuple[str, ...]:
        """The ids of the games that run, as far as it is known."""
        return tuple(self._running)

    def add(self, stream: EventStream, now: int) -> None:
        """Adds a reader. The oldest one gives way if there are too many."""
        self.streams.append(stream)
        current = [one for one in self.streams if not one.is_ended]
        for one in current[:-MOST_STREAMS]:
            one.end(StreamClosed(now, REPLACED))

    # ---- changes ---------------------------------------------------------------------------------

    def needs(self, game_id: str, status: Status) -> bool:
        """Whether a game with this status may have begun or ended."""
        if game_id in self._over or status is Status.OPEN:
            return False
        return status is not Status.PLAYING or game_id not in self._running

    def see_game(self, state: GameState) -> None:
        """Tells the beginning and the end of a game that has begun or ended."""
        if not self.needs(state.id, state.status):
            return
        begun = self._running.pop(state.id, None)
        if begun is None and not self._was_over(state):
            begun = [GameStarted(state.created_at, game) for game in own_games(self.client_id, state)]
            self._tell(begun)
        if state.is_live:
            self._running[state.id] = begun or []
            return
        self._over[state.id] = None
        if len(self._over) > MOST_OVER:
            self._over.popitem(last=False)
        self._tell(finished(event.game, state) for event in begun or ())

    def _was_over(self, state: GameState) -> bool:
        """Whether a game had ended before there were readers."""
        return not state.is_live and state.created_at < self._since - CLOCKS_DIFFER_MS

    def see_bots(self, told: AttachedBots | None, now: int) -> None:
        """Tells which bots are attached now, if that has changed."""
        if told is self._told:
            return
        is_same_client = told is not None and self._told is not None and told.since == self._told.since
        self._told = told
        bots = {} if told is None else {(bot.id, bot.game): _connected(bot, told.since) for bot in told.bots}
        before, self._bots = self._bots, bots
        gone = [key for key in before if key not in bots]
        attached = {bot_id for bot_id, _ in bots}
        self._paused = {key: pause for key, pause in self._paused.items() if key[0] in attached}
        self._tell(BotDetached(now, bot_id, game) for bot_id, game in gone)
        self._tell(() if is_same_client else bots.values())

    def see_forfeits(self, state: TournamentState, games: Iterable[tuple[int, int]], at: int) -> None:
        """Tells of games of a tournament that are not played. Those from before there were readers are not known."""
        self._tell(forfeited(self.client_id, state, games, at))

    def see_pauses(self, reasons: Mapping[PauseKey, str], now: int) -> None:
        """Tells why bots start no rated games now, if that has changed."""
        before = self._paused
        self._paused = {
            (bot, key): _same(before.get((bot, key)), LadderPaused(now, bot, *key, reason))
            for (bot, key), reason in reasons.items()
        }
        self._tell(LadderResumed(now, bot, *key) for bot, key in before if (bot, key) not in self._paused)
        self._tell(pause for key, pause in self._paused.items() if before.get(key) is not pause)

    def _tell(self, events: Iterable[ClientEvent]) -> None:
        for event in events:
            for stream in self.streams:
                stream.offer(event)


def _same(before: LadderPaused | None, now: LadderPaused) -> LadderPaused:
    """The earlier pause, if it has the same reason."""
    return before if before is not None and before.reason == now.reason else now


def _connected(bot: ListedBot, since: int) -> BotAttached:
    return BotAttached(since, bot.id, bot.name, bot.game, bot.version, is_on_ladder=bot.ladder is not None)
