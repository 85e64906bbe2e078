"""The bots service: runs the players of bots.

A built-in bot is played by the holder of its game's lease, an attached one by the server that its client is attached
to. If that is none, the holder of the lease waits for the client. Follows all games on the bus, so it does not have to
be called when a game begins.
"""

import asyncio
import logging
from contextlib import suppress
from functools import partial

from protocols.bgs import messages as bgs
from protocols.table_json import result_json
from protocols.values import SeatKind, Status
from server.domain.errors import ApiError
from server.domain.game import MOST_SEATS, GameState
from server.domain.ladder.results import LEFT, NOT_ATTACHED, NOT_BACK, SERVER_ERROR
from server.ports.store import Listing
from server.services.bots.awaited_bot import AwaitedBot
from server.services.bots.bot_context import BotContext
from server.services.bots.bot_player import RETRY_SECONDS, BotPlayer
from server.services.bots.bot_registry import client_of
from server.services.cluster.bus import Bus, OverrunError
from server.services.cluster.changes import Change, game_topic
from server.services.cluster.games_reader import GamesReader
from server.services.cluster.leases import LEASES, GameLost, GameTaken, LeasesCounted
from server.services.cluster.listing import listed_of
from server.services.cluster.presence import PresenceChange
from server.services.cluster.topic_reader import TopicReader, retry_until_read
from server.services.tasks import Tasks

log = logging.getLogger(__name__)

Key = tuple[str, int]
"""A game's id and a seat."""


