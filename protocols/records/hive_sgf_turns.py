"""The actions in a game of boardspace.net, made into MoveStrings.

A turn is what is on the table when its player says ``Done``; before that a piece may be put down and picked up again.
The word behind a cell, a neighbour, is a remark for people: the site does not read it, and it is not read here. Old
files have small letters, and pieces without their colour.

Whether the moves are legal is for the rules to say.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum, auto
from typing import Final, TypeVar

from protocols.records.hive_sgf_table import Cell, Table, cell_of, piece_of
from protocols.records.record import RecordError

T = TypeVar("T")

PASS: Final = "pass"  # noqa: S105  a move, no secret
COLORS: Final = "wb"
"""By seat."""


@dataclass(frozen=True, slots=True)
class Action:
    """What a player (0 or 1) did. ``command`` is in small letters."""

    player: int
    command: str
    words: tuple[str, ...]
    line: int

    def refuse(self, why: str) -> RecordError:
        """The refusal of this action."""
        shown = " ".join((self.command, *self.words))
        return RecordError(f"line {self.line}: {shown[:60]!r}: {why}")


class Ending(Enum):
    """How a game ended otherwise than on the board."""

    RESIGNED = auto()
    AGREED = auto()
    TIME = auto()


@dataclass(frozen=True, slots=True)
class _Put:
    """A piece on a cell, until its player is done."""

    piece: str
    cell: Cell


class _Said(Enum):
    """What a player may do in the place of a move, until it is done."""

    PASS = auto()
    OTHER = auto()
    """To resign, or to talk of a draw: no move."""


class Turns:
    """Takes the actions of a game in their order, and makes moves of them.

    ``places`` says where each move stands. ``ending`` is what the last action says of the end, ``ended_by`` whose it
    was.
    """

    def __init__(self) -> None:
        self.moves: list[str] = []
        self.places: list[str] = []
        self.ending: Ending | None = None
        self.ended_by = 0
        self._white = 0
        self._table = Table()
        self._picked: str | None = None
        self._turn: _Put | _Said | None = None

    def take(self, action: Action) -> None:
        """One action. RecordError."""
        if action.command in _IGNORED:
            return
        handle = _HANDLERS.get(action.command)
        if handle is None:
            raise action.refuse("there is no such action")
        handle(self, action)

    def seat_of(self, player: int) -> int:
        """The seat of a player: White is who moved first."""
        return int(player != self._white)

    def by_seat(self, of_players: Sequence[T]) -> list[T]:
        """What the two players have, in the order of the seats."""
        return [of_players[self._white], of_players[1 - self._white]]

    # ---- pieces ----------------------------------------------------------------------------------

    def pick(self, action: Action) -> None:
        """A piece from the hand: ``Pick W 4 wS1``."""
        color, *_, piece = _words(action, 2)
        self._picked, self._turn = _piece(action, piece, color), None

    def pick_from_board(self, action: Action) -> None:
        """A piece that lies there, or has just been put there: ``Pickb N 13 wS1``."""
        column, row, *_ = _words(action, 2)
        cell = _cell(action, column, row)
        is_put = isinstance(self._turn, _Put) and self._turn.cell == cell
        self._picked = self._turn.piece if isinstance(self._turn, _Put) and is_put else self._table.top(cell)
        self._turn = None

    def drop(self, action: Action) -> None:
        """A piece on a cell: ``Dropb wS1 N 13 .``."""
        piece, column, row, *_ = _words(action, 3)
        self._put(_piece(action, piece, self._color(action, piece)), _cell(action, column, row))

    def move(self, action: Action) -> None:
        """The same in one action: ``Move B bS1 M 12 /wS1``."""
        color, piece, column, row, *_ = _words(action, 4)
        self._put(_piece(action, piece, color), _cell(action, column, row))

    def move_and_finish(self, action: Action) -> None:
        """``MoveDone B bS1 M 12 /wS1``."""
        self.move(action)
        self.finish(action)

    def take_back(self, action: Action) -> None:
        """The turn begins anew: the piece is in the hand again."""
        del action
        self._picked = self._turn = None

    def _put(self, piece: str, cell: Cell) -> None:
        """On the cell where it was it has not moved."""
        self._turn = None if self._table.cell_of(piece) == cell else _Put(piece, cell)

    def _color(self, action: Action, piece: str) -> str:
        """The colour of a piece that is named without: that of the one picked up, or else the player's."""
        if self._picked is not None and self._picked[1:] == piece.upper():
            return self._picked[0]
        return COLORS[self.seat_of(action.player) if self.moves else 0]

    # ---- turns -----------------------------------------------------------------------------------

    def pass_turn(self, action: Action) -> None:
        """``Pass``."""
        del action
        self._turn = _Said.PASS

    def pass_and_finish(self, action: Action) -> None:
        """``PassDone``."""
        self._turn = _Said.PASS
        self.finish(action)

    def finish(self, action: Action) -> None:
        """``Done``: the turn counts. Without anything before it, it is a pass."""
        turn, self._turn, self._picked = self._turn, None, None
        if isinstance(turn, _Put):
            self._add(action, self._named(action, turn))
        elif turn is _Said.PASS or (turn is None and self.moves and action.player == self._to_move()):
            self._add(action, PASS)

    def _named(self, action: Action, turn: _Put) -> str:
        move = self._table.put(turn.piece, turn.cell)
        if move is None:
            raise action.refuse(f"{turn.piece} touches no other piece")
        return move

    def _add(self, action: Action, move: str) -> None:
        """Adds a move. Some programs of the site leave out a pass that is forced."""
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
        """``Resign``."""
        self._end(action, Ending.RESIGNED)

    def accept_draw(self, action: Action) -> None:
        """``AcceptDraw``."""
        self._end(action, Ending.AGREED)

    def end_on_time(self, action: Action) -> None:
        """``GameOverOnTime``."""
        self._end(action, Ending.TIME)

    def talk(self, action: Action) -> None:
        """An offer of a draw, or its refusal."""
        del action
        self._turn, self.ending = _Said.OTHER, None

    def _end(self, action: Action, ending: Ending) -> None:
        self._turn, self.ending, self.ended_by = _Said.OTHER, ending, action.player


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
"""By the action's name in small letters."""

_IGNORED: Final = ("start", "edit", "swap", "null", "playwhite", "playblack")
"""Actions that change nothing about the moves: who has White shows in who moves first."""


def _words(action: Action, least: int) -> tuple[str, ...]:
    if len(action.words) < least:
        raise action.refuse("something is missing")
    return action.words


def _piece(action: Action, text: str, color: str) -> str:
    piece = piece_of(text, color)
    if piece is None:
        raise action.refuse(f"{text[:20]!r} is no piece of Hive")
    return piece


def _cell(action: Action, column: str, row: str) -> Cell:
    cell = cell_of(column, row)
    if cell is None:
        raise action.refuse(f"{f'{column} {row}'[:20]!r} is no cell, such as N 13")
    return cell
