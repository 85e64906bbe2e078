"""One run of a program that is checked: everything that is said is noted, and waiting for an answer has a limit."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Generic, Protocol, TypeVar, runtime_checkable

from programs.check.findings import Said, Speaker, WrongAnswer

Out = TypeVar("Out")
In = TypeVar("In")
Sent = TypeVar("Sent", contravariant=True)
Received = TypeVar("Received", covariant=True)

MOST_UNASKED = 10_000
"""How much a program may say between two things that it is told."""

MOST_WAITING = 1024
"""How much of it is read ahead; beyond it, the program blocks."""

MOST_SHOWN, MOST_NOTES = 12, 6
"""What a wrong row shows of what was said, and of the program's stderr: the last lines of each."""


class ProgramChannel(Protocol[Sent, Received]):
    """The connection with a program: its stdio, a socket, or an object of a test."""

    def lines(self) -> AsyncIterator[Received]:
        """What it says, until it has gone."""
        ...

    async def send(self, message: Sent, /) -> None:
        """Says something to it. If it has gone, ``lines`` ends."""
        ...

    async def ending(self) -> str:
        """How it has ended, such as ``exit status 3``."""
        ...

    async def close(self) -> None:
        """Ends it, or the connection with it."""
        ...


@runtime_checkable
class ProcessChannel(Protocol):
    """What only a process that we have started can be told."""

    def end_input(self) -> None:
        """Closes its stdin."""
        ...

    def interrupt(self) -> None:
        """Sends it an interrupt."""
        ...


Launch = Callable[[Callable[[str], None]], Awaitable[ProgramChannel[Out, In]]]
"""Starts the program; the argument takes the lines of its stderr. Raises OSError."""


class ProgramEnded(WrongAnswer):
    """The program has exited, crashed or closed its connection."""


class NoAnswer(WrongAnswer):
    """The program has said nothing in time."""


class Conversation(Generic[Out, In]):
    """The program while it runs. ``said`` has what was said; ``show_sent`` and ``show_received`` write it as text."""

    def __init__(
        self, said: list[Said], show_sent: Callable[[Out], str], show_received: Callable[[In], str]
    ) -> None:
        self._said = said
        self._show_sent, self._show_received = show_sent, show_received
        self._channel: ProgramChannel[Out, In] | None = None
        self._arrived: asyncio.Queue[In | None] = asyncio.Queue(MOST_WAITING)
        self._unasked = 0
        self._reader: asyncio.Task[None] | None = None

    async def open(self, launch: Launch[Out, In]) -> None:
        """Starts the program. Raises OSError."""
        await self.change(await launch(self._note))

    async def change(self, channel: ProgramChannel[Out, In]) -> None:
        """Goes on over another connection; what has arrived over the one before is forgotten."""
        await self._stop_reading()
        self._channel, self._arrived = channel, asyncio.Queue(MOST_WAITING)
        self._reader = asyncio.ensure_future(self._read(channel, self._arrived))

    @property
    def channel(self) -> ProgramChannel[Out, In]:
        """The connection."""
        if self._channel is None:
            raise ProgramEnded("The program is not running.")
        return self._channel

    async def say(self, message: Out) -> None:
        """Sends something, and notes it."""
        self._unasked = 0
        self._said.append(Said(Speaker.US, self._show_sent(message)))
        await self.channel.send(message)

    async def hear(self, seconds: float) -> In:
        """The next thing that the program says. Raises NoAnswer, ProgramEnded or WrongAnswer."""
        try:
            async with asyncio.timeout(seconds):
                message = await self._arrived.get()
        except TimeoutError:
            raise NoAnswer(f"No answer within {seconds:g} s.") from None
        if message is None:
            self._arrived.put_nowait(None)
            raise ProgramEnded(f"The program has ended: {await self.channel.ending()}.")
        self._said.append(Said(Speaker.PROGRAM, self._show_received(message)))
        self._unasked += 1
        if self._unasked > MOST_UNASKED:
            raise WrongAnswer(f"It has written more than {MOST_UNASKED} lines in one answer.")
        return message

    async def close(self) -> None:
        """Ends the program."""
        await self._stop_reading()
        if self._channel is not None:
            await self._channel.close()

    async def _stop_reading(self) -> None:
        if self._reader is not None:
            self._reader.cancel()
            await asyncio.gather(self._reader, return_exceptions=True)

    async def _read(self, channel: ProgramChannel[Out, In], arrived: "asyncio.Queue[In | None]") -> None:
        async for message in channel.lines():
            await arrived.put(message)
        await arrived.put(None)

    def _note(self, line: str) -> None:
        self._said.append(Said(Speaker.STDERR, line))


def end_of(said: list[Said]) -> tuple[Said, ...]:
    """The end of what was said."""
    left = {Speaker.STDERR: MOST_NOTES}
    shown: list[Said] = []
    for one in reversed(said):
        kind = Speaker.STDERR if one.by is Speaker.STDERR else Speaker.US
        left[kind] = left.get(kind, MOST_SHOWN) - 1
        if left[kind] >= 0:
            shown.append(one)
    return tuple(reversed(shown))
