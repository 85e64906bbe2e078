"""The viewer's side of UHP 1.0: drives one engine, one request at a time, and checks its answers.

A ``Viewer`` does no I/O. Its driver owns the pipe or socket and the clock: it sends the line that ``ask`` returns,
passes every line of the engine to ``receive``, and calls ``time_is_up`` and ``lose``. Each request ends with one
outcome; the first one, which nobody asks for, is the engine's banner.

    viewer.receive("id X")                            None
    viewer.receive("ok")                              Done()                       idle
    viewer.ask(StartGame(g))                          "newgame Base;..."
    viewer.receive("Base;NotStarted;White[1]")        None
    viewer.receive("ok")                              Done()                       idle
    viewer.ask(BestMove(MoveTime(1)))                 "bestmove time 00:00:01"
    viewer.time_is_up()                               EngineFailed("timeout", …)   over: the engine is unusable

Two engines may write the same game differently, so an engine's answer is replayed and compared as a position, never as
text. After a failed request the engine is still usable if the viewer is idle; ``StartGame`` sets its position again.
Used for engines in the arena and ``plyhouse bot``, and for seats at a server.
"""

from collections.abc import Mapping
from enum import Enum, auto
from typing import Final

from engines import Position, RuleError
from protocols.session import LocalError
from protocols.uhp import requests
from protocols.uhp.answers import Chosen, Done, EngineFailed, Identity, Outcome, read_identity
from protocols.uhp.game_string import BadGameString, GameString, moves_of, parse, play, replay, same, write
from protocols.uhp.lines import OK, Line, LineTooLong, is_error, shown

MAX_ANSWER_LINES = 10_000
MAX_ANSWER_CHARACTERS = 1 << 20
"""Limits for one answer, including intermediate lines, and for unrequested output between two answers."""

BARE: Final[Mapping[str, object]] = {"drawByRepetition": False, "plyLimit": 0}
"""Engines end games on the board only; all other draws are declared by the arbiter."""


class ViewerState(Enum):
    """What a viewer is waiting for."""

    ASKED = auto()
    """Waiting for the engine's answer."""
    IDLE = auto()
    """Waiting for the next request."""
    OVER = auto()
    """Finished: the engine has exited, timed out or flooded its output."""


class Viewer:
    """Drives one engine."""

    def __init__(self) -> None:
        self.state = ViewerState.ASKED
        self.identity = Identity()
        """The engine's description; known once the banner has been read."""
        self._request: requests.Request | None = None
        """The current or last request; None for the banner."""
        self._lines: list[str] = []
        self._characters = 0
        self._position: Position | None = None
        self._next: Position | None = None
        """The engine's position once the current request has succeeded."""

    @property
    def position(self) -> Position | None:
        """The engine's last confirmed position; None before a game and after a failure."""
        return None if self._position is None else self._position.copy()

    # ---- requests ---------------------------------------------------------------------------------

    def ask(self, request: requests.Request) -> str:
        """Starts a request while idle, and returns its line.

        Raises RuleError or BadGameString, without starting it, if the requested game or move is not legal.
        """
        if self.state is not ViewerState.IDLE:
            raise LocalError(self.state, request)
        self._next = self._after(request)
        self._request = request
        self.state = ViewerState.ASKED
        self._lines, self._characters = [], 0
        return requests.line_of(request, write(self._next) if self._next is not None else "")

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

    def receive(self, line: Line) -> Outcome | None:
        """Handles a line without its end. Returns how the request ends, if it does."""
        if self.state is ViewerState.OVER:
            return None
        if isinstance(line, LineTooLong):
            return self._give_up("protocol", "The engine has written a line that is too long.")
        line = line.strip()
        if line == OK:
            return self._finish() if self.state is ViewerState.ASKED else None
        self._characters += len(line) + 1
        self._lines.append(line)
        if len(self._lines) > MAX_ANSWER_LINES or self._characters > MAX_ANSWER_CHARACTERS:
            return self._give_up("protocol", "The engine's output is too long.")
        return None

    def _finish(self) -> Outcome:
        lines = [line for line in self._lines if line]
        self._lines, self._characters = [], 0
        self.state = ViewerState.IDLE
        end = self._judge(lines)
        if isinstance(self._request, requests.GameRequest):
            self._position = self._next if isinstance(end, Done) else None
        return end

    def _judge(self, lines: list[str]) -> Outcome:
        if self._request is None:
            self.identity = read_identity(lines)
            return Done()
        told = next((line for line in lines if is_error(line)), None)
        if told is not None:
            return EngineFailed(self._usual_reason, f"The engine answers {_quoted(told)}.")
        match self._request:
            case requests.SetOption():
                return Done()
            case requests.BestMove():
                return self._read_move(lines)
            case _:
                return self._compare(lines)

    def _compare(self, lines: list[str]) -> Outcome:
        """Checks that the engine shows the requested position."""
        if not lines:
            return EngineFailed("desync", "The engine did not show the game.")
        try:
            shown = replay(parse(lines[0]), BARE)
        except BadGameString as error:
            return EngineFailed("desync", f"The engine shows {_quoted(lines[0])}: {error}")
        if self._next is None or not same(shown, self._next):
            return EngineFailed("desync", f"The engine shows another game: {_quoted(lines[0])}.")
        return Done()

    def _read_move(self, lines: list[str]) -> Outcome:
        if not lines:
            return EngineFailed("protocol", "The engine named no move.")
        text = lines[-1].partition(";")[0].strip()
        after = self.position
        if after is None:
            raise LocalError("NO_GAME", self._request)
        try:
            play(after, text)
        except RuleError as error:
            return EngineFailed("illegal-move", f"The engine's move {_quoted(text)}: {error}")
        return Chosen(after.history[-1])

    # ---- the end of the engine --------------------------------------------------------------------

    def time_is_up(self) -> EngineFailed:
        """Called when the time that the driver allows for the current request has elapsed."""
        if self.state is not ViewerState.ASKED:
            raise LocalError(self.state, "the end of its time")
        is_timed = self._request is None or isinstance(self._request, requests.BestMove)
        reason = "timeout" if is_timed else self._usual_reason
        return self._give_up(reason, "The engine did not answer in time.")

    def lose(self, how: str = "") -> EngineFailed | None:
        """Called when the engine has closed its output or exited; ``how`` is known of some ("exit status 3")."""
        if self.state is ViewerState.OVER:
            return None
        return self._give_up("disconnect", f"The engine has ended{f' ({how})' if how else ''}.")

    def _give_up(self, reason: str, text: str) -> EngineFailed:
        """Marks the engine as unusable; the current request, or else the last one, has failed."""
        self.state = ViewerState.OVER
        self._position = None
        self._lines.clear()
        return EngineFailed(reason, text)

    @property
    def _usual_reason(self) -> str:
        """The reason of a failure unless there is a more specific one: the game differs, or the answer is wrong."""
        return "desync" if isinstance(self._request, requests.GameRequest) else "protocol"


def _quoted(text: str) -> str:
    return f"“{shown(text)}”"
