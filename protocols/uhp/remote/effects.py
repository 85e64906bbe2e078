"""Effects and events of the sessions at a server. Their frames are lines.

A session's answer is one ``Send``: one line, or several joined by LF, which a WebSocket carries as one message.
"""

from dataclasses import dataclass
from typing import Final

from protocols.session import Effect, Event
from protocols.uhp.lines import Command
from protocols.uhp.remote.seek_criteria import SeekCriteria
from protocols.uhp.requests import Depth, MoveTime
from protocols.values import ClaimKind, Table

NORMAL: Final = 1000
"""The close code of connections that end normally."""

MAX_TRIES: Final = 5
"""This many illegal moves in one turn lose the game."""


MAX_FORFEIT_REASON = 200
"""The longest reason of a forfeit that is passed on, in characters."""


def is_forfeit(command: Command) -> bool:
    """``play forfeit``: no piece has this name, and UHP 1.0 engines answer it with ``invalidmove``."""
    return command.keyword == "play" and command.words[:1] != () and command.words[0].lower() == "forfeit"


# ---- effects -------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Seek(Effect):
    """Find a game matching these criteria, or the one of the handshake's token; ``Seated`` or ``NotSeated`` follows.

    ``game`` is the game to resume, with ``secret`` if the client sent one.
    """

    criteria: SeekCriteria
    game: str | None = None
    secret: str | None = None


@dataclass(frozen=True, slots=True)
class PlayMove(Effect):
    """Play a move in the game; ``TableChanged`` or ``RefusedByGame`` follows."""

    text: str


@dataclass(frozen=True, slots=True)
class Follow(Effect):
    """Follow the game of the handshake: ``TableChanged`` follows for its state, and for each later one."""


@dataclass(frozen=True, slots=True)
class Lead(Effect):
    """Lead the engines of the game: ``NotSeated`` follows, or ``MatchChanged`` now and after each change."""


@dataclass(frozen=True, slots=True)
class BeginMatch(Effect):
    """Let the engines set up the game."""


@dataclass(frozen=True, slots=True)
class AskEngine(Effect):
    """Ask the engine to move for its move after ``ply`` plies. ``limit``: None: what its clock allows."""

    limit: MoveTime | Depth | None
    ply: int


@dataclass(frozen=True, slots=True)
class ForfeitForEngine(Effect):
    """Resign for the engine to move."""

    seat: int
    reason: str | None


@dataclass(frozen=True, slots=True)
class PlayForEngine(Effect):
    """Play a move for the engine to move, if the moves of the game are ``after``. It costs the engine no time.

    ``TableChanged`` or ``RefusedByGame`` follows.
    """

    seat: int
    move: str
    after: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class GiveUp(Effect):
    """Lose the game. ``reason`` is a reason of game results, ``note`` the player's own words."""

    reason: str
    note: str | None = None


@dataclass(frozen=True, slots=True)
class OfferDraw(Effect):
    """Offer a draw, or accept the opponent's offer."""


@dataclass(frozen=True, slots=True)
class ClaimEnd(Effect):
    """Claim the win or a draw against an opponent who has been away for too long."""

    kind: ClaimKind


def agreement_request(text: str) -> OfferDraw | ClaimEnd | None:
    """What a player asks for with ``draw``, ``claim win`` or ``claim draw``; None: something else."""
    match text.lower().split():
        case ["draw"]:
            return OfferDraw()
        case ["claim", kind] if kind in tuple(ClaimKind):
            return ClaimEnd(ClaimKind(kind))
    return None


# ---- events --------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Seated(Event):
    """The player has a seat; ``TableChanged`` with the current game follows. ``secret`` allows the player to resume."""

    seat: int
    game_id: str
    secret: str


@dataclass(frozen=True, slots=True)
class NotSeated(Event):
    """No game was found for the player; ``text`` gives the reason."""

    text: str


@dataclass(frozen=True, slots=True)
class MatchChanged(Event):
    """What the engines have done that a main viewer leads.

    ``named`` is the move that the engine to move has named last, and the ply; ``ply`` the position that all engines
    have, None if there is no such position.
    """

    named: tuple[str, int] | None = None
    ply: int | None = None


@dataclass(frozen=True, slots=True)
class TableChanged(Event):
    """The current state of the game. ``Table.seq`` orders the states of a game."""

    table: Table


@dataclass(frozen=True, slots=True)
class RefusedByGame(Event):
    """The game refused a move or another ``effect``. ``code`` is a public error code.

    Of two effects, the later one may be refused first, if one came of a frame and the other of a change of the game.
    ``tries`` is the number of illegal moves that the player has sent in this turn, including this one.
    """

    effect: Effect
    code: str
    text: str
    tries: int = 0


class TakenByGame(Event):
    """The game has taken a draw offer or a claim; ``TableChanged`` came before if that changed it."""
