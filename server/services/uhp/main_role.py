"""Role ``main`` (model A): a main viewer drives the server like one UHP 1.0 engine, and so leads two through a game.

    V: newgame Base+MLP         both engines set up the game           S: Base+MLP;NotStarted;White[1] / ok
    V: bestmove time 00:00:05   the engine to move searches            S: wA1 / ok
    V: play wA1                 both engines play the move             S: Base+MLP;InProgress;Black[1];wA1 / ok

It may only play the move just named by the engine to move; in an analysis, any legal move.

A main viewer may open a game. Its banner gives the id (``game=<id>``), with which the engines connect. Or it names an
existing game by the token of the host, provided that the host opened both seats for itself. Any other token is valid
for one seat only, whose opponent has not agreed to be led.
"""

import asyncio
from collections.abc import Callable
from contextlib import aclosing
from typing import Final

from protocols.session import Close, Effect, Event, Send
from protocols.uhp.engine import CAPABILITIES, REFUSALS, CommandRefused, refusal_line
from protocols.uhp.engine_work import read_limit
from protocols.uhp.game_string import COLORS, parse, replay, same
from protocols.uhp.lines import ERROR, Command, answered, read_command
from protocols.uhp.remote.command_queue import CommandQueue
from protocols.uhp.remote.effects import NORMAL, LineLost
from protocols.uhp.remote.game_lines import game_over, game_string, is_over
from protocols.uhp.remote.handshake import Handshake
from protocols.uhp.requests import PASS, Depth, MoveTime
from protocols.values import Seat, SeatKind, Table
from server.domain.errors import ApiError
from server.domain.events import Created
from server.domain.events import Event as GameEvent
from server.domain.game import PRIVATE, GameState
from server.domain.public_table import table_of
from server.services.games.game_follower import follow
from server.services.uhp.context import Run, UhpContext
from server.services.uhp.engine_matches import EngineMatch
from server.services.uhp.line_driver import LineDriver
from server.services.uhp.matchmaking import abort_if_open, new_game
from server.services.uhp.seat_access import NoSeatError, find_game, seat_by_token
from server.services.uhp.wire import Wire

ON_THE_BOARD: Final = ("board", "repetition", "ply-limit")
"""Reasons of endings caused by a move: the move is answered like any other."""

COMMANDS: Final = ("info", "options", "newgame", "play", PASS, "bestmove", "validmoves", "undo", "exit")
NO_GAME: Final = "No game in progress. Try 'newgame' to start the game."


