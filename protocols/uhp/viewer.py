"""The viewer's side of UHP 1.0: drives one engine, one request at a time, and checks its answers.

A ``Viewer`` does no I/O. Its driver owns the pipe or socket and the clock: it calls ``start`` once the engine runs,
``ask`` with a request while the viewer is idle, ``receive`` with every line, and ``notify`` when time is up or the
engine has exited. Each request ends with exactly one of ``Done``, ``Chosen`` and ``RequestFailed``.

    viewer.start()            [RequestStarted(Banner())]                      the driver starts a timer
    viewer.receive("id X")    []
    viewer.receive("ok")      [Done(Banner())]                       idle: the driver stops it
    viewer.ask(StartGame(g))    [RequestStarted(StartGame(g)), Send("newgame Base;...")]
    viewer.receive("Base;NotStarted;White[1]")        []
    viewer.receive("ok")                              [Done(StartGame(g))]
    viewer.ask(BestMove(MoveTime(1)))                 [RequestStarted(...), Send("bestmove time 00:00:01")]
    viewer.notify(TimeIsUp()) [RequestFailed(..., Fault.SILENT, ...)]       over: the engine is unusable

Two engines may write the same game differently, so an engine's answer is replayed and compared as a position, never as
text. After a failed request the engine is still usable if the viewer is idle; ``StartGame`` sets its position again.
Used for engines in the arena and ``plyhouse bot``, and for seats at a server.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum, auto
from typing import Final

from engines import Position, RuleError
from protocols.session import Effect, Event, LocalError, Send
from protocols.uhp import answers, requests
from protocols.uhp.game_string import BadGameString, GameString, moves_of, parse, play, replay, same, write
from protocols.uhp.lines import INVALID_MOVE, OK, Line, LineTooLong, is_error, shown, split_message

MAX_ANSWER_LINES = 10_000
MAX_ANSWER_CHARACTERS = 1 << 20
"""Limits for one answer, including intermediate lines, and for unrequested output between two answers."""

BARE: Final[Mapping[str, object]] = {"drawByRepetition": False, "plyLimit": 0}
"""Engines end games on the board only; all other draws are declared by the arbiter."""


@dataclass(frozen=True, slots=True)
class TimeIsUp(Event):
    """The time that the driver allows for the current request has elapsed."""


@dataclass(frozen=True, slots=True)
class EngineGone(Event):
    """The engine has closed its output or exited. ``text`` gives details if known ("exit status 3")."""

    text: str = ""


@dataclass(frozen=True, slots=True)
class RequestStarted(Effect):
    """``request`` starts now, and so should its timer. A ``Send`` follows if the request has a command line."""

    request: requests.Request


class ViewerState(Enum):
    """What a viewer is waiting for."""

    NEW = auto()
    ASKED = auto()
    """Waiting for the engine's answer."""
    IDLE = auto()
    """Waiting for the next request."""
    OVER = auto()
    """Finished: the engine has exited, timed out or flooded its output."""


