"""The main viewer of model A: it drives the server as if that were one UHP 1.0 engine, and leads the game.

    V: newgame Base+MLP      both engines are set up                    S: Base+MLP;NotStarted;White[1] / ok
    V: bestmove time 00:00:05   the engine to move is asked, within its clock   S: wA1 / ok
    V: play wA1              the move counts, and both engines play it  S: Base+MLP;InProgress;Black[1];wA1 / ok

What it plays is what the engine to move has just named; with ``is_analysis`` it may be any legal move. Driven by
``server.services.uhp``, which knows the engines.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import Enum, auto
from typing import Final

from engines import RuleError
from protocols.play.table import Table
from protocols.session import Close, Effect, Event, LocalError, Send
from protocols.uhp.engine_work import BadLimit, read_limit
from protocols.uhp.game_string import BadGameString, parse, replay, same
from protocols.uhp.lines import ERROR, INVALID_MOVE, OK, Command, read_command
from protocols.uhp.remote.held import Alive, Answered, Held, HeldLine
from protocols.uhp.remote.showing import game_over, game_string, is_over
from protocols.uhp.remote.words import (
    NORMAL,
    Changed,
    LineLost,
    NotSeated,
    PlayMove,
    Refused,
    flooded,
)
from protocols.uhp.requests import PASS, Depth, MoveTime

CAPABILITIES: Final = "Mosquito;Ladybug;Pillbug"
ON_THE_BOARD: Final = ("board", "repetition", "ply-limit")
"""Reasons of ends that are moves' doing: the move is answered as any other."""


@dataclass(frozen=True, slots=True)
class Begin(Effect):
    """Set both engines up at the game's position; ``Agreed`` follows once they stand there."""


@dataclass(frozen=True, slots=True)
class Solicit(Effect):
    """Ask the engine to move for its best move, within its clock and this limit; ``Named`` follows."""

    limit: MoveTime | Depth


@dataclass(frozen=True, slots=True)
class Agreed(Event):
    """Both engines stand at the game's position after so many plies."""

    ply: int


@dataclass(frozen=True, slots=True)
class Named(Event):
    """The engine to move has named its move after so many plies."""

    move: str
    ply: int


class Waiting(Enum):
    """What the command under way waits for."""

    NOT = auto()
    NEW_GAME = auto()
    BEST_MOVE = auto()
    PLAY = auto()


