"""The games service: every command of every game goes through here, one after the other within a game.

A command is decided by the domain, its events are stored, and only then is the new state kept, told on the
bus and answered. A caller that goes away does not stop what was begun.
"""

import asyncio
import logging
import time
from collections.abc import Callable, Coroutine, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeVar

from server.domain import commands as c
from server.domain.decide import decide
from server.domain.errors import ApiError, Code, store_unavailable
from server.domain.events import Event, Left, OfferKind, Recorded, SeatTaken
from server.domain.fold import apply, fold
from server.domain.game import GameState, Status
from server.domain.seats import SeatKind
from server.domain.tokens import hash_token, new_game_id, new_token, seat_of_token
from server.ports import Append, Bus, Listing, ListingQuery, Store, TokenHash, VersionConflictError
from server.services.changes import ALL_GAMES, Change, game_topic
from server.services.elsewhere import Elsewhere
from server.services.listing import listing_of
from server.services.opening import NewGame, Opener
from server.services.shelf import Entry, Shelf
from server.services.timers import Timers

log = logging.getLogger(__name__)

ATTEMPTS = 3
"""How often a command is decided anew when another process wrote to the same game in between."""

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class NewTable:
    """A new game and the tokens of its seats, which nobody can ask for again."""

    state: GameState
    tokens: Mapping[int, str]


@dataclass(frozen=True, slots=True)
class MoveAck:
    """A move is in.

    ``pending`` are the seats that a simultaneous move still waits for: then ``ply`` stands still.

    ``state`` is the game at ``version`` of the answer: a repeated message gets the state of its first answer.
    """

    ply: int
    pending: tuple[int, ...]
    state: GameState


@dataclass(frozen=True, slots=True)
class Joined:
    """Somebody has taken a seat."""

    state: GameState
    seat: int
    token: str


def _now() -> int:
    return time.time_ns() // 1_000_000