class Viewer:
    """Drives one engine."""

    def __init__(self) -> None:
        self._state = ViewerState.NEW
        self._request: requests.Request = requests.Banner()
        self._lines: list[str] = []
        self._characters = 0
        self._identity = answers.Identity()
        self._position: Position | None = None
        self._next: Position | None = None
        """The engine's position once the current request has succeeded."""

    @property
    def state(self) -> ViewerState:
        """What the viewer is waiting for."""
        return self._state

    @property
    def identity(self) -> answers.Identity:
        """The engine's description; known once the banner has been read."""
        return self._identity

    @property
    def position(self) -> Position | None:
        """The engine's last confirmed position; None before a game and after a failure."""
        return None if self._position is None else self._position.copy()

    def start(self) -> list[Effect]:
        """Called when the engine has started: waits for its banner."""
        if self._state is not ViewerState.NEW:
            raise LocalError(self._state, "starting")
        self._state = ViewerState.ASKED
        return [RequestStarted(self._request)]

    # ---- requests ---------------------------------------------------------------------------------

    def ask(self, request: requests.Request) -> list[Effect]:
        """Sends a request while idle.

        Raises RuleError or BadGameString, without sending anything, if the requested game or move is not legal.
        """
        if self._state is not ViewerState.IDLE or isinstance(request, requests.Banner):
            raise LocalError(self._state, request)
        self._next = self._after(request)
        self._request = request
        self._state = ViewerState.ASKED
        self._lines, self._characters = [], 0
        line = requests.line_of(request, write(self._next) if self._next is not None else "")
        return [RequestStarted(request), *([] if line is None else [Send(line)])]

    def step_to(self, position: Position) -> requests.GameRequest | None:
        """The request that brings the engine to ``position``; None if it is there already.

        Plays a single new move, undoes moves that were taken back, and otherwise sets the game up again.
        """
        moves = tuple(moves_of(position))
        if self._position is None or self._position.variant != position.variant:
            return requests.StartGame(GameString(position.variant, moves))
        known = tuple(moves_of(self._position))
        if known == moves:
            return None
        if known == moves[:-1]:
            return requests.Play(moves[-1])
        if known[: len(moves)] == moves:
            return requests.Undo(len(known) - len(moves))
        return requests.StartGame(GameString(position.variant, moves))

    def _after(self, request: requests.Request) -> Position | None:
        """The engine's position after the request. All game requests but StartGame require a current position."""
        if isinstance(request, requests.StartGame):
            return replay(request.game, BARE)
        here = self.position
        if here is None and isinstance(request, requests.Play | requests.Undo | requests.BestMove):
            raise LocalError("NO_GAME", request)
        if here is not None and isinstance(request, requests.Play):
            play(here, request.move)
        if here is not None and isinstance(request, requests.Undo):
            for _ in range(request.plies):
                here.undo()
        return here

    # ---- lines of the engine ----------------------------------------------------------------------

    def receive(self, frame: Line) -> list[Effect]:
        """Handles a line without its end, or several lines joined by LF."""
        effects: list[Effect] = []
        for line in (frame,) if isinstance(frame, LineTooLong) else split_message(frame) or [""]:
            if isinstance(line, LineTooLong):
                effects += self._give_up(
                    answers.Fault.FLOOD, "The engine has written a line that is too long."
                )
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
            return self._give_up(answers.Fault.FLOOD, "The engine's output is too long.")
        return []

    def _finish(self) -> list[Effect]:
        lines = [line for line in self._lines if line]
        self._lines, self._characters = [], 0
        self._state = ViewerState.IDLE
        end = self._refusal(lines) or self._judge(lines)
        if isinstance(self._request, requests.GameRequest):
            self._position = self._next if isinstance(end, answers.Done) else None
        return [end]

    def _refusal(self, lines: list[str]) -> answers.RequestFailed | None:
        """The failure reported by the answer, in a line that starts with ``err`` or ``invalidmove``."""
        told = next((line for line in lines if is_error(line)), None)
        if told is None or isinstance(self._request, requests.Banner):
            return None
        fault = answers.Fault.INVALID_MOVE if told.startswith(INVALID_MOVE) else answers.Fault.ERROR
        return self._failed(fault, f"The engine answers {_quoted(told)}.")

    def _judge(self, lines: list[str]) -> Effect:
        match self._request:
            case requests.Banner():
                self._identity = answers.read_identity(lines)
            case requests.StartGame() | requests.Play() | requests.Undo():
                return self._compare(lines) or answers.Done(self._request)
            case requests.BestMove():
                return self._read_move(lines)
        return answers.Done(self._request)

    def _compare(self, lines: list[str]) -> answers.RequestFailed | None:
        """The failure if the engine shows another position than the requested one."""
        if not lines:
            return self._failed(answers.Fault.EMPTY, "The engine did not show the game.")
        try:
            shown = replay(parse(lines[0]), BARE)
        except BadGameString as error:
            return self._failed(answers.Fault.UNREADABLE, f"The engine shows {_quoted(lines[0])}: {error}")
        if self._next is None or not same(shown, self._next):
            return self._failed(answers.Fault.DIFFERS, f"The engine shows another game: {_quoted(lines[0])}.")
        return None

    def _read_move(self, lines: list[str]) -> Effect:
        if not lines:
            return self._failed(answers.Fault.EMPTY, "The engine named no move.")
        text = lines[-1].partition(";")[0].strip()
        after = self.position
        if after is None:
            raise LocalError("NO_GAME", self._request)
        try:
            play(after, text)
        except RuleError as error:
            return self._failed(answers.Fault.ILLEGAL, f"The engine's move {_quoted(text)}: {error}")
        return answers.Chosen(after.history[-1])

    # ---- events of the driver ---------------------------------------------------------------------

    def notify(self, event: Event) -> list[Effect]:
        """Handles an event from the driver. TimeIsUp is only valid while a request is in progress."""
        match event:
            case EngineGone(text=text):
                return self._lose(f" ({text})" if text else "")
            case TimeIsUp() if self._state is ViewerState.ASKED:
                return self._give_up(answers.Fault.SILENT, "The engine did not answer in time.")
        raise LocalError(self._state, event)

    def _lose(self, detail: str) -> list[Effect]:
        if self._state is ViewerState.OVER:
            return []
        return self._give_up(answers.Fault.GONE, f"The engine has ended{detail}.")

    def _give_up(self, fault: answers.Fault, text: str) -> list[Effect]:
        """Marks the engine as unusable; the current request, or else the last one, has failed."""
        self._state = ViewerState.OVER
        self._position = None
        self._lines.clear()
        return [self._failed(fault, text)]

    def _failed(self, fault: answers.Fault, text: str) -> answers.RequestFailed:
        return answers.RequestFailed(self._request, fault, text)


def _quoted(text: str) -> str:
    return f"“{shown(text)}”"
