"""Redis channels as the way of messages that only some server processes need; see ``redis_medium``, which owns them.

Redis passes a message on to the processes that are subscribed to its topic at that moment, and keeps nothing. What a
process misses while it subscribes or reconnects it learns from the messages of the stream.
"""

import asyncio
import logging
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from time import monotonic
from typing import Any, Final

from redis.asyncio.connection import AbstractConnection

from server.bus.connection_tasks import end_tasks
from server.bus.message import BusMessage
from server.services.cluster.changes import LOG_PREFIX

log = logging.getLogger(__name__)

PREFIX: Final = b"plyhouse:"
"""The start of the channels' names."""

UNREAD_SECONDS = 30.0
"""How long the log of a game is not published that nobody else has received. Who begins to read it in the meantime
learns from the messages to all processes that it has grown."""

SILENT_SECONDS = 2.0
"""After how long without a message Redis is asked whether it is there; after twice as long it is not."""


class RedisChannels:
    """The channels to which one process is subscribed."""

    def __init__(self) -> None:
        self._wanted: set[bytes] = set()
        self._subscribed: set[bytes] = set()
        self._unread: set[str] = set()
        """Topics of logs that no other process has received."""
        self._publish_again = 0.0
        self._is_asked = False
        """Whether Redis has been asked whether it is there, and has not answered yet."""
        self._changed: asyncio.Future[None]
        """Ends when ``_wanted`` changes."""
        self._reply: asyncio.Task[Any]
        """Ends with the next reply of Redis."""
        self._connection: AbstractConnection | None = None

    def add(self, topic: str) -> None:
        """Receives the messages of a topic from some milliseconds later on."""
        self._wanted.add(PREFIX + topic.encode())
        self._note_change()

    def remove(self, topic: str) -> None:
        """Receives them no more."""
        self._wanted.discard(PREFIX + topic.encode())
        self._note_change()

    def note_receivers(self, topic: str, count: int) -> None:
        """Notes how many processes have received a message on a topic."""
        is_read_here = PREFIX + topic.encode() in self._subscribed
        if topic.startswith(LOG_PREFIX) and count <= is_read_here:
            self._unread.add(topic)

    def is_unread(self, topic: str) -> bool:
        """Whether messages on a topic need not be published, since no other process has received the last one.

        From time to time, all topics are published again.
        """
        if monotonic() >= self._publish_again:
            self._unread.clear()
            self._publish_again = monotonic() + UNREAD_SECONDS
        return topic in self._unread

    def expect_readers(self, topic: str) -> None:
        """Publishes messages on a topic again: another process may receive them now."""
        self._unread.discard(topic)

    def _note_change(self) -> None:
        if self._connection is not None and not self._changed.done():
            self._changed.set_result(None)

    @asynccontextmanager
    async def connected(
        self, opening: AbstractAsyncContextManager[AbstractConnection]
    ) -> AsyncIterator[None]:
        """Subscribes by this connection for as long as the context lasts."""
        async with opening as connection:
            self._connection, self._subscribed, self._is_asked = connection, set(), False
            self._changed = asyncio.get_running_loop().create_future()
            self._note_change()
            self._read_next(connection)
            try:
                yield
            finally:
                self._connection = None
                await end_tasks(self._reply)

    async def receive(self) -> list[BusMessage]:
        """Waits for messages, and returns those that have arrived; perhaps none."""
        connection = self._connection
        if connection is None:
            raise ConnectionError("not connected")
        if self._changed.done():
            await self._subscribe(connection)
        await asyncio.wait(
            (self._reply, self._changed), timeout=SILENT_SECONDS, return_when=asyncio.FIRST_COMPLETED
        )
        if not self._reply.done() and not self._changed.done():
            await self._ask(connection)
        messages: list[BusMessage] = []
        while self._reply.done():
            self._is_asked = False
            messages += _messages(self._reply.result())
            self._read_next(connection)
            await asyncio.sleep(0)  # It ends at once if it has arrived.
        return messages

    def _read_next(self, connection: AbstractConnection) -> None:
        self._reply = asyncio.ensure_future(connection.read_response(disable_decoding=True))

    async def _subscribe(self, connection: AbstractConnection) -> None:
        """Tells Redis what has changed."""
        self._changed = asyncio.get_running_loop().create_future()
        wanted = set(self._wanted)
        changes = (b"SUBSCRIBE", wanted - self._subscribed), (b"UNSUBSCRIBE", self._subscribed - wanted)
        self._subscribed = wanted
        commands = [(name, *channels) for name, channels in changes if channels]
        await connection.send_packed_command(connection.pack_commands(commands), check_health=False)

    async def _ask(self, connection: AbstractConnection) -> None:
        if self._is_asked:
            raise TimeoutError("Redis does not answer")
        self._is_asked = True
        await connection.send_packed_command(connection.pack_command(b"PING"), check_health=False)


def publication(message: BusMessage) -> Sequence[Any]:
    """The command that publishes a message, whose topic must not be None."""
    return (
        b"PUBLISH",
        PREFIX + (message.topic or "").encode(),
        message.process.encode() + b"\n" + message.body,
    )


def _messages(reply: object) -> Iterator[BusMessage]:
    """The message in a reply, if there is one: Redis also confirms subscriptions."""
    if isinstance(reply, list) and reply[0] == b"message":
        _, channel, content = reply
        process, _, body = content.partition(b"\n")
        yield BusMessage(process.decode(errors="replace"), None, channel.removeprefix(PREFIX).decode(), body)