class MainViewer:
    """One connection, as a session. ``name`` is the server's engine name; ``is_own``: it has opened the game itself."""

    def __init__(
        self, context: UhpContext, wire: Wire, state: GameState, name: str, *, is_own: bool, is_analysis: bool
    ) -> None:
        self._context = context
        self._state = state
        self._is_own = is_own
        self._is_analysis = is_analysis
        self._info = (f"id {name}", CAPABILITIES)
        self._driver = LineDriver(wire, self)
        self._match = EngineMatch()
        self._changed = asyncio.Event()
        """Set when the game has changed, and by the match."""
        self._is_busy = False
        """Whether a command is in progress."""
        self._queue = CommandQueue(self._info, self._execute, lambda: not self._is_busy)

    async def run(self) -> None:
        """Runs until the connection ends; then the engines continue without a leader."""
        context, game_id = self._context, self._state.id
        with context.matches.at(game_id) as self._match:
            if self._match.is_led:
                refusal = Send(f"{ERROR} the game has a main viewer already")
                await self._driver.carry_out([refusal, Close(NORMAL, "no game")])
                return
            try:
                with self._match.led(self._changed):
                    async with context.presence.present(game_id, None), context.absences.hosting(game_id):
                        self._driver.spawn(self._follow())
                        await self._driver.run(answered(*self._info))
            finally:
                if self._is_own:
                    await abort_if_open(context.games, game_id, self._state.host)

    async def _follow(self) -> None:
        async with aclosing(follow(self._context.games, self._context.bus, self._state.id)) as states:
            async for state in states:
                self._take(state)

    def _take(self, state: GameState) -> None:
        if state.version > self._state.version:
            self._state = state
            self._changed.set()

    # ---- lines -----------------------------------------------------------------------------------

    def receive(self, frame: str) -> list[Effect]:
        """Handles one line from the viewer; queues it if a command is in progress."""
        command = read_command(frame)
        if command is None:
            return []
        return [Close(NORMAL, "exit")] if command.keyword == "exit" else self._queue.take(command)

    def notify(self, event: Event) -> list[Effect]:
        """Handles the only event: a line that was lost."""
        if not isinstance(event, LineLost):
            raise TypeError(f"{type(event).__name__} is not for a main viewer")
        return self._queue.take(f"{ERROR} {event.text}")

    def _execute(self, command: Command) -> list[Effect]:
        self._is_busy = True
        self._driver.spawn(self._answer(command))
        return []

    async def _answer(self, command: Command) -> None:
        """Answers the command once its answer is known, then executes the queued ones."""
        try:
            lines = await self._carry_out(command)
        except (*REFUSALS, ApiError) as refusal:
            lines = (refusal_line(refusal),)
        self._is_busy = False
        await self._driver.carry_out([*answered(*lines), *self._queue.proceed()])

    # ---- commands --------------------------------------------------------------------------------

    async def _carry_out(self, command: Command) -> tuple[str, ...]:
        """Returns the answer. Raises one of REFUSALS, or ApiError."""
        match command.keyword:
            case "info":
                return self._info
            case "options" if not command.words:
                return ()
            case "options":
                raise CommandRefused("There are no options.")
            case "newgame":
                return (await self._new_game(command),)
            case "play":
                return (await self._play(command.rest),)
            case "bestmove":
                return (await self._best_move(command),)
            case "validmoves":
                return (";".join(self._running().position.legal_moves()),)
            case "undo":
                raise CommandRefused("undo is not possible: two engines are playing")
            case _:
                raise CommandRefused(f"Invalid command: {', '.join(COMMANDS)}.")

    async def _new_game(self, command: Command) -> str:
        """Starts the only available game, named by its type or its GameString."""
        state, wanted = self._state, parse(command.rest or "Base")
        is_it = wanted.type == state.variant and (not wanted.moves or same(replay(wanted), state.position))
        if not is_it or (self._match.has_begun and not wanted.moves and state.ply > 0):
            raise CommandRefused(f"this is the game: {game_string(self._table)}")
        self._match.begin()
        return await self._until(self._confirmed, state.ply)

    async def _best_move(self, command: Command) -> str:
        ply = self._running().ply
        limit = read_limit(command.words, 0)
        time = MoveTime(max(1, (limit.milliseconds or 0) // 1000))
        self._match.ask(time if limit.depth is None else Depth(limit.depth), ply)

        def named(table: Table) -> str | None:
            if self._match.named is not None and self._match.named[1] == table.ply:
                return self._match.named[0]
            return None if table.ply == ply else f"{ERROR} the game has gone on: {game_string(table)}"

        return await self._until(named, ply + 1)

    async def _play(self, text: str) -> str:
        """Plays a move. The engine was charged when it named the move and pays nothing more, even if it has left."""
        state, match = self._running(), self._match
        move = state.position.check(text)
        if match.named != (move, state.ply) and not self._is_analysis:
            raise CommandRefused("only the seated player's move may be played")
        (seat,) = state.position.to_act
        made_at = None if state.clock is None else state.clock.since
        games = self._context.games
        done = await games.move(state.id, seat, move, expected_moves=state.moves, made_at=made_at)
        self._take(done.state)
        return await self._until(self._confirmed, state.ply + 1)

    # ---- the game --------------------------------------------------------------------------------

    @property
    def _table(self) -> Table:
        return table_of(self._state, self._state.updated_at)

    def _running(self) -> GameState:
        """The running game. Raises CommandRefused if no move can be played."""
        if not self._match.has_begun:
            raise CommandRefused(NO_GAME)
        if is_over(self._table):
            raise CommandRefused(game_over(self._table).removeprefix(f"{ERROR} "))
        return self._state

    def _confirmed(self, table: Table) -> str | None:
        """The game, if both engines have its position."""
        return game_string(table) if self._match.is_at(table.ply) else None

    async def _until(self, answer: Callable[[Table], str | None], ply: int) -> str:
        """Waits for an answer, or the end of the game. ``ply``: that of the game after the command."""
        while True:
            self._changed.clear()
            table = self._table
            if is_over(table):
                result = table.result
                is_by_move = table.ply >= ply and result is not None and result.reason in ON_THE_BOARD
                return game_string(table) if is_by_move else game_over(table)
            if (line := answer(table)) is not None:
                return line
            await self._changed.wait()


async def prepare_main(context: UhpContext, wire: Wire, handshake: Handshake) -> Run:
    """Checks the handshake of a main viewer. Raises ApiError."""
    name, is_own = context.product.name, handshake.token is None
    if handshake.token is not None:
        state = await _opened_before(context, handshake.token, handshake.game)
    elif handshake.game is not None:
        raise NoSeatError("a main viewer needs the token of the game's host")
    else:
        state = await _open(context, handshake, wire.address)
        name = f"{name} game={state.id}"
    return MainViewer(context, wire, state, name, is_own=is_own, is_analysis=handshake.is_analysis).run


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
    seats = (Seat(SeatKind.OPEN, missed_by=context.games.leases.server),) * len(COLORS)
    return (await context.games.create(new_game(handshake.criteria, seats, PRIVATE), address)).state
