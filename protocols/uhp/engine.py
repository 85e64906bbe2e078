"""The engine's end of UHP 1.0: a viewer's lines in, answers out. Driven by ``plyhouse uhp``.

Every command but ``exit`` is answered by lines and then ``ok``. What takes time is an effect (``engine_work``), and
until its end comes back by ``notify`` the session is busy: the driver hands over the next line after that. A refused
command changes nothing.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from enum import Enum, auto
from typing import Any, Final

from engines import Position, RuleError
from protocols.session import Effect, Event, LocalError, Send
from protocols.uhp import options as option_lines
from protocols.uhp.engine_help import explain, overview
from protocols.uhp.engine_options import HASH_MB, MOVE_OVERHEAD_MS, SEED, THREADS, EngineOptions
from protocols.uhp.engine_work import (
    BadLimit,
    Counted,
    CountLeaves,
    FindMove,
    Found,
    Interrupted,
    Quit,
    StopWork,
    WorkFailed,
    read_limit,
)
from protocols.uhp.game_string import BadGameString, GameString, moves_of, parse, play, replay, write
from protocols.uhp.lines import ERROR, INVALID_MOVE, OK, Command, Line, LineTooLong, read_command, shown
from protocols.uhp.options import BadOption

CAPABILITIES: Final = "Mosquito;Ladybug;Pillbug"
INTERRUPTED_STATUS: Final = 130
MAX_COUNT_DEPTH: Final = 99

Lines = list[str]
Answer = Lines | Effect
"""The lines before ``ok``, or the work whose end will be the answer."""


class EngineState(Enum):
    """What a session is doing."""

    IDLE = auto()
    SEARCHING = auto()
    COUNTING = auto()
    GONE = auto()


class Refused(Exception):
    """A command cannot be carried out; the text follows ``err``."""


class InvalidMove(Exception):
    """A move is illegal or no move at all; the text follows ``invalidmove``."""


@dataclass(frozen=True, slots=True)
class Product:
    """What an engine says about itself: ``name`` with its version, and the lines of ``licenses``."""

    name: str
    licenses: tuple[str, ...]


class EngineSession:
    """One engine, with at most one game."""

    def __init__(self, product: Product, options: EngineOptions) -> None:
        self._product = product
        self._options = options
        self._position: Position | None = None
        self._state = EngineState.IDLE
        self._counting: CountLeaves | None = None
        self._count_to = 0
        self._commands: dict[str, Callable[[Command], Answer]] = {
            "info": lambda _: self._info(),
            "newgame": lambda command: self._new_game(command.rest),
            "play": lambda command: self._play(command.rest),
            "pass": lambda _: self._play("pass"),
            "validmoves": lambda _: [";".join(self._running().legal_moves())],
            "bestmove": lambda command: self._best_move(command.words),
            "undo": lambda command: self._undo(command.words),
            "options": lambda command: self._about_options(command.words),
            "perft": lambda command: self._perft(command.words),
            "help": lambda command: self._help(command.words),
            "licenses": lambda _: list(product.licenses),
            "exit": lambda _: self._exit(0),
        }

    @property
    def is_busy(self) -> bool:
        """Whether a piece of work is under way, so that no line may be handed over."""
        return self._state in (EngineState.SEARCHING, EngineState.COUNTING)

    @property
    def keywords(self) -> Iterable[str]:
        """The commands, in no particular order."""
        return self._commands.keys()

    def start(self) -> list[Effect]:
        """The banner: every viewer waits for it."""
        return _answered(self._info())

    def receive(self, frame: Line) -> list[Effect]:
        """Take one line of the viewer; blank ones are passed over."""
        if self._state is not EngineState.IDLE:
            raise LocalError(self._state, "a line")
        if isinstance(frame, LineTooLong):
            return _answered([f"{ERROR} {frame}"])
        command = read_command(frame)
        return [] if command is None else self._carry_out(command)

    def notify(self, event: Event) -> list[Effect]:
        """Take the end of a piece of work, or the user's interrupt."""
        match self._state, event:
            case EngineState.IDLE, Interrupted():
                return [self._exit(INTERRUPTED_STATUS)]
            case ((EngineState.SEARCHING | EngineState.COUNTING), Interrupted()):
                return [StopWork()]
            case EngineState.GONE, Interrupted():
                return []
            case EngineState.SEARCHING, Found(move):
                return self._finish([move])
            case EngineState.COUNTING, Counted(leaves):
                return self._counted(leaves)
            case ((EngineState.SEARCHING | EngineState.COUNTING), WorkFailed(text)):
                return self._finish([f"{ERROR} {text}"])
            case _:
                raise LocalError(self._state, event)

    def _carry_out(self, command: Command) -> list[Effect]:
        handler = self._commands.get(command.keyword)
        if handler is None:
            return _answered([f"{ERROR} Invalid command. Try 'help' to see a list of valid commands."])
        try:
            answer = handler(command)
        except (Refused, BadGameString, BadLimit, BadOption) as refusal:
            answer = [f"{ERROR} {refusal}"]
        except InvalidMove as refusal:
            answer = [f"{INVALID_MOVE} {refusal}"]
        return [answer] if isinstance(answer, Effect) else _answered(answer)

    def _finish(self, lines: Lines) -> list[Effect]:
        self._state = EngineState.IDLE
        return _answered(lines)

    # ---- the engine ------------------------------------------------------------------------------

    def _info(self) -> Lines:
        return [f"id {self._product.name}", CAPABILITIES]

    def _help(self, words: tuple[str, ...]) -> Lines:
        if not words:
            return overview()
        if words[0].lower() not in self._commands:
            raise Refused(
                f"There is no command \"{shown(words[0])}\". Try 'help' to see a list of valid commands."
            )
        return explain(words[0].lower())

    def _about_options(self, words: tuple[str, ...]) -> Lines:
        match words:
            case ():
                return [option_lines.write(option) for option in self._options.listed]
            case (verb, name) if verb.lower() == "get":
                return [option_lines.write(self._options.find(name))]
            case (verb, name, value) if verb.lower() == "set":
                self._set_options(self._options.set(name, value))
                return [option_lines.write(self._options.find(name))]
            case _:
                raise Refused("Try 'options', 'options get Name' or 'options set Name Value'.")

    def _set_options(self, options: EngineOptions) -> None:
        """Applies the new options to the running game; raises Refused if they do not allow its moves."""
        if self._position is not None and options.draws_by_repetition != self._options.draws_by_repetition:
            self._position = _replayed(_game_of(self._position), options)
        self._options = options

    def _exit(self, status: int) -> Effect:
        self._state = EngineState.GONE
        return Quit(status)

    # ---- the game --------------------------------------------------------------------------------

    def _begun(self) -> Position:
        if self._position is None:
            raise Refused("No game in progress. Try 'newgame' to start a new game.")
        return self._position

    def _running(self) -> Position:
        position = self._begun()
        if position.outcome is not None:
            raise Refused("The game is over. Try 'newgame' to start a new game.")
        return position

    def _new_game(self, text: str) -> Lines:
        game = parse(text) if text else GameString("Base")
        self._position = _replayed(game, self._options)
        return [write(self._position)]

    def _play(self, move: str) -> Lines:
        position = self._running()
        try:
            play(position, move)
        except RuleError as refusal:
            raise InvalidMove(str(refusal)) from None
        return [write(position)]

    def _undo(self, words: tuple[str, ...]) -> Lines:
        position = self._begun()
        plies = 1 if not words else _count(words)
        if plies is None:
            raise Refused("Give a number of plies: undo [N].")
        if not 1 <= plies <= position.ply:
            raise Refused(f"Unable to undo {plies} moves.")
        for _ in range(plies):
            position.undo()
        return [write(position)]

    # ---- work ------------------------------------------------------------------------------------

    def _best_move(self, words: tuple[str, ...]) -> Answer:
        position = self._running()
        limit = read_limit(words, self._options.int_of(MOVE_OVERHEAD_MS))
        legal = position.legal_moves()
        if len(legal) == 1:
            return legal
        self._state = EngineState.SEARCHING
        number = self._options.int_of
        return FindMove(position.copy(), limit, number(THREADS), number(HASH_MB), number(SEED))

    def _perft(self, words: tuple[str, ...]) -> Answer:
        position = self._begun()
        depth = _count(words)
        if depth is None or not 1 <= depth <= MAX_COUNT_DEPTH:
            raise Refused(f"Give a depth from 1 to {MAX_COUNT_DEPTH}: perft N.")
        self._state, self._count_to = EngineState.COUNTING, depth
        self._counting = CountLeaves(position.copy(), 1, self._options.int_of(THREADS))
        return self._counting

    def _counted(self, leaves: int) -> list[Effect]:
        """The line of one depth, and the count of the next."""
        done = self._counting
        if done is None:
            raise LocalError(self._state, "a count")
        line = f"{done.depth}: {leaves}"
        if done.depth == self._count_to:
            self._counting = None
            return self._finish([line])
        self._counting = CountLeaves(done.position, done.depth + 1, done.threads)
        return [Send(line), self._counting]


def _answered(lines: Lines) -> list[Effect]:
    return [*map(Send, lines), Send(OK)]


def _count(words: tuple[str, ...]) -> int | None:
    """The one word as a whole number; None when it is none."""
    if len(words) != 1 or not words[0].isascii() or not words[0].isdigit() or len(words[0]) > 9:
        return None
    return int(words[0])


def _game_of(position: Position) -> GameString:
    return GameString(position.variant, tuple(moves_of(position)))


def _replayed(game: GameString, options: EngineOptions) -> Position:
    """A game as UHP knows it ends on the board alone, unless the options say otherwise."""
    config: dict[str, Any] = {"drawByRepetition": options.draws_by_repetition, "plyLimit": 0}
    return replay(game, config)
