"""Postgres' notifications as the medium of messages between server processes; see ``message_relay``.

Postgres keeps nothing for processes that are not connected. A notification has less than 8000 bytes; longer messages
are sent in parts.
"""

import asyncio
import json
import logging
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Any, Final

from psycopg import AsyncConnection, Error
from sqlalchemy.engine import make_url

from server.bus.medium import Receive
from server.bus.message import BusMessage
from server.store.postgres_limits import limits

log = logging.getLogger(__name__)

CHANNEL: Final = "plyhouse"
NOTIFY: Final = (
    "SELECT pg_notify('plyhouse', text) FROM unnest(%s::text[]) WITH ORDINALITY AS m(text, n) ORDER BY n"
)

PART: Final = 1900
"""The most characters of a body in one notification. Written as JSON, each has at most four bytes."""

ANSWER_SECONDS = 5.0
"""How long Postgres may take to answer before it counts as unavailable."""


class PostgresNotices:
    """The notifications that one process sends and receives. Implements ``medium.Medium``."""

    def __init__(self, url: str) -> None:
        """``url``: the database's, as SQLAlchemy reads it."""
        target = make_url(url).set(drivername="postgresql")
        self.name = "Postgres"
        self.address = target.render_as_string()
        self.faults: tuple[type[Exception], ...] = (Error, OSError)
        self.receivers: Sequence[Receive] = (self.receive,)
        self._url = target.render_as_string(hide_password=False)
        self._limits = limits(target)
        self._has_joined = False
        self._begun: dict[str, tuple[int | None, str]] = {}
        """By process: the number of a message of which parts are missing, and its body so far."""
        self._hearing: AsyncConnection[Any]
        self._sending: AsyncConnection[Any]

    @asynccontextmanager
    async def connected(self) -> AsyncIterator[None]:
        """Connects twice, since a connection that waits for notifications cannot send any."""
        async with await self._connect() as self._hearing, await self._connect() as self._sending:
            yield

    async def join(self, greeting: BusMessage) -> bool:
        """Begins to listen. What others have sent since the last connection is missed."""
        async with asyncio.timeout(ANSWER_SECONDS):
            await self._hearing.execute(f"LISTEN {CHANNEL}")
        self._begun.clear()
        await self.send([greeting])
        was_away, self._has_joined = self._has_joined, True
        return was_away

    async def send(self, messages: Sequence[BusMessage]) -> None:
        """Notifies everyone of all messages in one statement."""
        async with asyncio.timeout(ANSWER_SECONDS):
            await self._sending.execute(NOTIFY, [[part for message in messages for part in _parts(message)]])

    async def receive(self) -> list[BusMessage]:
        """The notifications of one packet or more. Those of other programs are skipped."""
        read = [self._read(notice.payload) async for notice in self._hearing.notifies(stop_after=1)]
        return [message for message in read if message is not None]

    def _read(self, payload: str) -> BusMessage | None:
        try:
            process, number, topic, body, left = json.loads(payload)
            return self._joined(
                BusMessage(str(process), None if number is None else int(number), topic), body, left
            )
        except (ValueError, TypeError):
            log.warning("the channel %s has a message that was not written by Plyhouse", CHANNEL)
            return None

    def _joined(self, head: BusMessage, part: str, left: int) -> BusMessage | None:
        """Returns the message with its whole body; None if ``left`` more parts follow."""
        number, before = self._begun.pop(head.process, (head.number, ""))
        body = (before if number == head.number else "") + part
        if left == 0:
            return replace(head, body=body.encode())
        self._begun[head.process] = (head.number, body)
        return None

    async def _connect(self) -> AsyncConnection[Any]:
        return await AsyncConnection.connect(self._url, autocommit=True, **self._limits)


def _parts(message: BusMessage) -> list[str]:
    """The notifications with a message. Each says how many follow; Postgres drops equal ones of a transaction."""
    body = message.body.decode()
    parts = [body[start : start + PART] for start in range(0, len(body), PART)] or [""]
    head = message.process, message.number, message.topic
    return [
        json.dumps([*head, part, left], ensure_ascii=False)
        for part, left in zip(parts, reversed(range(len(parts))), strict=True)
    ]
