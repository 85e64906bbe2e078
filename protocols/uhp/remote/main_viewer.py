"""The main viewer of model A: drives the server like a single UHP 1.0 engine, and decides which moves are played.

    V: newgame Base+MLP         both engines set up the game           S: Base+MLP;NotStarted;White[1] / ok
    V: bestmove time 00:00:05   the engine to move searches            S: wA1 / ok
    V: play wA1                 both engines play the move             S: Base+MLP;InProgress;Black[1];wA1 / ok

It may only play the move just named by the engine to move; with ``is_analysis``, any legal move. Driven by
``server.services.uhp``, which owns the connections to the engines.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import Enum, auto
from typing import Final

from engines import RuleError
from protocols.session import Close, Effect, Event, LocalError, Send
from protocols.uhp.engine import CAPABILITIES
from protocols.uhp.engine_work import BadLimit, read_limit
from protocols.uhp.game_string import BadGameString, parse, replay, same
from protocols.uhp.lines import ERROR, INVALID_MOVE, Command, answered_at_once, read_command
from protocols.uhp.remote import effects as ef
from protocols.uhp.remote.command_queue import CommandQueue, KnownAnswer
from protocols.uhp.remote.game_lines import game_over, game_string, is_over
from protocols.uhp.requests import PASS, Depth, MoveTime
from protocols.values import Table

ON_THE_BOARD: Final = ("board", "repetition", "ply-limit")
"""Reasons of endings caused by a move: the move is answered like any other."""


@dataclass(slots=True)
class Lead:
    """What a main viewer and the engines of its game tell each other. Plies say which position is meant."""

    has_begun: bool = False
    """Whether the viewer has started the game, so that the engines may be set up."""
    asked: tuple[MoveTime | Depth, int] | None = None
    """The viewer's request for a move, and the ply; None once the engine to move has one."""
    named: tuple[str, int] | None = None
    """The move that the engine to move has named last, and the ply."""
    agreed: int = -1
    """The ply at which both engines had the game's position last."""


class ViewerDecided(Effect):
    """The viewer has changed ``lead``: tell the engines."""


class EnginesAnswered(Event):
    """The engines have changed ``lead``."""


class Waiting(Enum):
    """What the current command is waiting for."""

    NOT = auto()
    NEW_GAME = auto()
    BEST_MOVE = auto()
    PLAY = auto()


