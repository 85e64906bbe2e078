"""The connection to Redis of one server or worker: its presence, the stream it reads, and messages to other streams.

The same for both; ``worker_analyst`` has the server's end and ``worker`` the worker's. After any failure it starts
again under a new id, and both ends begin from nothing: sessions are rebuilt from the jobs, which are complete.
"""

import asyncio
import logging
import secrets
from collections.abc import Sequence
from contextlib import suppress
from typing import Any, Final, Generic, Protocol, TypeVar

from redis.asyncio import Redis
from redis.asyncio.client import Pipeline
from redis.exceptions import RedisError

from server.analysts.worker_messages import (
    Message,
    UnreadableMessageError,
    presence_of,
    read_message,
    stream_of,
    write_message,
)
from server.bus.connection_tasks import end_tasks, line, until_one_fails
from server.bus.redis_stream import BLOCK_MS, client

log = logging.getLogger(__name__)

T_contra = TypeVar("T_contra", contravariant=True)
T = TypeVar("T")

MAX_WAITING: Final = 10_000
"""The most messages that may wait to be sent; with more, the connection starts again."""

STREAM_MESSAGES: Final = 10_000
"""The approximate maximum length of a stream. Its reader removes what it has read."""

STREAM_SECONDS: Final = 600
"""A stream that gets no messages for so long is removed."""

GROUP: Final = 16
"""How many messages are read at once."""

BEAT_SECONDS: Final = 1.0
BEATS: Final = 5
"""A process renews its presence every ``BEAT_SECONDS``, and at least so many times before it expires."""

STOP_SECONDS: Final = 1.0
FIRST_DELAY, LAST_DELAY = 0.1, 5.0
"""Seconds between attempts to connect."""

FAULTS: Final = (RedisError, OSError)


class PresenceLostError(Exception):
    """Other processes may have counted this one as dead, or Redis has lost its data."""


class End(Protocol[T_contra]):
    """One end of the connection."""

    def announcement(self) -> bytes:
        """The content of the presence key."""
        ...

    async def beat(self, redis: Redis) -> None:
        """Called after every renewal of the presence, for what the end itself renews and reads."""
        ...

    async def deliver(self, redis: Redis, items: Sequence[T_contra]) -> None:
        """Sends these items, in this order."""
        ...

    async def receive(self, message: Message) -> None:
        """Called for every message from the stream."""
        ...

    def lost(self, reason: str) -> None:
        """Called after every failure. Items that were not delivered are dropped."""
        ...


class WorkerConnection(Generic[T]):
    """The connection of one process. ``lease``: seconds after which others count it as dead if it does not beat."""

    def __init__(self, url: str, name: str, lease: float, end: End[T]) -> None:
        self.id = ""
        """The id of this process; a new one for each connection."""
        self._url = url
        self._name = name
        self._lease = lease
        self._end = end
        self._waiting: asyncio.Queue[T] = asyncio.Queue()
        self._task: asyncio.Task[None] | None = None
        self._has_failed = False
        self.joined = asyncio.Event()
        """Set while the process is connected and has read who else is."""

    @property
    def lease_ms(self) -> int:
        """The lease in milliseconds, as keys need it."""
        return round(self._lease * 1000)

    def start(self) -> None:
        """Connects, and reconnects after every failure."""
        self._task = asyncio.ensure_future(self._keep_connected())

    async def stop(self) -> None:
        """Disconnects and removes the presence."""
        if self._task is None:
            return
        await end_tasks(self._task, pause=STOP_SECONDS)
        with suppress(*FAULTS, TimeoutError):
            async with asyncio.timeout(STOP_SECONDS), client(self._url) as redis:
                await redis.delete(presence_of(self.id), stream_of(self.id))

    def send(self, item: T) -> None:
        """Queues an item for ``End.deliver``; never waits. If too many wait, the connection starts again."""
        if self._waiting.qsize() <= MAX_WAITING:
            self._waiting.put_nowait(item)

    async def _keep_connected(self) -> None:
        delay = FIRST_DELAY
        while True:
            self.id = f"{self._name}-{secrets.token_hex(4)}"
            self._waiting = asyncio.Queue()
            try:
                async with client(self._url) as redis:
                    await redis.set(presence_of(self.id), self._end.announcement(), px=self.lease_ms)
                    await until_one_fails(self._beat(redis), self._read(redis), self._deliver(redis))
            except (*FAULTS, PresenceLostError) as error:
                reason = line(error)
            except Exception as defect:
                log.exception("the connection between servers and workers")
                reason = line(defect)
            self._note_loss(reason)
            delay = FIRST_DELAY if self.joined.is_set() else min(2 * delay, LAST_DELAY)
            self.joined.clear()
            self._end.lost(reason)
            await asyncio.sleep(delay)

    def _note_loss(self, reason: str) -> None:
        """Logs the first failure after a success, or since the start."""
        if self.joined.is_set() or not self._has_failed:
            log.warning("servers and workers are disconnected: %s. Servers search themselves.", reason)
        self._has_failed = True

    async def _beat(self, redis: Redis) -> None:
        while True:
            text = self._end.announcement()
            if not await redis.set(presence_of(self.id), text, px=self.lease_ms, xx=True):
                raise PresenceLostError("Redis no longer has the key of this process")
            await self._end.beat(redis)
            self.joined.set()
            await asyncio.sleep(min(BEAT_SECONDS, self._lease / BEATS))

    async def _read(self, redis: Redis) -> None:
        own = stream_of(self.id)
        while True:
            # The client's type is a union of what all its settings can lead to.
            answer: Any = await redis.xread({own: b"0"}, count=GROUP, block=BLOCK_MS)
            for _, entries in answer or ():
                await redis.xdel(own, *(entry_id for entry_id, _ in entries))
                for _, fields in entries:
                    await self._receive(fields)

    async def _receive(self, fields: dict[bytes, bytes]) -> None:
        try:
            message = read_message(fields.get(b"m", b""))
        except UnreadableMessageError as error:
            log.warning("a message between servers and workers cannot be read: %s", error)
        else:
            await self._end.receive(message)

    async def _deliver(self, redis: Redis) -> None:
        while True:
            items = [await self._waiting.get()]
            while not self._waiting.empty() and len(items) < GROUP:
                items.append(self._waiting.get_nowait())
            if self._waiting.qsize() >= MAX_WAITING:
                raise PresenceLostError(f"{MAX_WAITING} messages were waiting")
            await self._end.deliver(redis, items)


def add(pipe: Pipeline, process: str, message: Message | bytes) -> None:
    """Adds a message to the stream of a process."""
    text = message if isinstance(message, bytes) else write_message(message)
    pipe.xadd(stream_of(process), {b"m": text}, maxlen=STREAM_MESSAGES, approximate=True)
    pipe.expire(stream_of(process), STREAM_SECONDS)
