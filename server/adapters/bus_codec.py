"""Which topics are shared with other processes, and how their messages are encoded.

Messages of other topics stay in their process: they contain what cannot or need not be sent. Given to
``shared_bus``.
"""

import json
from typing import Annotated, Any, Final

from pydantic import Field, TypeAdapter

from server.adapters.encoded_values import EncodedObject, EncodedSequence
from server.domain.event_codec import read_event, write_event
from server.domain.events import Recorded
from server.ports.store import Listing
from server.services.changes import LOGS, LogGrown
from server.services.server_messages import SERVERS, ClientAnswer, ClientCall, ServerMessage

SHARED_TOPICS: Final = frozenset({LOGS, SERVERS})

_Head = tuple[str, str, int, int]
"""Writer, game, number of the first event, and version."""
_Columns = tuple[str, str, str, bool, bool, int, int, int, bool, str]
"""A game's row without id and summary, in the order of ``_columns``."""

_JSON: TypeAdapter[Any] = TypeAdapter(Any)
_HEAD: TypeAdapter[_Head] = TypeAdapter(_Head)
_HEAD_AND_COLUMNS: TypeAdapter[tuple[_Head, _Columns]] = TypeAdapter(tuple[_Head, _Columns])
_SERVERS: TypeAdapter[ServerMessage] = TypeAdapter(Annotated[ServerMessage, Field(discriminator="type")])


def is_urgent(message: object) -> bool:
    """Whether another server waits for this message."""
    return isinstance(message, ClientCall | ClientAnswer)


def write_message(message: object) -> bytes:
    """The encoding of a message of a shared topic; TypeError for any other.

    A ``LogGrown`` with a row has three lines, of which receivers decode the last two only if they need them: the head
    and the columns of the game's row; the row's summary; the events.
    """
    if isinstance(message, ServerMessage):
        return _SERVERS.dump_json(message)
    grown = _shared(message)
    row = grown.listing
    if row is None:
        return _JSON.dump_json(_head(grown))
    events = [(one.seq, one.at_ms, *write_event(one.event)) for one in grown.recorded]
    parts = (_head(grown), _columns(row)), row.summary, events
    return b"\n".join(_JSON.dump_json(part) for part in parts)


def write_short_message(message: object) -> bytes:
    """The same without events and the game's row, for media that send long messages in parts."""
    if isinstance(message, ServerMessage):
        return _SERVERS.dump_json(message)
    return _JSON.dump_json(_head(_shared(message)))


def _shared(message: object) -> LogGrown:
    if not isinstance(message, LogGrown):
        raise TypeError(f"a {type(message).__name__} stays in its process")
    return message


def _head(grown: LogGrown) -> _Head:
    return grown.writer, grown.game_id, grown.first, grown.version


def _columns(row: Listing) -> _Columns:
    return (
        row.game,
        row.variant,
        row.status,
        row.is_timed,
        row.has_bot,
        row.created_at,
        row.updated_at,
        row.ply,
        row.has_remote,
        row.visibility,
    )


def read_message(topic: str, data: bytes) -> LogGrown | ServerMessage:
    """Decodes a message; ValueError if it was not written by a Plyhouse process of a compatible version."""
    if topic == SERVERS:
        return _SERVERS.validate_json(data)
    head, *rest = data.split(b"\n")
    if not rest:
        return LogGrown(*_HEAD.validate_json(head))
    summary, events = rest
    (writer, game_id, first, version), columns = _HEAD_AND_COLUMNS.validate_json(head)
    listing = _listing(game_id, columns, EncodedObject(summary))
    return LogGrown(writer, game_id, first, version, EncodedSequence(events, _read_events), listing)


def _listing(game_id: str, columns: _Columns, summary: EncodedObject) -> Listing:
    game, variant, status, is_timed, has_bot, created_at, updated_at, ply, has_remote, visibility = columns
    return Listing(
        game_id=game_id,
        game=game,
        variant=variant,
        status=status,
        is_timed=is_timed,
        has_bot=has_bot,
        created_at=created_at,
        updated_at=updated_at,
        ply=ply,
        summary=summary,
        has_remote=has_remote,
        visibility=visibility,
    )


def _read_events(text: bytes) -> tuple[Recorded, ...]:
    return tuple(
        Recorded(seq, at_ms, read_event(kind, values)) for seq, at_ms, kind, values in json.loads(text)
    )
