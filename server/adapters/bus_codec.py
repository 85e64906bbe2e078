"""Which topics are shared with other processes, and how their messages are encoded.

Messages of other topics stay in their process: they contain what cannot or need not be sent. Given to
``shared_bus``.
"""

from collections.abc import Mapping
from typing import Annotated, Any, Final

from pydantic import Field, TypeAdapter

from server.domain.event_codec import read_event, write_event
from server.domain.events import Recorded
from server.ports.store import Listing
from server.services.changes import LOGS, LogGrown
from server.services.server_messages import SERVERS, ServerMessage

SHARED_TOPICS: Final = frozenset({LOGS, SERVERS})

_JSON: TypeAdapter[dict[str, Any]] = TypeAdapter(dict[str, Any])
_LISTING: TypeAdapter[Listing | None] = TypeAdapter(Listing | None)
_SERVERS: TypeAdapter[ServerMessage] = TypeAdapter(Annotated[ServerMessage, Field(discriminator="type")])


def write_message(message: object) -> bytes:
    """The encoding of a message of a shared topic; TypeError for any other."""
    if isinstance(message, ServerMessage):
        return _SERVERS.dump_json(message)
    grown = _shared(message)
    events = [[one.seq, one.at_ms, *write_event(one.event)] for one in grown.recorded]
    return _JSON.dump_json({**_head(grown), "events": events, "listing": grown.listing})


def write_short_message(message: object) -> bytes:
    """The same without events and the game's row, for media that send long messages in parts."""
    if isinstance(message, ServerMessage):
        return _SERVERS.dump_json(message)
    return _JSON.dump_json(_head(_shared(message)))


def _shared(message: object) -> LogGrown:
    if not isinstance(message, LogGrown):
        raise TypeError(f"a {type(message).__name__} stays in its process")
    return message


def _head(grown: LogGrown) -> dict[str, Any]:
    return {"writer": grown.writer, "game": grown.game_id, "first": grown.first, "version": grown.version}


def read_message(topic: str, data: bytes) -> LogGrown | ServerMessage:
    """Decodes a message; KeyError, TypeError or ValueError if it was not written by a Plyhouse process."""
    if topic == SERVERS:
        return _SERVERS.validate_json(data)
    members: Mapping[str, Any] = _JSON.validate_json(data)
    recorded = tuple(
        Recorded(seq, at_ms, read_event(kind, values))
        for seq, at_ms, kind, values in members.get("events", ())
    )
    listing = _LISTING.validate_python(members.get("listing"))
    first, version = members["first"], members["version"]
    return LogGrown(members["writer"], members["game"], first, version, recorded, listing)
