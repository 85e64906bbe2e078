"""Drives a player: a seat of model B, or a viewer of model C. Its moves are commands of an ordinary game.

A move is charged until its line was received, less the delay in sending the position and the latency.
"""

from collections.abc import Sequence
from contextlib import aclosing
from dataclasses import dataclass

from protocols.session import Effect, Event
from protocols.uhp.remote import effects as ef
from protocols.values import LeaveReason, OfferKind, Table
from server.domain.clocks.clock import CREDIT_MS
from server.domain.errors import ApiError, Code
from server.domain.game import GameState
from server.domain.public_table import table_of
from server.ports.connection import Connection
from server.services.driver import Stream
from server.services.uhp.context import UhpContext
from server.services.uhp.seat_access import NoSeatError, SeatAccess, seat_by_token
from server.services.uhp.seat_connections import SeatConnection


@dataclass(slots=True)
class _CurrentGame:
    """One game of a connection. ``table`` is the game as last sent to the session.

    ``late_ms``: how long after the last move the position was sent to the player.
    """

    seat_access: SeatAccess
    place: SeatConnection
    table: Table | None = None
    late_ms: int = 0


class PlayerEffects:
    """Carries out the effects of one player. ``given``: the seat named in the handshake, for the first ``Seek``."""

    def __init__(self, context: UhpContext, connection: Connection, given: SeatAccess | None) -> None:
        self._context = context
        self._connection = connection
        self._given = given
        self._game: _CurrentGame | None = None
        """The current game; the session receives no events of others."""

    async def __call__(self, effect: Effect) -> Sequence[Event] | Stream:
        """Carries out an effect and returns the events that the session is notified of."""
        if isinstance(effect, ef.Seek):
            return self._play(effect)
        game = self._game
        if game is None:
            raise TypeError(f"{type(effect).__name__} without a seat")
        try:
            return await self._command(effect, game)
        except ApiError as refusal:
            return [_refused(effect, refusal, game)]

    async def _command(self, effect: Effect, game: _CurrentGame) -> Sequence[Event]:
        """Gives a command. The new state of the game comes from the bus, after a move also from here."""
        games, game_id, seat = self._context.games, game.seat_access.game_id, game.seat_access.seat
        match effect:
            case ef.PlayMove(text=text):
                made_at = games.now() - game.late_ms - min(self._connection.lag_ms(), CREDIT_MS)
                return self._events_for(game, (await games.move(game_id, seat, text, made_at=made_at)).table)
            case ef.GiveUp(reason=reason, note=note):
                await games.forfeit(game_id, seat, LeaveReason(reason), note)
            case ef.ClaimEnd(kind=kind):
                return self._taken(game, await self._context.claims.claim(game_id, seat, kind))
            case ef.OfferDraw():
                return self._taken(game, await games.propose(game_id, seat, OfferKind.DRAW))
            case _:
                raise TypeError(f"a player's session asks for {type(effect).__name__}")
        return []

    # ---- a game ----------------------------------------------------------------------------------

    async def _play(self, wanted: ef.Seek) -> Stream:
        """Finds a seat and holds it until the game is over."""
        try:
            seat_access = await self._find(wanted)
        except ApiError as refusal:
            yield ef.NotSeated(str(refusal).rstrip("."))
            return
        async with self._context.seat_connections.held(seat_access, self._connection) as place:
            game = self._game = _CurrentGame(seat_access, place)
            yield ef.Seated(seat_access.seat, seat_access.game_id, seat_access.token)
            async with aclosing(self._context.tables(seat_access.game_id)) as tables:
                async for table in tables:
                    for event in self._events_for(game, table):
                        yield event

    async def _find(self, wanted: ef.Seek) -> SeatAccess:
        given, self._given = self._given, None
        if wanted.game is None:
            return given or await self._context.matchmaking.find(wanted.criteria, self._connection.address)
        if wanted.secret is not None:
            return await seat_by_token(self._context.games, wanted.secret, wanted.game)
        if given is not None and given.game_id == wanted.game:
            return given
        raise NoSeatError("name the secret of the game: resume=<id>:<secret>")

    def _events_for(self, game: _CurrentGame, table: Table) -> list[Event]:
        """The events for a state; none for repeated states (sent as answers and by the bus) and earlier games."""
        before = game.table
        if before is not None and table.seq <= before.seq:
            return []
        if before is not None and table.ply != before.ply:
            game.late_ms = max(0, self._context.games.now() - table.updated_at)
        game.table = table
        return [ef.TableChanged(table)] if game is self._game else []

    def _taken(self, game: _CurrentGame, state: GameState) -> list[Event]:
        return [*self._events_for(game, table_of(state, self._context.games.now())), ef.TakenByGame()]


def _refused(effect: Effect, refusal: ApiError, game: _CurrentGame) -> ef.RefusedByGame:
    tries = 0
    if refusal.code is Code.ILLEGAL_MOVE and game.table is not None:
        tries = game.place.try_again(game.table.ply)
    return ef.RefusedByGame(effect, refusal.code.value, refusal.text, tries)
