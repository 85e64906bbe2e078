"""Role ``main`` (model A): drives the main viewer, which leads two engines through a game.

A main viewer may open a game. Its banner gives the id (``game=<id>``), with which the engines connect. Or it names an
existing game by the token of the host, provided that the host opened both seats for itself. Any other token is valid
for one seat only, whose opponent has not agreed to be led.
"""

from collections.abc import Sequence
from contextlib import aclosing, suppress

from protocols.session import Effect, Event
from protocols.uhp.remote.effects import NotSeated, PlayMove, RefusedByGame, TableChanged
from protocols.uhp.remote.handshake import Handshake
from protocols.uhp.remote.main_viewer import EnginesAnswered, MainViewer, ViewerDecided
from protocols.values import Seat, SeatKind, Status
from server.domain.errors import ApiError
from server.domain.events import Created
from server.domain.events import Event as GameEvent
from server.domain.game import PRIVATE, GameState
from server.domain.public_table import table_of
from server.services.game_follower import follow
from server.services.uhp.context import Run, UhpContext
from server.services.uhp.engine_matches import SEATS
from server.services.uhp.line_driver import LineDriver
from server.services.uhp.matchmaking import new_game
from server.services.uhp.seat_access import NoSeatError, find_game, seat_by_token
from server.services.uhp.wire import Wire


class Leader:
    """One connection. ``is_own``: it has opened the game itself."""

    def __init__(
        self, context: UhpContext, wire: Wire, session: MainViewer, game_id: str, *, is_own: bool
    ) -> None:
        self._context = context
        self._session = session
        self._game_id = game_id
        self._is_own = is_own
        self._driver = LineDriver(wire, session, self._do)
        self._state: GameState | None = None

    async def run(self) -> None:
        """Runs until the connection ends; then the engines continue without a leader."""
        with self._context.matches.at(self._game_id) as table:
            if table.lead is not None:
                await self._driver.tell(NotSeated("the game has a main viewer already"))
                return
            presence, absences = self._context.presence, self._context.absences
            try:
                async with (
                    table.led(self._session.lead, self._refresh),
                    presence.present(self._game_id, None),
                    absences.hosting(self._game_id),
                ):
                    await self._show(await self._context.games.get(self._game_id))
                    self._driver.spawn(self._follow())
                    await self._driver.run(self._session.start())
            finally:
                await self._abort_if_open()

    async def _abort_if_open(self) -> None:
        """Aborts a game opened here that no engine has joined."""
        state = self._state
        if self._is_own and state is not None and state.status is Status.OPEN:
            with suppress(ApiError):
                await self._context.games.abort(state.id, state.host)

    # ---- what the session asks -------------------------------------------------------------------

    async def _do(self, effect: Effect) -> Sequence[Event]:
        match effect:
            case ViewerDecided():
                with self._context.matches.at(self._game_id) as table:
                    await table.refresh()
                return []
            case PlayMove(text=text) if self._state is not None:
                return await self._play(self._state, text)
            case _:
                raise TypeError(f"a main viewer asks for {type(effect).__name__}")

    async def _play(self, state: GameState, move: str) -> Sequence[Event]:
        """Plays a move. The engine was charged when it named the move and pays nothing more, even if it has left."""
        (seat,) = state.position.to_act
        made_at = None if state.clock is None else state.clock.since
        try:
            await self._context.games.move(state.id, seat, move, expected_moves=state.moves, made_at=made_at)
        except ApiError as refusal:
            return [RefusedByGame(refusal.code.value, refusal.text)]
        return []

    # ---- what the match and the game report ------------------------------------------------------

    async def _refresh(self) -> None:
        await self._driver.tell(EnginesAnswered())

    async def _follow(self) -> None:
        async with aclosing(follow(self._context.games, self._context.bus, self._game_id)) as states:
            async for state in states:
                await self._show(state)

    async def _show(self, state: GameState) -> None:
        if self._state is None or state.version > self._state.version:
            self._state = state
            await self._driver.tell(TableChanged(table_of(state, state.updated_at)))


async def prepare_main(context: UhpContext, wire: Wire, handshake: Handshake) -> Run:
    """Checks the handshake of a main viewer. Raises ApiError."""
    name = context.product.name
    if handshake.token is not None:
        state = await _opened_before(context, handshake.token, handshake.game)
    elif handshake.game is not None:
        raise NoSeatError("a main viewer needs the token of the game's host")
    else:
        state = await _open(context, handshake, wire.address)
        name = f"{name} game={state.id}"
    session = MainViewer(name, is_analysis=handshake.is_analysis)
    return Leader(context, wire, session, state.id, is_own=handshake.token is None).run


async def _opened_before(context: UhpContext, token: str, game_id: str | None) -> GameState:
    """The game, if the token's holder has all its seats. Raises ApiError."""
    seat_access = await seat_by_token(context.games, token, game_id)
    state = await find_game(context.games, seat_access.game_id)
    if seat_access.seat != state.host:
        raise NoSeatError("a main viewer needs the token of the game's host")
    first, *_ = await context.games.events_after(state, 0)
    if not _is_for_one(first.event):
        raise NoSeatError("this token plays one seat: to lead both, open a game with role=main")
    return state


def _is_for_one(first: GameEvent) -> bool:
    """Whether the game's creator got the tokens of all seats; in a rematch, players keep their own."""
    if not isinstance(first, Created) or first.rematch_of is not None:
        return False
    return all(seat.kind is SeatKind.HUMAN for seat in first.seats)


async def _open(context: UhpContext, handshake: Handshake, address: str | None) -> GameState:
    """Opens a game with two open seats that is not listed in the lobby: engines join it by its id. Raises ApiError."""
    seats = (Seat(SeatKind.OPEN, missed_by=context.games.server),) * SEATS
    return (await context.games.create(new_game(handshake.criteria, seats, PRIVATE), address)).state
