"""GameStrings: a game of Hive as one line, ``Base+MLP;InProgress;White[2];wA1;bB1 -wA1``.

Of a GameString only the type and the moves count. State and turn are written for whoever does not replay, and
are passed over when read. Two correct engines may write one game differently: compare games with ``same``,
never their text. Every other module of UHP, and the records, read and write GameStrings here.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from engines import BadConfig, Position, RuleError
from protocols.uhp.lines import shown

GAME: Final = "hive"
TYPES: Final = ("Base+MLP", "Base", "Base+M", "Base+L", "Base+P", "Base+ML", "Base+MP", "Base+LP")
"""The canonical GameTypes, which are the variants of the game."""

NOT_STARTED: Final = "NotStarted"
IN_PROGRESS: Final = "InProgress"
DRAW: Final = "Draw"
WINS: Final = ("WhiteWins", "BlackWins")
"""GameStates, the last by the seat that wins."""

COLORS: Final = ("White", "Black")
"""By seat."""

_TYPE = re.compile(r"Base(?:\+([MLP]{1,3}))?")
_MOVE = re.compile(r"pass|[wb][a-z]\d?(?![a-z]).*", re.IGNORECASE)
"""What is meant as a move, though it may be a wrong one. No state and no turn looks like it."""

_EXPANSIONS = "MLP"


class BadGameString(ValueError):
    """No GameString, or one whose moves the rules forbid; the text is one sentence."""


@dataclass(frozen=True, slots=True)
class GameString:
    """What counts of a GameString: the canonical type, and the moves as they were written, without outer blanks."""

    type: str
    moves: tuple[str, ...] = ()


def parse(text: str) -> GameString:
    """The game in ``text``: a GameString, with or without state and turn, or a GameType alone. BadGameString."""
    kind, *fields = (field.strip() for field in text.strip().split(";"))
    if fields and not fields[-1]:
        fields.pop()
    for _ in ("state", "turn"):
        if fields and not _MOVE.fullmatch(fields[0]):
            del fields[0]
    return GameString(read_type(kind), tuple(fields))


def read_type(text: str) -> str:
    """The canonical GameType that ``text`` means: its expansions may stand in any order. BadGameString."""
    found = _TYPE.fullmatch(text)
    letters = (found[1] or "") if found else ""
    if found is None or len(set(letters)) < len(letters):
        raise BadGameString(f'"{shown(text)}" is not a game type: {", ".join(TYPES)}')
    ordered = "".join(letter for letter in _EXPANSIONS if letter in letters)
    return f"Base+{ordered}" if ordered else "Base"


def replay(game: GameString, config: Mapping[str, Any] | None = None) -> Position:
    """The position after all moves of ``game``, its history canonical. BadGameString names the ply and the move.

    ``config`` is that of the game's rules: ``drawByRepetition``, ``plyLimit``, ``queenFirst``.
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
    """Plays a move as a player sends it; RuleError. Entries that only a history knows, such as ``!0``, are refused."""
    position.play(position.check(move))


def moves_of(position: Position) -> list[str]:
    """The moves of the game, canonical: those of a start in mid-game, then the history without its forfeits."""
    start = parse(position.config.get("gameString", position.variant))
    return [*start.moves, *(entry for entry in position.history if not entry.startswith("!"))]


def state_of(position: Position) -> str:
    """The GameState of a position."""
    outcome = position.outcome
    if outcome is None:
        return IN_PROGRESS if moves_of(position) else NOT_STARTED
    return WINS[outcome.winners[0]] if len(outcome.winners) == 1 else DRAW


def write(position: Position, forced: str | None = None) -> str:
    """The GameString of a position of Hive.

    ``forced``: the GameState to show instead of the position's, of a game that ended otherwise than on the board.
    """
    moves = moves_of(position)
    number, seat = divmod(len(moves), len(COLORS))
    turn = f"{COLORS[seat]}[{number + 1}]"
    return ";".join([position.variant, forced or state_of(position), turn, *moves])


def same(one: Position, other: Position) -> bool:
    """Whether two positions are of the same game so far: equal types and equal moves."""
    return one.variant == other.variant and moves_of(one) == moves_of(other)
