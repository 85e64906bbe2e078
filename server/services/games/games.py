"""The games service, through which all commands of all games go.

This module defines the operations and their results; ``command_handler`` turns commands into events in the log.
"""

import logging
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from time import monotonic

from engines import Position
from protocols.values import LeaveReason, OfferKind, SeatKind, Status
from server.domain import commands as c
from server.domain.clocks.clock import ClockMode
from server.domain.errors import ApiError, Code
from server.domain.events import Event, Left, MovesImported, Recorded, RematchStarted, SeatTaken
from server.domain.game import GameState
from server.domain.rematch import seat_after
from server.domain.tokens import hash_token, new_game_id, new_token, seat_of_token
from server.ports.store import Lease, Listing, ListingQuery, PageQuery, Store, TokenHash
from server.services.cluster.bus import Bus
from server.services.games.also_stored import AlsoStored, NewGameLog
from server.services.games.command_handler import CommandHandler
from server.services.games.command_results import Joined, MoveAck, NewTable, acknowledge
from server.services.games.game_factory import GameFactory, NewGame, start_position
from server.services.games.opened_games import OpenedGames, OpenedGamesWatch
from server.services.games.stored_bytes import StoredBytes, stored_size
from server.services.heavy_work import HeavyWork
from server.services.recorded_metrics import Metrics, timed
from server.services.steady_clock import SteadyClock

log = logging.getLogger(__name__)


