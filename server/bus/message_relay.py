"""The relay of messages between server processes: a bounded backlog, numbers that reveal gaps, and reconnection.

Nothing waits for the medium that carries the messages, which may be slow or unavailable. A full backlog is dropped, and
readers detect the gap by the numbers of the messages. Used by ``shared_bus``, which knows their content.
"""

import asyncio
import logging
import secrets
from collections import deque
from collections.abc import Awaitable, Callable, Coroutine, Iterator
from contextlib import suppress
from itertools import islice
from typing import Any

from protocols.reconnecting import Pauses
from server.bus.connection_tasks import end_tasks, line, until_one_fails
from server.bus.medium import Medium, Receive, unreachable
from server.bus.message import BusMessage, MessageStatus, SequenceNumbers
from server.domain.token_bucket import MessageLimits, TokenBucket

log = logging.getLogger(__name__)

BACKLOG = 10_000
"""The most messages that may wait for the medium. Beyond that all are dropped, and the next one reveals the gap."""

GROUP = 500
"""How many messages are sent at once."""

SENDINGS, READINGS = MessageLimits(50, burst=100), MessageLimits(40, burst=100)
"""How often messages are sent, and read. Each time costs as much for many messages as for one."""

START_SECONDS = 5.0
FLUSH_SECONDS = 1.0
STOP_SECONDS = 1.0
"""The pause between cancellations of the task that waits for the senders and readers."""

FIRST_PAUSE, LONGEST_PAUSE = 0.1, 5.0
"""Seconds between attempts to connect."""


NEW = MessageStatus.NEXT, MessageStatus.AFTER_GAP, MessageStatus.UNNUMBERED


