"""Role ``engine``: a UHP 1.0 engine that has connected to the server, which plays a seat with it (model A).

``bot_client`` has the engines that play on the ladder.
"""

from dataclasses import replace

from drivers.asked_engine import REPLY_SECONDS
from protocols.session import Close, Effect, Send
from protocols.uhp.answers import EngineFailed, Identity
from protocols.uhp.game_string import COLORS
from protocols.uhp.lines import shown
from protocols.uhp.remote.effects import NORMAL
from protocols.uhp.remote.game_lines import ending
from protocols.uhp.remote.handshake import Handshake
from protocols.uhp.remote.seek_criteria import MAX_NAME
from server.domain.errors import ApiError
from server.domain.game import GameState
from server.domain.public_table import table_of
from server.ports.connection import Connection
from server.services.cluster.topic_reader import retry_until_stored
from server.services.driver import Driver, no_effects
from server.services.uhp.bot_client import UhpBotClient
from server.services.uhp.context import Run, UhpContext
from server.services.uhp.engine_lines import EngineLines, refused
from server.services.uhp.engine_seat import EngineSeat
from server.services.uhp.seat_access import NoSeatError, SeatAccess, find_game, seat_by_token


class EngineConnection:
    """One connection."""

    def __init__(self, context: UhpContext, connection: Connection, handshake: Handshake) -> None:
        self._context = context
        self._connection = connection
        self._handshake = handshake
        lines = EngineLines(connection, self._fail)
        self._engine = lines.engine
        self._driver = Driver(connection, lines, no_effects)
        self._seat: EngineSeat | None = None

    async def run(self) -> None:
        """Runs until the connection ends."""
        self._driver.spawn(self._serve)
        await self._driver.run([])

    def _fail(self, failure: EngineFailed) -> list[Effect]:
        if self._seat is None:
            return refused(str(failure))
        self._seat.changed.set()
        return []

    # ---- its seat --------------------------------------------------------------------------------

    async def _serve(self) -> None:
        """Reads the banner, finds a seat, and plays it."""
        try:
            access = await self._find(await self._engine.read_banner(REPLY_SECONDS))
        except EngineFailed as failure:
            await self._driver.carry_out(refused(str(failure)))
        except ApiError as refusal:
            await self._driver.carry_out(refused(str(refusal).rstrip(".")))
        else:
            await self._hold(access)

    async def _find(self, engine: Identity) -> SeatAccess:
        wanted = self._handshake.criteria
        if lacking := engine.lacks(wanted.type):
            raise NoSeatError(
                f"{shown(engine.name)} does not play {wanted.type}: it lacks {', '.join(lacking)}"
            )
        wanted = replace(wanted, name=wanted.name or shown(engine.name)[:MAX_NAME])
        given = await self._context.seat(replace(self._handshake, criteria=wanted))
        return given or await self._context.matchmaking.find(wanted, self._connection.address)

    async def _hold(self, access: SeatAccess) -> None:
        """Holds the seat until the game is over or the connection ends."""
        context, game_id, seat = self._context, access.game_id, access.seat
        has_secret, is_new = self._handshake.has_secret, self._handshake.token is None
        async with context.seat_connections.held(access, self._connection):
            state = await retry_until_stored(lambda: context.games.get(game_id))
            with context.matches.at(game_id) as match:
                player = self._seat = EngineSeat(
                    context, self._connection, self._engine, match, state, seat, is_new=is_new
                )
                match.sit(seat, player.changed)
                if has_secret:
                    resume = f"{game_id}:{access.token}"
                    self._connection.send(f"seat {COLORS[seat]} game={game_id} resume={resume}")
                self._driver.spawn(player.follow)
                try:
                    state = await player.play()
                    told = [Send(f"end {_ending(state)}")] if has_secret else []
                    await self._driver.carry_out([*told, Close(NORMAL, "game over")])
                except EngineFailed as failure:
                    await self._driver.carry_out(await player.lose(failure))
                finally:
                    if match.leave(seat, player.changed):
                        await player.give_clock_back()


def _ending(state: GameState) -> str:
    """How the game ended, "WhiteWins timeout"."""
    return ending(table_of(state, state.updated_at))


async def prepare_engine(context: UhpContext, connection: Connection, handshake: Handshake) -> Run:
    """Checks the handshake of an engine. Raises ApiError.

    An open seat is taken only after the engine has announced what it can play; on the ladder, it then attaches.
    """
    if handshake.ladder is not None:
        return UhpBotClient(context, connection, handshake.ladder).run
    game_id = handshake.game
    if handshake.token is not None:
        game_id = (await seat_by_token(context.games, handshake.token, handshake.game)).game_id
    if game_id is not None:
        state = await find_game(context.games, game_id)
        if not state.is_live:
            raise NoSeatError(f"the game is over: {_ending(state)}")
        handshake = replace(handshake, criteria=replace(handshake.criteria, type=state.variant))
    return EngineConnection(context, connection, handshake).run
