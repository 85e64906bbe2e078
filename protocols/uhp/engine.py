"""The engine's side of UHP 1.0: takes a viewer's lines and returns answers. Driven by ``plyhouse uhp``.

Every command except ``exit`` is answered by lines and a final ``ok``. Slow work is an effect (``engine_work``). The
session is busy until the driver reports the end of the work through ``notify``; it sends no further lines until then.
A refused command changes nothing.
"""

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum, auto
from typing import Any, Final

from engines import Position, RuleError
from protocols.session import Effect, Event, LocalError, Send
from protocols.uhp import engine_work as work
from protocols.uhp import options as option_lines
from protocols.uhp.engine_help import HELP, overview
from protocols.uhp.engine_options import HASH_MB, MOVE_OVERHEAD_MS, SEED, THREADS, EngineOptions
from protocols.uhp.game_string import BadGameString, GameString, moves_of, parse, play, replay, write
from protocols.uhp.lines import ERROR, INVALID_MOVE, Command, Line, LineTooLong, answered, read_command, shown
from protocols.uhp.options import BadOption

CAPABILITIES: Final = "Mosquito;Ladybug;Pillbug"
INTERRUPTED_STATUS: Final = 130
MAX_COUNT_DEPTH: Final = 99

Lines = list[str]
Answer = Lines | Effect
"""The lines before ``ok``, or work whose result will be the answer."""


class EngineState(Enum):
    """What the session is doing."""

    IDLE = auto()
    WORKING = auto()
    GONE = auto()


class CommandRefused(Exception):
    """The command cannot be executed; the text follows ``err``."""


REFUSALS: Final = (CommandRefused, BadGameString, work.BadLimit, BadOption, RuleError)
"""Raised for commands that cannot be executed."""


def refusal_line(refusal: Exception) -> str:
    """The answer to such a command."""
    return f"{INVALID_MOVE if isinstance(refusal, RuleError) else ERROR} {refusal}"


@dataclass(frozen=True, slots=True)
class Product:
    """The engine's own description: ``name`` includes the version, ``licenses`` are the lines of that command."""

    name: str
    licenses: tuple[str, ...]
    capabilities: str = CAPABILITIES


