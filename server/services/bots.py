"""The bots service: a player for every bot's seat of every running game, and the desk where clients attach.

It follows all games on the bus, so nobody has to call it when a game begins.
"""

import asyncio
import logging
from collections.abc import Coroutine
from contextlib import suppress
from functools import partial
from typing import Any

from protocols.bgs import messages as m
from protocols.play.position import result_json
from server.domain.bots import HOUSE
from server.domain.errors import ApiError
from server.domain.game import GameState, Status
from server.domain.public import result_of
from server.domain.seats import SeatKind
from server.ports import BotClient, Bus, Listing, OverrunError
from server.services.around import Around
from server.services.bot_player import BotPlayer
from server.services.changes import ALL_GAMES, Change, FarChange, FarChangesMissed, game_topic
from server.services.client_ids import ClientIds
from server.services.following import Followed, until_read
from server.services.presence import PresenceChange
from server.services.roster import client_of

log = logging.getLogger(__name__)

Key = tuple[str, int]
"""A game's id and a seat."""


class Bots:
    """All players, and the clients that some of them play for."""

    def __init__(self, around: Around, bus: Bus, ids: ClientIds) -> None:
        self._around = around
        self._bus = bus
        self._ids = ids
        self._players: dict[Key, BotPlayer] = {}
        self._asleep: dict[Key, str] = {}
        """Seats of games where nobody has moved for long, with the clients of their bots: they have no player."""
        self._tasks: set[asyncio.Task[None]] = set()
        self._is_stopping = False

    async def start(self) -> None:
        """Takes up the games that were running, then follows all games."""
        changes = Followed(self._bus, ALL_GAMES, _may_concern)
        for state in await self._around.games.live_with_bots():
            self._seat_players(state, is_left_over=True)
        self._spawn(self._follow(changes))

    def hold(self) -> None:
        """Stops playing, as the server stops: nobody is resigned for a lost connection any more."""
        self._is_stopping = True
        for task in tuple(self._tasks):
            task.cancel()

    async def stop(self) -> None:
        """Stops playing and waits until that is done. The games go on when the server is back."""
        self.hold()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def player(self, game_id: str, seat: int) -> BotPlayer | None:
        """The bot at this seat, while its game runs and it is not asleep."""
        return self._players.get((game_id, seat))

    def awake(self, state: GameState, seat: int) -> BotPlayer | None:
        """The bot at this seat, woken if it was asleep."""
        if (state.id, seat) in self._asleep and state.status is Status.PLAYING:
            self._seat_player((state.id, seat), state, is_left_over=False)
        return self.player(state.id, seat)

    # ---- clients ---------------------------------------------------------------------------------

    async def attach(self, attach: m.Attach, client: BotClient) -> str | None:
        """Takes a client in; the secret that it can resume with. AttachError."""
        roster, name = self._around.roster, attach.client_id
        async with self._ids.deciding(name):
            roster.check(attach, client)
            is_awaited = any(player.is_waiting for player in self._players_of(name))
            granted = await self._ids.grant(attach, roster.client(name), is_awaited=is_awaited)
            roster.attach(attach, client)
        log.info("bot client %s attached with %d bots", name, len(attach.bots))
        if granted.inherits:
            for player in self._players_of(name):
                player.meet_client()
        return granted.secret

    def _players_of(self, client_id: str) -> list[BotPlayer]:
        return [player for player in self._players.values() if client_of(player.bot_id) == client_id]

    def detach(self, client: BotClient) -> None:
        """A client's connection is gone: its sessions with it, and its games are given up."""
        self._around.roster.detach(client)
        if self._is_stopping:
            return
        log.info("bot client %s is gone", client.id)
        for player in self._players.values():
            player.lose(client)
        self._around.host.lose(client)
        self._spawn(self._wake_all([key for key, owner in self._asleep.items() if owner == client.id]))

    async def _wake_all(self, keys: list[Key]) -> None:
        """Wakes bots whose client is gone: each finds that out and gives its game up."""
        for game_id, seat in keys:
            with suppress(ApiError):
                self.awake(await self._around.games.get(game_id), seat)

    # ---- games -----------------------------------------------------------------------------------

    async def _follow(self, changes: Followed) -> None:
        async for change in changes.messages(self._read_again):
            match change:
                case Change():
                    self._take(change)
                case FarChange() if self._has_use_for(change.listing):
                    await until_read(partial(self._look_again, change.game_id))
                case FarChangesMissed():
                    for game_id in {game_id for game_id, _ in (*self._players, *self._asleep)}:
                        await until_read(partial(self._look_again, game_id))

    async def _read_again(self) -> None:
        for state in await self._around.games.live_with_bots():
            self._seat_players(state, is_left_over=False)
        for game_id, _ in tuple(self._players):
            self._pass_on(await self._around.games.get(game_id))

    def _take(self, change: Change) -> None:
        """A bot plays in the process where its game began."""
        if change.state.has_bot:
            if change.is_own and change.is_beginning:
                self._seat_players(change.state, is_left_over=False)
            self._take_state(change.state)
            if change.is_ending:
                self._tell_result(change.state)

    def _take_state(self, state: GameState) -> None:
        if not self._asleep.keys().isdisjoint(_keys(state)):
            self._seat_players(state, is_left_over=False)
        self._pass_on(state)

    def _has_use_for(self, listing: Listing) -> bool:
        keys = [(listing.game_id, seat) for seat in range(len(listing.summary["seats"]))]
        return any(key in self._players or key in self._asleep for key in keys)

    async def _look_again(self, game_id: str) -> None:
        """Another process has changed a game of a bot that plays here."""
        state = await self._around.games.get(game_id)
        self._take_state(state)
        if not state.is_live:
            self._tell_result(state)

    def _tell_result(self, state: GameState) -> None:
        """Tells the clients of the bots how their game has ended."""
        result = None if state.result is None else result_json(result_of(state.result))
        for index, seat in enumerate(state.seats):
            client_id, _, bot_id = (seat.bot_id or "").partition(":")
            client = self._around.roster.client(client_id)
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
        self._players[key] = BotPlayer(self._around, state, key[1], is_left_over=is_left_over)
        self._spawn(self._play(key))

    async def _play(self, key: Key) -> None:
        player = self._players[key]
        waiting = None if player.is_engaged else self._spawn(self._await_arrival(key[0], player))
        try:
            await player.run()
        except Exception:
            log.exception("game %s: the bot of seat %d", *key)
            with suppress(ApiError):
                await self._around.games.abandon_bot(*key, "internal error of the server")
        finally:
            del self._players[key]
            if player.is_asleep:
                self._asleep[key] = client_of(player.bot_id)
            if waiting is not None:
                waiting.cancel()

    async def _await_arrival(self, game_id: str, player: BotPlayer) -> None:
        """Engages the bot once a human player's socket is open."""
        subscription = self._bus.subscribe(game_topic(game_id))
        try:
            with suppress(OverrunError):
                if not self._around.presence.attendance(game_id).here:
                    await anext(
                        message
                        async for message in subscription
                        if isinstance(message, PresenceChange) and message.attendance.here
                    )
            player.engage()
        finally:
            subscription.close()

    def _spawn(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        task = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task


def _may_concern(message: object) -> bool:
    """Whether a change may be one of a bot's game."""
    return not isinstance(message, Change) or message.state.has_bot


def _keys(state: GameState) -> list[Key]:
    return [(state.id, seat) for seat in range(len(state.seats))]


def _is_ours(state: GameState, seat: int) -> bool:
    """Whether a bot of the house has the seat: nobody needs its player before the game goes on."""
    return _client(state, seat) == HOUSE


def _client(state: GameState, seat: int) -> str:
    return client_of(state.seats[seat].bot_id or "")
