"""The lines that describe a board: written by hosts from a position, read by our bot into a ``GameDescription``.

maze height:3 width:3
walls (0,0)-(1,0)
mud (2,1)-(2,2):2
cheese (0,2) (1,1) (2,0)
player1 rat (0,0)
player2 python (2,2)
youare rat
timecontrol move:1000 preprocessing:3000 postprocessing:0
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from engines import Position
from protocols.pyrat.text.lines import (
    GAME,
    SEAT_NAMES,
    BadLine,
    Cell,
    Edge,
    Mud,
    cell_text,
    edge_text,
    member,
    mud_text,
    read_cell,
    read_count,
    read_direction,
    read_members,
    read_mud,
    read_score,
    read_wall,
)

LONGEST_GAME = 1023
"""The greatest number of turns that a game can have; the protocol does not tell bots the number."""


@dataclass(frozen=True, slots=True)
class BotTimes:
    """Milliseconds for a move, before the first move, and after the last one; None: not limited."""

    move: int | None = None
    preprocessing: int | None = None
    postprocessing: int | None = None


def board_lines(position: Position, seat: int, times: BotTimes) -> list[str]:
    """The lines that describe the start of a game to the bot of a seat."""
    config = position.config
    return [*_maze_lines(config, config["cheese"]), *_seat_lines(config, seat, times)]


def recovery_lines(position: Position, seat: int, times: BotTimes) -> list[str]:
    """The lines that describe a running game to the bot of a seat that has been restarted.

    The protocol's recovery has neither starts, seat nor times; they are sent as at the beginning of a game.
    """
    view = position.view()
    rat, python = view["players"]
    return [
        *_maze_lines(position.config, view["cheese"]),
        *_seat_lines(position.config, seat, times),
        " ".join(["moves_history", *position.history]),
        f"current_position rat:{cell_text(rat['cell'])} python:{cell_text(python['cell'])}",
        f"score rat:{rat['score']:g} python:{python['score']:g}",
    ]


def _maze_lines(config: Mapping[str, Any], cheese: Sequence[Sequence[int]]) -> list[str]:
    return [
        f"maze height:{config['height']} width:{config['width']}",
        " ".join(["walls", *map(edge_text, config["walls"])]),
        " ".join(["mud", *map(mud_text, config["mud"])]),
        " ".join(["cheese", *map(cell_text, cheese)]),
    ]


def _seat_lines(config: Mapping[str, Any], seat: int, times: BotTimes) -> list[str]:
    rat, python = config["starts"]
    limits = {
        "move": times.move,
        "preprocessing": times.preprocessing,
        "postprocessing": times.postprocessing,
    }
    given = [f"{name}:{limit}" for name, limit in limits.items() if limit is not None]
    return [
        f"player1 rat {cell_text(rat)}",
        f"player2 python {cell_text(python)}",
        f"youare {SEAT_NAMES[seat]}",
        *([" ".join(["timecontrol", *given])] if given else []),
    ]


@dataclass(slots=True)
class GameDescription:
    """What the host has said about a game so far. ``read`` takes a line; unreadable ones change nothing."""

    width: int = 0
    height: int = 0
    walls: list[Edge] = field(default_factory=list)
    mud: list[Mud] = field(default_factory=list)
    cheese: list[Cell] = field(default_factory=list)
    starts: dict[int, Cell] = field(default_factory=dict)
    seat: int | None = None
    times: BotTimes = BotTimes()
    history: list[str] = field(default_factory=list)
    cells: tuple[Cell, Cell] | None = None
    """Where the players are, if the game is continued."""
    scores: tuple[float, float] = (0.0, 0.0)

    def read(self, keyword: str, words: Sequence[str]) -> None:
        """Reads one line of the description. Raises BadLine."""
        readers: dict[str, Callable[[Sequence[str]], None]] = {
            "maze": self._read_maze,
            "walls": self._read_walls,
            "mud": self._read_mud,
            "cheese": self._read_cheese,
            "player1": lambda words: self._read_player(0, words),
            "player2": lambda words: self._read_player(1, words),
            "youare": self._read_seat,
            "timecontrol": self._read_times,
            "moves_history": self._read_history,
            "current_position": self._read_cells,
            "score": self._read_scores,
        }
        readers[keyword](words)

    @property
    def has_starts(self) -> bool:
        """Whether the starts of both players are known."""
        return len(self.starts) == len(SEAT_NAMES)

    def config(self, max_turns: int, mud_model: str) -> dict[str, Any]:
        """The configuration of the start. Raises BadLine if a part of the description is missing."""
        if not self.width:
            raise BadLine("there was no maze")
        if not self.has_starts:
            raise BadLine("there was no start of both players")
        return {
            "width": self.width,
            "height": self.height,
            "maxTurns": max_turns,
            "mudModel": mud_model,
            "walls": self.walls,
            "mud": self.mud,
            "cheese": self.cheese,
            "starts": [self.starts[0], self.starts[1]],
        }

    def start(self, max_turns: int, mud_model: str) -> Position:
        """The start position. Raises BadLine, or RuleError if the description is not of a valid board."""
        return Position(GAME, None, self.config(max_turns, mud_model))

    def _read_maze(self, words: Sequence[str]) -> None:
        members = read_members(words)
        self.height, self.width = (read_count(member(members, key)) for key in ("height", "width"))

    def _read_walls(self, words: Sequence[str]) -> None:
        self.walls = [read_wall(word) for word in words]

    def _read_mud(self, words: Sequence[str]) -> None:
        self.mud = [read_mud(word) for word in words]

    def _read_cheese(self, words: Sequence[str]) -> None:
        self.cheese = [read_cell(word) for word in words]

    def _read_player(self, seat: int, words: Sequence[str]) -> None:
        if len(words) != 2 or words[0].lower() != SEAT_NAMES[seat]:
            raise BadLine(f"player{seat + 1} is {SEAT_NAMES[seat]} and a cell")
        self.starts[seat] = read_cell(words[1])

    def _read_seat(self, words: Sequence[str]) -> None:
        if len(words) != 1 or words[0].lower() not in SEAT_NAMES:
            raise BadLine("youare is followed by rat or python")
        self.seat = SEAT_NAMES.index(words[0].lower())

    def _read_times(self, words: Sequence[str]) -> None:
        limits = {key: read_count(value) for key, value in read_members(words).items()}
        self.times = BotTimes(limits.get("move"), limits.get("preprocessing"), limits.get("postprocessing"))

    def _read_history(self, words: Sequence[str]) -> None:
        turns = [word.split("/") for word in words]
        if any(len(turn) != len(SEAT_NAMES) for turn in turns):
            raise BadLine("the history has turns such as UP/LEFT")
        self.history = ["/".join(map(read_direction, turn)) for turn in turns]

    def _read_cells(self, words: Sequence[str]) -> None:
        members = read_members(words)
        rat, python = (read_cell(member(members, name)) for name in SEAT_NAMES)
        self.cells = rat, python

    def _read_scores(self, words: Sequence[str]) -> None:
        members = read_members(words)
        rat, python = (read_score(member(members, name)) for name in SEAT_NAMES)
        self.scores = rat, python
