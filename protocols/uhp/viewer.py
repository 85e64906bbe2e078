"""The viewer's end of UHP 1.0: drives one engine, one request at a time, and judges what it answers.

A ``Viewer`` is a value machine. Its driver owns the pipe or the socket and the clock: it calls ``start`` when the
engine runs, ``ask`` with a request whenever the viewer is idle, hands over every line (``receive``), and tells that
time is up or that the engine is gone (``notify``). Each request comes to exactly one end: ``Identified``,
``OptionsListed``, ``OptionTaken``, ``Agreed``, ``Chosen``, or ``Failed``.

    viewer.start()            [Asked(Banner())]                      the driver starts a clock
    viewer.receive("id X")    []
    viewer.receive("ok")      [Identified(...)]                      idle: the clock is stopped
    viewer.ask(NewGame(g))    [Asked(NewGame(g)), Send("newgame Base;...")]
    viewer.receive("Base;NotStarted;White[1]")        []
    viewer.receive("ok")                              [Agreed(...)]
    viewer.ask(BestMove(MoveTime(1)))                 [Asked(...), Send("bestmove time 00:00:01")]
    viewer.notify(TimeIsUp()) [Failed(..., Fault.SILENT, ...)]       over: of no more use

Two engines that play the same game may write it differently, so what an engine answers is replayed and compared as a
position, never as text. After a failure of a request the engine may still be used if the viewer is idle and not over:
``NewGame`` sets it right. Used for engines behind the arena and ``plyhouse bot``, and for seats at a server.
"""

from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from enum import Enum, auto
from typing import Final

from engines import Position, RuleError
from protocols.session import Effect, Event, LocalError, Send
from protocols.uhp.answers import (
    Agreed,
    Chosen,
    Failed,
    Fault,
    Identified,
    Identity,
    OptionsListed,
    OptionTaken,
    read_identity,
)
from protocols.uhp.game_string import BadGameString, GameString, moves_of, parse, play, replay, same, write
from protocols.uhp.lines import INVALID_MOVE, OK, LineTooLong, is_error, shown, split_message
from protocols.uhp.options import BadOption, Option, read
from protocols.uhp.requests import (
    Banner,
    BestMove,
    GameRequest,
    ListOptions,
    NewGame,
    Play,
    Request,
    SetOption,
    Undo,
    line_of,
)

MAX_ANSWER_LINES = 10_000
MAX_ANSWER_CHARACTERS = 1 << 20
"""What one answer may hold, intermediate lines included, and what may come unasked between two."""

BARE: Final[Mapping[str, object]] = {"drawByRepetition": False, "plyLimit": 0}
"""Engines end games on the board alone; the arbiter declares all other draws."""


@dataclass(frozen=True, slots=True)
class TimeIsUp(Event):
    """The engine has had the time that its driver gives it for the request under way."""


@dataclass(frozen=True, slots=True)
class EngineGone(Event):
    """The engine has closed its output, or ended. ``text`` says what is known ("exit status 3")."""

    text: str = ""


@dataclass(frozen=True, slots=True)
class Overlong(Event):
    """The engine has written a line longer than a line may be."""


@dataclass(frozen=True, slots=True)
class Asked(Effect):
    """``request`` is under way from now on: start its clock. A ``Send`` follows where it has a line."""

    request: Request


class ViewerState(Enum):
    """What a viewer is waiting for."""

    NEW = auto()
    ASKED = auto()
    """For the engine's answer."""
    IDLE = auto()
    """For the next request."""
    OVER = auto()
    """For nothing: the engine is gone, silent, or flooding."""


