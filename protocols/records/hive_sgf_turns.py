"""Converts the actions of a boardspace.net game into MoveStrings.

A turn is the state of the board when its player says ``Done``; before that, a piece may be put down and picked up
again. The word after a cell, which names a neighbour, is for human readers and ignored here, as it is by the site. Old
files use lower case and omit the colour of pieces.

The rules decide later whether the moves are legal.
"""

from collections.abc import Callable, Mapping, Sequence
from copy import copy
from dataclasses import dataclass
from enum import Enum, auto
from typing import Final, TypeVar

from protocols.records.hive_sgf_board import Cell, SgfBoard, cell_of, piece_of
from protocols.records.record import RecordError

T = TypeVar("T")

PASS: Final = "pass"  # noqa: S105  a move, not a password
COLORS: Final = "wb"
"""Indexed by seat."""


@dataclass(frozen=True, slots=True)
class Action:
    """An action of player 0 or 1. ``command`` is in lower case."""

    player: int
    command: str
    words: tuple[str, ...]
    line: int

    def refuse(self, why: str) -> RecordError:
        """Returns an error about this action."""
        shown = " ".join((self.command, *self.words))
        return RecordError(f"line {self.line}: {shown[:60]!r}: {why}")


class Ending(Enum):
    """How a game ended off the board."""

    RESIGNED = auto()
    AGREED = auto()
    TIME = auto()


@dataclass(frozen=True, slots=True)
class _Put:
    """A piece put on a cell in an unfinished turn."""

    piece: str
    cell: Cell


class _NoMove(Enum):
    """Actions other than moves in an unfinished turn."""

    PASS = auto()
    OTHER = auto()
    """Resigning, or offering or declining a draw."""


