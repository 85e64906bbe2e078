"""Plays the tournaments. One server does this for all, as long as it is alive.

It looks whenever a game of a tournament has ended, a client has come or gone, somebody has changed a tournament, and
every second. All that it knows is in the log of each tournament and in its games, so that another server can go on at
any time: the ids of games are stored before the games are created, and each is created once.
"""

import asyncio
import logging
from collections import Counter
from collections.abc import Coroutine, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import partial
from typing import Any, Final, TypeVar

from engines import Position
from engines.arena import most_plies
from engines.arena_game import PLY_LIMIT
from protocols.values import ANY_TOURNAMENT, LeaveReason
from server.domain import commands as c
from server.domain.bots import ListedBot
from server.domain.errors import ApiError, Code
from server.domain.game import TOURNAMENT, GameState
from server.domain.ladder.players import is_level
from server.domain.tournaments.acceptance import ABSENT, NO_SESSION, Hindrance, hindrance
from server.domain.tournaments.decide import (
    WITHDRAWN,
    Events,
    advance,
    forfeit,
    start_when_due,
    still_open,
    withdraw,
)
from server.domain.tournaments.events import GameBegun, GameScored
from server.domain.tournaments.state import GamePhase, TournamentGame, TournamentState, TournamentStatus
from server.ports.store import DutyStore
from server.ports.tournaments import TournamentListing
from server.services.bots.bot_registry import BotRegistry
from server.services.bots.kept_room import KeptRoom
from server.services.cluster.bus import Bus
from server.services.cluster.games_reader import GamesReader
from server.services.games.games import Games
from server.services.tasks import Tasks
from server.services.tournaments.tournament_games import (
    first_moves_due,
    game_request,
    lots_for,
    opening_plies,
    scored,
    seat_of_first_move,
    usual_start,
)
from server.services.tournaments.tournaments import Decide, Tournaments
from server.services.tournaments.waits import Waits

log = logging.getLogger(__name__)

DUTY: Final = "tournaments"

T = TypeVar("T")

LOOK_SECONDS: Final = 1.0

LEAST_LOOK_SECONDS: Final = 0.1

LEFT_TOURNAMENT: Final = "withdrew from the tournament"
"""The note of a seat whose player has withdrawn."""

UNSTARTED_MS: Final = 7 * 86_400_000
"""A tournament that its owner has not started so long after its creation is cancelled."""


@dataclass(frozen=True, slots=True)
class RunnerLimits:
    """``level_games``: how many games at once the built-in levels play in tournaments.

    ``wait_seconds``: how long a game that is due waits for a bot, and a game that has begun for each first move.
    """

    level_games: int
    wait_seconds: float


@dataclass(slots=True)
class _Room:
    """What one look may still start: so many games with built-in levels, and as many of each bot as its author allows.

    ``playing``: how many games of each bot run. Games with people do not count: they may take hours, and take no
    session from games between bots.
    """

    level_games: int
    playing: Counter[str] = field(default_factory=Counter)

    def take(self, bot_ids: list[str]) -> None:
        """Counts a game of these bots."""
        self.level_games -= any(map(is_level, bot_ids))
        self.playing.update(bot_id for bot_id in bot_ids if not is_level(bot_id))

    def has(self, bots: Iterable[ListedBot]) -> bool:
        """Whether a game of these bots may start."""
        return all(self._has_one(bot) for bot in bots)

    def _has_one(self, bot: ListedBot) -> bool:
        if is_level(bot.id):
            return self.level_games > 0
        terms = bot.tournaments or ANY_TOURNAMENT
        return self.playing[bot.id] < terms.games_at_once