class MainViewer:
    """One main viewer. ``name`` is the server's engine name; ``is_analysis``: it may play any legal move."""

    def __init__(self, name: str, *, is_analysis: bool = False) -> None:
        self._name = name
        self._is_analysis = is_analysis
        self._table: Table | None = None
        self.lead = Lead()
        self._waiting = Waiting.NOT
        self._awaited = 0
        """The ply that the game must reach before the current command is answered."""
        self._queue = CommandQueue(self._info(), self._obey, lambda: self._waiting is Waiting.NOT)

    def start(self) -> list[Effect]:
        """Returns the banner."""
        return answered_at_once(*self._info())

    def receive(self, frame: str) -> list[Effect]:
        """Handles one line from the viewer; queues it if a command is in progress."""
        command = read_command(frame)
        if command is None:
            return []
        return self._obey(command) if command.keyword == "exit" else self._queue.take(command)

    def notify(self, event: Event) -> list[Effect]:
        """Handles one event from the driver."""
        match event:
            case ef.TableChanged(table=table):
                self._take_table(table)
            case EnginesAnswered():
                pass
            case ef.RefusedByGame(text=text) if self._waiting is Waiting.PLAY:
                return self._finish(f"{ERROR} {text}")
            case ef.RefusedByGame():
                return []
            case ef.LineLost(text=text):
                return self._queue.take(KnownAnswer(f"{ERROR} {text}"))
            case ef.NotSeated(text=text):
                return [Send(f"{ERROR} {text}"), Close(ef.NORMAL, "no game")]
            case _:
                raise LocalError(self._waiting, event)
        return self._answer_if_known()

    # ---- commands --------------------------------------------------------------------------------

    def _obey(self, command: Command) -> list[Effect]:
        handler = _COMMANDS.get(command.keyword)
        if handler is None:
            return answered_at_once(f"{ERROR} Invalid command: {', '.join(_COMMANDS)}.")
        answer = handler(self, command)
        return answered_at_once(*answer) if isinstance(answer, tuple) else answer

    def _info(self, _: Command | None = None) -> "_Lines":
        return (f"id {self._name}", CAPABILITIES)

    def _options(self, command: Command) -> "_Lines":
        return () if not command.words else (f"{ERROR} There are no options.",)

    def _leave(self, _: Command) -> list[Effect]:
        return [Close(ef.NORMAL, "exit")]

    def _undo(self, _: Command) -> "_Lines":
        return (f"{ERROR} undo is not possible: two engines are playing",)

    def _new_game(self, command: Command) -> "_Lines | list[Effect]":
        """Starts the only available game, named by its type or its GameString."""
        table = self._table
        if table is None:
            return (_NO_GAME,)
        try:
            wanted = parse(command.rest or "Base")
            is_it = wanted.type == table.position.variant and (
                not wanted.moves or same(replay(wanted), table.position)
            )
        except BadGameString as error:
            return (f"{ERROR} {error}",)
        if not is_it or (self.lead.has_begun and not wanted.moves and table.ply > 0):
            return (f"{ERROR} this is the game: {game_string(table)}",)
        self.lead.has_begun, self._waiting, self._awaited = True, Waiting.NEW_GAME, table.ply
        return [ViewerDecided(), *self._answer_if_known()]

    def _list_moves(self, _: Command) -> "_Lines":
        table = self._running()
        return (";".join(table.position.legal_moves()),) if isinstance(table, Table) else (table,)

    def _best_move(self, command: Command) -> "_Lines | list[Effect]":
        table = self._running()
        if not isinstance(table, Table):
            return (table,)
        try:
            limit = read_limit(command.words, 0)
        except BadLimit as error:
            return (f"{ERROR} {error}",)
        self._waiting, self._awaited = Waiting.BEST_MOVE, table.ply + 1
        time = MoveTime(max(1, (limit.milliseconds or 0) // 1000))
        self.lead.named = None
        self.lead.asked = time if limit.depth is None else Depth(limit.depth), table.ply
        return [ViewerDecided()]

    def _play(self, command: Command) -> "_Lines | list[Effect]":
        table = self._running()
        if not isinstance(table, Table):
            return (table,)
        try:
            move = table.position.check(PASS if command.keyword == PASS else command.rest)
        except RuleError as refusal:
            return (f"{INVALID_MOVE} {refusal}",)
        if self.lead.named != (move, table.ply) and not self._is_analysis:
            return (f"{ERROR} only the seated player's move may be played",)
        self._waiting, self._awaited = Waiting.PLAY, table.ply + 1
        return [ef.PlayMove(move)]

    def _running(self) -> Table | str:
        """The running game, or the error line if no move can be played."""
        if self._table is None or not self.lead.has_begun:
            return _NO_GAME
        return game_over(self._table) if is_over(self._table) else self._table

    # ---- answers that wait -----------------------------------------------------------------------

    def _take_table(self, table: Table) -> None:
        """Stores the table. After a takeback, the current command only waits for both engines to follow."""
        before = self._table
        if before is not None and table.seq <= before.seq:
            return
        self._table = table
        if before is not None and table.ply < before.ply and self._waiting is not Waiting.BEST_MOVE:
            self._awaited = min(self._awaited, table.ply)

    def _answer_if_known(self) -> list[Effect]:
        """Answers the current command if its answer is now known."""
        table = self._table
        if table is None or self._waiting is Waiting.NOT:
            return []
        has_moved = table.ply >= self._awaited
        if is_over(table):
            is_by_move = has_moved and table.result is not None and table.result.reason in ON_THE_BOARD
            return self._finish(game_string(table) if is_by_move else game_over(table))
        match self._waiting:
            case Waiting.NEW_GAME | Waiting.PLAY if has_moved and self.lead.agreed == table.ply:
                return self._finish(game_string(table))
            case Waiting.BEST_MOVE if self.lead.named is not None and self.lead.named[1] == table.ply:
                return self._finish(self.lead.named[0])
            case Waiting.BEST_MOVE if table.ply != self._awaited - 1:
                return self._finish(f"{ERROR} the game has gone on: {game_string(table)}")
        return []

    def _finish(self, line: str) -> list[Effect]:
        self._waiting = Waiting.NOT
        return [*answered_at_once(line), *self._queue.proceed()]


_Lines = tuple[str, ...]
_NO_GAME: Final = f"{ERROR} No game in progress. Try 'newgame' to start the game."


_COMMANDS: Final[Mapping[str, Callable[[MainViewer, Command], "_Lines | list[Effect]"]]] = {
    "info": MainViewer._info,
    "options": MainViewer._options,
    "newgame": MainViewer._new_game,
    "play": MainViewer._play,
    PASS: MainViewer._play,
    "bestmove": MainViewer._best_move,
    "validmoves": MainViewer._list_moves,
    "undo": MainViewer._undo,
    "exit": MainViewer._leave,
}
