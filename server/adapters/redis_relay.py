"""One Redis stream between the processes of a house: letters go out from a bounded backlog, others' come in.

Redis may be slow or gone: nobody waits for it. What waited too long is given up, and every reader sees by the
numbers that something is missing. Used by ``redis_bus``, which knows what the letters say.
"""

import asyncio
import logging
import secrets
from collections import deque
from collections.abc import Awaitable, Callable, Coroutine
from contextlib import suppress
from itertools import islice
from typing import Any, Final
from urllib.parse import urlsplit

from redis.asyncio import Redis
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.exceptions import RedisError

from server.adapters.letters import Arrivals, Fields, Letter, Verdict, read_letter

log = logging.getLogger(__name__)

STREAM: Final = "plyhouse:letters"

STREAM_LETTERS = 10_000
"""Letters that Redis keeps, more or less: whoever was away for longer has missed some."""

BACKLOG = 10_000
"""Letters that may wait for Redis; then all that wait are given up, and the next one shows the gap."""

GROUP = 500
"""Letters that are sent or read at once."""

BLOCK_MS = 2000
ANSWER_SECONDS = 5.0
"""How long Redis may take for an answer before it counts as gone; a reader blocks for less."""

START_SECONDS = 5.0
FLUSH_SECONDS = 1.0

FIRST_DELAY, LAST_DELAY = 0.1, 5.0
"""Seconds between attempts to connect."""


class RedisUnreachableError(Exception):
    """Redis cannot be used; the text is one line for the operator."""