class Viewer:
    """One engine, seen from its viewer."""

    def __init__(self) -> None:
        self._state = ViewerState.NEW
        self._request: Request = Banner()
        self._lines: list[str] = []
        self._characters = 0
        self._identity = Identity()
        self._position: Position | None = None
        self._next: Position | None = None
        """Where the engine will be when the request under way has succeeded."""

    @property
    def state(self) -> ViewerState:
        """What the viewer waits for."""
        return self._state

    @property
    def is_idle(self) -> bool:
        """Whether ``ask`` may be called."""
        return self._state is ViewerState.IDLE

    @property
    def identity(self) -> Identity:
        """Who the engine is; known once the banner is read."""
        return self._identity

    @property
    def position(self) -> Position | None:
        """Where the engine is, as far as it has agreed; None before a game and after a failure."""
        return None if self._position is None else self._position.copy()

    def start(self) -> list[Effect]:
        """The engine runs: wait for its banner."""
        if self._state is not ViewerState.NEW:
            raise LocalError(self._state, "starting")
        self._state = ViewerState.ASKED
        return [Asked(self._request)]

    # ---- requests ---------------------------------------------------------------------------------

    def ask(self, request: Request) -> list[Effect]:
        """Ask for something while idle.

        RuleError or BadGameString, with nothing sent, where the game or the move asked for is not legal.
        """
        if self._state is not ViewerState.IDLE or isinstance(request, Banner):
            raise LocalError(self._state, request)
        self._next = self._after(request)
        self._request = request
        self._state = ViewerState.ASKED
        self._lines, self._characters = [], 0
        line = line_of(request, write(self._next) if self._next is not None else "")
        return [Asked(request), *([] if line is None else [Send(line)])]

    def step_to(self, position: Position) -> GameRequest | None:
        """The request that brings the engine to ``position``; None when it is there.

        A single further move is played, moves taken back are undone, anything else is set up anew.
        """
        moves = tuple(moves_of(position))
        if self._position is None or self._position.variant != position.variant:
            return NewGame(GameString(position.variant, moves))
        known = tuple(moves_of(self._position))
        if known == moves:
            return None
        if known == moves[:-1]:
            return Play(moves[-1])
        if known[: len(moves)] == moves:
            return Undo(len(known) - len(moves))
        return NewGame(GameString(position.variant, moves))

    def _after(self, request: Request) -> Position | None:
        """Where the engine will be; a game request needs a position to start from."""
        if isinstance(request, NewGame):
            return replay(request.game, BARE)
        here = self.position
        if here is None and isinstance(request, Play | Undo | BestMove):
            raise LocalError("NO_GAME", request)
        if here is not None and isinstance(request, Play):
            play(here, request.move)
        if here is not None and isinstance(request, Undo):
            for _ in range(request.plies):
                here.undo()
        return here

    # ---- lines of the engine ----------------------------------------------------------------------

    def receive(self, frame: str) -> list[Effect]:
        """Take a line without its end, or several joined by LF."""
        effects: list[Effect] = []
        for line in split_message(frame) or [""]:
            if isinstance(line, LineTooLong):
                effects += self.notify(Overlong())
            else:
                effects += self._take(line.strip())
        return effects

    def _take(self, line: str) -> list[Effect]:
        if self._state is ViewerState.OVER:
            return []
        if line == OK:
            return self._finish() if self._state is ViewerState.ASKED else []
        self._characters += len(line) + 1
        self._lines.append(line)
        if len(self._lines) > MAX_ANSWER_LINES or self._characters > MAX_ANSWER_CHARACTERS:
            return self._give_up(Fault.FLOOD, "The engine writes without end.")
        return []

    def _finish(self) -> list[Effect]:
        lines = [line for line in self._lines if line]
        self._lines, self._characters = [], 0
        self._state = ViewerState.IDLE
        end = _refusal(self._request, lines) or self._judge(lines)
        if isinstance(end, Agreed):
            self._position = self._next
        elif isinstance(end, Failed) and isinstance(end.request, GameRequest):
            self._position = None
        return [end]

    def _judge(self, lines: list[str]) -> Effect:
        match self._request:
            case Banner():
                self._identity = read_identity(lines)
                return Identified(self._identity)
            case ListOptions():
                return OptionsListed(tuple(_options(lines)))
            case SetOption(name=name):
                return OptionTaken(name)
            case NewGame() | Play() | Undo() as request:
                return self._compare(request, lines)
            case BestMove():
                return self._read_move(lines)

    def _compare(self, request: GameRequest, lines: list[str]) -> Effect:
        if not lines:
            return Failed(request, Fault.EMPTY, "The engine did not show the game.")
        try:
            shown = replay(parse(lines[0]), BARE)
        except BadGameString as error:
            return Failed(request, Fault.UNREADABLE, f"The engine shows {_quoted(lines[0])}: {error}")
        if self._next is None or not same(shown, self._next):
            return Failed(request, Fault.DIFFERS, f"The engine shows another game: {_quoted(lines[0])}.")
        return Agreed(request, shown.ply)

    def _read_move(self, lines: list[str]) -> Effect:
        if not lines:
            return Failed(self._request, Fault.EMPTY, "The engine named no move.")
        text = lines[-1].partition(";")[0].strip()
        after = self.position
        if after is None:
            raise LocalError("NO_GAME", self._request)
        try:
            play(after, text)
        except RuleError as error:
            return Failed(self._request, Fault.ILLEGAL, f"The engine's move {_quoted(text)}: {error}")
        return Chosen(after.history[-1], lines[-1])

    # ---- events of the driver ---------------------------------------------------------------------

    def notify(self, event: Event) -> list[Effect]:
        """Take one event of the driver. TimeIsUp is impossible while nothing is asked."""
        match event:
            case EngineGone(text=text):
                return self._lose(f" ({text})" if text else "")
            case Overlong():
                return self._give_up(Fault.FLOOD, "The engine has written a line that is too long.")
            case TimeIsUp() if self._state is ViewerState.ASKED:
                return self._give_up(Fault.SILENT, "The engine did not answer in time.")
        raise LocalError(self._state, event)

    def _lose(self, detail: str) -> list[Effect]:
        if self._state is ViewerState.OVER:
            return []
        return self._give_up(Fault.GONE, f"The engine has ended{detail}.")

    def _give_up(self, fault: Fault, text: str) -> list[Effect]:
        """The engine is of no more use; the request under way, or else the last one, has failed by it."""
        self._state = ViewerState.OVER
        self._position = None
        self._lines.clear()
        return [Failed(self._request, fault, text)]


def _refusal(request: Request, lines: list[str]) -> Failed | None:
    """The failure that the answer tells of, by a line that starts with ``err`` or ``invalidmove``."""
    told = None if isinstance(request, Banner) else next((line for line in lines if is_error(line)), None)
    if told is None:
        return None
    fault = Fault.INVALID_MOVE if told.startswith(INVALID_MOVE) else Fault.ERROR
    return Failed(request, fault, f"The engine answers {_quoted(told)}.")


def _options(lines: list[str]) -> Iterator[Option]:
    for line in lines:
        with suppress(BadOption):
            yield read(line)


def _quoted(text: str) -> str:
    return f"“{shown(text)}”"
