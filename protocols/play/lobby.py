"""The server's side of the feed of live games, for one client: first a snapshot of all games, then the changes.

A client that starts with the games of ``snapshot`` and applies ``upsert`` and ``remove`` always has the list of live
games. Each frame is encoded once for all clients. Clients with extensions see every game, other clients only those
that have a dialect. Driven by the socket's route, which decides when a client can take more.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from functools import cached_property

from protocols.jsontext import read_object, write
from protocols.play import lists
from protocols.play.client_frames import AskTime
from protocols.play.events import ServerTime
from protocols.session import BadMessages, Effect, Event, RemoteError, Send
from protocols.values import Listed

# ---- events --------------------------------------------------------------------------------------


@dataclass(frozen=True)
class LiveGame(Event):
    """The current state of a live game; ``spectators`` is how many people watch it."""

    game: Listed
    spectators: int

    @property
    def game_id(self) -> str:
        """The id of the game."""
        return self.game.game_id

    def shows_what(self, later: "LiveGame") -> bool:
        """Whether ``later`` has the same entries; only the time of the last change, which none contains, may differ."""
        game = replace(self.game, updated_at=later.game.updated_at)
        return (game, self.spectators) == (later.game, later.spectators)

    @cached_property
    def plain(self) -> str:
        """The entry without extensions."""
        return write(lists.live_json(self.game, self.spectators))

    @cached_property
    def extended(self) -> str:
        """The entry for clients with extensions."""
        return write(lists.extended(lists.live_json(self.game, self.spectators), self.game))

    @cached_property
    def plain_upsert(self) -> Send:
        """The frame that adds or updates the game for clients without extensions."""
        return Send(f'{{"type":"upsert","game":{self.plain}}}')

    @cached_property
    def extended_upsert(self) -> Send:
        """The frame that adds or updates the game for clients with extensions."""
        return Send(f'{{"type":"upsert","game":{self.extended}}}')


@dataclass(frozen=True)
class RemovedGame(Event):
    """A game that is no longer in the list."""

    game: Listed

    @property
    def game_id(self) -> str:
        """The id of the game."""
        return self.game.game_id

    @cached_property
    def removal(self) -> Send:
        """The frame that removes the game."""
        return Send(write({"type": "remove", "gameId": self.game_id}))


@dataclass(frozen=True)
class LobbyContents(Event):
    """All live games at one moment."""

    games: tuple[LiveGame, ...]

    @cached_property
    def plain(self) -> str:
        """The list for clients without extensions, as a JSON array."""
        return _array(live.plain for live in self.games if lists.is_shown(live.game, with_extensions=False))

    @cached_property
    def extended(self) -> str:
        """The list for clients with extensions."""
        return _array(live.extended for live in self.games if lists.is_shown(live.game, with_extensions=True))

    @cached_property
    def plain_snapshot(self) -> Send:
        """The frame with all games for clients without extensions."""
        return Send(f'{{"type":"snapshot","games":{self.plain}}}')

    @cached_property
    def extended_snapshot(self) -> Send:
        """The frame with all games for clients with extensions."""
        return Send(f'{{"type":"snapshot","games":{self.extended}}}')


def _array(entries: Iterable[str]) -> str:
    return f"[{','.join(entries)}]"


# ---- the session ---------------------------------------------------------------------------------


@dataclass
class LobbySocket:
    """One client of the feed. ``with_extensions``: it knows games of every kind."""

    with_extensions: bool = False
    _bad_messages: BadMessages = field(default_factory=BadMessages, init=False)

    def receive(self, frame: str) -> list[Effect]:
        """Handle one text frame: clients only ping."""
        try:
            kind = read_object(frame).get("type")
        except RemoteError as error:
            return self._bad_messages.add(str(error))
        if kind == "ping":
            return [AskTime()]
        return self._bad_messages.add(f"unknown message type {str(kind)[:40]!r}")

    def snapshot(self, contents: LobbyContents) -> Send:
        """The frame with all games that this client sees."""
        return contents.extended_snapshot if self.with_extensions else contents.plain_snapshot

    def notify(self, event: Event) -> list[Effect]:
        """Handle one event from the driver."""
        match event:
            case LobbyContents():
                return [self.snapshot(event)]
            case LiveGame() if self._shows(event.game):
                return [event.extended_upsert if self.with_extensions else event.plain_upsert]
            case RemovedGame() if self._shows(event.game):
                return [event.removal]
            case ServerTime(now=now):
                return [Send(write({"type": "pong", "timestamp": now}))]
            case _:
                return []

    def _shows(self, game: Listed) -> bool:
        return lists.is_shown(game, with_extensions=self.with_extensions)
