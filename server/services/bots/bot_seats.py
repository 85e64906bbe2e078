"""The bots service: runs the players of bots in the games whose leases this server holds.

It follows all games on the bus, so it does not have to be called when a game begins.
"""

import logging
from contextlib import suppress
from functools import partial

from protocols.bgs import messages as m
from protocols.play.position import result_json
from protocols.values import BUILT_IN_CLIENT, SeatKind, Status
from server.domain.errors import ApiError
from server.domain.game import MOST_SEATS, GameState
from server.ports.analysts import AttachedClient
from server.ports.store import Listing
from server.services.bots.bot_context import BotContext
from server.services.bots.bot_player import BotPlayer
from server.services.bots.bot_registry import client_of
from server.services.cluster.bus import Bus, OverrunError
from server.services.cluster.changes import Change, game_topic
from server.services.cluster.games_reader import GamesReader
from server.services.cluster.leases import LEASES, GameLost, GameTaken, LeasesCounted
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
        self._players: dict[Key, BotPlayer] = {}
        self._asleep: dict[Key, str] = {}
        """The client ids of bots without a player, by seat: no move has been made in their games for a long time."""
        self._tasks = Tasks()
        self.is_stopping = False
        """Whether bots do not resign any more when their clients disconnect."""

    async def start(self) -> None:
        """Starts players for the games whose leases this server holds, then follows all games."""
        changes = GamesReader(self._bus, lambda change: change.state.has_bot, self._has_bot_in)
        leases = TopicReader(self._bus, LEASES)
        await self._resume_all()
        self._tasks.start(changes.follow(self._take, self._take_row, self._read_again))
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
        """Returns the player of this seat; None if the game is not being played or the bot is asleep."""
        return self._players.get((game_id, seat))

    def awake(self, state: GameState, seat: int) -> BotPlayer | None:
        """Returns the player of this seat, waking the bot if it was asleep."""
        if (state.id, seat) in self._asleep and state.status is Status.PLAYING:
            self._seat_player((state.id, seat), state, is_left_over=False)
        return self.player(state.id, seat)

    # ---- clients ---------------------------------------------------------------------------------

    def awaits(self, client_id: str) -> bool:
        """Whether a bot of this client plays here, and its game waits for the client."""
        return any(player.is_waiting for player in self._players_of(client_id))

    def meet(self, client_id: str) -> None:
        """Called when a client has attached whose bots have games that waited for it."""
        for player in self._players_of(client_id):
            player.meet_client()

    def _players_of(self, client_id: str) -> list[BotPlayer]:
        return [player for player in self._players.values() if client_of(player.bot_id) == client_id]

    def lose(self, client: AttachedClient) -> None:
        """Called when a client has disconnected: its sessions end, and its bots resign."""
        for player in self._players.values():
            player.lose(client)
        self._context.host.lose(client)
        self._wake_all(client, is_left_over=False)

    def miss(self, client: AttachedClient) -> None:
        """Called when the server of a client has stopped: its sessions end, and its games wait for its return."""
        for player in self._players.values():
            player.miss(client)
        self._context.host.lose(client)
        self._wake_all(client, is_left_over=True)

    def _wake_all(self, client: AttachedClient, *, is_left_over: bool) -> None:
        """Wakes bots whose client has disconnected, so that they resign or wait for it."""
        keys = [key for key, owner in self._asleep.items() if owner == client.id]
        self._tasks.start(self._wake(keys, is_left_over=is_left_over))

    async def _wake(self, keys: list[Key], *, is_left_over: bool) -> None:
        for game_id, seat in keys:
            with suppress(ApiError):
                state = await self._context.games.get(game_id)
                if (game_id, seat) in self._asleep and state.status is Status.PLAYING:
                    self._seat_player((game_id, seat), state, is_left_over=is_left_over)

    # ---- leases ----------------------------------------------------------------------------------

    async def _take_leases(self, message: object) -> None:
        match message:
            case GameTaken(game_id=game_id):
                await self._resume(game_id)
            case GameLost() | LeasesCounted():
                self._check_leases()

    async def _resume_all(self) -> None:
        for state in await self._context.games.held_with_bots():
            self._seat_players(state, is_left_over=True)

    async def _resume(self, game_id: str) -> None:
        if game_id in self._context.games.leases:
            self._seat_players(await self._context.games.get(game_id), is_left_over=True)

    def _check_leases(self) -> None:
        """Stops playing games that other servers have taken over."""
        for player in self._players.values():
            player.changed.set()

    # ---- games -----------------------------------------------------------------------------------

    async def _take(self, change: Change) -> None:
        """Starts the players of a new game only if it began in this process."""
        if change.is_own and change.is_beginning:
            self._seat_players(change.state, is_left_over=False)
        self._take_state(change.state)
        if change.is_own and change.is_ending:
            self._tell_result(change.state)

    async def _take_row(self, row: Listing) -> None:
        await retry_until_read(partial(self._look_again, row.game_id))

    async def _read_again(self) -> None:
        """Another server may have played the games that have no players here: their bots are waited for."""
        await self._resume_all()
        for game_id in {game_id for game_id, _ in (*self._players, *self._asleep)}:
            await retry_until_read(partial(self._look_again, game_id))

    def _take_state(self, state: GameState) -> None:
        if not self._asleep.keys().isdisjoint(_keys(state)):
            self._seat_players(state, is_left_over=False)
        self._pass_on(state)

    def _has_bot_in(self, row: Listing) -> bool:
        keys = [(row.game_id, seat) for seat in range(MOST_SEATS)]
        return any(key in self._players or key in self._asleep for key in keys)

    async def _look_again(self, game_id: str) -> None:
        """Reads a game that another process has changed and in which a bot of this process plays."""
        self._take_state(await self._context.games.get(game_id))

    def _tell_result(self, state: GameState) -> None:
        """Sends the result of a game to the clients of its bots, at whatever servers they are."""
        result = None if state.result is None else result_json(state.result)
        for index, seat in enumerate(state.seats):
            client_id, _, bot_id = (seat.bot_id or "").partition(":")
            client = self._context.registry.client(client_id)
            if client is not None:
                client.tell_result(m.GameResult(state.id, bot_id, index, result))

    def _pass_on(self, state: GameState) -> None:
        for seat in range(len(state.seats)):
            player = self._players.get((state.id, seat))
            if player is not None:
                player.update(state)

    def _seat_players(self, state: GameState, *, is_left_over: bool) -> None:
        if state.status is not Status.PLAYING:
            for key in _keys(state):
                self._asleep.pop(key, None)
            return
        for key in _keys(state):
            _, index = key
            if state.seats[index].kind is not SeatKind.BOT or key in self._players or index in state.gone:
                continue
            if index in state.to_act or not (
                key in self._asleep or (is_left_over and _is_ours(state, index))
            ):
                self._seat_player(key, state, is_left_over=is_left_over)
            else:
                self._asleep[key] = _client(state, index)

    def _seat_player(self, key: Key, state: GameState, *, is_left_over: bool) -> None:
        self._asleep.pop(key, None)
        self._players[key] = BotPlayer(self._context, state, key[1], is_left_over=is_left_over)
        self._tasks.start(self._play(key))

    async def _play(self, key: Key) -> None:
        player = self._players[key]
        waiting = None if player.is_engaged else self._tasks.start(self._await_arrival(key[0], player))
        try:
            await player.run()
        except Exception:
            log.exception("game %s: error while playing for the bot of seat %d", *key)
            with suppress(ApiError):
                await self._context.games.abandon_bot(*key, "internal error of the server")
            return
        finally:
            del self._players[key]
            if player.is_asleep:
                self._asleep[key] = client_of(player.bot_id)
            if waiting is not None:
                waiting.cancel()
        if not player.is_asleep:  # This server may have got the lease again while the player was ending.
            await retry_until_read(partial(self._resume, key[0]))

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


def _keys(state: GameState) -> list[Key]:
    return [(state.id, seat) for seat in range(len(state.seats))]


def _is_ours(state: GameState, seat: int) -> bool:
    """Whether a built-in bot has the seat: it needs no player until the game continues."""
    return _client(state, seat) == BUILT_IN_CLIENT


def _client(state: GameState, seat: int) -> str:
    return client_of(state.seats[seat].bot_id or "")