class TournamentRunner:
    """Starts tournaments, pairs their rounds, and starts and scores their games."""

    def __init__(
        self,
        tournaments: Tournaments,
        store: DutyStore,
        games: Games,
        registry: BotRegistry,
        kept: KeptRoom,
        bus: Bus,
        limits: RunnerLimits,
    ) -> None:
        self._tournaments = tournaments
        self._store = store
        self._games = games
        self._registry = registry
        self._kept = kept
        self._limits = limits
        self._reader = GamesReader(
            bus,
            lambda change: change.state.tournament is not None and not change.state.is_live,
            lambda row: row.summary.get("matchType") == TOURNAMENT,
        )
        self._since: int | None = None
        """Since when this server has had the duty, in milliseconds since the epoch; None while it has not."""
        self._waits = Waits(limits.wait_seconds)
        self._sure: set[str] = set()
        """The tournaments of which this server knows that all games that were created are noted."""
        self.due = asyncio.Event()
        """Set when there may be something to do."""
        self._tasks = Tasks()

    def start(self) -> None:
        """Starts to play."""
        self._tournaments.listeners.append(self.due.set)
        self._tasks.start(self._reader.follow(self._wake, self._wake, self._wake))
        self._tasks.repeat(self._look)

    async def stop(self) -> None:
        """Starts no more games."""
        await self._tasks.stop()

    async def _wake(self, *_: object) -> None:
        self.due.set()

    async def _look(self) -> None:
        await asyncio.sleep(LEAST_LOOK_SECONDS)
        with suppress(TimeoutError):
            async with asyncio.timeout(LOOK_SECONDS):
                await self.due.wait()
        self.due.clear()
        try:
            rows = [row for row in await self._tournaments.live() if self._needs_care(row)]
            if rows and await self._take_duty():
                await self._run([row.tournament_id for row in rows])
            await self._kept.announce()
        except ApiError as refusal:  # The store logs that it cannot be used.
            self._since = None  # Nobody could move or come back meanwhile.
            log.info("tournaments could not go on: %s", refusal.text)
            await asyncio.sleep(LOOK_SECONDS)

    def _needs_care(self, row: TournamentListing) -> bool:
        if row.summary["status"] == TournamentStatus.RUNNING.value:
            return True
        due = row.summary["startsAt"]
        return self._games.now() >= (row.created_at + UNSTARTED_MS if due is None else due)

    async def _take_duty(self) -> bool:
        if not await self._store.take_duty(DUTY, self._games.leases.server):
            self._since = None
            return False
        if self._since is None:
            self._since = self._games.now()
            self._waits.keep_only(())
            self._sure.clear()
        return True

    async def _run(self, ids: list[str]) -> None:
        """Lets all tournaments go on, those first that have the fewest games running, so that none has to wait."""
        self._sure.intersection_update(ids)
        self._waits.keep_only(ids)
        states = [state for one in ids if (state := await self._guarded(one, self._settled(one)))]
        room = _Room(self._limits.level_games)
        for state in states:
            for _, game in _in_phase(state, GamePhase.PLAYING):
                room.take(_counted_bots(state, game))
        for state in sorted(states, key=lambda one: len(list(_in_phase(one, GamePhase.PLAYING)))):
            if state.status is TournamentStatus.RUNNING:
                await self._guarded(state.id, self._start_games(state, room))

    async def _guarded(self, tournament_id: str, step: Coroutine[Any, Any, T]) -> T | None:
        """The result of a step, or None if it fails: the other tournaments go on, and it is tried again."""
        try:
            return await step
        except ApiError as refusal:
            log.info("tournament %s has to wait: %s", tournament_id, refusal.text)
        except Exception:
            log.exception("tournament %s could not go on", tournament_id)
        return None

    async def _settled(self, tournament_id: str) -> TournamentState:
        """Starts a tournament at its time, scores games that have ended, and pairs the next round after the last."""
        state = await self._tournaments.get(tournament_id)
        state = await self._change(
            state, lambda state: start_when_due(state, self._games.now(), UNSTARTED_MS)
        )
        found: list[GameBegun | GameScored] = list(await self._begun_before(state))
        for number, game in _in_phase(state, GamePhase.PLAYING):
            ended = await self._end(state, number, game)
            found += [] if ended is None else [ended]
        state = await self._change(state, lambda state: still_open(state, found))
        self._sure.add(tournament_id)
        lots = lots_for(state.settings)
        while events := await asyncio.to_thread(advance, state, lots):  # A round may take 0.5 s.
            state = await self._tournaments.change(tournament_id, _unless_changed(state, events))
        return state

    async def _change(self, state: TournamentState, decide: Decide) -> TournamentState:
        """Stores what is decided, if anything is."""
        return await self._tournaments.change(state.id, decide) if decide(state) else state

    async def _begun_before(self, state: TournamentState) -> list[GameBegun]:
        """The games that were created, without this having been noted: the server was killed, or was refused."""
        if state.id in self._sure:
            return []
        due = {game.plan.game_id: number for number, game in _in_phase(state, GamePhase.DUE)}
        found = await self._games.existing(due) if due else ()
        one = state.rounds[-1].games if state.rounds else ()
        return [
            GameBegun(len(state.rounds) - 1, due[game_id], opening_plies(state.settings, one[due[game_id]]))
            for game_id in found
        ]

    # ---- games that are running ------------------------------------------------------------------

    async def _end(self, state: TournamentState, number: int, game: TournamentGame) -> GameScored | None:
        """The result of a game that is over. Ends one that cannot go on: its end is noticed later."""
        try:
            played = await self._games.get(game.plan.game_id)
        except ApiError as refusal:
            if refusal.code is not Code.NOT_FOUND:
                raise
            drawn = (0.5,) * len(game.plan.seats)
            return GameScored(len(state.rounds) - 1, number, drawn, "aborted", "an operator deleted it")
        if not played.is_live and state.gone.issuperset(game.plan.seats):
            return forfeit(state, number, state.gone, WITHDRAWN)
        if not played.is_live:
            return scored(len(state.rounds) - 1, number, played)
        most = most_plies(played.game)
        loser = self._loser(state, game, played)
        if loser is not None:
            seat, reason, note = loser
            await self._games.forfeit(played.id, seat, reason, note)
        elif most is not None and played.ply >= most:
            await self._games.adjudicate(played.id, c.Adjudicate(PLY_LIMIT, note=f"draw after {most} moves"))
        return None

    def _loser(
        self, state: TournamentState, game: TournamentGame, played: GameState
    ) -> tuple[int, LeaveReason, str] | None:
        """A seat that loses a running game: its player has withdrawn, or is a person who has made no move in time.

        Bots have their clocks, and the time in which they have to come back.
        """
        for seat, player in enumerate(game.plan.seats):
            if state.entrants[player].is_gone and seat not in played.gone:
                return seat, LeaveReason.RESIGNATION, LEFT_TOURNAMENT
        made = played.ply - (game.opening_plies or 0)
        awaited = seat_of_first_move(played, made)
        if awaited is None or state.entrants[game.plan.seats[awaited]].bot_id is not None:
            return None
        preparation = state.settings.time_control.preprocessing_ms or 0
        waits = (round(self._limits.wait_seconds * 1000) + preparation) * (first_moves_due(played, made) + 1)
        if self._games.now() < max(played.created_at, self._since or 0) + waits:
            return None
        return awaited, LeaveReason.TIMEOUT, "did not make the first move in time"

    # ---- games that are due ----------------------------------------------------------------------

    async def _start_games(self, state: TournamentState, room: _Room) -> None:
        busy = {player for _, game in _in_phase(state, GamePhase.PLAYING) for player in game.plan.seats}
        found: list[GameBegun | GameScored] = []
        start = usual_start(state.settings)
        self._sure.discard(state.id)  # Until all that is created is noted.
        is_sure = True
        for number, game in _in_phase(state, GamePhase.DUE):
            if not busy.isdisjoint(game.plan.seats):
                continue
            try:
                event = await self._start_game(state, number, self._bots(state, game, start), room)
            except ApiError as refusal:
                is_sure = False  # The game may be durable nevertheless.
                log.debug("tournament %s: game %s has to wait: %s", state.id, game.plan.game_id, refusal.text)
                continue
            if event is not None:
                busy.update(game.plan.seats)
                found.append(event)
        await self._change(state, lambda state: still_open(state, found))
        if is_sure:
            self._sure.add(state.id)

    async def _start_game(
        self, state: TournamentState, number: int, bots: Mapping[int, ListedBot | None], room: _Room
    ) -> GameBegun | GameScored | None:
        """Starts a game, unless it has to wait; or it is lost by those who have been awaited for too long.

        ApiError if the game cannot be created now.
        """
        game = state.rounds[-1].games[number]
        for player, bot in bots.items():
            if bot is not None and bot.tournaments is None:
                await self._change(state, partial(withdraw, player=player))
                return None
        players = [player for player in game.plan.seats if player not in state.gone]
        here = {player: bot for player, bot in bots.items() if bot is not None}
        counted = list(here.values()) if _counted_bots(state, game) else []
        has_room = room.has(counted)
        hindered = self._hindered(state, game, bots, needs_session=has_room)
        lost = self._waits.losers(state.id, players, hindered, asyncio.get_running_loop().time())
        if lost and len(players) - len(lost) < 2:
            longest = hindered[lost[0]]
            self._waits.forget(state.id, players)
            return forfeit(state, number, state.gone.union(lost), longest.reason, longest.note)
        if hindered.keys() != set(lost) or not has_room:
            return None
        playing = {player: bot for player, bot in here.items() if player not in lost}
        begun = await self._create(state, number, playing, {player: hindered[player].note for player in lost})
        self._waits.forget(state.id, players)
        room.take([bot.id for bot in counted if bot in playing.values()])
        return begun

    async def _create(
        self, state: TournamentState, number: int, bots: Mapping[int, ListedBot], absent: Mapping[int, str]
    ) -> GameBegun:
        """Creates a game without those who are ``absent``, each with the reason, or have withdrawn. ApiError."""
        game = state.rounds[-1].games[number]
        withdrawn = dict.fromkeys(state.gone.intersection(game.plan.seats), LEFT_TOURNAMENT)
        request = game_request(state, game, bots, {**absent, **withdrawn})
        await self._games.create_for_tournament(
            game.plan.game_id, request.game, request.opening, request.tokens, request.left
        )
        log.info("game %s of tournament %s", game.plan.game_id, state.id)
        return GameBegun(len(state.rounds) - 1, number, len(request.opening))

    def _bots(
        self, state: TournamentState, game: TournamentGame, start: Position
    ) -> dict[int, ListedBot | None]:
        """The bots of a game that have not withdrawn, by their numbers as players.

        None for one that is not there, or plays it no more. Nor is one there if another client has come with the id of
        the client that had entered it.
        """
        found: dict[int, ListedBot | None] = {}
        for player in game.plan.seats:
            entrant = state.entrants[player]
            if entrant.bot_id is not None and not entrant.is_gone:
                bot = self._registry.find(entrant.bot_id, state.settings.game)
                is_same = not entrant.is_owned or self._registry.is_owned(entrant.bot_id)
                found[player] = bot if bot is not None and is_same and _can_play(bot, start) else None
        return found

    def _hindered(
        self,
        state: TournamentState,
        game: TournamentGame,
        bots: Mapping[int, ListedBot | None],
        *,
        needs_session: bool,
    ) -> dict[int, Hindrance]:
        """Why bots do not play a game now, by their numbers as players. Keeps room for a game that waits for a session.

        ``needs_session``: whether one without a free session is hindered, as no other tournament makes the game wait.
        """
        hour = datetime.fromtimestamp(self._games.now() / 1000, UTC).hour
        with_people = not _counted_bots(state, game)
        seated = [player for player in game.plan.seats if player not in state.gone]
        found: dict[int, Hindrance] = {}
        for player, bot in bots.items():
            others = [state.entrants[other].bot_id for other in seated if other != player]
            why = ABSENT if bot is None else hindrance(bot, state.settings, others, hour)
            if why is None and bot is not None and needs_session and not is_level(bot.id):
                has_room = self._registry.has_room(bot.id, with_people=with_people, is_awaited=True)
                why = None if has_room else NO_SESSION
            if why is not None:
                found[player] = why
        if NO_SESSION in found.values():  # The ladder and others must not use what the game waits for.
            for bot in bots.values():
                if bot is not None and not is_level(bot.id):
                    self._kept.keep(bot.id, with_people=with_people)
        return found


def _can_play(bot: ListedBot, start: Position) -> bool:
    return bot.username is None and not bot.plays_rated_only and bot.plays(start)


def _unless_changed(known: TournamentState, events: Events) -> Decide:
    """These events, unless others have come first."""
    return lambda state: events if state.version == known.version else ()


def _in_phase(state: TournamentState, phase: GamePhase) -> Iterator[tuple[int, TournamentGame]]:
    """The games of the current round in this phase, with their numbers."""
    games = state.rounds[-1].games if state.rounds else ()
    return ((number, game) for number, game in enumerate(games) if game.phase is phase)


def _counted_bots(state: TournamentState, game: TournamentGame) -> list[str]:
    """The ids of a game's bots, as far as it counts for ``_Room``."""
    bots = state.bots_of(game)
    return bots if len(bots) == len(game.plan.seats) else []
