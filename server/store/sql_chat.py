"""Reads and writes the chat of games. Called by ``sql_store``."""

import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, Select, and_, delete, insert, select

from server.store.sql_tables import ChatLineRow, GameRow

MOST_LINES = 200
"""The most messages that are stored of one channel of a game, the latest ones: spectators displace no player's."""

games = GameRow.__table__  # type: ignore[attr-defined]  # the table behind the model
lines = ChatLineRow.__table__  # type: ignore[attr-defined]  # the table behind the model


@dataclass(frozen=True, slots=True)
class KeepLine:
    """Store a message, which was written at ``at_ms`` (milliseconds since the epoch)."""

    game_id: str
    channel: str
    at_ms: int
    line: Mapping[str, Any]


def keep_line(connection: Connection, job: KeepLine) -> None:
    """Adds a message, and deletes the oldest ones of its channel if there are too many; nothing without the game."""
    if connection.execute(select(games.c.game_id).where(games.c.game_id == job.game_id)).first() is None:
        return
    place = {"game_id": job.game_id, "channel": job.channel, "at_ms": job.at_ms}
    connection.execute(insert(lines).values({**place, "line_id": secrets.token_hex(8), "line": job.line}))
    in_channel = and_(lines.c.game_id == job.game_id, lines.c.channel == job.channel)
    latest = select(lines.c.at_ms).where(in_channel).order_by(lines.c.at_ms.desc())
    first_kept = latest.limit(1).offset(MOST_LINES - 1).scalar_subquery()
    connection.execute(delete(lines).where(in_channel, lines.c.at_ms < first_kept))


def select_lines(game_id: str) -> Select[Any]:
    """The query for the messages of a game, oldest first."""
    chosen = select(lines.c.line).where(lines.c.game_id == game_id)
    return chosen.order_by(lines.c.at_ms, lines.c.line_id)