class MessageRelay:
    """The messages of one process. ``take`` is called with those of others, ``miss`` when a gap is detected."""

    def __init__(
        self,
        medium: Medium,
        take: Callable[[BusMessage], Awaitable[None]],
        miss: Callable[[], object],
        on_return: Callable[[], object],
    ) -> None:
        """``miss`` is called after a gap, ``on_return`` whenever the medium is back."""
        self._medium = medium
        self._take = take
        self._miss = miss
        self._on_return = on_return
        self._process = secrets.token_hex(8)
        self._numbers = SequenceNumbers(self._process)
        self._backlog: deque[BusMessage] = deque()
        self._number = 0
        self._to_send = asyncio.Event()
        self._joined = asyncio.Event()
        self._task: asyncio.Task[None] | None = None
        self.is_alone = False
        """Whether there is no other process. Nothing is sent then; see ``rest``."""
        self.trouble: str | None = "not connected yet"
        """Why the medium is unavailable; None if it is available."""
        self.sent = self.received = self.lost = self.gaps = 0
        """Counts since the start: own messages sent, others' read, own ones dropped, and gaps in others'."""

    @property
    def waiting(self) -> int:
        """The number of messages waiting to be sent."""
        return len(self._backlog)

    def send(self, topic: str, body: bytes, *, is_numbered: bool) -> None:
        """Queues a message, unless there is nobody else; never waits."""
        if self.is_alone:
            return
        if len(self._backlog) >= BACKLOG:
            self.lost += len(self._backlog)
            self._backlog.clear()
        self._number += is_numbered
        number = self._number if is_numbered else None
        self._backlog.append(BusMessage(self._process, number, topic, body))
        self._to_send.set()

    def rest(self) -> None:
        """Sends nothing from now on, since there is no other process. ``wake``, or a message of one, ends this."""
        self.is_alone = True

    def wake(self) -> None:
        """Sends again. A greeting tells processes that came in the meantime that they have missed something."""
        if self.is_alone:
            self.is_alone = False
            self._number += 1
            self._backlog.append(BusMessage(self._process, self._number))
            self._to_send.set()

    async def start(self) -> None:
        """Connects, and reads all messages from then on; BusUnreachableError if that takes too long."""
        self._task = asyncio.ensure_future(self._keep_connected())
        try:
            async with asyncio.timeout(START_SECONDS):
                await self._joined.wait()
        except TimeoutError:
            await self.stop()
            raise unreachable(self._medium, self.trouble or "no answer") from None

    async def stop(self) -> None:
        """Disconnects, after trying for a short time to send what is waiting."""
        if self._task is None:
            return
        await end_tasks(self._task, pause=STOP_SECONDS)
        if not self._backlog:
            return
        with suppress(*self._medium.faults, TimeoutError):
            async with asyncio.timeout(FLUSH_SECONDS), self._medium.connected():
                while self._backlog:
                    await self._send_some()

    # ---- the connection --------------------------------------------------------------------------

    async def _keep_connected(self) -> None:
        pauses = Pauses(FIRST_PAUSE, LONGEST_PAUSE)
        while True:
            try:
                async with self._medium.connected():
                    await self._join()
                    pauses.restart()
                    await until_one_fails(self._send_all(), *self._readers())
            except self._medium.faults as error:
                self._note_gone(error)
            except Exception as defect:
                log.exception("the relay between processes")
                self._note_gone(defect)
            await asyncio.sleep(pauses.next())

    async def _join(self) -> None:
        """Sends a greeting. A process that has never seen another one cannot have missed messages of it.

        Otherwise the greeting reveals it.
        """
        waiting = (message.number for message in self._backlog if message.number is not None)
        greeting = BusMessage(self._process, next(waiting, self._number + 1) - 1)
        if await self._medium.join(greeting) and self._numbers.knows_others:
            self._numbers.skip()
            self._note_gap()
        if self._joined.is_set():
            log.info("%s is back", self._medium.name)
            self._on_return()
        self.trouble = None
        self._joined.set()

    def _note_gone(self, error: Exception) -> None:
        reason = line(error)
        if self.trouble is None:
            log.warning(
                "%s is unavailable: %s. Games continue; other processes catch up when it is back.",
                self._medium.name,
                reason,
            )
        self.trouble = reason

    # ---- messages --------------------------------------------------------------------------------

    async def _send_all(self) -> None:
        """Sends a message at once after quiet times, and otherwise together with those that follow it soon."""
        now = asyncio.get_running_loop().time
        sendings = TokenBucket(SENDINGS, now())
        while True:
            while self._backlog:
                await self._send_some()
                await asyncio.sleep(sendings.take(now()))
            self._to_send.clear()
            await self._to_send.wait()

    async def _send_some(self) -> None:
        """Sends some messages. They are removed from the backlog once the medium has accepted them."""
        messages = tuple(islice(self._backlog, GROUP))
        await self._medium.send(messages)
        for message in messages:
            if self._backlog and self._backlog[0] is message:  # It may have been dropped in the meantime.
                self._backlog.popleft()
                self.sent += 1

    def _readers(self) -> Iterator[Coroutine[Any, Any, None]]:
        return map(self._read_all, self._medium.receivers)

    async def _read_all(self, receive: Receive) -> None:
        """Reads messages as they come. Those that are only our own do not count: each of our sendings comes back."""
        now = asyncio.get_running_loop().time
        readings = TokenBucket(READINGS, now())
        while True:
            statuses = [await self._read(message) for message in await receive()]
            if any(status is not MessageStatus.OWN for status in statuses):
                await asyncio.sleep(readings.take(now()))

    async def _read(self, message: BusMessage) -> MessageStatus:
        status = self._numbers.enter(message)
        if status is not MessageStatus.OWN:
            self.wake()
        if status is MessageStatus.AFTER_GAP:
            log.warning("messages of another server have not arrived; what they were about is read again")
        if status in (MessageStatus.AFTER_GAP, MessageStatus.AFTER_SILENCE):
            self._note_gap()
        if status in NEW and message.topic is not None:
            self.received += 1
            await self._take(message)
        return status

    def _note_gap(self) -> None:
        self.gaps += 1
        self._miss()
