"""The messages of the servers of one installation to each other, apart from those about logs (``changes.LogGrown``).

Every message names the process that sent it. Values only: ``bus.codec`` writes and reads them.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from protocols.play.chat import ChatHeard

SERVERS = "servers"
"""The topic of these messages."""


@dataclass(frozen=True, slots=True)
class Announced:
    """``server`` announces ``value`` under ``key``; None: it withdraws what it announced before."""

    server: str
    kind: str
    key: str
    value: Any
    type: Literal["announced"] = "announced"


@dataclass(frozen=True, slots=True)
class AllAnnounced:
    """Everything that ``server`` announces, by kind and key. ``is_leaving``: the server is stopping."""

    server: str
    values: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    is_leaving: bool = False
    type: Literal["all-announced"] = "all-announced"


@dataclass(frozen=True, slots=True)
class AnnouncementsWanted:
    """``server`` has started, or has missed messages, perhaps calls: it wants everything announced again."""

    server: str
    type: Literal["announcements-wanted"] = "announcements-wanted"


@dataclass(frozen=True, slots=True)
class LeaseTaken:
    """``server`` has taken the lease of a game from another server, since the game's clients are connected to it.

    A server that holds the lease with a later ``epoch`` has taken it back since.
    """

    server: str
    game_id: str
    epoch: int
    type: Literal["lease-taken"] = "lease-taken"


@dataclass(frozen=True, slots=True)
class ClientCall:
    """A request to the bot client ``client_id``, which is connected to the server ``to``, as V3 JSON; "": a ping.

    ``number`` is unique among the calls of ``server``.
    """

    server: str
    to: str
    number: int
    client_id: str
    request: str
    type: Literal["call"] = "call"


@dataclass(frozen=True, slots=True)
class ClientCallCancelled:
    """``server`` no longer needs the answer to its call."""

    server: str
    to: str
    number: int
    type: Literal["cancel"] = "cancel"


@dataclass(frozen=True, slots=True)
class ClientAnswer:
    """The answer to call ``number`` of the server ``to``, as V3 JSON; None: the client is not connected."""

    server: str
    to: str
    number: int
    answer: str | None
    type: Literal["answer"] = "answer"


@dataclass(frozen=True, slots=True)
class ResultForClient:
    """The result of a game of one of the client's bots, as V3 JSON."""

    server: str
    to: str
    client_id: str
    result: str
    type: Literal["result"] = "result"


@dataclass(frozen=True, slots=True)
class ChatSaid:
    """A chat message in a game."""

    server: str
    game_id: str
    heard: ChatHeard
    type: Literal["chat"] = "chat"


ServerMessage = (
    Announced
    | AllAnnounced
    | AnnouncementsWanted
    | LeaseTaken
    | ClientCall
    | ClientCallCancelled
    | ClientAnswer
    | ResultForClient
    | ChatSaid
)
