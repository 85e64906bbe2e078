"""A Redis stream as the medium of messages between server processes; see ``message_relay``."""

import asyncio
import logging
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from itertools import chain
from typing import Any, Final
from urllib.parse import urlsplit

from redis.asyncio import ConnectionPool
from redis.asyncio.connection import AbstractConnection
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.exceptions import RedisError

from server.bus.connection_tasks import line
from server.bus.medium import BusUnreachableError, Receive, unreachable
from server.bus.message import BusMessage, read_bus_message
from server.bus.redis_channels import RedisChannels, publication

log = logging.getLogger(__name__)

STREAM: Final = "plyhouse:messages"

STREAM_MESSAGES = 10_000
"""The approximate length of the stream. A process that was disconnected for longer has missed messages."""

GROUP = 500
"""How many messages are read at once."""

BLOCK_MS = 2000
ANSWER_SECONDS = 5.0
"""How long Redis may take to answer before it counts as unavailable; a reader blocks for less."""


class RedisStream:
    """The stream that one process reads and writes. Implements ``medium.Medium``."""

    def __init__(self, url: str) -> None:
        """ValueError if the URL is not a Redis URL."""
        parts = urlsplit(url)
        self.name = "Redis"
        self.address = parts.path if parts.scheme == "unix" else parts.netloc.rpartition("@")[2]
        self.faults: tuple[type[Exception], ...] = (RedisError, OSError)
        self._connections = ConnectionPool.from_url(
            url,
            socket_timeout=None,  # ``_connection`` and ``_answers`` have timeouts for all of it.
            retry=Retry(NoBackoff(), 0),
            protocol=2,
        )
        self.channels = RedisChannels()
        self.receivers: Sequence[Receive] = self.receive, self.channels.receive
        self._writer: AbstractConnection
        self._reader: AbstractConnection
        self._read_up_to: bytes | None = None
        """The id of the last entry that was read."""

    @asynccontextmanager
    async def connected(self) -> AsyncIterator[None]:
        """Connects three times, since a connection that waits for entries or is subscribed can do nothing else."""
        async with (
            self._connection() as self._writer,
            self._connection() as self._reader,
            self.channels.connected(self._connection()),
        ):
            yield

    @asynccontextmanager
    async def _connection(self) -> AsyncIterator[AbstractConnection]:
        """A connection of its own. With the client's commands, each message would take three times as long."""
        connection = self._connections.make_connection()  # type: ignore[no-untyped-call]  # has no annotation
        try:
            async with asyncio.timeout(ANSWER_SECONDS):
                await connection.connect()
            yield connection
        finally:
            await connection.disconnect(nowait=True)

    async def join(self, greeting: BusMessage) -> bool:
        """Continues to read after the last entry, or from the greeting on if that entry is gone."""
        last = self._read_up_to
        is_cut = last is not None and await _answers(self._writer, (b"XRANGE", STREAM, last, last)) == [[]]
        if is_cut:
            self._read_up_to = None
        (here,) = await _answers(self._writer, _addition(greeting))
        self._read_up_to = self._read_up_to or here
        return is_cut

    async def send(self, messages: Sequence[BusMessage]) -> None:
        """Adds the numbered messages to the stream, and publishes the others."""
        commands = (
            publication(message) if message.number is None else _addition(message) for message in messages
        )
        answers = await _answers(self._writer, *commands)
        for message, answer in zip(messages, answers, strict=True):
            if message.number is None and message.topic is not None:
                self.channels.note_receivers(message.topic, answer)

    async def receive(self) -> list[BusMessage]:
        """The next entries of the stream. Those of other programs are skipped."""
        after = self._read_up_to or b"$"
        reading = b"XREAD", b"COUNT", GROUP, b"BLOCK", BLOCK_MS, b"STREAMS", STREAM, after
        (found,) = await _answers(self._reader, reading)
        messages = []
        for _, entries in found or ():
            for entry_id, fields in entries:
                self._read_up_to = entry_id
                try:
                    messages.append(read_bus_message(dict(zip(fields[::2], fields[1::2], strict=True))))
                except (KeyError, ValueError):
                    log.warning("the stream %s has an entry that was not written by Plyhouse", STREAM)
        return messages

    async def ping(self) -> None:
        """Returns once Redis has answered."""
        await _answers(self._writer, (b"PING",))


def _addition(message: BusMessage) -> Sequence[Any]:
    fields = chain.from_iterable(message.fields().items())
    return b"XADD", STREAM, b"MAXLEN", b"~", STREAM_MESSAGES, b"*", *fields


async def _answers(connection: AbstractConnection, *commands: Sequence[Any]) -> list[Any]:
    """Sends commands together and returns their answers. After a RedisError or TimeoutError the connection is lost."""
    async with asyncio.timeout(ANSWER_SECONDS):
        await connection.send_packed_command(connection.pack_commands(commands), check_health=False)
        return [await connection.read_response(disable_decoding=True) for _ in commands]


async def check(url: str) -> None:
    """Checks that Redis answers. Raises BusUnreachableError."""
    try:
        stream = RedisStream(url)
    except ValueError:
        raise BusUnreachableError("a Redis URL looks like redis://host:6379 or unix:///redis.sock") from None
    try:
        async with stream.connected():
            await stream.ping()
    except (RedisError, OSError) as error:
        raise unreachable(stream, line(error)) from None
