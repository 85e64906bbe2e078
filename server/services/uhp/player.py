"""Drives a player: a seat of model B, or a viewer of model C. Its moves are commands of an ordinary game.

A move is charged up to the moment its line was received, less what the position was late in being sent and what the
line was on its way.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from protocols.play.table import Table
from protocols.session import Effect, Event, Session
from protocols.uhp.remote.showing import is_over
from protocols.uhp.remote.words import (
    NORMAL,
    Changed,
    GiveUp,
    NotSeated,
    OfferDraw,
    PlayMove,
    Refused,
    Seated,
    Seek,
)
from server.domain.clock import CREDIT_MS
from server.domain.errors import ApiError, Code
from server.domain.events import LeaveReason, OfferKind
from server.domain.game import GameState
from server.domain.public import table_of
from server.ports import OverrunError, Subscription
from server.services.changes import Change, game_topic
from server.services.uhp.desk import Desk
from server.services.uhp.places import Place
from server.services.uhp.pump import Pump
from server.services.uhp.seating import NoSeat, Seating, seat_by_token
from server.services.uhp.wire import Wire

TRY_AGAIN_LATER = 1013


@dataclass(slots=True)
class _Sitting:
    """One game of a connection. ``table`` is the game as the session was last told.

    ``late_ms``: how long after the last move the player was sent the position.
    """

    seating: Seating
    place: Place
    table: Table | None = None
    late_ms: int = 0


class Player:
    """One connection. ``given``: the seat that its handshake named, which the first wish of the session means."""

    def __init__(self, desk: Desk, wire: Wire, session: Session, given: Seating | None) -> None:
        self._desk = desk
        self._wire = wire
        self._given = given
        self._pump = Pump(wire, session, self._do)
        self._sitting: _Sitting | None = None
        """The present game; the session hears of no other."""

    async def run(self, first: Sequence[Effect]) -> None:
        """Until the connection ends."""
        await self._pump.run(first)

    # ---- what the session asks -------------------------------------------------------------------

    async def _do(self, effect: Effect) -> Sequence[Event]:
        if isinstance(effect, Seek):
            self._pump.spawn(self._play(effect))
            return []
        sitting = self._sitting
        if sitting is None:
            raise TypeError(f"{type(effect).__name__} without a seat")
        try:
            state = await self._command(effect, sitting)
        except ApiError as refusal:
            return [_refused(refusal, sitting)]
        return self._news(sitting, table_of(state, state.updated_at))

    async def _command(self, effect: Effect, sitting: _Sitting) -> GameState:
        games, game_id, seat = self._desk.games, sitting.seating.game_id, sitting.seating.seat
        match effect:
            case PlayMove(text=text):
                made_at = games.now() - sitting.late_ms - min(self._wire.lag_ms(), CREDIT_MS)
                return (await games.move(game_id, seat, text, made_at=made_at)).state
            case GiveUp(reason=reason, note=note):
                return await games.forfeit(game_id, seat, LeaveReason(reason), note)
            case OfferDraw():
                return await games.propose(game_id, seat, OfferKind.DRAW)
            case _:
                raise TypeError(f"a player's session asks for {type(effect).__name__}")

    # ---- a game ----------------------------------------------------------------------------------

    async def _play(self, wanted: Seek) -> None:
        """Finds a seat and holds it until the game is over."""
        try:
            seating = await self._find(wanted)
        except NoSeat as refusal:
            await self._pump.tell(NotSeated(str(refusal)))
            return
        async with self._desk.places.held(seating, self._dismiss) as place:
            subscription = self._desk.bus.subscribe(game_topic(seating.game_id))
            sitting = self._sitting = _Sitting(seating, place)
            await self._pump.tell(Seated(seating.seat, seating.game_id, seating.token))
            await self._follow(sitting, subscription)

    async def _find(self, wanted: Seek) -> Seating:
        given, self._given = self._given, None
        if wanted.game is not None:
            return await self._come_back(wanted, given)
        return given or await self._desk.matchmaking.find(wanted.wish, self._wire.address)

    async def _come_back(self, wanted: Seek, given: Seating | None) -> Seating:
        if wanted.secret is not None:
            return await seat_by_token(self._desk.games, wanted.secret, wanted.game)
        if given is not None and given.game_id == wanted.game:
            return given
        raise NoSeat("name the secret of the game: resume=<id>:<secret>")

    async def _follow(self, sitting: _Sitting, subscription: Subscription) -> None:
        """Until the game is over, which it may be from the first. Subscribed before that, so that nothing is missed."""
        try:
            state = await self._desk.games.get(sitting.seating.game_id)
            table = table_of(state, self._desk.games.now())
            await self._show(sitting, table)
            if is_over(table):
                return
            async for message in subscription:
                if isinstance(message, Change):
                    await self._show(sitting, message.picture.table)
                    if is_over(message.picture.table):
                        return
        except OverrunError:
            self._wire.close(TRY_AGAIN_LATER, "too slow")
        finally:
            subscription.close()

    async def _show(self, sitting: _Sitting, table: Table) -> None:
        for event in self._news(sitting, table):
            await self._pump.tell(event)

    def _news(self, sitting: _Sitting, table: Table) -> list[Event]:
        """Nothing is told twice, whether it comes as an answer or from the bus; and nothing of an earlier game."""
        before = sitting.table
        if before is not None and table.seq <= before.seq:
            return []
        if before is not None and table.ply != before.ply:
            sitting.late_ms = max(0, self._desk.games.now() - table.updated_at)
        sitting.table = table
        return [Changed(table)] if sitting is self._sitting else []

    def _dismiss(self) -> None:
        self._wire.send("err another connection has taken this seat")
        self._wire.close(NORMAL, "replaced")


def _refused(refusal: ApiError, sitting: _Sitting) -> Refused:
    tries = 0
    if refusal.code is Code.ILLEGAL_MOVE and sitting.table is not None:
        tries = sitting.place.try_again(sitting.table.ply)
    return Refused(refusal.code.value, refusal.text, tries)