class BotSeats:
    """The players of all bots. ``bot_clients`` tells it which clients come and go."""

    def __init__(self, context: BotContext, bus: Bus) -> None:
        self._context = context
        self._bus = bus
        self._players: dict[Key, BotPlayer | AwaitedBot] = {}
        self._bots: dict[Key, str] = {}
        """The client ids of the bots that this server plays in running games, even if they need no player now."""
        self._away: dict[Key, float] = {}
        """For how many seconds bots have been away from running games of the ladder, which wait so long in all."""
        self._tasks = Tasks()
        self.is_stopping = False
        """Whether bots do not resign any more when their clients disconnect."""

    async def start(self) -> None:
        """Starts players for the games whose leases this server holds, then follows all games."""
        changes = GamesReader(self._bus, lambda change: change.state.has_bot, self._may_concern)
        leases = TopicReader(self._bus, LEASES)
        await self._resume_all()
        self._tasks.start(changes.follow(self._take_change, self._take_row, self._read_again))
        self._tasks.start(leases.follow(self._take_leases, self._resume_all))

    def hold(self) -> None:
        """Stops playing because the server is stopping: from now on, bots do not resign when disconnected."""
        self.is_stopping = True
        self._tasks.cancel()

    async def stop(self) -> None:
        """Stops playing and waits for the players' tasks to end. The games continue when the server is back."""
        self.hold()
        await self._tasks.stop()

    def player(self, game_id: str, seat: int) -> BotPlayer | None:
        """Returns the player of this seat; None if another server plays it, or the bot is asleep or away."""
        player = self._players.get((game_id, seat))
        return player if isinstance(player, BotPlayer) else None

    def plays(self, client_id: str) -> bool:
        """Whether a bot of this client is in a running game here."""
        return client_id in self._bots.values()

    def awake(self, state: GameState, seat: int) -> BotPlayer | None:
        """Returns the player of this seat, waking the bot if it was asleep."""
        analyst = self._context.analyst_here(state, seat)
        is_asleep = (state.id, seat) in self._bots and (state.id, seat) not in self._players
        if is_asleep and state.status is Status.PLAYING and seat not in state.gone and analyst is not None:
            self._start(BotPlayer(self._context, state, seat, analyst, is_left_over=False), state, seat)
        return self.player(state.id, seat)

    # ---- clients ---------------------------------------------------------------------------------

    def review(self, client_id: str, *, everywhere: bool = False) -> None:
        """Called when a client has attached to this server, or has left any server or replaced itself there.

        ``everywhere``: whether this server may have games that it took over while the client was attached elsewhere.
        """
        self.wake(client_id)
        everywhere = everywhere or not self._context.games.leases.is_alone
        self._tasks.start(retry_until_read(partial(self._look_at_games_of, client_id, everywhere=everywhere)))

    def wake(self, client_id: str) -> None:
        """Lets the players of a client's bots see where the client is attached now."""
        for player in self._players.values():
            if client_of(player.bot_id) == client_id:
                player.changed.set()

    async def _games_of(self, client_id: str, *, everywhere: bool) -> set[str]:
        """The running games of the client's bots: those known here, or all that the database has."""
        players = ((key, client_of(player.bot_id)) for key, player in self._players.items())
        known = {game_id for (game_id, _), owner in (*players, *self._bots.items()) if owner == client_id}
        return known.union(await self._context.games.with_bots_of(client_id)) if everywhere else known

    async def _look_at_games_of(self, client_id: str, *, everywhere: bool) -> None:
        for game_id in await self._games_of(client_id, everywhere=everywhere):
            await retry_until_read(partial(self._look_again, game_id))

    # ---- leases ----------------------------------------------------------------------------------

    async def _take_leases(self, message: object) -> None:
        match message:
            case GameTaken(game_id=game_id):
                await self._look_again(game_id)
            case GameLost() | LeasesCounted():
                self._check_leases()

    async def _resume_all(self) -> None:
        for state in await self._context.games.held_with_bots():
            self._take(state)

    def _check_leases(self) -> None:
        """Stops playing games that other servers have taken over."""
        for player in self._players.values():
            player.changed.set()

    # ---- games -----------------------------------------------------------------------------------

    async def _take_change(self, change: Change) -> None:
        self._take(change.state, is_new=change.is_own and change.is_beginning)

    def _may_concern(self, row: Listing) -> bool:
        """Whether a bot has a player here, or may need one. Few rows need to be decoded for that."""
        if not row.has_bot:
            return False
        keys = [(row.game_id, seat) for seat in range(MOST_SEATS)]
        is_known = any(key in self._bots or key in self._players for key in keys)
        here = self._context.registry.ids_here
        return is_known or (
            bool(here) and any(client_of(seat.bot_id or "") in here for seat in listed_of(row).seats)
        )

    async def _take_row(self, row: Listing) -> None:
        await retry_until_read(partial(self._look_again, row.game_id))

    async def _read_again(self) -> None:
        """Other servers may have changed any games, and opened some for the clients of this one."""
        await self._resume_all()
        for client_id in self._context.registry.ids_here:
            await self._look_at_games_of(client_id, everywhere=True)
        for game_id in {game_id for game_id, _ in (*self._players, *self._bots)}:
            await retry_until_read(partial(self._look_again, game_id))

    async def _look_again(self, game_id: str) -> None:
        self._take(await self._context.games.get(game_id))

    def _take(self, state: GameState, *, is_new: bool = False) -> None:
        """Takes a state of a game. ``is_new``: the game has just begun at this server."""
        for index, seat in enumerate(state.seats):
            key = state.id, index
            player = self._players.get(key)
            if player is not None:
                player.update(state)
            elif seat.kind is SeatKind.BOT and state.status is Status.PLAYING:
                self._seat(key, state, is_new=is_new)
            if state.status is not Status.PLAYING:
                self._away.pop(key, None)
            if state.status is not Status.PLAYING and (client_id := self._bots.pop(key, None)) is not None:
                self._tell_result(state, index, client_id)

    def _seat(self, key: Key, state: GameState, *, is_new: bool) -> None:
        """Starts a player for a bot if one is needed here."""
        context, (_, seat) = self._context, key
        bot_id = state.seats[seat].bot_id or ""
        analyst, attached = context.analyst_here(state, seat), context.registry.player_of(bot_id, state)
        is_asleep = self._bots.pop(key, None) is not None
        if analyst is not None:
            self._bots[key] = client_of(bot_id)
            is_known = is_new or is_asleep if attached is None else attached.told.is_older_than(state)
            may_begin = is_new if attached is None else not is_asleep
            if seat not in state.gone and (seat in state.to_act or may_begin):
                self._start(BotPlayer(context, state, seat, analyst, is_left_over=not is_known), state, seat)
        elif seat not in state.gone and context.is_awaited(state, seat):
            has_left = context.registry.has_left(client_of(bot_id))
            may_return = state.is_arranged or not (is_new or has_left)
            left = context.wait_times.rejoin - self._away.get(key, 0.0)
            seconds = max(0.0, left) if may_return else 0.0
            why = NOT_BACK if may_return else LEFT if has_left else NOT_ATTACHED
            self._start(AwaitedBot(context, state, seat, seconds, why, is_charged=has_left), state, seat)

    def _tell_result(self, state: GameState, seat: int, client_id: str) -> None:
        """Sends the result of a game to the client of a bot."""
        client = self._context.registry.client_here(client_id)
        if client is not None:
            result = None if state.result is None else result_json(state.result)
            bot_id = (state.seats[seat].bot_id or "").partition(":")[2]
            client.tell_result(bgs.GameResult(state.id, bot_id, seat, result))

    def _start(self, player: BotPlayer | AwaitedBot, state: GameState, seat: int) -> None:
        self._players[state.id, seat] = player
        self._tasks.start(self._play(player, state.id, seat))

    async def _play(self, player: BotPlayer | AwaitedBot, game_id: str, seat: int) -> None:
        waiting = None
        if isinstance(player, BotPlayer) and not player.is_engaged:
            waiting = self._tasks.start(self._await_arrival(game_id, player))
        began = self._context.now()
        try:
            await player.run()
        except Exception:
            log.exception("game %s: error while playing for the bot of seat %d", game_id, seat)
            with suppress(ApiError):
                await player.resign(SERVER_ERROR)
            await asyncio.sleep(RETRY_SECONDS)
        finally:
            del self._players[game_id, seat]
            if isinstance(player, AwaitedBot) and player.is_arranged:
                self._away[game_id, seat] = self._away.get((game_id, seat), 0.0) + self._context.now() - began
            if waiting is not None:
                waiting.cancel()
        # The player may have been needed again while it was ending.
        await retry_until_read(partial(self._look_again, game_id))

    async def _await_arrival(self, game_id: str, player: BotPlayer) -> None:
        """Engages the bot once a human player has connected."""
        subscription = self._bus.subscribe(game_topic(game_id))
        try:
            with suppress(OverrunError):
                if not self._context.presence.attendance(game_id).here:
                    await anext(
                        message
                        async for message in subscription
                        if isinstance(message, PresenceChange) and message.attendance.here
                    )
            player.engage()
        finally:
            subscription.close()
