"""Finds opponents: other UHP players who are waiting, open games in the lobby, or a bot.

A player without an opponent opens an ordinary game and waits in it, so that it is listed in the lobby and people can
join it. A player who accepts any colour takes a seat only after the opponent has chosen. First come, first served.

If two suitable players have begun to wait at two servers at the same time, the later one withdraws from its game,
unless somebody has joined it, and joins the other one.
"""

import asyncio
import secrets
from contextlib import aclosing, suppress
from dataclasses import dataclass, replace
from typing import Final

from engines import Position
from protocols.uhp.game_string import COLORS, GAME
from protocols.uhp.remote.seek_criteria import SeekCriteria, write_time_control
from protocols.values import Assistance, Listed, Seat, SeatKind, Status
from server.domain.bots import ListedBot
from server.domain.errors import ApiError, Code
from server.domain.game import MATCHMAKING, PRIVATE, GameState
from server.services.bots.bot_registry import BotRegistry
from server.services.cluster.announcements import Announcements
from server.services.cluster.bus import Bus, OverrunError
from server.services.cluster.presence import Presence
from server.services.cluster.topic_reader import retry_until_stored
from server.services.games.game_factory import NewGame, check_time_control
from server.services.games.game_follower import follow
from server.services.games.games import Games
from server.services.lobby.lobby import Lobby
from server.services.uhp.absences import Absences
from server.services.uhp.seat_access import NoSeatError, SeatAccess, take_seat
from server.services.uhp.waiting_players import WaitingPlayer, WaitingPlayers

NO_OPPONENT: Final = "no opponent"
NO_BOT: Final = "no such bot"
SEATS: Final = range(len(COLORS))
NOT_OPEN: Final = frozenset({Code.SEAT_TAKEN, Code.FINISHED, Code.NOT_FOUND})
"""Refusals of a game that nobody can join any more."""


@dataclass(frozen=True, slots=True)
class _Waiting:
    """A player waiting in a game that it has opened; ``own`` is its seat there, None if it has not taken one yet."""

    seek: WaitingPlayer
    own: SeatAccess | None
    host: int

    @property
    def free(self) -> int:
        """The number of open seats until an opponent joins."""
        return len(SEATS) - (self.own is not None)

    def is_joined(self, state: GameState) -> bool:
        """Whether an opponent has joined, or the game was aborted."""
        return state.status is not Status.OPEN or len(state.open_seats) < self.free


