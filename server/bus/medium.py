"""What carries messages between server processes. ``redis_medium`` and ``postgres_medium`` are media."""

from collections.abc import Awaitable, Callable, Sequence
from contextlib import AbstractAsyncContextManager
from typing import Protocol

from server.bus.message import BusMessage


class BusUnreachableError(Exception):
    """The medium cannot be used; the text is one line for the operator."""


Receive = Callable[[], Awaitable[Sequence[BusMessage]]]


class Medium(Protocol):
    """What carries messages from each process to all processes, including the sender.

    ``name`` and ``address`` are for operators. Everything may raise one of ``faults``. Messages without a number may
    get lost without a trace, and need not be carried to processes that do not subscribe to their topics.

    Each of ``receivers`` waits for messages of any process, and returns those that have arrived; perhaps none.
    """

    name: str
    address: str
    faults: tuple[type[Exception], ...]
    receivers: Sequence[Receive]

    def connected(self) -> AbstractAsyncContextManager[None]:
        """Connects for as long as the context lasts; the other methods need it."""
        ...

    async def join(self, greeting: BusMessage) -> bool:
        """Sends the greeting; everything after it is received. Returns whether earlier messages may be missed."""
        ...

    async def send(self, messages: Sequence[BusMessage]) -> None:
        """Sends messages in this order."""
        ...


def unreachable(medium: Medium, why: str) -> BusUnreachableError:
    """The error that names a medium which cannot be used."""
    return BusUnreachableError(f"{medium.name} at {medium.address} cannot be used: {why}")
