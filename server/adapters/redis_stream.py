"""A Redis stream as the medium of messages between server processes; see ``message_relay``."""

import asyncio
import logging
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import Any, Final
from urllib.parse import urlsplit

from redis.asyncio import Redis
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.exceptions import RedisError

from server.adapters.bus_message import BusMessage, read_bus_message
from server.adapters.message_relay import BusUnreachableError, line, unreachable

log = logging.getLogger(__name__)

STREAM: Final = "plyhouse:messages"

STREAM_MESSAGES = 10_000
"""The approximate length of the stream. A process that was disconnected for longer has missed messages."""

GROUP = 500
"""How many messages are read at once."""

PAUSE_SECONDS = 0.025
"""The time between two reads. Each costs 0.3 ms of processor time, whether it brings one message or many."""

BLOCK_MS = 2000
ANSWER_SECONDS = 5.0
"""How long Redis may take to answer before it counts as unavailable; a reader blocks for less."""


class RedisStream:
    """The stream that one process reads and writes. Implements ``message_relay.Medium``."""

    def __init__(self, url: str) -> None:
        """ValueError if the URL is not a Redis URL."""
        parts = urlsplit(url)
        self.name = "Redis"
        self.place = parts.path if parts.scheme == "unix" else parts.netloc.rpartition("@")[2]
        self.faults: tuple[type[Exception], ...] = (RedisError, OSError)
        self._url = url
        self._redis = self._reader = client(url)
        self._read_up_to: bytes | None = None
        """The id of the last entry that was read."""

    @asynccontextmanager
    async def connected(self) -> AsyncIterator[None]:
        """Connects with a new client. Its reader fails when the connection breaks, instead of replacing it."""
        async with client(self._url) as self._redis, self._redis.client() as self._reader:
            yield

    async def join(self, greeting: BusMessage) -> bool:
        """Continues to read after the last entry, or from the greeting on if that entry is gone."""
        last = self._read_up_to
        is_cut = last is not None and not await self._redis.xrange(STREAM, last, last)
        if is_cut:
            self._read_up_to = None
        here: Any = await self._redis.xadd(
            STREAM, greeting.fields(), maxlen=STREAM_MESSAGES, approximate=True
        )
        self._read_up_to = self._read_up_to or here
        return is_cut

    async def send(self, messages: Sequence[BusMessage]) -> None:
        """Adds the messages to the stream."""
        async with self._redis.pipeline(transaction=False) as pipe:
            for message in messages:
                pipe.xadd(STREAM, message.fields(), maxlen=STREAM_MESSAGES, approximate=True)
            await pipe.execute()

    async def receive(self) -> AsyncIterator[BusMessage]:
        """The entries of the stream. Those of other programs are skipped."""
        while True:
            # The client's type is a union of what all its settings can lead to.
            answer: Any = await self._reader.xread(
                {STREAM: self._read_up_to or b"$"}, count=GROUP, block=BLOCK_MS
            )
            for _, entries in answer or ():
                for entry_id, fields in entries:
                    self._read_up_to = entry_id
                    try:
                        message = read_bus_message(fields)
                    except (KeyError, ValueError):
                        log.warning("the stream %s has an entry that was not written by Plyhouse", STREAM)
                    else:
                        yield message
            await asyncio.sleep(PAUSE_SECONDS)

    async def ping(self) -> None:
        """Returns once Redis has answered."""
        await self._redis.ping()


def client(url: str) -> Redis:
    """A client without retries. ValueError if the URL is not a Redis URL."""
    return Redis.from_url(
        url,
        socket_timeout=ANSWER_SECONDS,
        socket_connect_timeout=ANSWER_SECONDS,
        retry=Retry(NoBackoff(), 0),
    )


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
