"""The games service: every command of every game goes through here.

What a command is and to whom it answers is said here; how it becomes events in the log is the ``ledger``'s.
"""

import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from time import monotonic

from protocols.play.table import Table
from server.domain import commands as c
from server.domain.clock import ClockMode
from server.domain.errors import ApiError, Code
from server.domain.events import Event, LeaveReason, Left, OfferKind, Recorded, RematchStarted, SeatTaken
from server.domain.game import GameState, Status
from server.domain.rematch import seat_after
from server.domain.seats import SeatKind
from server.domain.tokens import hash_token, new_game_id, new_token, seat_of_token
from server.ports import Bus, Listing, ListingQuery, Store, TokenHash
from server.services.address_limits import OpenedGames
from server.services.ledger import Birth, Ledger, More
from server.services.meters import Meters, timed
from server.services.opening import NewGame, Opener
from server.services.steady_clock import SteadyClock

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class NewTable:
    """A new game and the tokens of its seats, which nobody can ask for again."""

    state: GameState
    tokens: Mapping[int, str]


@dataclass(frozen=True, slots=True)
class MoveAck:
    """A move is in.

    ``pending`` are the seats that a simultaneous move still waits for: then ``ply`` stands still.

    ``state`` is the game after the move, and ``table`` its public picture: a repeated message gets those of its first
    answer.
    """

    ply: int
    pending: tuple[int, ...]
    state: GameState
    table: Table


@dataclass(frozen=True, slots=True)
class Joined:
    """Somebody has taken a seat."""

    state: GameState
    seat: int
    token: str


