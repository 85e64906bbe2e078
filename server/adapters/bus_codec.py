"""Which topics reach other processes, and how their messages become bytes.

Every other topic stays in its process: its messages hold what cannot or need not be sent. Called by
``redis_bus``.
"""

from collections.abc import Mapping
from typing import Any, Final

from pydantic import TypeAdapter

from server.domain.event_codec import read_event, write_event
from server.domain.events import Recorded
from server.ports import Listing
from server.services.changes import LOGS, LogGrown

SHARED_TOPICS: Final = frozenset({LOGS})

_JSON: TypeAdapter[dict[str, Any]] = TypeAdapter(dict[str, Any])
_LISTING: TypeAdapter[Listing] = TypeAdapter(Listing)


def write_message(message: object) -> bytes:
    """The bytes of a message of a shared topic; TypeError for any other."""
    if not isinstance(message, LogGrown):
        raise TypeError(f"a {type(message).__name__} stays in its process")
    events = [[one.seq, one.at_ms, *write_event(one.event)] for one in message.recorded]
    return _JSON.dump_json({"writer": message.writer, "events": events, "listing": message.listing})


def read_message(data: bytes) -> LogGrown:
    """The message of these bytes; KeyError, TypeError or ValueError when no process of ours wrote them."""
    members: Mapping[str, Any] = _JSON.validate_json(data)
    recorded = tuple(
        Recorded(seq, at_ms, read_event(kind, values)) for seq, at_ms, kind, values in members["events"]
    )
    return LogGrown(members["writer"], recorded, _LISTING.validate_python(members["listing"]))
