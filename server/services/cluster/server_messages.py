"""The messages of the servers of one installation to each other, apart from those about logs (``changes.LogGrown``).

Every message names the process that sent it. Values only: ``bus.codec`` writes and reads them.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from protocols.play.chat_messages import ChatHeard
from protocols.play.eval_session import AnalysisFailed
from protocols.values import Entry

SERVERS = "servers"
"""The topic of these messages."""

EVAL_PREFIX = "eval:"
"""The start of the topics of evaluations, each of which one server receives."""


def eval_topic(server: str) -> str:
    """Returns the topic of the evaluations that bars at ``server`` show."""
    return EVAL_PREFIX + server


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
    """``server`` has started, or has missed messages: it wants everything announced again."""

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
class HeartbeatWanted:
    """``server`` cannot store its heartbeat: it wants to know whether others can. ``at``: the time on its clock."""

    server: str
    at: int
    type: Literal["heartbeat-wanted"] = "heartbeat-wanted"


@dataclass(frozen=True, slots=True)
class HeartbeatStored:
    """``server`` has stored a heartbeat since ``asker`` wanted to know ``at`` this time."""

    server: str
    asker: str
    at: int
    type: Literal["heartbeat-stored"] = "heartbeat-stored"


@dataclass(frozen=True, slots=True)
class ChatSaid:
    """A chat message in a game."""

    server: str
    game_id: str
    heard: ChatHeard
    type: Literal["chat"] = "chat"


@dataclass(frozen=True, slots=True)
class EntriesShared:
    """What ``server`` has evaluated of a game: the positions of the line of ``moves``, from ``first`` on.

    Sent on the topic of one server only. ``failure``: why no more entries will come, if that is so.
    """

    server: str
    game_id: str
    moves: tuple[str, ...]
    first: int
    entries: tuple[Entry, ...]
    failure: AnalysisFailed | None = None
    type: Literal["entries"] = "entries"


@dataclass(frozen=True, slots=True)
class TournamentForfeits:
    """Games of a tournament, by round and number in it, that were lost by forfeit at ``at`` and are not played.

    Receivers that need more read the tournament.
    """

    server: str
    tournament_id: str
    games: tuple[tuple[int, int], ...]
    at: int
    type: Literal["tournament-forfeits"] = "tournament-forfeits"


ServerMessage = (
    Announced
    | AllAnnounced
    | AnnouncementsWanted
    | LeaseTaken
    | HeartbeatWanted
    | HeartbeatStored
    | ChatSaid
    | EntriesShared
    | TournamentForfeits
)
