"""Writes ended games to an archive and restores them: gzip-compressed JSON lines, a header and then one game a line.

A game has the members of its listing; ``events``, each a list of time, kind and members; and ``tokens``, each a list of
hash and seat. Called by commands.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields
from itertools import groupby
from typing import Any, Final

from pydantic import TypeAdapter, ValidationError
from pydantic_core import from_json, to_json
from sqlalchemy import Connection, Text, cast, select

from server.domain.event_codec import read_event
from server.domain.events import Created, Recorded
from server.ports.store import Append, Listing, TokenHash
from server.store.ended_games import LIVE
from server.store.sql_counts import Changes
from server.store.sql_logs import Logs
from server.store.sql_tables import EventRow, GameRow, TokenRow

HEADER: Final = b'{"format":"plyhouse-games","version":1}\n'

games = GameRow.__table__  # type: ignore[attr-defined]  # the table behind the model
events = EventRow.__table__  # type: ignore[attr-defined]  # the table behind the model
tokens = TokenRow.__table__  # type: ignore[attr-defined]  # the table behind the model


class ArchiveError(ValueError):
    """A line of an archive cannot be read; the text says why."""


@dataclass(frozen=True, slots=True)
class _ArchivedGame:
    """A game of an archive, as JSON values."""

    events: list[tuple[int, str, dict[str, Any]]]
    tokens: list[tuple[str, int]]


_LISTING: Final = TypeAdapter(Listing)
_LINE: Final = TypeAdapter(_ArchivedGame)


def archive_lines(connection: Connection, found: Sequence[Listing]) -> Iterator[bytes]:
    """The lines of these games, in order."""
    ids = [listing.game_id for listing in found]
    columns = events.c.game_id, events.c.at_ms, events.c.kind, cast(events.c.data, Text)
    logs = select(*columns).where(events.c.game_id.in_(ids)).order_by(events.c.game_id, events.c.seq)
    log_of = {
        game_id: b",".join(
            b"[%d,%s,%s]" % (at_ms, to_json(kind), data.encode()) for _, at_ms, kind, data in rows
        )
        for game_id, rows in groupby(connection.execute(logs), lambda row: str(row[0]))
    }
    hashes: dict[str, list[tuple[str, int]]] = {game_id: [] for game_id in ids}
    given = select(tokens.c.game_id, tokens.c.digest, tokens.c.seat).where(tokens.c.game_id.in_(ids))
    for game_id, digest, seat in connection.execute(given.order_by(tokens.c.game_id, tokens.c.digest)):
        hashes[game_id].append((digest, seat))
    for listing in found:
        members = to_json(listing)[:-1]
        log, token_list = log_of.get(listing.game_id, b""), to_json(hashes[listing.game_id])
        yield b'%s,"events":[%s],"tokens":%s}\n' % (members, log, token_list)


def read_line(line: bytes) -> Append:
    """The creation of the game in a line. ArchiveError if it is not an ended game with a readable log."""
    try:
        value = from_json(line)
        rest = _LINE.validate_python({name: value[name] for name in ("events", "tokens")})
        listing = _LISTING.validate_python({one.name: value[one.name] for one in fields(Listing)})
        log = tuple(
            Recorded(seq, at_ms, read_event(kind, data))
            for seq, (at_ms, kind, data) in enumerate(rest.events, start=1)
        )
    except ValidationError as error:
        first = error.errors()[0]
        raise ArchiveError(f"{'.'.join(map(str, first['loc']))}: {first['msg']}") from None
    except KeyError as error:
        raise ArchiveError(f"unknown event or missing member: {error}") from None
    except (ValueError, TypeError) as error:
        raise ArchiveError(f"not a game: {error}") from None
    if listing.status in LIVE or not log or not isinstance(log[0].event, Created):
        raise ArchiveError("not a game that has ended")
    hashes = tuple(TokenHash(digest, seat) for digest, seat in rest.tokens)
    return Append(listing.game_id, 0, log, listing, hashes)


def restore(connection: Connection, logs: Logs, restored: Sequence[Append], counts: Changes) -> int:
    """Adds the games that the database does not have; returns their number. ``counts`` as for ``Logs.append``."""
    ids = [game.game_id for game in restored]
    known = set(connection.scalars(select(games.c.game_id).where(games.c.game_id.in_(ids))))
    added = {game.game_id: game for game in restored if game.game_id not in known}
    for game in added.values():
        logs.append(connection, game, counts)
    return len(added)
