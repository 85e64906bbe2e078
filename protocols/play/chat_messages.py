"""Chat of a game: its channels, who may write and read each of them, and the length of messages.

Players write to ``game``, which everybody reads, and to ``team``, which only their own seat reads. Spectators write to
and read ``audience``, so that they cannot help a player. Called by ``game_session``; the server stores messages, and
enforces the rate limit, which needs a clock.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from protocols.jsontext import JsonDict, member, string
from protocols.session import Effect, Event

MAX_CHAT = 280
"""The longest message, in characters."""


class Channel(StrEnum):
    """Where a message is written."""

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
    """Send a message to everyone who may read it."""

    channel: Channel
    text: str


@dataclass(frozen=True, slots=True)
class AskChat(Effect):
    """Notify ``ChatKept``."""


@dataclass(frozen=True, slots=True)
class ChatHeard(Event):
    """A player or a spectator (``seat`` is None) has written a message.

    ``sender_id`` is the id of the sender's socket, ``at`` is in milliseconds since the epoch.
    """

    channel: Channel
    seat: int | None
    sender_id: str
    sender_name: str
    text: str
    at: int


@dataclass(frozen=True, slots=True)
class ChatKept(Event):
    """The latest messages in the chat of the game, oldest first."""

    lines: tuple[ChatHeard, ...]


@dataclass(frozen=True, slots=True)
class ChatRefused(Event):
    """The client's message was refused."""

    code: ChatErrorCode
    message: str


def read_chat(message: JsonDict, seat: int | None) -> Say | ChatRefused:
    """Read a message from the player of ``seat``, or from a spectator (None); RemoteError if it is malformed."""
    text = member(message, "text", string).strip()
    channel = member(message, "channel", string)
    if channel not in (*Channel,) or (channel == Channel.AUDIENCE) != (seat is None):
        own = "audience" if seat is None else "game or team"
        return ChatRefused(ChatErrorCode.INVALID_CHANNEL, f"You can write to the channel {own} only.")
    if not 0 < len(text) <= MAX_CHAT:
        return ChatRefused(ChatErrorCode.TOO_LONG, f"A message has 1 to {MAX_CHAT} characters.")
    return Say(Channel(channel), text)


def may_read(heard: ChatHeard, seat: int | None) -> bool:
    """Whether the player of ``seat``, or a spectator (None), may read the message."""
    return heard.channel is Channel.GAME or heard.seat == seat


def frames(event: ChatHeard | ChatKept | ChatRefused, seat: int | None) -> list[JsonDict]:
    """The frames of an event for the player of ``seat``, or a spectator (None); none of a message for others."""
    match event:
        case ChatHeard():
            return [{"type": "chat-message", **line_json(event)}] if may_read(event, seat) else []
        case ChatKept():
            return [_kept_json(event, seat)]
        case ChatRefused():
            return [{"type": "chat-error", "code": event.code.value, "message": event.message}]


def line_json(heard: ChatHeard) -> JsonDict:
    """A message. ``seat`` is that of the player who wrote it: names may be equal, and sockets get other ids."""
    return _said(heard) if heard.seat is None else {**_said(heard), "seat": heard.seat}


def _said(heard: ChatHeard) -> JsonDict:
    return {
        "channel": heard.channel.value,
        "senderId": heard.sender_id,
        "senderName": heard.sender_name,
        "text": heard.text,
        "timestamp": heard.at,
    }


def read_line(line: Mapping[str, Any]) -> ChatHeard:
    """The message of a ``line_json``."""
    return ChatHeard(
        Channel(line["channel"]),
        line.get("seat"),
        line["senderId"],
        line["senderName"],
        line["text"],
        line["timestamp"],
    )


def _kept_json(kept: ChatKept, seat: int | None) -> JsonDict:
    return {
        "type": "chat-history",
        "lines": [line_json(heard) for heard in kept.lines if may_read(heard, seat)],
    }
