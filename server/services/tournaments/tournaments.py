"""Tournaments as clients see and change them. The server that plays them is in ``tournament_runner``.

Any server may change any tournament: an append is refused if another one came first, and the change is decided again.
"""

import asyncio
from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final
from weakref import WeakValueDictionary

from pydantic_core import to_json

from server.domain.errors import ApiError, Code, store_unavailable
from server.domain.tokens import hash_token, new_game_id, new_token
from server.domain.tournaments import decide
from server.domain.tournaments.event_codec import write_tournament_event
from server.domain.tournaments.events import (
    GameBegun,
    PlayerEntered,
    TournamentCreated,
    TournamentEvent,
    TournamentSettings,
)
from server.domain.tournaments.state import (
    RecordedTournamentEvent,
    TournamentState,
    fold_tournament,
    forfeited_games,
)
from server.ports.store import VersionConflictError
from server.ports.tournaments import TournamentAppend, TournamentListing, TournamentStore
from server.services.address_limit import AddressLimit
from server.services.cluster.bus import Bus
from server.services.cluster.server_messages import SERVERS, TournamentForfeits
from server.services.games.games import Games
from server.services.games.stored_bytes import StoredBytes
from server.services.heavy_work import HeavyWork
from server.services.tournaments.tournament_listing import listing_of_tournament

LOADED: Final = 256
"""How many tournaments are kept in memory; each has at most about a megabyte."""

ATTEMPTS: Final = 5
"""How often a change is tried if other servers change the same tournament at the same time."""

MANY_EVENTS: Final = 100
"""The fold of more events happens on a thread."""

GAME_BYTES: Final = 10_000
"""About what a game of 50 moves takes in the database. Who enters a player pays for its games."""

ENTRIES_PER_ADDRESS: Final = 8
"""How many players one address may enter in a tournament of somebody else."""

Decide = Callable[[TournamentState], Sequence[TournamentEvent]]


@dataclass(frozen=True, slots=True)
class TournamentLimits:
    """``most``: tournaments that are not over; ``per_address``: those that one address has created. 0: no limit."""

    most: int
    per_address: int