class MainViewer:
    """One main viewer. ``name`` is what the server calls itself; ``is_analysis``: it may play moves of its own."""

    def __init__(self, name: str, *, is_analysis: bool = False) -> None:
        self._name = name
        self._is_analysis = is_analysis
        self._table: Table | None = None
        self._waiting = Waiting.NOT
        self._has_begun = False
        self._agreed = -1
        """The ply at which both engines stand."""
        self._named: Named | None = None
        self._awaited = 0
        """The ply that the game has to reach before the command under way is answered."""
        self._held = Held()

    @property
    def has_begun(self) -> bool:
        """Whether it has asked for the game."""
        return self._has_begun

    def start(self) -> list[Effect]:
        """The banner."""
        return [_answer(*self._info())]

    def receive(self, frame: str) -> list[Effect]:
        """Take one line of the viewer; those that come too soon wait."""
        command = read_command(frame)
        if command is None:
            return []
        return self._obey(command) if command.keyword == "exit" else self._take(command)

    def notify(self, event: Event) -> list[Effect]:
        """Take one event of the driver."""
        match event:
            case Changed(table=table):
                self._take_table(table)
            case Agreed(ply=ply):
                self._agreed = ply
            case Named():
                self._named = event
            case Refused(text=text) if self._waiting is Waiting.PLAY:
                return self._finish(f"{ERROR} {text}")
            case Refused():
                return []
            case LineLost(text=text):
                return self._take(Answered(f"{ERROR} {text}"))
            case NotSeated(text=text):
                return [Send(f"{ERROR} {text}"), Close(NORMAL, "no game")]
            case _:
                raise LocalError(self._waiting, event)
        return self._look()

    # ---- commands --------------------------------------------------------------------------------

    def _take(self, line: Command | Answered) -> list[Effect]:
        """A line at its turn: now, or after the command under way."""
        if self._waiting is Waiting.NOT:
            return self._take_up(line)
        return [] if self._held.add(line) else flooded()

    def _take_up(self, line: HeldLine) -> list[Effect]:
        match line:
            case Answered(line=text):
                return [_answer(text)]
            case Alive(count=count):
                return [Send("\n".join((*self._info(), OK) * count))]
            case Command():
                return self._obey(line)

    def _obey(self, command: Command) -> list[Effect]:
        handler = _COMMANDS.get(command.keyword)
        if handler is None:
            return [_answer(f"{ERROR} Invalid command: {', '.join(_COMMANDS)}.")]
        answer = handler(self, command)
        return [_answer(*answer)] if isinstance(answer, tuple) else answer

    def _info(self, _: Command | None = None) -> "_Lines":
        return (f"id {self._name}", CAPABILITIES)

    def _options(self, command: Command) -> "_Lines":
        return () if not command.words else (f"{ERROR} There are no options.",)

    def _leave(self, _: Command) -> list[Effect]:
        return [Close(NORMAL, "exit")]

    def _undo(self, _: Command) -> "_Lines":
        return (f"{ERROR} undo is not possible: two engines are playing",)

    def _new_game(self, command: Command) -> "_Lines | list[Effect]":
        """The game there is: as its type, or as its GameString."""
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
        if not is_it or (self._has_begun and not wanted.moves and table.ply > 0):
            return (f"{ERROR} this is the game: {game_string(table)}",)
        self._has_begun, self._waiting, self._awaited = True, Waiting.NEW_GAME, table.ply
        return [Begin(), *self._look()]

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
        self._waiting, self._named, self._awaited = Waiting.BEST_MOVE, None, table.ply + 1
        if limit.depth is not None:
            return [Solicit(Depth(limit.depth))]
        return [Solicit(MoveTime(max(1, (limit.milliseconds or 0) // 1000)))]

    def _play(self, command: Command) -> "_Lines | list[Effect]":
        table = self._running()
        if not isinstance(table, Table):
            return (table,)
        try:
            move = table.position.check(PASS if command.keyword == PASS else command.rest)
        except RuleError as refusal:
            return (f"{INVALID_MOVE} {refusal}",)
        is_named = self._named == Named(move, table.ply)
        if not is_named and not self._is_analysis:
            return (f"{ERROR} only the seated player's move may be played",)
        self._waiting, self._awaited = Waiting.PLAY, table.ply + 1
        return [PlayMove(move)]

    def _running(self) -> Table | str:
        """The game, or why it takes no move."""
        if self._table is None or not self._has_begun:
            return _NO_GAME
        return game_over(self._table) if is_over(self._table) else self._table

    # ---- answers that wait -----------------------------------------------------------------------

    def _take_table(self, table: Table) -> None:
        """A takeback leaves nothing more to wait for than that the engines stand there, too."""
        before = self._table
        if before is not None and table.seq <= before.seq:
            return
        self._table = table
        if before is not None and table.ply < before.ply and self._waiting is not Waiting.BEST_MOVE:
            self._awaited = min(self._awaited, table.ply)

    def _look(self) -> list[Effect]:
        """The answer that is due by now, if one is."""
        table = self._table
        if table is None or self._waiting is Waiting.NOT:
            return []
        has_moved = table.ply >= self._awaited
        if is_over(table):
            is_by_move = has_moved and table.result is not None and table.result.reason in ON_THE_BOARD
            return self._finish(game_string(table) if is_by_move else game_over(table))
        match self._waiting:
            case Waiting.NEW_GAME | Waiting.PLAY if has_moved and self._agreed == table.ply:
                return self._finish(game_string(table))
            case Waiting.BEST_MOVE if self._named is not None and self._named.ply == table.ply:
                return self._finish(self._named.move)
            case Waiting.BEST_MOVE if table.ply != self._awaited - 1:
                return self._finish(f"{ERROR} the game has gone on: {game_string(table)}")
        return []

    def _finish(self, line: str) -> list[Effect]:
        self._waiting = Waiting.NOT
        effects: list[Effect] = [_answer(line)]
        while self._held and self._waiting is Waiting.NOT:
            effects += self._take_up(self._held.take())
        return effects


_Lines = tuple[str, ...]
_NO_GAME: Final = f"{ERROR} No game in progress. Try 'newgame' to start the game."


def _answer(*lines: str) -> Effect:
    return Send("\n".join((*lines, OK)))


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
