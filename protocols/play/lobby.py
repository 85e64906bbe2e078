"""The server's side of the feed of live games, for one client: all of them first, then what changes.

A client that keeps the games of ``snapshot`` and then follows ``upsert`` and ``remove`` holds the list of live
games at every moment. Frames are written once for all clients. Wallwars alone is shown, in the site's entries;
clients with extensions see every game. Driven by the route of the socket, which decides when a client is ready
for more.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from functools import cached_property

from protocols.jsontext import read_object, write
from protocols.play import lists
from protocols.play.events import TimeTold
from protocols.play.table import Listed
from protocols.play.wishes import AskTime
from protocols.session import (
    MAX_BAD_MESSAGES,
    POLICY_VIOLATION,
    Close,
    Effect,
    Event,
    RemoteError,
    Send,
    log_bad_message,
)

# ---- what the driver tells -----------------------------------------------------------------------


@dataclass(frozen=True)
class LiveGame(Event):
    """A game that is being played, as it stands now; ``spectators`` counts who watches."""

    game: Listed
    spectators: int

    @property
    def game_id(self) -> str:
        """Names the game."""
        return self.game.game_id

    def shows_what(self, later: "LiveGame") -> bool:
        """Whether its entries are those of ``later``: only when the game was last changed is in none of them."""
        game = replace(self.game, updated_at=later.game.updated_at)
        return (game, self.spectators) == (later.game, later.spectators)

    @cached_property
    def plain(self) -> str:
        """The site's entry."""
        return write(lists.live_json(self.game, self.spectators))

    @cached_property
    def extended(self) -> str:
        """The entry for clients with extensions."""
        return write(lists.extended(lists.live_json(self.game, self.spectators), self.game))

    @cached_property
    def plain_upsert(self) -> Send:
        """The frame that shows it to the site's clients."""
        return Send(f'{{"type":"upsert","game":{self.plain}}}')

    @cached_property
    def extended_upsert(self) -> Send:
        """The frame that shows it to clients with extensions."""
        return Send(f'{{"type":"upsert","game":{self.extended}}}')


@dataclass(frozen=True)
class GoneGame(Event):
    """A game that is in the list no more."""

    game: Listed

    @property
    def game_id(self) -> str:
        """Names the game."""
        return self.game.game_id

    @cached_property
    def removal(self) -> Send:
        """The frame that takes it away."""
        return Send(write({"type": "remove", "gameId": self.game_id}))


@dataclass(frozen=True)
class Gallery(Event):
    """All live games at one moment."""

    games: tuple[LiveGame, ...]

    @cached_property
    def plain(self) -> str:
        """The site's list, as a JSON array."""
        return _array(live.plain for live in self.games if lists.is_shown(live.game, with_extensions=False))

    @cached_property
    def extended(self) -> str:
        """The list for clients with extensions."""
        return _array(live.extended for live in self.games if lists.is_shown(live.game, with_extensions=True))

    @cached_property
    def plain_snapshot(self) -> Send:
        """The frame that shows them to the site's clients."""
        return Send(f'{{"type":"snapshot","games":{self.plain}}}')

    @cached_property
    def extended_snapshot(self) -> Send:
        """The frame that shows them to clients with extensions."""
        return Send(f'{{"type":"snapshot","games":{self.extended}}}')


def _array(entries: Iterable[str]) -> str:
    return f"[{','.join(entries)}]"


# ---- the session ---------------------------------------------------------------------------------


@dataclass
class LobbySocket:
    """One client of the feed. ``with_extensions``: it knows games of every kind."""

    with_extensions: bool = False
    _bad_messages: int = field(default=0, init=False)

    def receive(self, frame: str) -> list[Effect]:
        """Take one text frame: clients only ping."""
        try:
            kind = read_object(frame).get("type")
        except RemoteError as error:
            return self._bad(str(error))
        return [AskTime()] if kind == "ping" else self._bad(f"unknown message type {str(kind)[:40]!r}")

    def snapshot(self, gallery: Gallery) -> Send:
        """The frame that shows all games."""
        return gallery.extended_snapshot if self.with_extensions else gallery.plain_snapshot

    def notify(self, event: Event) -> list[Effect]:
        """Take one event of the driver."""
        match event:
            case Gallery():
                return [self.snapshot(event)]
            case LiveGame() if self._shows(event.game):
                return [event.extended_upsert if self.with_extensions else event.plain_upsert]
            case GoneGame() if self._shows(event.game):
                return [event.removal]
            case TimeTold(now=now):
                return [Send(write({"type": "pong", "timestamp": now}))]
            case _:
                return []

    def _shows(self, game: Listed) -> bool:
        return lists.is_shown(game, with_extensions=self.with_extensions)

    def _bad(self, reason: str) -> list[Effect]:
        self._bad_messages += 1
        logged = log_bad_message(self._bad_messages, reason)
        if self._bad_messages < MAX_BAD_MESSAGES:
            return logged
        return [*logged, Close(POLICY_VIOLATION, "Too many unexpected messages")]
