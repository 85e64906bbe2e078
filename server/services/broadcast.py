"""One stream of frames for many clients: each event is rendered once, and all clients get the same frames.

Used for viewers of an evaluation bar, followers of the lobby and spectators of a game. A client joins once it has
received everything that the others have.
"""

from collections.abc import Callable, Hashable, Iterator, Sequence
from contextlib import contextmanager

from protocols.session import Effect, Event, Send
from server.ports.connection import Connection

Render = Callable[[Event], Sequence[Effect]]
"""Returns the frames of an event, like the ``notify`` method of the session that all clients share."""


class Broadcast:
    """The clients of one stream."""

    def __init__(self, render: Render) -> None:
        self._render = render
        self._peers: dict[Connection, None] = {}

    @property
    def is_idle(self) -> bool:
        """Whether the stream has no clients."""
        return not self._peers

    @contextmanager
    def joined(self, peer: Connection) -> Iterator[None]:
        """Sends a client the frames of all further events, for the duration of the context."""
        self._peers[peer] = None
        try:
            yield
        finally:
            del self._peers[peer]

    def send(self, event: Event, key: Hashable = None) -> None:
        """Sends an event to all clients."""
        for effect in self._render(event):
            if not isinstance(effect, Send):
                raise TypeError(f"{type(effect).__name__} cannot be broadcast")
            for peer in self._peers:
                peer.send(effect.text, key)