class Matchmaking:
    """All players who are waiting for an opponent, for up to ``wait_seconds`` seconds."""

    def __init__(
        self,
        games: Games,
        bus: Bus,
        presence: Presence,
        absences: Absences,
        announcements: Announcements,
        lobby: Lobby,
        registry: BotRegistry,
        wait_seconds: float,
    ) -> None:
        self._games = games
        self._bus = bus
        self._presence = presence
        self._absences = absences
        self._lobby = lobby
        self._registry = registry
        self._wait_seconds = wait_seconds
        self._players = WaitingPlayers(announcements)
        self._turn = asyncio.Lock()
        """Held by the seeker who looks for an opponent, so that no two take the same one."""

    @property
    def waiting(self) -> int:
        """Number of players waiting at this server."""
        return len(self._players)

    def check(self, criteria: SeekCriteria) -> None:
        """Raises ApiError if nobody could ever play by these criteria."""
        check_time_control(criteria.time_control, GAME)
        if criteria.bot is not None:
            self._bot(criteria.bot)

    async def find(self, criteria: SeekCriteria, address: str | None) -> SeatAccess:
        """Waits for a suitable opponent and returns a seat. Raises ApiError. May be cancelled.

        A game opened for this counts towards the limits of ``address``, the client's.
        """
        try:
            async with asyncio.timeout(self._wait_seconds):
                meet = self._meet_bot if criteria.bot is not None else self._meet
                return await meet(criteria, address)
        except TimeoutError:
            raise NoSeatError(NO_OPPONENT) from None

    # ---- opponents who are already there ---------------------------------------------------------

    async def _meet(self, criteria: SeekCriteria, address: str | None) -> SeatAccess:
        while True:
            async with self._turn:
                found = await self._join_waiting(criteria) or await self._join_lobby(criteria)
                if found is not None:
                    return found
                waiting = await self._open(criteria, address)
            seat_access = await self._wait(waiting)
            if seat_access is not None:
                return seat_access

    async def _join_waiting(self, criteria: SeekCriteria) -> SeatAccess | None:
        """Joins the game of a suitable player who is waiting over UHP, at whatever server.

        If this fails or is cancelled while the game is still open, that player goes on waiting.
        """
        for other in self._players.suitable(criteria):
            seat = _seat_in(criteria, other.criteria)
            try:
                seat_access = await take_seat(self._games, other.game_id, seat, criteria.name)
            except ApiError as refusal:
                if refusal.code in NOT_OPEN:
                    self._players.remove(other.game_id)
            else:
                self._players.remove(other.game_id)
                return seat_access
        return None

    async def _join_lobby(self, criteria: SeekCriteria) -> SeatAccess | None:
        """Joins a game in the lobby that was opened on a page, if its host is present."""
        if criteria.opponent is not None:
            return None
        for one in self._lobby.waiting():
            is_there = one.away_since is None and one.game.game_id not in self._players
            if not is_there or not _may_suit(one.game, criteria):
                continue
            with suppress(ApiError):
                seat = _open_seat(await self._games.get(one.game.game_id), criteria)
                if seat is not None:
                    return await take_seat(self._games, one.game.game_id, seat, criteria.name)
        return None

    async def _meet_bot(self, criteria: SeekCriteria, address: str | None) -> SeatAccess:
        bot = self._bot(criteria.bot or "")
        seat = _any_seat() if criteria.seat is None else criteria.seat
        seats = [Seat(SeatKind.BOT, bot_id=bot.id) for _ in SEATS]
        seats[seat] = Seat(SeatKind.HUMAN, name=criteria.name, missed_by=self._games.leases.server)
        table = await self._games.create(new_game(criteria, tuple(seats), PRIVATE), address)
        return SeatAccess(table.state.id, seat, table.tokens[seat])

    def _bot(self, name: str) -> ListedBot:
        """The bot with this id, with or without the client's part, or with this name, written with ``_`` for spaces.

        Raises NoSeatError.
        """
        wanted = name.casefold()
        for bot in self._registry.bots:
            names = (bot.id, bot.bot_id, bot.name.replace(" ", "_"))
            if bot.game == GAME and wanted in (one.casefold() for one in names):
                return bot
        raise NoSeatError(NO_BOT)

    # ---- waiting ---------------------------------------------------------------------------------

    async def _open(self, criteria: SeekCriteria, address: str | None) -> _Waiting:
        server = self._games.leases.server
        seats = [Seat(SeatKind.OPEN, missed_by=server) for _ in SEATS]
        if criteria.seat is not None:
            seats[criteria.seat] = Seat(SeatKind.HUMAN, name=criteria.name, missed_by=server)
        match_type = MATCHMAKING if criteria.opponent is None else PRIVATE
        game = replace(new_game(criteria, tuple(seats), match_type), assistance=Assistance.NONE)
        table = await self._games.create(game, address)
        state, seat = table.state, criteria.seat
        own = None if seat is None else SeatAccess(state.id, seat, table.tokens[seat])
        seek = self._players.add(state.id, criteria, state.created_at)
        return _Waiting(seek, own, state.host)

    async def _wait(self, waiting: _Waiting) -> SeatAccess | None:
        """Waits until the game is full and returns the seat; None if somebody took it or the game was aborted."""
        game_id, host = waiting.seek.game_id, waiting.host
        async with self._players.announced(waiting.seek) as is_later:
            withdrawing = asyncio.ensure_future(self._withdraw(waiting, is_later))
            try:
                async with self._presence.present(game_id, host), self._absences.hosting(game_id):
                    return await self._take_rest(await self._joined(waiting), waiting)
            finally:
                withdrawing.cancel()
                await abort_if_open(self._games, game_id, host)

    async def _withdraw(self, waiting: _Waiting, is_later: asyncio.Event) -> None:
        """Withdraws from the game once its player is the later one of two, unless somebody has joined it."""
        await is_later.wait()
        games, game_id = self._games, waiting.seek.game_id
        await retry_until_stored(lambda: games.withdraw(game_id, waiting.host, waiting.free))

    async def _joined(self, waiting: _Waiting) -> GameState:
        """Waits until an opponent has joined or the game was aborted; returns the game."""
        states = follow(self._games, self._bus, waiting.seek.game_id)
        async with aclosing(states):
            with suppress(OverrunError):
                async for state in states:
                    if waiting.is_joined(state):
                        return state
        return await self._games.get(waiting.seek.game_id)

    async def _take_rest(self, state: GameState, waiting: _Waiting) -> SeatAccess | None:
        """Takes the remaining seat if the player has none yet."""
        if waiting.own is not None or not state.is_live:
            return waiting.own if state.status is Status.PLAYING else None
        with suppress(ApiError):
            return await take_seat(self._games, waiting.seek.game_id, None, waiting.seek.criteria.name)
        return None


def new_game(criteria: SeekCriteria, seats: tuple[Seat, ...], match_type: str) -> NewGame:
    """A game with these criteria and seats, which is aborted if its host leaves."""
    return NewGame(
        game=GAME,
        seats=seats,
        variant=criteria.type,
        time_control=criteria.time_control,
        match_type=match_type,
        ends_with_host=True,
    )


async def abort_if_open(games: Games, game_id: str, host: int) -> None:
    """Aborts a game that the seat ``host`` has opened, unless all its seats are taken, perhaps at another server."""
    with suppress(ApiError):
        await games.withdraw(game_id, host)


def _seat_in(criteria: SeekCriteria, other: SeekCriteria) -> int:
    """The seat for the second player."""
    if criteria.seat is not None:
        return criteria.seat
    return _any_seat() if other.seat is None else 1 - other.seat


def _any_seat() -> int:
    return secrets.choice(SEATS)


def _may_suit(game: Listed, criteria: SeekCriteria) -> bool:
    """Whether game, variant and clock of a game in the lobby match the criteria."""
    clocks = write_time_control(game.time_control), write_time_control(criteria.time_control)
    return (game.game, game.variant, clocks[0]) == (GAME, criteria.type, clocks[1])


def _open_seat(state: GameState, criteria: SeekCriteria) -> int | None:
    """The open seat for these criteria in a game of the lobby; None for games with non-default rules."""
    if state.config != Position(GAME, criteria.type).config:
        return None
    free = [seat for seat, taken in enumerate(state.seats) if taken.kind is SeatKind.OPEN]
    wanted = free if criteria.seat is None else [seat for seat in free if seat == criteria.seat]
    return next(iter(wanted), None)
