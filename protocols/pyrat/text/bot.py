"""The bot's side of the text protocol: our engine, as one player. Driven by ``plyhouse engine --protocol pyrat``.

Thinking is an effect: the driver searches while the session goes on reading, so ``isready`` is answered at once and
``stop`` ends the search. Commands that are unknown, unreadable or out of place are logged and change nothing. A host
that tells the next moves while the bot still thinks has gone on without it, so the search is abandoned.

The protocol tells bots neither the turn limit nor how many turns mud costs; both are options.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum, auto
from functools import partial

from engines import Position, RuleError
from protocols.pyrat.text import bot_options as names
from protocols.pyrat.text.board import LONGEST_GAME, GameDescription
from protocols.pyrat.text.bot_options import BotOptions
from protocols.pyrat.text.lines import GAME, SEAT_NAMES, STAY, BadLine, per_seat, read_direction
from protocols.pyrat.text.options import write_option
from protocols.pyrat.text.recovery import recovered
from protocols.session import Effect, Event, LocalError, Log, Send

USUAL_TURNS = 300
"""The turn limit of boards whose size no variant has."""

Sizes = Mapping[tuple[int, int], int]
"""The turn limit by width and height."""

# ---- events and effects -------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class ThinkingLimit:
    """When thinking ends: after this many milliseconds, or new simulations; None: no such limit."""

    milliseconds: int
    samples: int | None


@dataclass(frozen=True, slots=True)
class Think(Effect):
    """Search ``position`` for ``seat``. The driver answers with ``SearchProgress`` now and then, and one ``Thought``.

    ``number`` identifies the request; ``search`` is the name of a bot in ``engines.bots``.
    """

    number: int
    position: Position
    seat: int
    limit: ThinkingLimit
    search: str
    seed: int


@dataclass(frozen=True, slots=True)
class StopThinking(Effect):
    """End the current search soon; its ``Thought`` has the best move so far."""


@dataclass(frozen=True, slots=True)
class SearchProgress(Event):
    """What a search has found so far: simulations, milliseconds, the seat's value and its own moves."""

    number: int
    samples: int
    milliseconds: int
    value: float
    line: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Thought(Event):
    """A search has ended; ``direction`` is the seat's move."""

    number: int
    direction: str


class TextBotState(Enum):
    """What the bot is doing."""

    NEW = auto()
    """There was no handshake yet."""
    IDLE = auto()
    PREPARING = auto()
    THINKING = auto()


# ---- the session --------------------------------------------------------------------------------


