"""Requests of a viewer to a UHP 1.0 engine, and their command lines. Made by drivers of ``viewer.Viewer``."""

from dataclasses import dataclass

from protocols.uhp.game_string import GameString

PASS = "pass"  # noqa: S105  a move, not a password


@dataclass(frozen=True, slots=True)
class MoveTime:
    """Time for one move in whole seconds, the protocol's unit; at least 1."""

    seconds: int

    def __str__(self) -> str:
        minutes, seconds = divmod(self.seconds, 60)
        hours, minutes = divmod(minutes, 60)
        return f"time {hours:02}:{minutes:02}:{seconds:02}"


@dataclass(frozen=True, slots=True)
class Depth:
    """Search depth in plies; at least 1."""

    plies: int

    def __str__(self) -> str:
        return f"depth {self.plies}"


@dataclass(frozen=True, slots=True)
class SetOption:
    """Set one option; neither name nor value contains spaces."""

    name: str
    value: str


@dataclass(frozen=True, slots=True)
class StartGame:
    """Set up the position after all moves of ``game``."""

    game: GameString


@dataclass(frozen=True, slots=True)
class Play:
    """Play a legal move, possibly a pass, in the engine's current position."""

    move: str


@dataclass(frozen=True, slots=True)
class Undo:
    """Take back this many plies."""

    plies: int = 1


@dataclass(frozen=True, slots=True)
class BestMove:
    """Search the engine's current position without playing the move."""

    limit: MoveTime | Depth


GameRequest = StartGame | Play | Undo
"""Requests that change the engine's position; the answer shows the new one."""

Request = SetOption | GameRequest | BestMove


def line_of(request: Request, game: str) -> str:
    """The command line of a request, with single spaces.

    ``game`` is the GameString of the position after the request, which ``newgame`` sends.
    """
    match request:
        case SetOption(name=name, value=value):
            return f"options set {name} {value}"
        case StartGame():
            return f"newgame {game}"
        case Play(move=move):
            return PASS if move == PASS else f"play {move}"
        case Undo(plies=plies):
            return f"undo {plies}"
        case BestMove(limit=limit):
            return f"bestmove {limit}"
