"""One stream of frames for many clients: each event is rendered once, and every client is sent the same frames.

Viewers of an evaluation bar, followers of the lobby and spectators of a game are such clients. A client joins at the
moment when it has been shown everything that the others have been told.
"""

from collections.abc import Callable, Hashable, Iterator, Sequence
from contextlib import contextmanager
from typing import Protocol

from protocols.session import Effect, Event, Send

Render = Callable[[Event], Sequence[Effect]]
"""Makes the frames of an event, such as ``notify`` of a session that stands for all clients."""


class Peer(Protocol):
    """A client's connection. One whose client does not read keeps its frames back, and nobody waits for it."""

    def send(self, text: str, key: Hashable = None) -> None:
        """Sends a frame. One that is still kept back is replaced by the next one of the same key."""
        ...


class Broadcast:
    """The clients."""

    def __init__(self, render: Render) -> None:
        self._render = render
        self._peers: dict[Peer, None] = {}

    @property
    def is_idle(self) -> bool:
        """Whether it has no clients."""
        return not self._peers

    @contextmanager
    def joined(self, peer: Peer) -> Iterator[None]:
        """Sends a client the frames of all events from now on, as long as this lasts."""
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
