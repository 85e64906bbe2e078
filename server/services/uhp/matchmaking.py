"""Opponents for those who look for one: others who wait over UHP, open games of the lobby, or a bot.

Whoever finds nobody opens an ordinary game and waits in it, so that it stands in the lobby and people can join it as
well. A player to whom any colour is right takes no seat before the other has chosen. First come, first served.
"""

import asyncio
import secrets
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, replace
from typing import Final

from engines import Position
from protocols.play.table import Listed
from protocols.uhp.game_string import COLORS, GAME
from protocols.uhp.remote.wish import Tempo, Wish
from server.domain.bots import Bot
from server.domain.clock import TimeControl
from server.domain.errors import ApiError
from server.domain.events import Assistance
from server.domain.game import MATCHMAKING, PRIVATE, GameState, Status
from server.domain.seats import SeatKind
from server.ports import Bus, OverrunError, Subscription
from server.services.changes import Change, game_topic
from server.services.games import Games
from server.services.lobby import Lobby
from server.services.opening import NewGame, NewSeat
from server.services.presence import Presence
from server.services.roster import Roster
from server.services.uhp.absences import Absences
from server.services.uhp.seating import NoSeat, Seating, take_seat

NO_OPPONENT: Final = "no opponent"
SEATS: Final = range(len(COLORS))


@dataclass(frozen=True, slots=True)
class _Waiting:
    """Somebody waits in a game that it has opened; ``own`` is its seat there, None as long as it has none."""

    game_id: str
    wish: Wish
    own: Seating | None
    host: int

    def is_joined(self, state: GameState) -> bool:
        """Whether somebody else has come, or the game was called off."""
        free = sum(seat.kind is SeatKind.OPEN for seat in state.seats)
        return state.status is not Status.OPEN or free < len(SEATS) - (self.own is not None)


