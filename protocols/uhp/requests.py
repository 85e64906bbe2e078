"""What a viewer asks of a UHP 1.0 engine, and the line that asks it. Made by drivers of ``viewer.Viewer``."""

from dataclasses import dataclass

from protocols.uhp.game_string import GameString

PASS = "pass"  # noqa: S105  a move, no secret


@dataclass(frozen=True, slots=True)
class MoveTime:
    """Whole seconds for one move, at least 1: the protocol's unit."""

    seconds: int

    def __str__(self) -> str:
        minutes, seconds = divmod(self.seconds, 60)
        hours, minutes = divmod(minutes, 60)
        return f"time {hours:02}:{minutes:02}:{seconds:02}"


@dataclass(frozen=True, slots=True)
class Depth:
    """How many plies the engine searches, at least 1."""

    plies: int

    def __str__(self) -> str:
        return f"depth {self.plies}"


@dataclass(frozen=True, slots=True)
class Banner:
    """What an engine prints unasked when it starts: no line is sent for it."""


@dataclass(frozen=True, slots=True)
class ListOptions:
    """All options of the engine."""


@dataclass(frozen=True, slots=True)
class SetOption:
    """Set one option; neither name nor value has blanks."""

    name: str
    value: str


@dataclass(frozen=True, slots=True)
class NewGame:
    """Set the engine to the position after all moves of ``game``, whatever it was at."""

    game: GameString


@dataclass(frozen=True, slots=True)
class Play:
    """Play a legal move, a pass included, in the position the engine is at."""

    move: str


@dataclass(frozen=True, slots=True)
class Undo:
    """Take back so many plies."""

    plies: int = 1


@dataclass(frozen=True, slots=True)
class BestMove:
    """Search the position the engine is at, without playing the move."""

    limit: MoveTime | Depth


GameRequest = NewGame | Play | Undo
"""Requests after which the engine is at another position and shows it."""

Request = Banner | ListOptions | SetOption | GameRequest | BestMove


def line_of(request: Request, game: str) -> str | None:
    """The line that asks for it, with single blanks; None where nothing is sent.

    ``game`` is the GameString of the position that the engine shall be at.
    """
    match request:
        case Banner():
            return None
        case ListOptions():
            return "options"
        case SetOption(name=name, value=value):
            return f"options set {name} {value}"
        case NewGame():
            return f"newgame {game}"
        case Play(move=move):
            return PASS if move == PASS else f"play {move}"
        case Undo(plies=plies):
            return f"undo {plies}"
        case BestMove(limit=limit):
            return f"bestmove {limit}"