class Games:
    """All games of the house."""

    def __init__(
        self,
        store: Store,
        bus: Bus,
        opener: Opener,
        *,
        now: Callable[[], int] | None = None,
        loaded: int = 1000,
        meters: Meters | None = None,
        opened: OpenedGames | None = None,
    ) -> None:
        """``now`` is in milliseconds since the epoch; None: by a steady clock of its own.

        ``opened`` limits the games that a client address opens; None: nothing does.
        """
        self._store = store
        self._opened = opened or OpenedGames(0, monotonic)
        self._opener = opener
        self.now = now or SteadyClock().now
        self._meters = meters or Meters()
        self._ledger = Ledger(store, bus, self.now, loaded, self._meters)

    async def start(self) -> None:
        """Takes up the games with a clock."""
        await self._ledger.start()

    async def stop(self) -> None:
        """Lets the commands in progress finish."""
        await self._ledger.stop()

    # ---- reading ---------------------------------------------------------------------------------

    async def get(self, game_id: str) -> GameState:
        """The present state; ApiError ``not-found``."""
        return await self._ledger.shelf.state(game_id)

    async def seat_of(self, game_id: str, token: str) -> int | None:
        """The seat that the token opens in this game; None only if the store does not know of one either."""
        seat = await self._seat_in_memory(game_id, token)
        if seat is None:
            await self._ledger.read_on(game_id)
            seat = await self._seat_in_memory(game_id, token)
        return seat

    async def _seat_in_memory(self, game_id: str, token: str) -> int | None:
        hashes = await self._ledger.shelf.tokens(game_id)
        return seat_of_token(token, ((entry.digest, entry.seat) for entry in hashes))

    async def game_of(self, token: str) -> str | None:
        """The game of which the token opens a seat, of several the newest: a token goes on into rematches."""
        return next(iter(await self._store.games_of(hash_token(token))), None)

    async def events_after(self, state: GameState, seq: int) -> list[Recorded]:
        """The events that led to ``state`` after the one with this number."""
        if seq >= state.version:
            return []
        return await self._store.events(state.id, after=seq, until=state.version)

    @property
    def loaded(self) -> int:
        """Games in memory."""
        return len(self._ledger.shelf)

    async def counts(self) -> Mapping[str, int]:
        """How many games there are, by status."""
        return await self._store.counts()

    async def listings(self, query: ListingQuery) -> list[Listing]:
        """The games that match, newest first."""
        return await self._store.listings(query)

    async def live_with_bots(self) -> list[GameState]:
        """The running games with a bot's seat."""
        found = await self._store.listings(ListingQuery(status=Status.PLAYING.value, has_bot=True))
        return [await self.get(listing.game_id) for listing in found]

    async def live_with_remote(self) -> list[GameState]:
        """The open and running games in which a connection is to be missed when it is gone."""
        queries = [
            ListingQuery(status=status.value, has_remote=True) for status in (Status.OPEN, Status.PLAYING)
        ]
        found = [listing for query in queries for listing in await self._store.listings(query)]
        return [await self.get(listing.game_id) for listing in found]

    @property
    def server(self) -> str:
        """This process, among all that ever play the games of the database."""
        return self._ledger.writer

    # ---- opening and closing ---------------------------------------------------------------------

    async def create(self, wish: NewGame, address: str | None = None) -> NewTable:
        """A new game; its human seats get tokens. ``address`` is that of the client who opens it. ApiError."""
        with self._opened.opening(address) as opened:
            created = self._opener.open(wish)
            tokens = {
                index: new_token() for index, seat in enumerate(created.seats) if seat.kind is SeatKind.HUMAN
            }
            state = await self._ledger.begin((created,), tokens)
            opened(state.id)
        return NewTable(state, tokens)

    async def keep(self, game: str, events: Sequence[Event]) -> GameState:
        """A ``game`` that was played elsewhere: its whole log at once. Nobody gets a token. ApiError."""
        self._opener.check_offered(game)
        return await self._ledger.begin(events, {})

    async def join(
        self,
        game_id: str,
        *,
        seat: int | None = None,
        name: str | None = None,
        appearance: dict[str, str] | None = None,
        missed_by: str | None = None,
    ) -> Joined:
        """Takes an open seat: this one, or the first. ``missed_by`` as in ``Seat``."""
        token = new_token()

        def with_token(state: GameState, events: tuple[Event, ...], tokens: Sequence[TokenHash]) -> More:
            return More(tokens=(TokenHash(hash_token(token), _seat_taken(events)),))

        done = await self._ledger.command(game_id, c.Join(seat, name, appearance, missed_by), with_token)
        return Joined(done.state, _seat_taken(done.events), token)

    async def go_remote(self, game_id: str, seat: int, *, is_here: bool = True) -> None:
        """From now on this server misses the player of the seat, as in ``events.WentRemote``."""
        await self._ledger.command(game_id, c.GoRemote(seat, self.server, is_here))

    async def stop_waiting(self, game_id: str, seat: int) -> GameState:
        """Ends the game for a player whom this server misses, unless another one does by now."""
        return (await self._ledger.command(game_id, c.StopWaiting(seat, self.server))).state

    async def abort(self, game_id: str, seat: int) -> GameState:
        """Calls the game off before anybody has moved."""
        return (await self._ledger.command(game_id, c.Abort(seat))).state

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
    ) -> MoveAck:
        """Plays a move, or one seat's part of a simultaneous one. A known message is answered as it was.

        ``made_at``: the moment up to which it is charged, where the caller knows how long it was on its way.
        """
        command = c.Move(seat, text, expected_ply, client_msg_id, expected_moves, made_at)
        with timed(self._meters.move_seconds):
            done = await self._ledger.command(game_id, command)
        if any(isinstance(event, Left) for event in done.events):
            raise ApiError(Code.FINISHED, "Your time is over.", ply=done.state.ply)
        state = done.state
        return MoveAck(state.ply, state.to_act if seat in state.pending else (), state, done.table)

    async def resign(self, game_id: str, seat: int) -> GameState:
        """Leaves the game."""
        return (await self._ledger.command(game_id, c.Leave(seat))).state

    async def forfeit(
        self, game_id: str, seat: int, reason: LeaveReason, note: str | None = None
    ) -> GameState:
        """Ends the game for a seat, for this reason; ``note`` is what it says to that."""
        return (await self._ledger.command(game_id, c.Leave(seat, reason, note))).state

    async def set_clock(
        self, game_id: str, seat: int, mode: ClockMode, made_at: int | None = None
    ) -> GameState:
        """Has the clock of a seat run when ``mode`` says so: for who knows of pauses that are not the seat's.

        Whoever takes a clock in hand gives it back (``ClockMode.TURN``); a restart of the server does, too.
        """
        return (await self._ledger.command(game_id, c.SetClock(seat, mode, made_at))).state

    async def abandon_bot(self, game_id: str, seat: int, why: str) -> GameState:
        """Resigns for a bot that cannot go on; ``why`` becomes the note of the result, which everybody may read."""
        log.warning("game %s: resigned for the bot of seat %d: %s", game_id, seat, why)
        return await self.forfeit(game_id, seat, LeaveReason.RESIGNATION, why)

    async def give_time(self, game_id: str, seat: int, seconds: int) -> GameState:
        """Gives every other seat time."""
        return (await self._ledger.command(game_id, c.GiveTime(seat, seconds))).state

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
        """Proposes, or agrees to the same proposal.

        ``offer`` of the state says whether it is waiting for others, ``rematch`` whether it became a game. ``address``
        is that of the client, for whom a rematch counts as a game that it opens.
        """
        return await self._settle(game_id, c.Propose(seat, kind, to_ply, new_game_id()), address)

    async def rematch(self, game_id: str, seat: int, address: str | None = None) -> GameState:
        """Proposes a rematch, or agrees to one; once it has begun there is nothing left to do."""
        state = await self.get(game_id)
        if state.rematch:
            return state
        return await self.propose(game_id, seat, OfferKind.REMATCH, address=address)

    async def accept(
        self, game_id: str, seat: int, kind: OfferKind, *, address: str | None = None
    ) -> GameState:
        """Agrees to what another seat has proposed. ``address`` as in ``propose``."""
        return await self._settle(game_id, c.Accept(seat, kind, new_game_id()), address)

    async def _settle(self, game_id: str, command: c.Propose | c.Accept, address: str | None) -> GameState:
        if command.kind is not OfferKind.REMATCH:
            return (await self._ledger.command(game_id, command)).state
        with self._opened.opening(address) as opened:
            state = (await self._ledger.command(game_id, command, self._with_rematch)).state
            if state.rematch is not None:
                opened(state.rematch)
        return state

    async def reject(self, game_id: str, seat: int, kind: OfferKind) -> GameState:
        """Rejects a proposal, or withdraws the own one."""
        return (await self._ledger.command(game_id, c.Reject(seat, kind))).state

    def _with_rematch(self, state: GameState, events: tuple[Event, ...], tokens: Sequence[TokenHash]) -> More:
        """The new game, if the events begin one. The tokens of the players open their new seats, too."""
        begun = next((event for event in events if isinstance(event, RematchStarted)), None)
        if begun is None:
            return More()
        created = self._opener.reopen(state)
        moved = [TokenHash(one.digest, seat_after(one.seat, len(state.seats))) for one in tokens]
        return More(birth=Birth(begun.game_id, (created,), moved))


def _seat_taken(events: tuple[Event, ...]) -> int:
    return next(event.seat for event in events if isinstance(event, SeatTaken))
