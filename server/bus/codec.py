"""Which topics are shared with other processes, and how their messages are encoded.

Messages of other topics stay in their process: they contain what cannot or need not be sent. Given to
``shared_bus``.
"""

import json
from typing import Annotated, Any, Final

from pydantic import Field, TypeAdapter

from server.bus.encoded_values import EncodedObject, EncodedSequence
from server.domain.event_codec import read_event, write_event
from server.domain.events import Recorded
from server.ports.store import Listing
from server.services.cluster.changes import LOGS, GamesChanged, LogGrown
from server.services.cluster.server_messages import EVAL_PREFIX, SERVERS, ServerMessage

SHARED_TOPICS: Final = frozenset({LOGS, SERVERS})
"""The topics that all processes receive."""

_Head = tuple[str, str, int, int]
"""Writer, game, number of the first event, and version."""
_Changed = tuple[str, dict[str, int]]
"""Writer, and version by game."""
_Columns = tuple[str, str, str, str, bool, bool, int, int, int, bool, str]
"""A game's row without summary, in the order of ``_columns``."""

_JSON: TypeAdapter[Any] = TypeAdapter(Any)
_HEAD: TypeAdapter[_Head] = TypeAdapter(_Head)
_CHANGED: TypeAdapter[_Changed] = TypeAdapter(_Changed)
_ROWS: TypeAdapter[list[_Columns]] = TypeAdapter(list[_Columns])
_SERVERS: TypeAdapter[ServerMessage] = TypeAdapter(Annotated[ServerMessage, Field(discriminator="type")])


def write_message(message: object) -> bytes:
    """The encoding of a message of a shared topic; TypeError for any other.

    A message about logs has several lines, of which receivers decode some only if they need them. ``LogGrown``: the
    head; the events. ``GamesChanged``: the versions; the columns of the games' rows; the summary of each row.
    """
    match message:
        case LogGrown(recorded=recorded) if recorded:
            events = [(one.seq, one.at_ms, *write_event(one.event)) for one in recorded]
            return _lines(_head(message), events)
        case GamesChanged(listings=rows) if rows:
            columns = [_columns(row) for row in rows]
            return _lines(_versions(message), columns, *(row.summary for row in rows))
        case _:
            return write_short_message(message)


def write_short_message(message: object) -> bytes:
    """The same without events and rows, for media that send long messages in parts."""
    match message:
        case LogGrown():
            return _lines(_head(message))
        case GamesChanged():
            return _lines(_versions(message))
    if isinstance(message, ServerMessage):
        return _SERVERS.dump_json(message)
    raise TypeError(f"a {type(message).__name__} stays in its process")


def _lines(*parts: Any) -> bytes:  # noqa: ANN401 - any JSON values
    return b"\n".join(map(_JSON.dump_json, parts))


def _head(grown: LogGrown) -> _Head:
    return grown.writer, grown.game_id, grown.first, grown.version


def _versions(changed: GamesChanged) -> _Changed:
    return changed.writer, dict(changed.versions)


def _columns(row: Listing) -> _Columns:
    return (
        row.game_id,
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


def read_message(topic: str, data: bytes) -> LogGrown | GamesChanged | ServerMessage:
    """Decodes a message; ValueError if it was not written by a Plyhouse process of a compatible version."""
    if topic == SERVERS or topic.startswith(EVAL_PREFIX):
        return _SERVERS.validate_json(data)
    head, *rest = data.split(b"\n")
    if topic == LOGS:
        return GamesChanged(*_CHANGED.validate_json(head), _read_rows(rest))
    recorded = EncodedSequence(rest[0], _read_events) if rest else ()
    return LogGrown(*_HEAD.validate_json(head), recorded)


def _read_rows(lines: list[bytes]) -> tuple[Listing, ...]:
    if not lines:
        return ()
    columns, *summaries = lines
    rows = zip(_ROWS.validate_json(columns), summaries, strict=True)
    return tuple(_listing(values, EncodedObject(summary)) for values, summary in rows)


def _listing(columns: _Columns, summary: EncodedObject) -> Listing:
    game_id, game, variant, status, is_timed, has_bot, created_at, updated_at, ply, has_remote, visibility = (
        columns
    )
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
