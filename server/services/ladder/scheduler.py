"""Starts the games of the ladder. One server does this for all, as long as it is alive.

It looks whenever a game has begun or ended, a client has come or gone, and every second. The ladder's rules for who
meets whom are in ``domain.ladder.pairing``, who can play in ``ladder_bots``; what becomes of games that cannot go on is
here.
"""

import asyncio
import logging
import secrets
from collections import Counter
from collections.abc import Container, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Final

from engines import BadConfig, Position
from engines.arena import most_plies
from engines.arena_game import PLY_LIMIT
from protocols.values import LadderGame, LeaveReason, Seat, SeatKind, TimeControl
from server.domain import commands as c
from server.domain.bots import ListedBot
from server.domain.errors import ApiError
from server.domain.game import LADDER
from server.domain.ladder.choosing import Choice
from server.domain.ladder.pairing import Entrant, Pairing
from server.domain.ladder.players import bot_of, is_level, player_id
from server.domain.ladder.rating_pool import PoolKey
from server.domain.ladder.results import is_unplayed
from server.ports.store import LadderStore
from server.services.games.game_factory import NewGame
from server.services.games.games import Games
from server.services.ladder.ladder import Ladder, Running, busy
from server.services.ladder.ladder_bots import LadderBots
from server.services.ladder.openings import OPENING_BITS, hides_order, ladder_config, opening_moves
from server.services.tasks import Tasks

log = logging.getLogger(__name__)

DUTY: Final = "ladder"

LOOK_SECONDS: Final = 1.0

LEAST_LOOK_SECONDS: Final = 0.1

HEARD_SECONDS: Final = 2.0
"""After how long this server has heard of all games that another one has started before it."""

BARRED_SECONDS: Final = 10.0
"""How long players of a game that could not be started wait for the next one."""

PATIENCE_SECONDS: Final = 10.0
"""How long a player waits for a better opponent who is still playing, after its last game has ended.

With four or ten bots, this takes a twentieth to a twelfth of their time, and everybody meets everybody.
"""

CLOCK: Final = TimeControl(60, 1)
"""The clock of games between bots that know clocks."""

TIME_A_MOVE: Final = TimeControl(10, 10)
"""The clock of games with a bot that knows none: it has ten seconds for every move, and is not told about it."""

Listed = dict[tuple[str, str], ListedBot]