class Tournaments:
    """All tournaments. ``listeners`` are called when this server has changed one."""

    def __init__(
        self,
        store: TournamentStore,
        games: Games,
        work: HeavyWork,
        stored: StoredBytes,
        bus: Bus,
        limits: TournamentLimits,
    ) -> None:
        self._store = store
        self._games = games
        self._work = work
        self._stored = stored
        self._bus = bus
        self._limits = limits
        self._states: OrderedDict[str, TournamentState] = OrderedDict()
        self._locks: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        self._created = AddressLimit(limits.per_address, "tournaments that are not over")
        self._creators: dict[str, str | None] = {}
        """The addresses that have created tournaments, by their ids."""
        self._entering: dict[str, AddressLimit] = {}
        """What each address has entered, by tournament."""
        self.listeners: list[Callable[[], None]] = []

    # ---- reading ---------------------------------------------------------------------------------

    async def get(self, tournament_id: str) -> TournamentState:
        """Returns the current state of a tournament; ApiError ``not-found``."""
        known = self._states.get(tournament_id)
        recorded = await self._store.tournament_events(tournament_id, 0 if known is None else known.version)
        if len(recorded) > MANY_EVENTS:
            state = await self._work.run_accepted(fold_tournament, tournament_id, known, recorded)
        else:
            state = fold_tournament(tournament_id, known, recorded)
        if state is None:
            raise ApiError(Code.NOT_FOUND, f"There is no tournament {tournament_id!r}.")
        return self._remember(state)

    async def live(self) -> Sequence[TournamentListing]:
        """Returns the tournaments that are not over, oldest first."""
        return await self._store.live_tournaments()

    async def latest(self, limit: int, after: str | None) -> Sequence[TournamentListing]:
        """Returns tournaments, newest first, beginning after the one with id ``after``."""
        return await self._store.latest_tournaments(limit, after)

    # ---- changing --------------------------------------------------------------------------------

    async def create(self, settings: TournamentSettings, address: str | None) -> tuple[TournamentState, str]:
        """Creates a tournament, whose settings were checked; returns it, and the token of its owner."""
        await self._forget_ended()
        self._created.take(address)
        token, tournament_id = new_token(), new_game_id()
        event = TournamentCreated(settings, hash_token(token))
        try:
            state = await self._append(tournament_id, None, (event,))
        except BaseException:
            self._created.give_back(address)
            raise
        self._creators[tournament_id] = address
        return state, token

    async def enter(
        self,
        tournament_id: str,
        name: str,
        bot_id: str | None,
        check: Callable[[TournamentState], None],
        *,
        is_owned: bool,
        by: str | None,
        address: str | None,
    ) -> tuple[int, str]:
        """Enters a player; returns the number and the token of the entry.

        ``check`` raises ApiError if the player cannot enter the tournament as it is at that moment. ``is_owned`` as in
        ``PlayerEntered``. ``by``: the token of the request. ApiError ``not-your-seat`` if it must be the owner's, and
        is not.
        """
        self._stored.check()
        state = await self.get(tournament_id)
        is_owner = by is not None and hash_token(by) == state.owner
        if by is not None and not is_owner:
            raise not_the_owner()
        if not state.settings.is_open and not is_owner:
            text = "Only its owner enters players in this tournament: send the owner's token."
            raise ApiError(Code.NO_TOKEN, text)
        limit = self._limit_of_entries(state)
        payer = None if is_owner else address
        token = new_token()
        entered = PlayerEntered(name, hash_token(token), bot_id, is_owned)

        def checked(state: TournamentState) -> Sequence[TournamentEvent]:
            check(state)
            return decide.enter(state, entered)

        limit.take(payer)
        try:
            state = await self.change(tournament_id, checked)
        except BaseException:
            limit.give_back(payer)
            raise
        count = len(state.entrants)
        more = decide.games_with(state, count) - decide.games_with(state, count - 1)
        self._stored.charge(GAME_BYTES * max(0, more))
        player = state.player_of(entered.digest)
        return count if player is None else state.entrants[player].entry, token

    def _limit_of_entries(self, state: TournamentState) -> AddressLimit:
        """What each address has entered; of a tournament that is over, nothing is kept."""
        limit = AddressLimit(ENTRIES_PER_ADDRESS, "entries")
        return self._entering.setdefault(state.id, limit) if state.is_live else limit

    async def withdraw(self, tournament_id: str, entry: int, token: str) -> TournamentState:
        """Withdraws a player, for its own token or the owner's. ApiError otherwise."""

        def withdraw(state: TournamentState) -> Sequence[TournamentEvent]:
            player = state.player_with(entry)
            if player is None:
                raise ApiError(Code.NOT_FOUND, f"The tournament has no entry {entry}.", field="entry")
            if hash_token(token) not in (state.owner, state.entrants[player].digest):
                raise ApiError(Code.NOT_YOUR_SEAT, "The token is neither this entry's nor the owner's.")
            return decide.withdraw(state, player)

        return await self.change(tournament_id, withdraw)

    async def start(self, tournament_id: str, token: str) -> TournamentState:
        """Starts a tournament for its owner."""
        return await self._for_owner(tournament_id, token, decide.start)

    async def cancel(self, tournament_id: str, token: str) -> TournamentState:
        """Cancels a tournament for its owner. Its games that are running go on."""
        return await self._for_owner(tournament_id, token, lambda state: decide.cancel(state, "by its owner"))

    async def change(self, tournament_id: str, decide: Decide) -> TournamentState:
        """Stores what ``decide`` returns for the current state; returns the state afterwards. Raises ApiError."""
        lock = self._locks.setdefault(tournament_id, asyncio.Lock())
        async with lock:
            for _ in range(ATTEMPTS):
                state = await self.get(tournament_id)
                events = decide(state)
                if not events:
                    return state
                try:
                    return await self._append(tournament_id, state, events)
                except VersionConflictError:
                    continue
        raise store_unavailable("another server is changing the tournament")

    # ---- helpers ---------------------------------------------------------------------------------

    async def _for_owner(self, tournament_id: str, token: str, decide: Decide) -> TournamentState:
        def checked(state: TournamentState) -> Sequence[TournamentEvent]:
            if hash_token(token) != state.owner:
                raise not_the_owner()
            return decide(state)

        return await self.change(tournament_id, checked)

    async def _append(
        self, tournament_id: str, state: TournamentState | None, events: Sequence[TournamentEvent]
    ) -> TournamentState:
        version, now = (0, self._games.now()) if state is None else (state.version, self._games.now())
        recorded = [RecordedTournamentEvent(seq, now, event) for seq, event in enumerate(events, version + 1)]
        after = fold_tournament(tournament_id, state, recorded)
        if after is None:
            raise ValueError("a tournament has a first event")
        change = TournamentAppend(recorded, listing_of_tournament(after), _bots_that_begin(after, events))
        await self._store.append_tournament(change)
        self._remember(after)
        self._stored.charge(sum(len(to_json(write_tournament_event(event))) for event in events))
        for listener in self.listeners:
            listener()
        forfeited = () if state is None else forfeited_games(state, events)
        if forfeited:
            await self._bus.publish(
                SERVERS, TournamentForfeits(self._games.leases.server, tournament_id, forfeited, now)
            )
        return after

    def _remember(self, state: TournamentState) -> TournamentState:
        """Keeps the state; one that is newer than the known one, as reading and writing may overlap."""
        known = self._states.get(state.id)
        newest = state if known is None or known.version < state.version else known
        self._states[state.id] = newest
        self._states.move_to_end(state.id)
        while len(self._states) > LOADED:
            self._states.popitem(last=False)
        return newest

    async def _forget_ended(self) -> None:
        """ApiError if there are too many tournaments."""
        live = {row.tournament_id for row in await self.live()}
        for tournament_id in [one for one in self._creators if one not in live]:
            self._created.give_back(self._creators.pop(tournament_id))
        for tournament_id in [one for one in self._entering if one not in live]:
            del self._entering[tournament_id]
        if 0 < self._limits.most <= len(live):
            text = f"There are {len(live)} tournaments that are not over."
            raise ApiError(Code.UNAVAILABLE, text, limit=self._limits.most, retry_after_ms=60_000)


def _bots_that_begin(state: TournamentState, events: Sequence[TournamentEvent]) -> list[str]:
    """The ids of the bots of the games that begin with these events. Nobody has played in a game lost by forfeit."""
    games = [state.rounds[one.round].games[one.number] for one in events if isinstance(one, GameBegun)]
    return [bot_id for game in games for bot_id in state.bots_of(game)]


def not_the_owner() -> ApiError:
    """Returns the error for a token that is not the owner's."""
    return ApiError(Code.NOT_YOUR_SEAT, "The token is not that of the tournament's owner.")
