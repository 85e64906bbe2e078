"""Chat of a game: its channels, who writes and reads where, and how long a text may be.

``game`` is written by players and read by everybody, ``team`` is written by players and read at their own
seat, ``audience`` is written and read by spectators, so that nobody helps a player. Nothing is kept. Called
by the session in ``game``; how fast a socket may write needs a clock and is judged by the server.
"""

from dataclasses import dataclass
from enum import StrEnum

from protocols.jsontext import JsonDict, member, string
from protocols.session import Effect, Event

MAX_CHAT = 280
"""Characters of one message."""


class Channel(StrEnum):
    """Where a message is said."""

    GAME = "game"
    TEAM = "team"
    AUDIENCE = "audience"


class ChatErrorCode(StrEnum):
    """Why a message was not sent."""

    RATE_LIMITED = "RATE_LIMITED"
    TOO_LONG = "TOO_LONG"
    INVALID_CHANNEL = "INVALID_CHANNEL"


@dataclass(frozen=True, slots=True)
class Say(Effect):
    """Send a message to all who may read it."""

    channel: Channel
    text: str


@dataclass(frozen=True, slots=True)
class ChatHeard(Event):
    """Somebody has said something: a player, or a spectator (``seat`` None).

    ``sender_id`` is the id of the sender's socket, ``at`` milliseconds since the epoch.
    """

    channel: Channel
    seat: int | None
    sender_id: str
    sender_name: str
    text: str
    at: int


@dataclass(frozen=True, slots=True)
class ChatRefused(Event):
    """The client's message was not sent."""

    code: ChatErrorCode
    message: str


def read_chat(message: JsonDict, seat: int | None) -> Say | ChatRefused:
    """What the player of ``seat``, or a spectator (None), wants to say; RemoteError."""
    text = member(message, "text", string).strip()
    channel = member(message, "channel", string)
    if channel not in (*Channel,) or (channel == Channel.AUDIENCE) != (seat is None):
        own = "audience" if seat is None else "game or team"
        return ChatRefused(ChatErrorCode.INVALID_CHANNEL, f"You can write to the channel {own} only.")
    if not 0 < len(text) <= MAX_CHAT:
        return ChatRefused(ChatErrorCode.TOO_LONG, f"A message has 1 to {MAX_CHAT} characters.")
    return Say(Channel(channel), text)


def may_read(heard: ChatHeard, seat: int | None) -> bool:
    """Whether the player of ``seat``, or a spectator (None), is shown the message."""
    return heard.channel is Channel.GAME or heard.seat == seat


def chat_json(heard: ChatHeard) -> JsonDict:
    """The frame of a message."""
    return {
        "type": "chat-message",
        "channel": heard.channel.value,
        "senderId": heard.sender_id,
        "senderName": heard.sender_name,
        "text": heard.text,
        "timestamp": heard.at,
    }


def refused_json(refused: ChatRefused) -> JsonDict:
    """The frame of a message that was not sent."""
    return {"type": "chat-error", "code": refused.code.value, "message": refused.message}