class TextBot:
    """One bot, which plays one game after another."""

    def __init__(self, name: str, author: str, options: BotOptions, sizes: Sizes) -> None:
        self._name = name
        self._author = author
        self._options = options
        self._sizes = sizes
        self._state = TextBotState.NEW
        self._number = 0
        """The current search is the one with this number."""
        self._is_debugging = False
        self._setup: GameDescription | None = None
        self._seat = 0
        self._is_recovering = False
        self._position: Position | None = None
        """The current position; None before the first command that needs it."""
        self._has_started = False
        """Whether moves were told or asked for, so that STAY/STAY is a turn."""
        self._commands: dict[str, Callable[[Sequence[str]], list[Effect]]] = {
            "pyrat": lambda _: self._greet(),
            "isready": lambda _: [Send("readyok")],
            "ready?": lambda _: [Send("ready")],
            "setoption": self._set_option,
            "debug": self._debug,
            "newgame": lambda _: self._open(is_recovering=False),
            "recover": lambda _: self._open(is_recovering=True),
            **{key: partial(self._describe, key) for key in STARTING},
            **{key: partial(self._describe_current, key) for key in CURRENT},
            "startpreprocessing": lambda _: self._prepare(),
            "moves": self._play,
            "go": lambda _: self._go(),
            "stop": lambda _: self._stop(),
            "timeout": self._time_out,
            "gameover": lambda _: self._abandon(),
            "startpostprocessing": lambda _: [Send("postprocessingdone")],
        }

    @property
    def is_busy(self) -> bool:
        """Whether an answer is outstanding."""
        return self._state in (TextBotState.PREPARING, TextBotState.THINKING)

    def receive(self, frame: str) -> list[Effect]:
        """Handles one line."""
        keyword, *words = frame.split() or [""]
        if not keyword:
            return []
        command = self._commands.get(keyword.lower())
        try:
            if command is None:
                raise BadLine("unknown command")
            if self._state is TextBotState.NEW and keyword.lower() not in BEFORE_HANDSHAKE:
                raise BadLine("there was no handshake yet")
            return command(words)
        except (BadLine, RuleError) as error:
            return [Log(f"ignored {frame[:80]!r}: {error}")]

    def notify(self, event: Event) -> list[Effect]:
        """Handles the results of searches; those of abandoned ones have no effect."""
        match event:
            case SearchProgress(number=number):
                return [Send(_info_line(event))] if self._is_current(number) else []
            case Thought(number, direction):
                return self._finish(direction) if self._is_current(number) else []
        raise LocalError(self._state, event)

    def _is_current(self, number: int) -> bool:
        return self.is_busy and number == self._number

    def _finish(self, direction: str) -> list[Effect]:
        was, self._state = self._state, TextBotState.IDLE
        return [Send("preprocessingdone" if was is TextBotState.PREPARING else f"move {direction}")]

    # ---- before the game ------------------------------------------------------------------------

    def _greet(self) -> list[Effect]:
        if self._state is TextBotState.NEW:
            self._state = TextBotState.IDLE
        lines = [f"id name {self._name}", f"id author {self._author}"]
        return [Send(line) for line in (*lines, *map(write_option, self._options.listed), "pyratready")]

    def _set_option(self, words: Sequence[str]) -> list[Effect]:
        if "value" not in words or words[:1] != ["name"]:
            raise BadLine("setoption is followed by name and value")
        at = words.index("value")
        self._options = self._options.set(" ".join(words[1:at]), " ".join(words[at + 1 :]))
        return []

    def _debug(self, words: Sequence[str]) -> list[Effect]:
        if list(words) not in (["on"], ["off"]):
            raise BadLine("debug is on or off")
        self._is_debugging = list(words) == ["on"]
        return []

    def _open(self, *, is_recovering: bool) -> list[Effect]:
        effects = self._abandon()
        self._setup, self._position = GameDescription(), None
        self._is_recovering = self._has_started = is_recovering
        return effects

    def _describe(self, keyword: str, words: Sequence[str]) -> list[Effect]:
        if self._setup is None or self._position is not None:
            raise BadLine("no game is being set up")
        self._setup.read(keyword, words)
        return []

    def _describe_current(self, keyword: str, words: Sequence[str]) -> list[Effect]:
        if not self._is_recovering:
            raise BadLine("no game is being recovered")
        return self._describe(keyword, words)

    def _prepare(self) -> list[Effect]:
        if self.is_busy:
            raise BadLine("the bot is busy")
        setup, position = self._game()
        if not setup.times.preprocessing:
            return [Send("preprocessingdone")]
        self._state = TextBotState.PREPARING
        return self._think(position, setup.times.preprocessing)

    # ---- the game -------------------------------------------------------------------------------

    def _play(self, words: Sequence[str]) -> list[Effect]:
        turn = [read_direction(word) for word in per_seat(words)]
        _, position = self._game()
        if self._has_started or turn != [STAY, STAY]:
            position = _continued(position)
            position.play("/".join(turn))
            self._position = position
        self._has_started = True
        return self._abandon()

    def _go(self) -> list[Effect]:
        if self.is_busy:
            raise BadLine("the bot is busy")
        setup, position = self._game()
        self._has_started = True
        position = self._position = _continued(position)
        if not position.to_act or position.legal_moves(self._seat) == [STAY]:
            return [Send(f"move {STAY}")]
        self._state = TextBotState.THINKING
        usual = self._options.number(names.MOVE_TIME)
        return self._think(position, setup.times.move or usual)

    def _stop(self) -> list[Effect]:
        """Answers with the best move so far; does nothing if the bot's answer and the command have crossed."""
        return [StopThinking()] if self._state is TextBotState.THINKING else []

    def _time_out(self, words: Sequence[str]) -> list[Effect]:
        """Gives up what is late; does nothing if the bot's answer and the command have crossed."""
        phase = TextBotState.PREPARING if words[:1] == ["preprocessing"] else TextBotState.THINKING
        return self._abandon() if self._state is phase else []

    def _abandon(self) -> list[Effect]:
        """Ends the current search without an answer."""
        if not self.is_busy:
            return []
        self._state = TextBotState.IDLE
        return [StopThinking()]

    def _think(self, position: Position, milliseconds: int) -> list[Effect]:
        options, self._number = self._options, self._number + 1
        limit = ThinkingLimit(
            max(1, milliseconds - options.number(names.OVERHEAD)), options.number(names.SAMPLES) or None
        )
        think = Think(
            self._number,
            position.copy(),
            self._seat,
            limit,
            options.values[names.SEARCH],
            options.number(names.SEED),
        )
        told = Send(f"info string searching turn {position.ply} as {SEAT_NAMES[think.seat]}")
        return [told, think] if self._is_debugging else [think]

    def _game(self) -> tuple[GameDescription, Position]:
        """The game and its current position. Raises BadLine or RuleError if the host has not described it."""
        setup = self._setup
        if setup is None:
            raise BadLine("there is no game")
        if setup.seat is None:
            raise BadLine("youare is missing")
        if self._position is None:
            turns = self._options.number(names.MAX_TURNS)
            turns = turns or self._sizes.get((setup.width, setup.height), USUAL_TURNS)
            build = recovered if self._is_recovering else GameDescription.start
            self._position = build(setup, turns, self._options.values[names.MUD_MODEL])
        self._seat = setup.seat
        return setup, self._position


BEFORE_HANDSHAKE = ("pyrat", "isready", "ready?", "setoption", "debug")
"""Commands that do not depend on anything before them."""

STARTING = ("maze", "walls", "mud", "cheese", "player1", "player2", "youare", "timecontrol")
CURRENT = ("moves_history", "current_position", "score")
"""Commands that describe the start of a game, and those that describe where it is continued."""


def _continued(position: Position) -> Position:
    """The position, with a greater turn limit if the game has gone on beyond the expected one."""
    if position.outcome is None or position.ply < position.config["maxTurns"]:
        return position
    longer = Position(GAME, None, {**position.config, "maxTurns": LONGEST_GAME})
    longer.play(*position.history)
    return longer


def _info_line(found: SearchProgress) -> str:
    words = ["info", "nodes", str(found.samples), "time", str(found.milliseconds)]
    words += ["score", f"{found.value:.3f}"]
    return " ".join([*words, "pv", *found.line] if found.line else words)
