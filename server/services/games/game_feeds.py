"""Sends what happens in a game to its followers: to each player, and to all spectators together."""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager

from protocols.play import events as ev
from protocols.play.chat_messages import ChatHeard
from protocols.play.game_session import GameSocket
from protocols.session import Event
from server.ports.connection import Connection
from server.services.broadcast import Broadcast
from server.services.cluster.bus import Bus
from server.services.cluster.changes import Change, game_topic
from server.services.cluster.presence import PresenceChange
from server.services.games.claims import ClaimWatch


class GameFeed:
    """Sends the events of a game since the feed was created to clients that share ``session``."""

    def __init__(self, bus: Bus, game_id: str, session: GameSocket) -> None:
        self._broadcast = Broadcast(session.notify)
        self._subscription = bus.subscribe(game_topic(game_id))
        self._unsent: list[Event] = []
        self.claims: ClaimWatch | None = None
        """Of the player whose feed this is; None for spectators."""

    @property
    def is_idle(self) -> bool:
        """Whether the feed has no clients."""
        return self._broadcast.is_idle

    @contextmanager
    def joined(self, peer: Connection) -> Iterator[None]:
        """Sends to a client for the duration of the context.

        The first client, for which the session was opened, starts with what has happened since the feed was created.
        """
        self._send()
        with self._broadcast.joined(peer):
            self._subscription.listen(self._take)
            self._send()
            yield

    def close(self) -> None:
        """Ends the feed."""
        self._subscription.close()

    def _take(self, message: object) -> None:
        """Sends the frames later, so that the publisher of the message can send its own response first."""
        event = _event_of(message)
        if event is not None:
            self._unsent.append(event)
            if self.claims is not None:
                self._unsent.append(self.claims.after(message))
            asyncio.get_running_loop().call_soon(self._send)

    def _send(self) -> None:
        while self._unsent:
            self._broadcast.send(self._unsent.pop(0))


def _event_of(message: object) -> Event | None:
    match message:
        case Change():
            return ev.Changed(message.update)
        case PresenceChange():
            return ev.PresenceChanged(message.attendance)
        case ChatHeard():
            return message
        case _:
            return None


class Spectators:
    """The spectators of all games. Those of one game that support the same frames share a feed."""

    def __init__(self, bus: Bus) -> None:
        self._bus = bus
        self._feeds: dict[tuple[str, bool], GameFeed] = {}

    @contextmanager
    def joined(
        self, game_id: str, opened: ev.Opened, peer: Connection, *, with_extensions: bool
    ) -> Iterator[None]:
        """Sends a spectator what happens in a game after ``opened``, for the duration of the context."""
        key = game_id, with_extensions
        feed = self._feeds.get(key)
        if feed is None:
            session = GameSocket(None, with_extensions=with_extensions)
            session.notify(opened)
            feed = self._feeds[key] = GameFeed(self._bus, game_id, session)
        del opened  # It would be kept as long as the spectator.
        try:
            with feed.joined(peer):
                yield
        finally:
            if feed.is_idle:
                del self._feeds[key]
                feed.close()