class Matchmaking:
    """Everybody who waits for an opponent. ``patience`` is how many seconds anybody does."""

    def __init__(
        self,
        games: Games,
        bus: Bus,
        presence: Presence,
        absences: Absences,
        lobby: Lobby,
        roster: Roster,
        patience: float,
    ) -> None:
        self._games = games
        self._bus = bus
        self._presence = presence
        self._absences = absences
        self._lobby = lobby
        self._roster = roster
        self._patience = patience
        self._waiting: dict[str, _Waiting] = {}
        """By game, the first to wait first."""
        self._own: set[str] = set()
        """Games opened here, also those that have just found their second player."""
        self._turn = asyncio.Lock()

    @property
    def waiting(self) -> int:
        """How many wait."""
        return len(self._waiting)

    async def find(self, wish: Wish, address: str | None) -> Seating:
        """A seat against whoever suits, once there is somebody; NoSeat. Cancelled, it waits no more.

        A game that has to be opened for that counts for ``address``, the client's.
        """
        try:
            async with asyncio.timeout(self._patience):
                meet = self._meet_bot if wish.bot is not None else self._meet
                return await meet(wish, address)
        except TimeoutError:
            raise NoSeat(NO_OPPONENT) from None
        except ApiError as refusal:
            raise NoSeat(refusal.text.rstrip(".")) from None

    # ---- who is there already --------------------------------------------------------------------

    async def _meet(self, wish: Wish, address: str | None) -> Seating:
        while True:
            async with self._turn:
                found = await self._join_waiting(wish) or await self._join_lobby(wish)
                if found is not None:
                    return found
                waiting = await self._open(wish, address)
            seating = await self._wait(waiting)
            if seating is not None:
                return seating

    async def _join_waiting(self, wish: Wish) -> Seating | None:
        """A game of somebody who waits over UHP."""
        for other in tuple(self._waiting.values()):
            if wish.suits(other.wish):
                del self._waiting[other.game_id]
                with suppress(NoSeat):
                    return await take_seat(self._games, other.game_id, _seat_in(wish, other.wish), wish.name)
        return None

    async def _join_lobby(self, wish: Wish) -> Seating | None:
        """A game that somebody has opened in the lobby on a page, and is there to play it."""
        if wish.opponent is not None:
            return None
        for one in self._lobby.waiting():
            is_there = one.away_since is None and one.game.game_id not in self._own
            if not is_there or not _may_suit(one.game, wish):
                continue
            with suppress(NoSeat, ApiError):
                seat = _open_seat(await self._games.get(one.game.game_id), wish)
                if seat is not None:
                    return await take_seat(self._games, one.game.game_id, seat, wish.name)
        return None

    async def _meet_bot(self, wish: Wish, address: str | None) -> Seating:
        bot = self._bot(wish.bot or "")
        if bot is None:
            raise NoSeat(NO_OPPONENT)
        seat = _any_seat() if wish.seat is None else wish.seat
        seats = [NewSeat(SeatKind.BOT, bot.id) for _ in SEATS]
        seats[seat] = NewSeat(SeatKind.HUMAN, name=wish.name, missed_by=self._games.server)
        table = await self._games.create(new_game(wish, tuple(seats), PRIVATE), address)
        return Seating(table.state.id, seat, table.tokens[seat])

    def _bot(self, name: str) -> Bot | None:
        """The bot of this id, with or without its client's, or of this name written with ``_`` for blanks."""
        wanted = name.casefold()
        for bot in self._roster.bots:
            names = (bot.id, bot.bot_id, bot.name.replace(" ", "_"))
            if bot.game == GAME and wanted in (one.casefold() for one in names):
                return bot
        return None

    # ---- waiting ---------------------------------------------------------------------------------

    async def _open(self, wish: Wish, address: str | None) -> _Waiting:
        server = self._games.server
        seats = [NewSeat(SeatKind.OPEN, missed_by=server) for _ in SEATS]
        if wish.seat is not None:
            seats[wish.seat] = NewSeat(SeatKind.HUMAN, name=wish.name, missed_by=server)
        match_type = MATCHMAKING if wish.opponent is None else PRIVATE
        game = replace(new_game(wish, tuple(seats), match_type), assistance=Assistance.NONE)
        table = await self._games.create(game, address)
        state, seat = table.state, wish.seat
        own = None if seat is None else Seating(state.id, seat, table.tokens[seat])
        waiting = _Waiting(state.id, wish, own, state.host)
        self._waiting[waiting.game_id] = waiting
        self._own.add(waiting.game_id)
        return waiting

    async def _wait(self, waiting: _Waiting) -> Seating | None:
        """The seat, once the game is full; None when somebody else was quicker, or has called the game off."""
        subscription = self._bus.subscribe(game_topic(waiting.game_id))
        try:
            async with self._offered(waiting):
                return await self._take_rest(await self._come_to(waiting, subscription), waiting)
        finally:
            subscription.close()
            self._waiting.pop(waiting.game_id, None)
            self._own.discard(waiting.game_id)

    @asynccontextmanager
    async def _offered(self, waiting: _Waiting) -> AsyncIterator[None]:
        """The host is there as long as it waits. If it goes before the game is full, the game is called off."""
        game_id = waiting.game_id
        try:
            async with self._presence.present(game_id, waiting.host), self._absences.hosting(game_id):
                yield
        finally:
            with suppress(ApiError):
                if (await self._games.get(waiting.game_id)).status is Status.OPEN:
                    await self._games.abort(waiting.game_id, waiting.host)

    async def _come_to(self, waiting: _Waiting, subscription: Subscription) -> GameState:
        """The game when somebody has come, or it was called off."""
        state = await self._games.get(waiting.game_id)
        if waiting.is_joined(state):
            return state
        with suppress(OverrunError):
            async for message in subscription:
                if isinstance(message, Change) and waiting.is_joined(message.state):
                    return message.state
        return await self._games.get(waiting.game_id)

    async def _take_rest(self, state: GameState, waiting: _Waiting) -> Seating | None:
        """Whoever has no seat yet gets the one that is left."""
        if waiting.own is not None:
            return waiting.own if state.status is Status.PLAYING else None
        with suppress(NoSeat):
            return await take_seat(self._games, waiting.game_id, None, waiting.wish.name)
        return None


def new_game(wish: Wish, seats: tuple[NewSeat, ...], match_type: str) -> NewGame:
    """A game as ``wish`` has it, between these seats, which nobody needs once the wish is given up."""
    return NewGame(
        game=GAME,
        seats=seats,
        variant=wish.type,
        time_control=_control(wish.tempo),
        match_type=match_type,
        ends_with_host=True,
    )


def _control(tempo: Tempo | None) -> TimeControl | None:
    """On the wire the first move is timed as well."""
    return None if tempo is None else TimeControl(tempo.base, tempo.increment, starts_at_once=True)


def _seat_in(wish: Wish, other: Wish) -> int:
    """The seat of whoever comes second."""
    if wish.seat is not None:
        return wish.seat
    return _any_seat() if other.seat is None else 1 - other.seat


def _any_seat() -> int:
    return secrets.choice(SEATS)


def _may_suit(game: Listed, wish: Wish) -> bool:
    """Whether a game of the lobby is worth a closer look."""
    control = game.control
    tempo = None if control is None else Tempo(control.initial_seconds, control.increment_seconds)
    return (game.game, game.variant, tempo) == (GAME, wish.type, wish.tempo)


def _open_seat(state: GameState, wish: Wish) -> int | None:
    """The seat for ``wish`` in a game of the lobby that has no rules of its own."""
    if state.config != Position(GAME, wish.type).config:
        return None
    free = [seat for seat, taken in enumerate(state.seats) if taken.kind is SeatKind.OPEN]
    wanted = free if wish.seat is None else [seat for seat in free if seat == wish.seat]
    return next(iter(wanted), None)
