"""The host's side of the text protocol: drives one bot in one game.

A ``BotHost`` does no I/O. Its driver owns the process and the clock. It calls one of the methods that say what the bot
has to do, carries out the effects, and passes every line to ``receive`` until an effect ends the request:

    host.greet()             pyrat                            Greeted
    host.begin(...)          newgame, the board, startpreprocessing    Prepared
    host.go(["UP/STAY"])     moves rat:UP python:STAY, go     DirectionChosen
    host.end(...)            moves …, gameover, startpostprocessing    GameClosed

When the time of a request is over, the driver calls ``notify(TimeUp())``. A bot that thinks is then told to stop. At
the second ``TimeUp`` its move is STAY, and it has to answer ``ready?`` before the next request (``BotReady``). Every
request ends with its own effect or ``TextBotFailed``, after which the bot is unusable.

Lines that are no commands of the protocol, or that nobody asked for, are logged and ignored. The answer to ``go`` that
is not one direction counts as STAY: a bot moves for its own seat only, and no other answer will follow.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import Enum, auto
from types import MappingProxyType

from engines import Position
from protocols.pyrat.text.board import BotTimes, board_lines, recovery_lines
from protocols.pyrat.text.bot_options import MAX_TURNS, MUD_MODEL
from protocols.pyrat.text.lines import (
    MAX_BOT_LINE_BYTES,
    SEAT_NAMES,
    STAY,
    BadLine,
    per_seat_text,
    read_direction,
    score_text,
)
from protocols.pyrat.text.options import BotIdentity, read_option
from protocols.session import MAX_LOGGED_MESSAGES, Effect, Event, LocalError, Log, Send

MAX_LINES = 10_000
MAX_CHARACTERS = 1 << 20
"""Limits for the output of a bot during one request."""

BEFORE_FIRST = f"{STAY}/{STAY}"
"""The moves that are told before the first turn; they are not played."""


# ---- events and effects -------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class TimeUp(Event):
    """The time for the current request has elapsed."""


@dataclass(frozen=True, slots=True)
class BotExited(Event):
    """The bot has closed its output or exited; ``how`` describes it ("exit status 3")."""

    how: str


@dataclass(frozen=True, slots=True)
class OverlongLine(Event):
    """The bot has written a line of more than ``MAX_BOT_LINE_BYTES``, which was dropped."""


@dataclass(frozen=True, slots=True)
class Greeted(Effect):
    """The handshake is complete."""

    identity: BotIdentity


@dataclass(frozen=True, slots=True)
class Prepared(Effect):
    """The bot has finished its preparation, or its time for it is over (``is_late``)."""

    is_late: bool = False


@dataclass(frozen=True, slots=True)
class DirectionChosen(Effect):
    """The bot's move. ``is_late``: it has not answered, so its move is STAY, and ``BotReady`` will follow."""

    direction: str
    is_late: bool = False


@dataclass(frozen=True, slots=True)
class BotReady(Effect):
    """The bot can move again after a late move."""


@dataclass(frozen=True, slots=True)
class Information(Effect):
    """A report of the bot about its search: the words after ``info``."""

    words: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class GameClosed(Effect):
    """The bot has nothing more to do."""


class Cause(Enum):
    """Why a bot has failed."""

    EXITED = auto()
    FLOOD = auto()
    """It has written too much."""
    SILENT = auto()
    """It has not answered the handshake or ``ready?`` in time."""


@dataclass(frozen=True, slots=True)
class TextBotFailed(Effect):
    """The bot is unusable. ``text`` continues a sentence that begins with its name."""

    cause: Cause
    text: str


# ---- the session --------------------------------------------------------------------------------


class TextHostState(Enum):
    """What the bot is doing, as far as the host knows."""

    NEW = auto()
    GREETING = auto()
    IDLE = auto()
    PREPARING = auto()
    THINKING = auto()
    STOPPING = auto()
    """It has been told to stop thinking."""
    LATE = auto()
    """It has not answered ``ready?`` yet."""
    LEARNING = auto()
    """It has time for postprocessing after the game."""
    OVER = auto()


