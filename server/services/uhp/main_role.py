"""Role ``main`` (model A): drives the main viewer, which leads two engines through one game.

It opens a game, and its banner says which (``game=<id>``): the engines dial in with that, and know that they are led.
Or it names one by the token of the game's host, if that has opened both seats for itself. Any other token is good for
its own seat alone: whoever plays the other one has not come to be led.
"""

from collections.abc import Sequence
from contextlib import suppress

from protocols.session import Effect, Event
from protocols.uhp.remote.handshake import Handshake
from protocols.uhp.remote.main_viewer import Agreed, Begin, MainViewer, Named, Solicit
from protocols.uhp.remote.words import Changed, NotSeated, PlayMove, Refused
from server.domain.errors import ApiError
from server.domain.events import Created
from server.domain.events import Event as GameEvent
from server.domain.game import PRIVATE, GameState, Status
from server.domain.public import table_of
from server.domain.seats import SeatKind
from server.ports import OverrunError
from server.services.changes import Change, game_topic
from server.services.opening import NewSeat
from server.services.uhp.desk import Desk
from server.services.uhp.matchmaking import new_game
from server.services.uhp.pump import Pump
from server.services.uhp.seating import NoSeat, find_game, seat_by_token
from server.services.uhp.tables import SEATS
from server.services.uhp.wire import Wire

TRY_AGAIN_LATER = 1013


class Leader:
    """One connection. ``is_own``: it has opened the game itself."""

    def __init__(self, desk: Desk, wire: Wire, session: MainViewer, game_id: str, *, is_own: bool) -> None:
        self._desk = desk
        self._wire = wire
        self._session = session
        self._game_id = game_id
        self._is_own = is_own
        self._pump = Pump(wire, session, self._do)
        self._state: GameState | None = None

    async def run(self) -> None:
        """Until the connection ends; then the engines go on by themselves."""
        with self._desk.tables.at(self._game_id) as table:
            if table.leader is not None:
                await self._pump.tell(NotSeated("the game has a main viewer already"))
                return
            table.leader = self
            try:
                presence, absences = self._desk.presence, self._desk.absences
                async with presence.present(self._game_id, None), absences.hosting(self._game_id):
                    await self._look()
                    self._pump.spawn(self._follow())
                    await self._pump.run(self._session.start())
            finally:
                await table.lead_no_more()
                await self._call_off()

    async def _call_off(self) -> None:
        """A game that nobody has come to needs nobody any more."""
        state = self._state
        if self._is_own and state is not None and state.status is Status.OPEN:
            with suppress(ApiError):
                await self._desk.games.abort(state.id, state.host)

    # ---- what the session asks -------------------------------------------------------------------

    async def _do(self, effect: Effect) -> Sequence[Event]:
        with self._desk.tables.at(self._game_id) as table:
            match effect:
                case Begin():
                    await table.look()
                case Solicit(limit=limit):
                    await table.solicit(self._seat_to_act(), self._known().ply, limit)
                case PlayMove(text=text):
                    return await self._play(text)
                case _:
                    raise TypeError(f"a main viewer asks for {type(effect).__name__}")
        return []

    async def _play(self, move: str) -> Sequence[Event]:
        """The engine has been charged for what it has thought, and is for nothing else, also if it is away by now."""
        state, seat = self._known(), self._seat_to_act()
        made_at = None if state.clock is None else state.clock.since
        try:
            await self._desk.games.move(state.id, seat, move, expected_moves=state.moves, made_at=made_at)
        except ApiError as refusal:
            return [Refused(refusal.code.value, refusal.text)]
        return []

    def _seat_to_act(self) -> int:
        (seat,) = self._known().position.to_act
        return seat

    def _known(self) -> GameState:
        if self._state is None:
            raise TypeError("a main viewer without a game")
        return self._state

    # ---- what the table and the game tell --------------------------------------------------------

    @property
    def has_begun(self) -> bool:
        """Whether the engines may be set up."""
        return self._session.has_begun

    async def agreed(self, ply: int) -> None:
        """Both engines stand at this ply."""
        await self._pump.tell(Agreed(ply))

    async def named(self, move: str, ply: int) -> None:
        """The engine to move has named its move."""
        await self._pump.tell(Named(move, ply))

    async def _follow(self) -> None:
        """Subscribed before the first look, so that no change is missed."""
        subscription = self._desk.bus.subscribe(game_topic(self._game_id))
        try:
            await self._look()
            async for message in subscription:
                if isinstance(message, Change):
                    await self._show(message.state)
        except OverrunError:
            self._wire.close(TRY_AGAIN_LATER, "too slow")
        finally:
            subscription.close()

    async def _look(self) -> None:
        await self._show(await self._desk.games.get(self._game_id))

    async def _show(self, state: GameState) -> None:
        if self._state is None or state.version > self._state.version:
            self._state = state
            await self._pump.tell(Changed(table_of(state, state.updated_at)))


async def prepare_main(desk: Desk, wire: Wire, handshake: Handshake) -> Leader:
    """Judges the handshake of a main viewer. NoSeat."""
    name = desk.product.name
    if handshake.token is not None:
        state = await _opened_before(desk, handshake.token, handshake.game)
    elif handshake.game is not None:
        raise NoSeat("a main viewer needs the token of the game's host")
    else:
        state = await _open(desk, handshake, wire.address)
        name = f"{name} game={state.id}"
    session = MainViewer(name, is_analysis=handshake.is_analysis)
    return Leader(desk, wire, session, state.id, is_own=handshake.token is None)


async def _opened_before(desk: Desk, token: str, game_id: str | None) -> GameState:
    """The game of which the token's holder has all seats. NoSeat."""
    seating = await seat_by_token(desk.games, token, game_id)
    state = await find_game(desk.games, seating.game_id)
    if seating.seat != state.host:
        raise NoSeat("a main viewer needs the token of the game's host")
    try:
        first, *_ = await desk.games.events_after(state, 0)
    except ApiError as refusal:
        raise NoSeat(refusal.text.rstrip(".")) from None
    if not _is_for_one(first.event):
        raise NoSeat("this token plays one seat: to lead both, open a game with role=main")
    return state


def _is_for_one(first: GameEvent) -> bool:
    """Whether who has opened the game got the tokens of all its seats; in a rematch everybody keeps its own."""
    if not isinstance(first, Created) or first.rematch_of is not None:
        return False
    return all(seat.kind is SeatKind.HUMAN for seat in first.seats)


async def _open(desk: Desk, handshake: Handshake, address: str | None) -> GameState:
    """A game with two open seats, in no lobby: engines come to it by its id."""
    seats = (NewSeat(SeatKind.OPEN, missed_by=desk.games.server),) * SEATS
    try:
        return (await desk.games.create(new_game(handshake.wish, seats, PRIVATE), address)).state
    except ApiError as refusal:
        raise NoSeat(refusal.text.rstrip(".")) from None
