"""Drives a player: a seat of model B, or a viewer of model C. Its moves are commands of an ordinary game.

A move is charged until its line was received, less the delay in sending the position and the latency.
"""

from collections.abc import Sequence
from contextlib import aclosing
from dataclasses import dataclass

from protocols.session import Effect, Event, Session
from protocols.uhp.remote import effects as ef
from protocols.uhp.remote.game_lines import is_over
from protocols.values import LeaveReason, OfferKind, Table
from server.domain.clock import CREDIT_MS
from server.domain.errors import ApiError, Code
from server.domain.public_table import table_of
from server.services.games.game_follower import follow_tables
from server.services.uhp.context import UhpContext
from server.services.uhp.line_driver import LineDriver
from server.services.uhp.seat_access import NoSeatError, SeatAccess, seat_by_token
from server.services.uhp.seat_connections import SeatConnection
from server.services.uhp.wire import Wire


@dataclass(slots=True)
class _CurrentGame:
    """One game of a connection. ``table`` is the game as last sent to the session.

    ``late_ms``: how long after the last move the position was sent to the player.
    """

    seat_access: SeatAccess
    place: SeatConnection
    table: Table | None = None
    late_ms: int = 0


class PlayerConnection:
    """One connection. ``given``: the seat named in the handshake, which the session's first ``Seek`` uses."""

    def __init__(self, context: UhpContext, wire: Wire, session: Session, given: SeatAccess | None) -> None:
        self._context = context
        self._wire = wire
        self._given = given
        self.driver = LineDriver(wire, session, self._do)
        self._game: _CurrentGame | None = None
        """The current game; the session receives no events of others."""

    # ---- what the session asks -------------------------------------------------------------------

    async def _do(self, effect: Effect) -> Sequence[Event]:
        if isinstance(effect, ef.Seek):
            self.driver.spawn(self._play(effect))
            return []
        game = self._game
        if game is None:
            raise TypeError(f"{type(effect).__name__} without a seat")
        try:
            return self._events_for(game, await self._command(effect, game))
        except ApiError as refusal:
            return [_refused(refusal, game)]

    async def _command(self, effect: Effect, game: _CurrentGame) -> Table:
        games, game_id, seat = self._context.games, game.seat_access.game_id, game.seat_access.seat
        match effect:
            case ef.PlayMove(text=text):
                made_at = games.now() - game.late_ms - min(self._wire.lag_ms(), CREDIT_MS)
                return (await games.move(game_id, seat, text, made_at=made_at)).table
            case ef.GiveUp(reason=reason, note=note):
                state = await games.forfeit(game_id, seat, LeaveReason(reason), note)
            case ef.OfferDraw():
                state = await games.propose(game_id, seat, OfferKind.DRAW)
            case _:
                raise TypeError(f"a player's session asks for {type(effect).__name__}")
        return table_of(state, state.updated_at)

    # ---- a game ----------------------------------------------------------------------------------

    async def _play(self, wanted: ef.Seek) -> None:
        """Finds a seat and holds it until the game is over."""
        try:
            seat_access = await self._find(wanted)
        except ApiError as refusal:
            await self.driver.tell(ef.NotSeated(str(refusal).rstrip(".")))
            return
        async with self._context.seat_connections.held(seat_access, self._wire) as place:
            game = self._game = _CurrentGame(seat_access, place)
            await self.driver.tell(ef.Seated(seat_access.seat, seat_access.game_id, seat_access.token))
            await self._follow(game)

    async def _find(self, wanted: ef.Seek) -> SeatAccess:
        given, self._given = self._given, None
        if wanted.game is None:
            return given or await self._context.matchmaking.find(wanted.criteria, self._wire.address)
        if wanted.secret is not None:
            return await seat_by_token(self._context.games, wanted.secret, wanted.game)
        if given is not None and given.game_id == wanted.game:
            return given
        raise NoSeatError("name the secret of the game: resume=<id>:<secret>")

    async def _follow(self, game: _CurrentGame) -> None:
        """Follows the game until it is over."""
        tables = follow_tables(self._context.games, self._context.bus, game.seat_access.game_id)
        async with aclosing(tables):
            async for table in tables:
                for event in self._events_for(game, table):
                    await self.driver.tell(event)
                if is_over(table):
                    return

    def _events_for(self, game: _CurrentGame, table: Table) -> list[Event]:
        """The events for a state; none for repeated states (sent as answers and by the bus) and earlier games."""
        before = game.table
        if before is not None and table.seq <= before.seq:
            return []
        if before is not None and table.ply != before.ply:
            game.late_ms = max(0, self._context.games.now() - table.updated_at)
        game.table = table
        return [ef.TableChanged(table)] if game is self._game else []


def _refused(refusal: ApiError, game: _CurrentGame) -> ef.RefusedByGame:
    tries = 0
    if refusal.code is Code.ILLEGAL_MOVE and game.table is not None:
        tries = game.place.try_again(game.table.ply)
    return ef.RefusedByGame(refusal.code.value, refusal.text, tries)