class Games:
    """All games of the house."""

    def __init__(
        self, store: Store, bus: Bus, opener: Opener, *, now: Callable[[], int] = _now, loaded: int = 1000
    ) -> None:
        self._store = store
        self._bus = bus
        self._opener = opener
        self.now = now
        self._shelf = Shelf(store, loaded, self._resumed)
        self._elsewhere = Elsewhere(bus, store, self._shelf, self._tell)
        self._timers = Timers(self._expire, now)
        self._running: set[asyncio.Task[Any]] = set()
        self._started_at = now()

    async def start(self) -> None:
        """Takes up the games whose clock was running. An outage is charged to nobody."""
        self._started_at = self.now()
        self._elsewhere.start()
        for listing in await self._store.listings(ListingQuery(status=Status.PLAYING.value, is_timed=True)):
            await self._shelf.state(listing.game_id)

    async def stop(self) -> None:
        """Lets the commands in progress finish and stops the timers."""
        self._timers.stop()
        await self._elsewhere.stop()
        await asyncio.gather(*self._running, return_exceptions=True)

    # ---- reading ---------------------------------------------------------------------------------

    async def get(self, game_id: str) -> GameState:
        """The present state; ApiError ``not-found``."""
        return await self._shelf.state(game_id)

    async def seat_of(self, game_id: str, token: str) -> int | None:
        """The seat that the token opens in this game."""
        hashes = await self._shelf.tokens(game_id)
        return seat_of_token(token, ((entry.digest, entry.seat) for entry in hashes))

    async def listings(self, query: ListingQuery) -> list[Listing]:
        """The games that match, newest first."""
        return await self._store.listings(query)

    async def live_with_bots(self) -> list[GameState]:
        """The running games with a bot's seat."""
        found = await self._store.listings(ListingQuery(status=Status.PLAYING.value, has_bot=True))
        return [await self._shelf.state(listing.game_id) for listing in found]

    # ---- commands --------------------------------------------------------------------------------

    async def create(self, wish: NewGame) -> NewTable:
        """A new game; its human seats get tokens."""
        created = self._opener.open(wish)
        tokens = {
            index: new_token() for index, seat in enumerate(created.seats) if seat.kind is SeatKind.HUMAN
        }
        state = await self._shielded(self._begin((created,), tokens))
        return NewTable(state, tokens)

    async def keep(self, events: Sequence[Event]) -> GameState:
        """A game that was played elsewhere: its whole log at once. Nobody gets a token."""
        return await self._shielded(self._begin(events, {}))

    async def join(
        self,
        game_id: str,
        *,
        seat: int | None = None,
        name: str | None = None,
        appearance: dict[str, str] | None = None,
    ) -> Joined:
        """Takes an open seat: this one, or the first."""
        token = new_token()
        command = c.Join(seat, name, appearance)
        state, events = await self._command(game_id, command, token)
        return Joined(state, _seat_taken(events), token)

    async def move(
        self,
        game_id: str,
        seat: int,
        text: str,
        *,
        expected_ply: int | None = None,
        expected_moves: tuple[str, ...] | None = None,
        client_msg_id: str | None = None,
    ) -> MoveAck:
        """Plays a move, or one seat's part of a simultaneous one. A known message is answered as it was."""
        command = c.Move(seat, text, expected_ply, client_msg_id, expected_moves)
        return await self._shielded(self._move(game_id, command))

    async def propose(self, game_id: str, seat: int, kind: OfferKind, to_ply: int | None = None) -> GameState:
        """Proposes, or agrees to the same proposal.

        ``offer`` of the state says whether it is waiting for others.
        """
        return (await self._command(game_id, c.Propose(seat, kind, to_ply)))[0]

    async def accept(self, game_id: str, seat: int, kind: OfferKind) -> GameState:
        """Agrees to what another seat has proposed."""
        return (await self._command(game_id, c.Accept(seat, kind)))[0]

    async def reject(self, game_id: str, seat: int, kind: OfferKind) -> GameState:
        """Rejects a proposal, or withdraws the own one."""
        return (await self._command(game_id, c.Reject(seat, kind)))[0]

    async def resign(self, game_id: str, seat: int) -> GameState:
        """Leaves the game."""
        return (await self._command(game_id, c.Leave(seat)))[0]

    async def abandon_bot(self, game_id: str, seat: int, why: str) -> GameState:
        """Resigns for a bot that cannot go on; ``why`` is for the operator."""
        log.warning("game %s: resigned for the bot of seat %d: %s", game_id, seat, why)
        return await self.resign(game_id, seat)

    # ---- how a command runs ----------------------------------------------------------------------

    async def _begin(self, events: Sequence[Event], tokens: Mapping[int, str]) -> GameState:
        """A new game, of whose events the first creates it."""
        game_id, at = new_game_id(), self.now()
        recorded = tuple(Recorded(seq, at, event) for seq, event in enumerate(events, start=1))
        state = fold(game_id, recorded)
        if state is None:
            raise ValueError("a game has a first event")
        hashes = [TokenHash(hash_token(token), seat) for seat, token in tokens.items()]
        try:
            await self._store.append(Append(game_id, 0, recorded, listing_of(state), hashes))
        except VersionConflictError:
            raise store_unavailable("the new game's id is taken") from None
        self._timers.watch(state)
        await self._announce(Change(state, recorded))
        return state

    async def _move(self, game_id: str, command: c.Move) -> MoveAck:
        """In one go under the game's lock, so that a repeated message never runs beside its first copy."""
        async with self._shelf.taken(game_id) as (entry, state):
            version = state.answered.get((command.seat, command.message_id or ""))
            if version is not None:
                return _acknowledged(await self._shelf.as_of(game_id, version), command.seat)
            after, events = await self._run(entry, state, command)
        if any(isinstance(event, Left) for event in events):
            raise ApiError(Code.FINISHED, "Your time is over.", ply=after.ply)
        return _acknowledged(after, command.seat)

    async def _command(
        self, game_id: str, command: c.Command, token: str | None = None
    ) -> tuple[GameState, tuple[Event, ...]]:
        """The state after the command, and its events. ``token`` belongs to a join."""

        async def run() -> tuple[GameState, tuple[Event, ...]]:
            async with self._shelf.taken(game_id) as (entry, state):
                return await self._run(entry, state, command, token)

        return await self._shielded(run())

    async def _run(
        self, entry: Entry, state: GameState, command: c.Command, token: str | None = None
    ) -> tuple[GameState, tuple[Event, ...]]:
        for _ in range(ATTEMPTS):
            now = max(self.now(), state.updated_at)
            events = decide(state, command, now)
            try:
                return await self._commit(entry, state, events, now, token), events
            except VersionConflictError:
                log.warning("game %s: another process wrote to it", state.id)
                state = await self._shelf.load(state.id, entry)
        raise store_unavailable("the game is being changed elsewhere")

    async def _commit(
        self, entry: Entry, state: GameState, events: tuple[Event, ...], now: int, token: str | None
    ) -> GameState:
        if not events:
            return state
        recorded = tuple(Recorded(state.version + i, now, event) for i, event in enumerate(events, start=1))
        after = state
        for one in recorded:
            after = apply(state.id, after, one)
        hashes = () if token is None else (TokenHash(hash_token(token), _seat_taken(events)),)
        try:
            await self._store.append(Append(state.id, state.version, recorded, listing_of(after), hashes))
        except (ApiError, VersionConflictError):
            entry.state = None  # What the log really holds is read when it is next asked for.
            raise
        entry.state, entry.tokens = after, (*entry.tokens, *hashes)
        self._timers.watch(after)
        await self._announce(Change(after, recorded))
        return after

    async def _announce(self, change: Change) -> None:
        """Tells of a change made here, here and elsewhere."""
        await self._tell(change)
        await self._elsewhere.share(change)

    async def _tell(self, change: Change) -> None:
        await self._bus.publish(game_topic(change.state.id), change)
        await self._bus.publish(ALL_GAMES, change)

    def _resumed(self, state: GameState) -> GameState:
        """A game read from the log. A clock that ran when the server was last stopped runs from its start on."""
        if state.clock is None or state.status is not Status.PLAYING:
            return state
        if state.updated_at < self._started_at:
            state = replace(state, clock=state.clock.resumed(state.updated_at, self._started_at))
        self._timers.watch(state)
        return state

    async def _expire(self, game_id: str) -> None:
        """An alarm that rang too early is set again: the clock on the wall may have been put back."""
        state, events = await self._command(game_id, c.Expire())
        if not events:
            self._timers.watch(state)

    async def _shielded(self, work: Coroutine[Any, Any, T]) -> T:
        task = asyncio.ensure_future(work)
        self._running.add(task)
        task.add_done_callback(self._ended)
        return await asyncio.shield(task)

    def _ended(self, task: asyncio.Task[Any]) -> None:
        """A refusal that nobody waits for any more is no defect."""
        self._running.discard(task)
        error = None if task.cancelled() else task.exception()
        if error is not None and not isinstance(error, ApiError):
            log.error("a command failed", exc_info=error)


def _acknowledged(state: GameState, seat: int) -> MoveAck:
    waiting = state.to_act if seat in state.pending else ()
    return MoveAck(state.ply, waiting, state)


def _seat_taken(events: tuple[Event, ...]) -> int:
    return next(event.seat for event in events if isinstance(event, SeatTaken))
