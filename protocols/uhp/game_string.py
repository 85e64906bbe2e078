"""GameStrings: a game of Hive as one line, ``Base+MLP;InProgress;White[2];wA1;bB1 -wA1``.

Only the type and the moves of a GameString count. State and turn are written for readers that do not replay the moves,
and ignored when reading. Two correct engines may write the same game differently, so compare games with ``same``,
never as text. All UHP modules and the records read and write GameStrings with this module.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from engines import BadConfig, Position, RuleError
from protocols.uhp.lines import shown

GAME: Final = "hive"
TYPES: Final = ("Base+MLP", "Base", "Base+M", "Base+L", "Base+P", "Base+ML", "Base+MP", "Base+LP")
"""The canonical GameTypes, which are the game's variants."""

NOT_STARTED: Final = "NotStarted"
IN_PROGRESS: Final = "InProgress"
DRAW: Final = "Draw"
WINS: Final = ("WhiteWins", "BlackWins")
"""GameStates: two fixed ones, and wins indexed by the winning seat."""

COLORS: Final = ("White", "Black")
"""Indexed by seat."""

_TYPE = re.compile(r"Base(?:\+([MLP]{1,3}))?")
_MOVE = re.compile(r"pass|[wb][a-z]\d?(?![a-z]).*", re.IGNORECASE)
"""Text that is meant as a move, legal or not. No state or turn matches."""

_EXPANSIONS = "MLP"


class BadGameString(ValueError):
    """Not a GameString, or one with an illegal move; the text is one sentence."""


@dataclass(frozen=True, slots=True)
class GameString:
    """The significant parts of a GameString: the canonical type, and the moves as written, stripped."""

    type: str
    moves: tuple[str, ...] = ()


def parse(text: str) -> GameString:
    """Reads a GameString, with or without state and turn, or a GameType alone. Raises BadGameString."""
    kind, *fields = (field.strip() for field in text.strip().split(";"))
    while fields and not fields[-1]:
        fields.pop()
    for _ in ("state", "turn"):
        if fields and not _MOVE.fullmatch(fields[0]):
            del fields[0]
    return GameString(read_type(kind), tuple(fields))


def read_type(text: str) -> str:
    """The canonical GameType for ``text``, whose expansions may be in any order. Raises BadGameString."""
    found = _TYPE.fullmatch(text)
    letters = (found[1] or "") if found else ""
    if found is None or len(set(letters)) < len(letters):
        raise BadGameString(f'"{shown(text)}" is not a game type: {", ".join(TYPES)}')
    ordered = "".join(letter for letter in _EXPANSIONS if letter in letters)
    return f"Base+{ordered}" if ordered else "Base"


def replay(game: GameString, config: Mapping[str, Any] | None = None) -> Position:
    """The position after all moves of ``game``, with a canonical history.

    Raises BadGameString, naming ply and move. ``config`` is the configuration of the rules: ``drawByRepetition``,
    ``plyLimit``, ``queenFirst``.
    """
    try:
        position = Position(GAME, game.type, config)
    except BadConfig as refusal:
        raise BadGameString(str(refusal)) from None
    for ply, move in enumerate(game.moves):
        try:
            play(position, move)
        except RuleError as refusal:
            why = str(refusal).removeprefix(f"{move}: ")
            raise BadGameString(f'Unable to play "{shown(move)}" at ply {ply}: {why}') from None
    return position


def play(position: Position, move: str) -> None:
    """Plays a move as submitted by a player. Raises RuleError, also for history entries such as ``!0``."""
    position.play(position.check(move))


def moves_of(position: Position) -> list[str]:
    """All canonical moves: those of the start position if it is in mid-game, then the history without forfeits.

    Raises BadGameString if the start was set up, and not played.
    """
    if "gameString" not in position.config:
        raise BadGameString("a position that was set up has no GameString")
    _, _, _, *start = position.config["gameString"].split(";")
    return [*start, *(entry for entry in position.history if not entry.startswith("!"))]


def state_of(position: Position) -> str:
    """The GameState of a position."""
    return _state_after(moves_of(position), position)


def _state_after(moves: Sequence[str], position: Position) -> str:
    outcome = position.outcome
    if outcome is None:
        return IN_PROGRESS if moves else NOT_STARTED
    return WINS[outcome.winners[0]] if len(outcome.winners) == 1 else DRAW


def write(position: Position, forced: str | None = None) -> str:
    """The GameString of a position of Hive.

    ``forced`` replaces the GameState, for games that did not end on the board.
    """
    moves = moves_of(position)
    number, seat = divmod(len(moves), len(COLORS))
    turn = f"{COLORS[seat]}[{number + 1}]"
    return ";".join([position.variant, forced or _state_after(moves, position), turn, *moves])


def same(one: Position, other: Position) -> bool:
    """Whether two positions have the same type and the same moves."""
    return one.variant == other.variant and moves_of(one) == moves_of(other)
