"""What the sessions at a server ask of their driver, and what it tells them. Their frames are lines.

An answer of a session is one ``Send``: one line, or several joined by LF, which a WebSocket carries as one message.
"""

from dataclasses import dataclass
from typing import Final

from protocols.play.table import Table
from protocols.session import POLICY_VIOLATION, Close, Effect, Event, Send
from protocols.uhp.lines import ERROR, OK, Command
from protocols.uhp.remote.wish import Wish

NORMAL: Final = 1000
"""The close code of a connection that is no longer needed."""

MAX_TRIES: Final = 5
"""So many illegal moves in one turn lose the game."""


def is_forfeit(command: Command) -> bool:
    """``play forfeit``: a piece can never be called so, and engines of UHP 1.0 answer ``invalidmove``."""
    return command.keyword == "play" and command.words[:1] != () and command.words[0].lower() == "forfeit"


# ---- effects -------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Seek(Effect):
    """Find a game for this wish, or the one of the handshake's token: ``Seated`` or ``NotSeated`` follows.

    ``game``: the one to come back to, with ``secret`` if the session has been told one.
    """

    wish: Wish
    game: str | None = None
    secret: str | None = None


@dataclass(frozen=True, slots=True)
class PlayMove(Effect):
    """Play a move in the game: ``Changed`` or ``Refused`` follows."""

    text: str


@dataclass(frozen=True, slots=True)
class GiveUp(Effect):
    """Lose the game. ``reason`` is a word of results, ``note`` what the player says to it."""

    reason: str
    note: str | None = None


@dataclass(frozen=True, slots=True)
class OfferDraw(Effect):
    """Offer a draw, or agree to one."""


def flooded() -> list[Effect]:
    """The end of a connection that does not wait."""
    return [Send(f"{ERROR} too many commands are waiting\n{OK}"), Close(POLICY_VIOLATION, "flood")]


# ---- events --------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Seated(Event):
    """The player has a seat, and ``Changed`` tells how the game stands. ``secret`` lets it come back."""

    seat: int
    game_id: str
    secret: str


@dataclass(frozen=True, slots=True)
class NotSeated(Event):
    """There is no game for the player; ``text`` says why."""

    text: str


@dataclass(frozen=True, slots=True)
class Changed(Event):
    """The game as it is now. ``Table.seq`` says which of two is newer."""

    table: Table


@dataclass(frozen=True, slots=True)
class Refused(Event):
    """The game took nothing. ``code`` is that of public errors.

    ``tries``: how many illegal moves the player has sent in this turn, this one included.
    """

    code: str
    text: str
    tries: int = 0


@dataclass(frozen=True, slots=True)
class LineLost(Event):
    """The peer sent something that is no line (``text`` says what): a line too long, a binary frame."""

    text: str