class Turns:
    """Takes the actions of a game in order and converts them into moves.

    ``places`` are the lines of the moves. ``ending`` is the ending announced by the last action, if any, and
    ``ended_by`` the player of that action.
    """

    def __init__(self) -> None:
        self.moves: list[str] = []
        self.places: list[str] = []
        self.ending: Ending | None = None
        self.ended_by = 0
        self._white = 0
        self._board = SgfBoard()
        self._picked: str | None = None
        self._turn: _Put | _NoMove | None = None

    def branched(self) -> "Turns":
        """The same state of the game, to go on with differently. Of the moves before, it has the last one or two."""
        other = copy(self)
        kept = min(len(self.moves), 2 - len(self.moves) % 2)
        other.moves, other.places = self.moves[-kept:] if kept else [], self.places[-kept:] if kept else []
        other._board = self._board.copy()
        return other

    def take(self, action: Action) -> None:
        """Handles one action. Raises RecordError."""
        if action.command in _IGNORED:
            return
        handle = _HANDLERS.get(action.command)
        if handle is None:
            raise action.refuse("unknown action")
        handle(self, action)

    def seat_of(self, player: int) -> int:
        """The seat of a player: the one who moves first has White."""
        return int(player != self._white)

    def by_seat(self, of_players: Sequence[T]) -> list[T]:
        """Reorders values from players to seats."""
        return [of_players[self._white], of_players[1 - self._white]]

    # ---- pieces ----------------------------------------------------------------------------------

    def pick(self, action: Action) -> None:
        """Picks up a piece from the reserve: ``Pick W 4 wS1``."""
        color, *_, piece = _words(action, 2)
        self._picked, self._turn = _piece(action, piece, color), None

    def pick_from_board(self, action: Action) -> None:
        """Picks up a piece from the board, possibly the one just put down: ``Pickb N 13 wS1``."""
        column, row, *_ = _words(action, 2)
        cell = _cell(action, column, row)
        is_put = isinstance(self._turn, _Put) and self._turn.cell == cell
        self._picked = self._turn.piece if isinstance(self._turn, _Put) and is_put else self._board.top(cell)
        self._turn = None

    def drop(self, action: Action) -> None:
        """Puts a piece on a cell: ``Dropb wS1 N 13 .``."""
        piece, column, row, *_ = _words(action, 3)
        self._put(_piece(action, piece, self._color(action, piece)), _cell(action, column, row))

    def move(self, action: Action) -> None:
        """Picks up and puts down in one action: ``Move B bS1 M 12 /wS1``."""
        color, piece, column, row, *_ = _words(action, 4)
        self._put(_piece(action, piece, color), _cell(action, column, row))

    def move_and_finish(self, action: Action) -> None:
        """Moves and ends the turn: ``MoveDone B bS1 M 12 /wS1``."""
        self.move(action)
        self.finish(action)

    def take_back(self, action: Action) -> None:
        """Restarts the turn: the piece returns to where it was."""
        del action
        self._picked = self._turn = None

    def _put(self, piece: str, cell: Cell) -> None:
        """Records a put; putting a piece back on its own cell is no move."""
        self._turn = None if self._board.cell_of(piece) == cell else _Put(piece, cell)

    def _color(self, action: Action, piece: str) -> str:
        """The colour of a piece written without one: that of the piece picked up, or else the player's."""
        if self._picked is not None and self._picked[1:] == piece.upper():
            return self._picked[0]
        return COLORS[self.seat_of(action.player) if self.moves else 0]

    # ---- turns -----------------------------------------------------------------------------------

    def pass_turn(self, action: Action) -> None:
        """Passes: ``Pass``."""
        del action
        self._turn = _NoMove.PASS

    def pass_and_finish(self, action: Action) -> None:
        """Passes and ends the turn: ``PassDone``."""
        self._turn = _NoMove.PASS
        self.finish(action)

    def finish(self, action: Action) -> None:
        """Ends the turn (``Done``), which is a pass if nothing was done before."""
        turn, self._turn, self._picked = self._turn, None, None
        if isinstance(turn, _Put):
            self._add(action, self._named(action, turn))
        elif turn is _NoMove.PASS or (turn is None and self.moves and action.player == self._to_move()):
            self._add(action, PASS)

    def _named(self, action: Action, turn: _Put) -> str:
        move = self._board.put(turn.piece, turn.cell)
        if move is None:
            raise action.refuse(f"{turn.piece} touches no other piece")
        return move

    def _add(self, action: Action, move: str) -> None:
        """Adds a move. Adds the opponent's forced pass if it is missing, since some of the site's programs omit it."""
        if not self.moves:
            self._white = action.player
        elif action.player != self._to_move():
            self._append(action, PASS)
        self._append(action, move)
        self.ending = None

    def _append(self, action: Action, move: str) -> None:
        self.moves.append(move)
        self.places.append(f"line {action.line}")

    def _to_move(self) -> int:
        return self._white ^ len(self.moves) % 2

    # ---- endings ---------------------------------------------------------------------------------

    def resign(self, action: Action) -> None:
        """Resigns: ``Resign``."""
        self._end(action, Ending.RESIGNED)

    def accept_draw(self, action: Action) -> None:
        """Accepts a draw: ``AcceptDraw``."""
        self._end(action, Ending.AGREED)

    def end_on_time(self, action: Action) -> None:
        """Ends the game on time: ``GameOverOnTime``."""
        self._end(action, Ending.TIME)

    def talk(self, action: Action) -> None:
        """Handles the offer or refusal of a draw."""
        del action
        self._turn, self.ending = _NoMove.OTHER, None

    def _end(self, action: Action, ending: Ending) -> None:
        self._turn, self.ending, self.ended_by = _NoMove.OTHER, ending, action.player


_HANDLERS: Final[Mapping[str, Callable[[Turns, Action], None]]] = {
    "pick": Turns.pick,
    "pickb": Turns.pick_from_board,
    "drop": Turns.take_back,
    "reset": Turns.take_back,
    "dropb": Turns.drop,
    "pdropb": Turns.drop,
    "move": Turns.move,
    "pmove": Turns.move,
    "movedone": Turns.move_and_finish,
    "pmovedone": Turns.move_and_finish,
    "pass": Turns.pass_turn,
    "passdone": Turns.pass_and_finish,
    "done": Turns.finish,
    "resign": Turns.resign,
    "acceptdraw": Turns.accept_draw,
    "gameoverontime": Turns.end_on_time,
    "offerdraw": Turns.talk,
    "declinedraw": Turns.talk,
}
"""By action name in lower case."""

_IGNORED: Final = ("start", "edit", "swap", "null", "playwhite", "playblack")
"""Actions irrelevant to the moves. The colours follow from who moves first."""


def _words(action: Action, least: int) -> tuple[str, ...]:
    if len(action.words) < least:
        raise action.refuse("words are missing")
    return action.words


def _piece(action: Action, text: str, color: str) -> str:
    piece = piece_of(text, color)
    if piece is None:
        raise action.refuse(f"{text[:20]!r} is not a piece of Hive")
    return piece


def _cell(action: Action, column: str, row: str) -> Cell:
    cell = cell_of(column, row)
    if cell is None:
        raise action.refuse(f"{f'{column} {row}'[:20]!r} is not a cell, such as N 13")
    return cell