class Relay:
    """The letters of one process. ``take`` receives those of the others, ``miss`` is called for gaps."""

    def __init__(
        self, url: str, take: Callable[[Letter], Awaitable[None]], miss: Callable[[], object]
    ) -> None:
        self._url = url
        self._take = take
        self._miss = miss
        self._process = secrets.token_hex(8)
        self._arrivals = Arrivals(self._process)
        self._backlog: deque[Letter] = deque()
        self._number = 0
        self._read_up_to: bytes | None = None
        """The id of the last entry that was read."""
        self._to_send = asyncio.Event()
        self._joined = asyncio.Event()
        self._task: asyncio.Task[None] | None = None
        self.trouble: str | None = "not connected yet"
        """Why Redis is not there; None while it is."""
        self.sent = self.received = self.lost = self.gaps = 0
        """Letters since the start: own ones sent, others' read, own ones given up; and gaps in the others'."""

    @property
    def waiting(self) -> int:
        """Letters that wait for Redis."""
        return len(self._backlog)

    def send(self, topic: str, body: bytes) -> None:
        """Sends when it can; never waits."""
        if len(self._backlog) >= BACKLOG:
            self.lost += len(self._backlog)
            self._backlog.clear()
        self._number += 1
        self._backlog.append(Letter(self._process, self._number, topic, body))
        self._to_send.set()

    async def start(self) -> None:
        """Returns once it is connected and reads everything from now on; RedisUnreachableError."""
        self._task = asyncio.ensure_future(self._keep_connected())
        try:
            async with asyncio.timeout(START_SECONDS):
                await self._joined.wait()
        except TimeoutError:
            await self.stop()
            raise RedisUnreachableError(unreachable(self._url, self.trouble or "no answer")) from None

    async def stop(self) -> None:
        """Disconnects; what still waits is sent, if Redis takes it soon."""
        if self._task is None:
            return
        self._task.cancel()
        await asyncio.gather(self._task, return_exceptions=True)
        with suppress(RedisError, OSError):
            async with asyncio.timeout(FLUSH_SECONDS), connect(self._url) as redis:
                while self._backlog:
                    await self._send_some(redis)

    # ---- the connection --------------------------------------------------------------------------

    async def _keep_connected(self) -> None:
        delay = FIRST_DELAY
        while True:
            try:
                async with connect(self._url) as redis:
                    await self._join(redis)
                    delay = FIRST_DELAY
                    await _until_one_fails(self._read_all(redis), self._send_all(redis))
            except (RedisError, OSError) as error:
                self._note_gone(error)
            except Exception as defect:
                log.exception("the relay between processes")
                self._note_gone(defect)
            await asyncio.sleep(delay)
            delay = min(2 * delay, LAST_DELAY)

    async def _join(self, redis: Redis) -> None:
        """Greets, and goes on reading where it stopped, or from the greeting on where that place is no more.

        Whoever never heard of another process can have missed nothing: a greeting tells it otherwise.
        """
        last = self._read_up_to
        if last is not None and not await redis.xrange(STREAM, last, last):
            self._read_up_to = None
            if self._arrivals.knows_others:
                self._note_gap()
        greeting = Letter(self._process, self._backlog[0].number - 1 if self._backlog else self._number)
        here: Any = await redis.xadd(STREAM, greeting.fields(), maxlen=STREAM_LETTERS, approximate=True)
        self._read_up_to = self._read_up_to or here
        if self._joined.is_set():
            log.info("Redis is back")
        self.trouble = None
        self._joined.set()

    def _note_gone(self, error: Exception) -> None:
        reason = _line(error)
        if self.trouble is None:
            log.warning("Redis is gone: %s. Games go on; other processes are told when it is back.", reason)
        self.trouble = reason

    # ---- letters out -----------------------------------------------------------------------------

    async def _send_all(self, redis: Redis) -> None:
        while True:
            while self._backlog:
                await self._send_some(redis)
            self._to_send.clear()
            await self._to_send.wait()

    async def _send_some(self, redis: Redis) -> None:
        """They leave the backlog when Redis has taken them, unless they were given up by then."""
        letters = tuple(islice(self._backlog, GROUP))
        async with redis.pipeline(transaction=False) as pipe:
            for letter in letters:
                pipe.xadd(STREAM, letter.fields(), maxlen=STREAM_LETTERS, approximate=True)
            await pipe.execute()
        while self._backlog and self._backlog[0].number <= letters[-1].number:
            self._backlog.popleft()
            self.sent += 1

    # ---- letters in ------------------------------------------------------------------------------

    async def _read_all(self, redis: Redis) -> None:
        while True:
            # The client's type is a union of what all its settings can lead to.
            answer: Any = await redis.xread({STREAM: self._read_up_to or b"$"}, count=GROUP, block=BLOCK_MS)
            for _, entries in answer or ():
                for entry_id, fields in entries:
                    self._read_up_to = entry_id
                    await self._read(fields)

    async def _read(self, fields: Fields) -> None:
        try:
            letter = read_letter(fields)
        except (KeyError, ValueError):
            log.warning("an entry of the stream %s is none of ours", STREAM)
            return
        verdict = self._arrivals.enter(letter)
        if verdict is Verdict.AFTER_GAP:
            self._note_gap()
        if verdict in (Verdict.NEXT, Verdict.AFTER_GAP) and letter.topic is not None:
            self.received += 1
            await self._take(letter)

    def _note_gap(self) -> None:
        self.gaps += 1
        self._miss()


def connect(url: str) -> Redis:
    """A client that tries once; ValueError when the URL is none of Redis."""
    return Redis.from_url(
        url,
        socket_timeout=ANSWER_SECONDS,
        socket_connect_timeout=ANSWER_SECONDS,
        retry=Retry(NoBackoff(), 0),
    )


async def check(url: str) -> None:
    """Whether Redis answers at all; RedisUnreachableError."""
    try:
        async with connect(url) as redis:
            await redis.ping()
    except ValueError:
        raise RedisUnreachableError(
            "a Redis URL looks like redis://host:6379 or unix:///redis.sock"
        ) from None
    except (RedisError, OSError) as error:
        raise RedisUnreachableError(unreachable(url, _line(error))) from None


def unreachable(url: str, why: str) -> str:
    """The line for the operator, without the password in the URL."""
    parts = urlsplit(url)
    place = parts.path if parts.scheme == "unix" else parts.netloc.rpartition("@")[2]
    return f"Redis at {place} cannot be used: {why}"


def _line(error: Exception) -> str:
    return (str(error) or type(error).__name__).splitlines()[0]


async def _until_one_fails(*works: Coroutine[Any, Any, None]) -> None:
    tasks = [asyncio.ensure_future(work) for work in works]
    try:
        await asyncio.gather(*tasks)
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