class Scheduler:
    """Pairs the bots that are free. ``level_games``: how many games at once the built-in levels play; 0: none."""

    def __init__(
        self, ladder: Ladder, bots: LadderBots, store: LadderStore, games: Games, level_games: int
    ) -> None:
        self._ladder = ladder
        self._bots = bots
        self._store = store
        self._games = games
        self._level_games = level_games
        self._has_duty = False
        self._looks = 0
        """How often there may have been something to do."""
        self._free_since: dict[str, float] = {}
        """When the last game of each player has ended, or it was first seen, in seconds of the loop's clock."""
        self._played: Counter[str] = Counter()
        """How many games of each player were running at the last look."""
        self._barred: dict[str, float] = {}
        """Until when players start no game, in seconds of the loop's clock."""
        self.due = asyncio.Event()
        """Set when there may be something to do."""
        self._tasks = Tasks()

    def start(self) -> None:
        """Starts to pair players."""
        self._ladder.listeners.append(self.due.set)
        self._tasks.repeat(self._look)

    async def stop(self) -> None:
        """Starts no more games."""
        await self._tasks.stop()

    async def _look(self) -> None:
        await asyncio.sleep(LEAST_LOOK_SECONDS)
        with suppress(TimeoutError):
            async with asyncio.timeout(LOOK_SECONDS):
                await self.due.wait()
        self.due.clear()
        self._looks += 1
        if not self._ladder.is_current or not (self._bots.all() or self._ladder.running):
            return
        try:
            if await self._take_duty():
                listed = self._bots.listed()
                await self._end_games(listed)
                await self._start_games(listed)
        except ApiError as refusal:  # The store logs that it cannot be used.
            log.info("no games of the ladder could be started: %s", refusal.text)
            await asyncio.sleep(LOOK_SECONDS)

    async def _take_duty(self) -> bool:
        """Whether it is this server's turn. A server that takes over first hears of the games of the other one."""
        had, self._has_duty = self._has_duty, await self._store.take_duty(DUTY, self._games.leases.server)
        if self._has_duty and not had and not self._games.leases.is_alone:
            await asyncio.sleep(HEARD_SECONDS)
            await self._ladder.read()
        return self._has_duty

    # ---- pairing ---------------------------------------------------------------------------------

    async def _start_games(self, listed: Listed) -> None:
        playing = busy(self._ladder.running)
        patient = self._patient(playing)
        for key in self._pools():
            levels = self._bots.levels(key[0]) if self._level_room(playing) > 0 else []
            entrants = [one for one in self._bots.entrants(key, playing) if not self._is_barred(one)]
            for pairing in await self._choose(key, [*entrants, *levels], patient):
                if any(map(is_level, pairing.players)) and self._level_room(playing) <= 0:
                    continue
                if not await self._store.take_duty(DUTY, self._games.leases.server):
                    return
                if await self._start(key, pairing, listed):
                    playing.update(pairing.players)

    async def _choose(
        self, key: PoolKey, entrants: Sequence[Entrant], patient: Container[str]
    ) -> list[Pairing]:
        """The games to start. With a thousand free players that takes 0.4 s, so a thread chooses them."""
        pool = self._ladder.pool(key)
        choice = Choice(
            entrants=entrants,
            rated=self._ladder.rated(key),
            met=pool.met,
            returns=tuple(self._ladder.returns.get(key, ())),
            played=pool.by_seats + self._ladder.runs_by_seats(key),
            patient=patient,
        )
        return await asyncio.to_thread(choice.games, self._looks)

    def _patient(self, playing: Counter[str]) -> set[str]:
        """The players who wait for a better opponent if there is one."""
        now = asyncio.get_running_loop().time()
        here = {bot.player for bot in self._bots.all()}
        for player in here:
            if playing[player] < self._played[player] or player not in self._free_since:
                self._free_since[player] = now
        self._free_since = {player: since for player, since in self._free_since.items() if player in here}
        self._played = playing.copy()
        return {player for player, since in self._free_since.items() if now - since < PATIENCE_SECONDS}

    def _pools(self) -> list[PoolKey]:
        """Those in which bots could play, the one with the fewest games first, since a bot may play in several."""
        keys = {key for bot in self._bots.all() for key in bot.pools()}
        return sorted(
            keys, key=lambda key: (self._ladder.pool(key).by_seats.total() + self._ladder.runs(key), key)
        )

    def _level_room(self, playing: Counter[str]) -> int:
        return self._level_games - sum(count for player, count in playing.items() if is_level(player))

    def _is_barred(self, entrant: Entrant) -> bool:
        now = asyncio.get_running_loop().time()
        if self._barred.get(entrant.player, now) <= now:
            self._barred.pop(entrant.player, None)
            return False
        return True

    async def _start(self, key: PoolKey, pairing: Pairing, listed: Listed) -> bool:
        """Starts a game; returns whether there is one. If it is refused, its players wait for a while."""
        opening = pairing.opening
        if opening is None or hides_order(*key):
            opening = secrets.randbits(OPENING_BITS)
        try:
            request, moves = self._request(key, replace(pairing, opening=opening), listed)
            state = await self._games.create_for_ladder(request, moves)
        except (ApiError, BadConfig, KeyError) as refusal:
            log.warning("no game of the ladder between %s: %s", " and ".join(pairing.players), refusal)
            until = asyncio.get_running_loop().time() + BARRED_SECONDS
            self._barred.update(dict.fromkeys(pairing.players, until))
            return False
        self._ladder.note(state)
        log.info("game %s of the ladder: %s", state.id, " against ".join(pairing.players))
        return True

    def _request(self, key: PoolKey, pairing: Pairing, listed: Listed) -> tuple[NewGame, list[str]]:
        """The game to create, and its opening. KeyError if a bot has gone."""
        (game, variant), opening = key, pairing.opening or 0
        bots = [listed[bot_of(player), game] for player in pairing.players]
        config = ladder_config(game, opening, len(bots))
        moves = opening_moves(Position(game, variant, config), opening)
        request = NewGame(
            game=game,
            variant=variant,
            seats=tuple(Seat(SeatKind.BOT, bot_id=bot.id) for bot in bots),
            config=config,
            time_control=CLOCK if all(bot.is_timed for bot in bots) else TIME_A_MOVE,
            match_type=LADDER,
            ladder=LadderGame(pairing.players, tuple(bot.name for bot in bots), opening, len(moves)),
        )
        return request, moves

    # ---- games that cannot go on -----------------------------------------------------------------

    async def _end_games(self, listed: Listed) -> None:
        """Ends games that have become too long, and those of a bot whose client has attached with another version."""
        for game in list(self._ladder.running.values()):
            most = most_plies(game.key[0])
            try:
                if most is not None and game.ply >= most:
                    command = c.Adjudicate(PLY_LIMIT, note=f"draw after {most} moves")
                    await self._games.adjudicate(game.game_id, command)
                for seat, player in enumerate(game.ladder.players):
                    bot = listed.get((bot_of(player), game.key[0]))
                    if bot is not None and player_id(bot) != player:
                        await self._end_of_version(game, seat)
            except ApiError as refusal:
                log.info("game %s of the ladder could not be ended: %s", game.game_id, refusal.text)

    async def _end_of_version(self, game: Running, seat: int) -> None:
        """A version that is replaced has lost, unless the game has hardly begun."""
        state = await self._games.get(game.game_id)
        if is_unplayed(state):
            await self._games.adjudicate(game.game_id, c.Adjudicate("version", is_void=True))
        elif state.is_live:
            note = f"{game.ladder.names[seat]} came back as another version"
            await self._games.forfeit(game.game_id, seat, LeaveReason.DISCONNECT, note)