class Games:
    """All games of the server."""

    def __init__(
        self,
        store: Store,
        bus: Bus,
        factory: GameFactory,
        *,
        now: Callable[[], int] | None = None,
        loaded: int = 1000,
        metrics: Metrics | None = None,
        opened: OpenedGames | None = None,
        work: HeavyWork | None = None,
        stored: StoredBytes | None = None,
    ) -> None:
        """``now`` returns milliseconds since the epoch; None: a new ``SteadyClock``.

        ``loaded``: how many games are kept in memory. ``opened`` limits the games that a client address may open;
        None: no limit. ``work`` creates their positions; None: on threads of its own. ``stored`` limits what they add
        to the database; None: no limit.
        """
        self._store = store
        self._bus = bus
        self._opened = opened or OpenedGames(0, monotonic)
        self._factory = factory
        self._work = work or HeavyWork()
        self._stored = stored or StoredBytes()
        self.now = now or SteadyClock().now
        self._metrics = metrics or Metrics()
        self._watch = OpenedGamesWatch(self._opened, bus, store)
        self._commands = CommandHandler(
            store, bus, self.now, loaded, self._metrics, self._watch.see, self._work
        )
        self.leases = self._commands.leases

    async def start(self) -> None:
        """Resumes the live games whose leases no other server holds."""
        self._watch.start()
        await self._commands.start()

    async def stop(self) -> None:
        """Lets the commands in progress finish."""
        await self._watch.stop()
        await self._commands.stop()

    # ---- reading ---------------------------------------------------------------------------------

    async def get(self, game_id: str) -> GameState:
        """Returns the current state of a game; ApiError ``not-found``."""
        return await self._commands.cache.state(game_id)

    async def latest(self, game_id: str) -> GameState:
        """The same for clients who ask: while other servers cannot be heard, from the log, if it can be read."""
        if self._bus.is_cut_off and game_id in self._commands.cache:
            with suppress(ApiError):
                await self._commands.read_on(game_id)
        return await self.get(game_id)

    async def seat_of(self, game_id: str, token: str) -> int | None:
        """Returns the seat for which the token is valid; None if there is none, in the store either."""
        seat = await self._seat_in_memory(game_id, token)
        if seat is None:
            await self._commands.read_on(game_id)
            seat = await self._seat_in_memory(game_id, token)
        return seat

    async def _seat_in_memory(self, game_id: str, token: str) -> int | None:
        hashes = await self._commands.cache.tokens(game_id)
        return seat_of_token(token, ((entry.digest, entry.seat) for entry in hashes))

    async def game_of(self, token: str) -> str | None:
        """Returns the game for which the token is valid; of several, as after rematches, the newest."""
        return next(iter(await self._store.games_of(hash_token(token))), None)

    async def events_after(self, state: GameState, seq: int) -> list[Recorded]:
        """Returns the events after number ``seq``, up to ``state``."""
        if seq >= state.version:
            return []
        return await self._store.events(state.id, after=seq, until=state.version)

    @property
    def loaded(self) -> int:
        """The number of games in memory."""
        return len(self._commands.cache)

    async def counts(self) -> Mapping[str, int]:
        """Returns the number of games by status."""
        return await self._store.counts()

    async def stored_bytes(self) -> int:
        """Returns the size of the database."""
        return await self._store.size()

    async def listings(self, query: ListingQuery) -> list[Listing]:
        """Returns the listings that match, newest first."""
        return await self._store.listings(query)

    async def page(self, query: PageQuery) -> list[Listing]:
        """Returns a page of a list, newest first. ApiError if it takes too long."""
        return await self._store.page(query)

    async def held_with_bots(self) -> list[GameState]:
        """Returns the games with a bot whose leases this server holds."""
        found = await self._store.listings(ListingQuery(status=Status.PLAYING.value, has_bot=True))
        return [await self.get(listing.game_id) for listing in found if listing.game_id in self.leases]

    async def with_bots_of(self, client_id: str) -> Sequence[str]:
        """Returns the ids of the running games in which bots of this client play. ApiError if they cannot be read."""
        return await self._store.games_of_client(client_id)

    async def live_with_remote(self) -> list[Listing]:
        """Returns the live games in which disconnections have to be tracked."""
        queries = [
            ListingQuery(status=status.value, has_remote=True) for status in (Status.OPEN, Status.PLAYING)
        ]
        return [listing for query in queries for listing in await self._store.listings(query)]

    # ---- opening and closing ---------------------------------------------------------------------

    async def create(self, request: NewGame, address: str | None = None) -> NewTable:
        """Creates a game; its human seats get tokens. ``address`` is the creating client's. Raises ApiError."""
        self._stored.check()
        with self._opened.opening(address) as opened:
            self._factory.check(request)
            position = await self._work.run(start_position, request)
            created = self._factory.open(request, position)
            tokens = {
                index: new_token() for index, seat in enumerate(created.seats) if seat.kind is SeatKind.HUMAN
            }
            state = await self._begin((created,), tokens)
            opened(state.id)
        return NewTable(state, tokens)

    async def create_for_ladder(self, request: NewGame, opening: Sequence[str]) -> GameState:
        """Creates a game of the ladder, in which the moves of an opening have been played. Raises ApiError."""
        self._stored.check()
        position = await self._work.run_accepted(start_position, request)
        created = self._factory.open(request, position)
        played = (MovesImported(tuple(opening)),) if opening else ()
        return await self._begin((created, *played), {})

    async def start_of(self, request: NewGame) -> Position:
        """Returns the position in which a game would start, without creating it. ApiError as from ``create``."""
        self._stored.check()
        self._factory.check(request)
        return await self._work.run(start_position, request)

    async def existing(self, game_ids: Collection[str]) -> Collection[str]:
        """Returns those of the ids that games have."""
        return await self._store.versions(game_ids)

    async def create_for_tournament(
        self,
        game_id: str,
        request: NewGame,
        opening: Sequence[str],
        tokens: Sequence[TokenHash],
        left: Sequence[Left],
    ) -> GameState:
        """Creates a game of a tournament, unless it exists already: the tournament has chosen its id. ApiError.

        ``left``: the seats whose players forfeit it, so that it begins without them.
        """
        try:
            return await self.get(game_id)
        except ApiError as refusal:
            if refusal.code is not Code.NOT_FOUND:
                raise
        position = await self._work.run_accepted(start_position, request)
        created = self._factory.open(request, position, {one.seat for one in left})
        played = (MovesImported(tuple(opening)),) if opening else ()
        return await self._commands.begin_log(NewGameLog(game_id, (created, *played, *left), tokens))

    async def adjudicate(self, game_id: str, command: c.Adjudicate) -> GameState:
        """Ends a game of the ladder or of a tournament; no effect once it is over."""
        return (await self._commands.command(game_id, command)).state

    async def keep(self, game: str, events: Sequence[Event]) -> GameState:
        """Stores the whole log of an imported game; no tokens are issued. Raises ApiError."""
        self._factory.check_offered(game)
        return await self._begin(events, {})

    async def _begin(self, events: Sequence[Event], tokens: Mapping[int, str]) -> GameState:
        """Stores a new game, for which its client is charged."""
        state = await self._commands.begin(events, tokens)
        self._stored.charge(await self._work.run_accepted(stored_size, events))
        return state

    async def join(
        self,
        game_id: str,
        *,
        seat: int | None = None,
        name: str | None = None,
        appearance: dict[str, str] | None = None,
        missed_by: str | None = None,
    ) -> Joined:
        """Takes the open seat ``seat``; None: the first one. ``missed_by`` as in ``Seat``."""
        token = new_token()

        def with_token(
            state: GameState, events: tuple[Event, ...], tokens: Sequence[TokenHash]
        ) -> AlsoStored:
            return AlsoStored(tokens=(TokenHash(hash_token(token), _seat_taken(events)),))

        done = await self._commands.command(game_id, c.Join(seat, name, appearance, missed_by), with_token)
        return Joined(done.state, _seat_taken(done.events), token)

    async def take_lease(self, game_id: str) -> Lease | None:
        """Takes the lease of a game from the server that holds it; None if no other one does. Raises ApiError."""
        return await self.leases.take(game_id) if (await self.get(game_id)).needs_lease else None

    async def go_remote(self, game_id: str, seat: int) -> GameState:
        """Makes the seat's player one whose absence ends the game, as in ``events.WentRemote``."""
        return (await self._commands.command(game_id, c.GoRemote(seat, self.leases.server))).state

    async def stop_waiting(self, game_id: str, seat: int) -> None:
        """Removes an absent player from the game; ApiError if another server holds the lease."""
        await self._commands.command(game_id, c.StopWaiting(seat), lease=self.leases.lease(game_id))

    async def abort(self, game_id: str, seat: int) -> GameState:
        """Aborts the game before the first move."""
        return (await self._commands.command(game_id, c.Abort(seat))).state

    async def withdraw(self, game_id: str, seat: int, free: int = 1) -> GameState:
        """Aborts the game if it still waits for players, at least ``free`` of them. Otherwise nothing happens."""
        return (await self._commands.command(game_id, c.Withdraw(seat, free))).state

    # ---- playing ---------------------------------------------------------------------------------

    async def move(
        self,
        game_id: str,
        seat: int,
        text: str,
        *,
        expected_ply: int | None = None,
        expected_moves: tuple[str, ...] | None = None,
        client_msg_id: str | None = None,
        made_at: int | None = None,
        lag_ms: Callable[[], int] | None = None,
        lease: Lease | None = None,
    ) -> MoveAck:
        """Plays a move, or one seat's part of a simultaneous one. A repeated message gets its first answer again.

        ``made_at``: the time up to which the clock is charged, if the caller knows how long the move was in transit.
        ``lag_ms``: otherwise measures the round trip to the player, if the game has a clock. ``lease``: the game's, for
        moves of bots.
        """
        lag = 0
        if lag_ms is not None and (await self.get(game_id)).clock is not None:
            lag = lag_ms()
        command = c.Move(seat, text, expected_ply, client_msg_id, expected_moves, made_at, lag)
        with timed(self._metrics.move_seconds):
            done = await self._commands.command(game_id, command, lease=lease)
        return acknowledge(done, seat)

    async def claim(self, game_id: str, command: c.ClaimGame) -> GameState:
        """Carries out a claim, which ``claims`` prepares. Raises ApiError."""
        return (await self._commands.command(game_id, command)).state

    async def resign(self, game_id: str, seat: int) -> GameState:
        """Resigns for a seat."""
        return (await self._commands.command(game_id, c.Leave(seat))).state

    async def forfeit(
        self,
        game_id: str,
        seat: int,
        reason: LeaveReason,
        note: str | None = None,
        lease: Lease | None = None,
    ) -> GameState:
        """Removes a seat from the game for ``reason``; ``note`` is a comment that the result shows."""
        return (await self._commands.command(game_id, c.Leave(seat, reason, note), lease=lease)).state

    async def set_clock(
        self,
        game_id: str,
        seat: int,
        mode: ClockMode,
        made_at: int | None = None,
        lease: Lease | None = None,
    ) -> GameState:
        """Sets when the clock of a seat runs, so that the seat is not charged for delays it has not caused.

        Callers must finally reset the mode to ``ClockMode.TURN``. When a server stops, the holders of leases reset it
        as well.
        """
        return (await self._commands.command(game_id, c.SetClock(seat, mode, made_at), lease=lease)).state

    async def abandon_bot(self, game_id: str, seat: int, why: str, lease: Lease | None) -> GameState:
        """Resigns for a bot that cannot continue; ``why`` becomes the public note of the result."""
        state = await self.forfeit(game_id, seat, LeaveReason.RESIGNATION, why, lease)
        log.warning("game %s: resigned for the bot of seat %d: %s", game_id, seat, why)
        return state

    async def give_time(self, game_id: str, seat: int, seconds: int) -> GameState:
        """Adds ``seconds`` to the clock of every other seat."""
        return (await self._commands.command(game_id, c.AddTime(seat, seconds))).state

    # ---- offers ----------------------------------------------------------------------------------

    async def propose(
        self,
        game_id: str,
        seat: int,
        kind: OfferKind,
        to_ply: int | None = None,
        *,
        address: str | None = None,
    ) -> GameState:
        """Makes an offer, or accepts another seat's offer of the same kind.

        In the returned state, ``offer`` is set if others have yet to answer, ``rematch`` if a new game has begun.
        ``address`` is the client's, for whom a rematch counts as an opened game.
        """
        return await self._settle(game_id, c.Propose(seat, kind, to_ply, new_game_id()), address)

    async def rematch(self, game_id: str, seat: int, address: str | None = None) -> GameState:
        """Proposes a rematch, or agrees to one; no effect once it has begun."""
        return await self._rematch(game_id, c.Propose(seat, OfferKind.REMATCH, None, new_game_id()), address)

    async def accept_rematch(self, game_id: str, seat: int, address: str | None = None) -> GameState:
        """Agrees to a rematch; no effect once it has begun."""
        return await self._rematch(game_id, c.Accept(seat, OfferKind.REMATCH, new_game_id()), address)

    async def _rematch(self, game_id: str, command: c.Propose | c.Accept, address: str | None) -> GameState:
        try:
            return await self._settle(game_id, command, address)
        except ApiError as refusal:
            if refusal.code is not Code.REMATCH_DECIDED:
                raise
            return await self.get(game_id)

    async def accept(
        self, game_id: str, seat: int, kind: OfferKind, *, address: str | None = None
    ) -> GameState:
        """Accepts another seat's offer. ``address`` as in ``propose``."""
        return await self._settle(game_id, c.Accept(seat, kind, new_game_id()), address)

    async def _settle(self, game_id: str, command: c.Propose | c.Accept, address: str | None) -> GameState:
        if command.kind is not OfferKind.REMATCH:
            return (await self._commands.command(game_id, command)).state
        self._stored.check()
        with self._opened.opening(address) as opened:
            state = (await self._commands.command(game_id, command, self._with_rematch)).state
            if state.rematch is not None:
                opened(state.rematch)
        return state

    async def reject(self, game_id: str, seat: int, kind: OfferKind) -> GameState:
        """Rejects another seat's offer, or withdraws the seat's own."""
        return (await self._commands.command(game_id, c.Reject(seat, kind))).state

    def _with_rematch(
        self, state: GameState, events: tuple[Event, ...], tokens: Sequence[TokenHash]
    ) -> AlsoStored:
        """Returns the log of the rematch, if the events begin one. The players' tokens are valid for it too."""
        begun = next((event for event in events if isinstance(event, RematchStarted)), None)
        if begun is None:
            return AlsoStored()
        created = self._factory.reopen(state)
        self._stored.charge(stored_size((created,)))
        moved = [TokenHash(one.digest, seat_after(one.seat, len(state.seats))) for one in tokens]
        return AlsoStored(new_log=NewGameLog(begun.game_id, (created,), moved))


def _seat_taken(events: tuple[Event, ...]) -> int:
    return next(event.seat for event in events if isinstance(event, SeatTaken))