class UhpEngineSession:
    """An engine with at most one game."""

    def __init__(self, product: Product, options: EngineOptions) -> None:
        self._product = product
        self.options = options
        """Set by the owner of the session for options that viewers cannot set."""
        self._position: Position | None = None
        self._state = EngineState.IDLE
        self._work: work.FindMove | work.CountLeaves | None = None
        """The latest work."""
        self._count_to = 0
        self._commands: dict[str, Callable[[Command], Answer]] = {
            "info": lambda _: self.info,
            "newgame": lambda command: self._new_game(command.rest),
            "play": lambda command: self._play(command.rest),
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
        """Whether work is in progress, so that ``receive`` must not be called."""
        return self._state is EngineState.WORKING

    @property
    def info(self) -> Lines:
        """The answer to that command."""
        return [f"id {self._product.name}", self._product.capabilities]

    def start(self) -> list[Effect]:
        """Returns the banner, which viewers wait for."""
        return answered(*self.info)

    def receive(self, frame: Line) -> list[Effect]:
        """Handles one line from the viewer; ignores blank lines."""
        if self._state is not EngineState.IDLE:
            raise LocalError(self._state, "a line")
        if isinstance(frame, LineTooLong):
            return answered(f"{ERROR} {frame}")
        command = read_command(frame)
        return [] if command is None else self.obey(command)

    def obey(self, command: Command) -> list[Effect]:
        """Answers a command, or begins to."""
        handler = self._commands.get(command.keyword)
        if handler is None:
            return answered(f"{ERROR} Invalid command. Try 'help' to see a list of valid commands.")
        try:
            answer = handler(command)
        except REFUSALS as refusal:
            answer = [refusal_line(refusal)]
        return [answer] if isinstance(answer, Effect) else answered(*answer)

    def notify(self, event: Event) -> list[Effect]:
        """Handles the end of work, or an interrupt by the user."""
        match self._state, event, self._work:
            case EngineState.IDLE, work.Interrupted(), _:
                return [self._exit(INTERRUPTED_STATUS)]
            case EngineState.WORKING, work.Interrupted(), _:
                return [work.StopWork()]
            case EngineState.GONE, work.Interrupted(), _:
                return []
            case EngineState.WORKING, work.Found(move), work.FindMove():
                return self._finish([move])
            case EngineState.WORKING, work.Counted(leaves), work.CountLeaves() as done:
                return self._counted(done, leaves)
            case EngineState.WORKING, work.WorkFailed(text), _:
                return self._finish([f"{ERROR} {text}"])
            case _:
                raise LocalError(self._state, event)

    def _finish(self, lines: Lines) -> list[Effect]:
        self._state = EngineState.IDLE
        return answered(*lines)

    # ---- the engine ------------------------------------------------------------------------------

    def _help(self, words: tuple[str, ...]) -> Lines:
        if not words:
            return overview()
        if words[0].lower() not in HELP:
            raise CommandRefused(
                f"There is no command \"{shown(words[0])}\". Try 'help' to see a list of valid commands."
            )
        return [*HELP[words[0].lower()]]

    def _about_options(self, words: tuple[str, ...]) -> Lines:
        match words:
            case ():
                return [option_lines.write(option) for option in self.options.listed]
            case (verb, name) if verb.lower() == "get":
                return [option_lines.write(self.options.find(name))]
            case (verb, name, value) if verb.lower() == "set":
                self._set_options(self.options.set(name, value))
                return [option_lines.write(self.options.find(name))]
            case _:
                raise CommandRefused("Try 'options', 'options get Name' or 'options set Name Value'.")

    def _set_options(self, options: EngineOptions) -> None:
        """Applies the new options to the current game. Raises CommandRefused if they do not allow its moves."""
        if self._position is not None and options.draws_by_repetition != self.options.draws_by_repetition:
            self._position = _replayed(_game_of(self._position), options)
        self.options = options

    def _exit(self, status: int) -> Effect:
        self._state = EngineState.GONE
        return work.Quit(status)

    # ---- the game --------------------------------------------------------------------------------

    def _begun(self) -> Position:
        if self._position is None:
            raise CommandRefused("No game in progress. Try 'newgame' to start a new game.")
        return self._position

    def _running(self) -> Position:
        position = self._begun()
        if position.outcome is not None:
            raise CommandRefused("The game is over. Try 'newgame' to start a new game.")
        return position

    def _new_game(self, text: str) -> Lines:
        game = parse(text) if text else GameString("Base")
        self._position = _replayed(game, self.options)
        return [write(self._position)]

    def _play(self, move: str) -> Lines:
        position = self._running()
        play(position, move)
        return [write(position)]

    def _undo(self, words: tuple[str, ...]) -> Lines:
        position = self._begun()
        plies = 1 if not words else _count(words)
        if plies is None:
            raise CommandRefused("Give a number of plies: undo [N].")
        if not 1 <= plies <= position.ply:
            raise CommandRefused(f"Unable to undo {plies} moves.")
        for _ in range(plies):
            position.undo()
        return [write(position)]

    # ---- work ------------------------------------------------------------------------------------

    def _best_move(self, words: tuple[str, ...]) -> Answer:
        position = self._running()
        limit = work.read_limit(words, self.options.int_of(MOVE_OVERHEAD_MS))
        legal = position.legal_moves()
        if len(legal) == 1:
            return legal
        number = self.options.int_of
        return self._begin(
            work.FindMove(position.copy(), limit, number(THREADS), number(HASH_MB), number(SEED))
        )

    def _perft(self, words: tuple[str, ...]) -> Answer:
        position = self._begun()
        depth = _count(words)
        if depth is None or not 1 <= depth <= MAX_COUNT_DEPTH:
            raise CommandRefused(f"Give a depth from 1 to {MAX_COUNT_DEPTH}: perft N.")
        self._count_to = depth
        return self._begin(work.CountLeaves(position.copy(), 1, self.options.int_of(THREADS)))

    def _counted(self, done: work.CountLeaves, leaves: int) -> list[Effect]:
        """Returns the line for one depth, and starts the count for the next one."""
        line = f"{done.depth}: {leaves}"
        if done.depth == self._count_to:
            return self._finish([line])
        return [Send(line), self._begin(work.CountLeaves(done.position, done.depth + 1, done.threads))]

    def _begin(self, wanted: work.FindMove | work.CountLeaves) -> Effect:
        self._state, self._work = EngineState.WORKING, wanted
        return wanted


def _count(words: tuple[str, ...]) -> int | None:
    """The single word as a whole number; None if it is not one."""
    if len(words) != 1 or not words[0].isascii() or not words[0].isdigit() or len(words[0]) > 9:
        return None
    return int(words[0])


def _game_of(position: Position) -> GameString:
    return GameString(position.variant, tuple(moves_of(position)))


def _replayed(game: GameString, options: EngineOptions) -> Position:
    """Replays a game under UHP's rules: it ends only on the board, unless the options say otherwise."""
    config: dict[str, Any] = {"drawByRepetition": options.draws_by_repetition, "plyLimit": 0}
    return replay(game, config)