class BotHost:
    """Drives one bot, from its start to the end of its game."""

    def __init__(self) -> None:
        self._state = TextHostState.NEW
        self._identity = BotIdentity()
        self._lines = 0
        self._characters = 0
        self._ignored = 0
        self._may_repeat = False
        """Whether the bot may have moved before it read ``stop``, and answers that as well."""

    @property
    def state(self) -> TextHostState:
        """What the bot is doing."""
        return self._state

    @property
    def identity(self) -> BotIdentity:
        """What the bot has said about itself; complete after the handshake."""
        return self._identity

    # ---- requests -------------------------------------------------------------------------------

    def greet(self) -> list[Effect]:
        """Starts the handshake. Ends with Greeted."""
        return self._request(TextHostState.NEW, TextHostState.GREETING, ["pyrat"])

    def set_options(self, values: Sequence[tuple[str, str]]) -> list[Effect]:
        """Sets options, which have no answer. Raises BadLine if the bot has no such option or value."""
        lines = []
        for name, value in values:
            option = self._identity.options.get(name.lower())
            if option is None:
                known = ", ".join(one.name for one in self._identity.options.values()) or "none"
                raise BadLine(f"there is no option {name}; the bot has {known}")
            lines.append(f"setoption name {option.name} value {option.accept(value)}")
        return self._request(TextHostState.IDLE, TextHostState.IDLE, lines)

    def begin(self, start: Position, seat: int, times: BotTimes) -> list[Effect]:
        """Describes a game at its start. Ends with Prepared."""
        lines = ["newgame", *board_lines(start, seat, times), "startpreprocessing"]
        return self._request(TextHostState.IDLE, TextHostState.PREPARING, lines)

    def go(self, turns: Sequence[str]) -> list[Effect]:
        """Asks for a move. Ends with DirectionChosen.

        ``turns``: what both have played since the last request, such as UP/LEFT; before the first turn of a game it
        begins with ``BEFORE_FIRST``.
        """
        return self._request(TextHostState.IDLE, TextHostState.THINKING, [*map(_moves_line, turns), "go"])

    def recover(self, position: Position, seat: int, times: BotTimes) -> list[Effect]:
        """Describes a running game to a bot that has been restarted, and asks for a move. Ends with DirectionChosen."""
        lines = ["recover", *recovery_lines(position, seat, times), "go"]
        return self._request(TextHostState.IDLE, TextHostState.THINKING, lines)

    def end(self, turns: Sequence[str], final: Position, times: BotTimes) -> list[Effect]:
        """Tells the last turns and the result. Ends with GameClosed, at once unless there is time to learn."""
        lines = [*map(_moves_line, turns), _result_line(final)]
        if times.postprocessing:
            return self._request(TextHostState.IDLE, TextHostState.LEARNING, [*lines, "startpostprocessing"])
        return [*self._request(TextHostState.IDLE, TextHostState.OVER, lines), GameClosed()]

    def _request(self, expected: TextHostState, then: TextHostState, lines: Sequence[str]) -> list[Effect]:
        if self._state is not expected:
            raise LocalError(self._state, lines[0] if lines else "a request")
        self._state = then
        self._lines = self._characters = 0
        return [Send(line) for line in lines]

    # ---- lines of the bot -----------------------------------------------------------------------

    def receive(self, frame: str) -> list[Effect]:
        """Handles one line."""
        if self._state is TextHostState.OVER:
            return []
        self._lines += 1
        self._characters += len(frame)
        if self._lines > MAX_LINES or self._characters > MAX_CHARACTERS:
            return self._fail(Cause.FLOOD, "has written too much")
        keyword, *words = frame.split() or [""]
        try:
            return self._take(keyword.lower(), words) if keyword else []
        except BadLine as error:
            return self._ignore(f"{frame[:80]!r}: {error}")

    def _take(self, keyword: str, words: Sequence[str]) -> list[Effect]:
        match self._state, keyword:
            case TextHostState.GREETING, "id":
                return self._identify(words)
            case TextHostState.GREETING, "option":
                option = read_option(words)
                known = {**self._identity.options, option.name.lower(): option}
                self._identity = replace(self._identity, options=MappingProxyType(known))
                return []
            case TextHostState.GREETING, "pyratready":
                return self._finish(Greeted(self._identity))
            case TextHostState.PREPARING, "preprocessingdone":
                return self._finish(Prepared())
            case ((TextHostState.THINKING | TextHostState.STOPPING), "move"):
                return self._move(words)
            case TextHostState.LATE, "ready":
                return self._finish(BotReady())
            case TextHostState.LEARNING, "postprocessingdone":
                self._state = TextHostState.OVER
                return [GameClosed()]
            case _, "info":
                return [Information(tuple(words))]
            case _, "readyok":
                self._may_repeat = False
                return []
        raise BadLine("not expected")

    def _identify(self, words: Sequence[str]) -> list[Effect]:
        match words:
            case ["name", *name] if name:
                self._identity = replace(self._identity, name=" ".join(name))
            case ["author", *author] if author:
                self._identity = replace(self._identity, author=" ".join(author))
            case _:
                raise BadLine("id is followed by name or author")
        return []

    def _move(self, words: Sequence[str]) -> list[Effect]:
        if self._state is TextHostState.STOPPING:
            self._may_repeat = True
            return [Send("isready"), *self._choose(words)]
        if self._may_repeat:
            self._may_repeat = False
            raise BadLine("it answers stop after it had moved")
        return self._choose(words)

    def _choose(self, words: Sequence[str]) -> list[Effect]:
        try:
            if len(words) != 1:
                raise BadLine("a move is one direction")
            return self._finish(DirectionChosen(read_direction(words[0])))
        except BadLine as error:
            ignored = self._ignore(f"its move {' '.join(words)[:80]!r} counts as {STAY}: {error}")
            return [*ignored, *self._finish(DirectionChosen(STAY))]

    def _finish(self, end: Effect) -> list[Effect]:
        self._state = TextHostState.IDLE
        return [end]

    def _ignore(self, reason: str) -> list[Effect]:
        self._ignored += 1
        return [Log(reason)] if self._ignored <= MAX_LOGGED_MESSAGES else []

    # ---- events of the driver -------------------------------------------------------------------

    def notify(self, event: Event) -> list[Effect]:
        """Handles an event. TimeUp is possible only during a request."""
        match event:
            case BotExited(how):
                return (
                    []
                    if self._state is TextHostState.OVER
                    else self._fail(Cause.EXITED, f"has ended ({how})")
                )
            case OverlongLine():
                return self._ignore(f"ignored a line of more than {MAX_BOT_LINE_BYTES} bytes")
            case TimeUp():
                return self._time_up()
        raise LocalError(self._state, event)

    def _time_up(self) -> list[Effect]:
        match self._state:
            case TextHostState.GREETING:
                return self._fail(Cause.SILENT, "has not answered pyrat with pyratready")
            case TextHostState.PREPARING:
                return [Send("timeout preprocessing"), *self._finish(Prepared(is_late=True))]
            case TextHostState.THINKING:
                self._state = TextHostState.STOPPING
                return [Send("stop")]
            case TextHostState.STOPPING:
                self._state = TextHostState.LATE
                return [Send(f"timeout move:{STAY}"), Send("ready?"), DirectionChosen(STAY, is_late=True)]
            case TextHostState.LATE:
                return self._fail(Cause.SILENT, "has not answered ready? after a late move")
            case TextHostState.LEARNING:
                self._state = TextHostState.OVER
                return [Send("timeout postprocessing"), GameClosed()]
        raise LocalError(self._state, "TimeUp")

    def _fail(self, cause: Cause, text: str) -> list[Effect]:
        self._state = TextHostState.OVER
        return [TextBotFailed(cause, text)]


def options_for(start: Position, identity: BotIdentity) -> list[tuple[str, str]]:
    """What the protocol does not tell bots about a game, for those that have options of these names."""
    told = {MAX_TURNS: str(start.config["maxTurns"]), MUD_MODEL: str(start.config["mudModel"])}
    return [(name, value) for name, value in told.items() if name.lower() in identity.options]


def _moves_line(turn: str) -> str:
    rat, python = turn.split("/")
    return f"moves {per_seat_text(rat, python)}"


def _result_line(final: Position) -> str:
    outcome = final.outcome
    if outcome is None:
        raise LocalError("PLAYING", "end")
    rat, python = (score_text(player["score"]) for player in final.view()["players"])
    best = [SEAT_NAMES[seat] for seat, value in enumerate(outcome.values) if value > 0]
    return f"gameover winner:{best[0] if best else 'draw'} score:{rat}-{python}"
