"""The events that the host's session receives and the effects that it requests, besides packets."""

from dataclasses import dataclass
from enum import StrEnum

from engines import Position
from protocols.session import Effect, Event


class FailureReason(StrEnum):
    """Why a bot cannot continue, in one word for results."""

    LATE = "timeout"
    GONE = "crash"
    BROKEN = "protocol"


# ---- events --------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class BotLaunched(Event):
    """The program of the bot was started."""


@dataclass(frozen=True, slots=True)
class BotConnected(Event):
    """The bot has connected."""


@dataclass(frozen=True, slots=True)
class BotDisconnected(Event):
    """The connection has ended, or the program without having connected. ``how`` says how the program has ended."""

    how: str


@dataclass(frozen=True, slots=True)
class BadPacket(Event):
    """The stream is not a sequence of packets."""

    why: str


@dataclass(frozen=True, slots=True)
class TimerExpired(Event):
    """The time of the last ``SetTimer`` is over."""


@dataclass(frozen=True, slots=True)
class AskForMove(Event):
    """Asks the bot for a move in ``position``, which must not be earlier in the game than at the last request.

    ``most_ms``: less time than usual for this move.
    """

    position: Position
    most_ms: int | None = None


@dataclass(frozen=True, slots=True)
class GameEnded(Event):
    """The game is over in ``position``."""

    position: Position


# ---- effects -------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class SendPacket(Effect):
    """Send a packet to the bot, with its length."""

    packet: bytes


@dataclass(frozen=True, slots=True)
class SetTimer(Effect):
    """Notify ``TimerExpired`` after this time; None: never. Replaces the timer that was set before."""

    seconds: float | None


@dataclass(frozen=True, slots=True)
class BotIdentified(Effect):
    """The bot has said who it is."""

    name: str


@dataclass(frozen=True, slots=True)
class BotPrepared(Effect):
    """The bot can be asked for moves."""


@dataclass(frozen=True, slots=True)
class BotMoved(Effect):
    """The answer to ``AskForMove``: a direction."""

    move: str


@dataclass(frozen=True, slots=True)
class BotFailed(Effect):
    """The bot cannot continue, and the connection is to be closed. ``text`` continues a sentence about the bot."""

    reason: FailureReason
    text: str
