"""Matches of model A: the engines that the server drives in a game, and the main viewer that may lead them.

Each connection (``engine_role``, ``main_role``) has an event that the others set when they have changed something. A
match exists as long as any of them is connected.
"""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager

from protocols.uhp.requests import Depth, MoveTime

SEATS = 2
"""Seats of a game of Hive, each with an engine."""


class EngineMatch:
    """The engines of one game, by seat, and their leader. Plies say which position is meant."""

    def __init__(self) -> None:
        self.asked: tuple[MoveTime | Depth, int] | None = None
        """The leader's request for a move, and the ply; None once the engine to move has one."""
        self.named: tuple[str, int] | None = None
        """The move that the engine to move has named last, and the ply."""
        self.has_begun = True
        """Whether the engines may be set up: a leader has to start the game."""
        self._leader: asyncio.Event | None = None
        self._engines: dict[int, asyncio.Event] = {}
        self._plies: dict[int, int] = {}
        """The ply of each engine that has reached the game's position since it connected."""
        self._known: set[int] = set()
        """The seats whose engines have ever reached the game's position."""

    @property
    def is_led(self) -> bool:
        """Whether a main viewer decides when moves are requested, and which are played."""
        return self._leader is not None

    @property
    def is_empty(self) -> bool:
        """Whether the match has no connections."""
        return not self.is_led and not self._engines

    def limit_at(self, ply: int) -> MoveTime | Depth | None:
        """The leader's request for a move after ``ply`` plies, if it is not answered."""
        return self.asked[0] if self.asked is not None and self.asked[1] == ply else None

    # ---- the leader ------------------------------------------------------------------------------

    @contextmanager
    def led(self, leader: asyncio.Event) -> Iterator[None]:
        """Within this context, a main viewer decides; afterwards, the engines continue by themselves."""
        self._leader, self.has_begun, self.asked, self.named = leader, False, None, None
        try:
            yield
        finally:
            self._leader = self.asked = None
            self.begin()

    def begin(self) -> None:
        """Starts the game."""
        self.has_begun = True
        self._tell_engines()

    def ask(self, limit: MoveTime | Depth, ply: int) -> None:
        """Asks the engine to move for a move."""
        self.asked, self.named = (limit, ply), None
        self._tell_engines()

    def _tell_engines(self) -> None:
        for engine in self._engines.values():
            engine.set()

    # ---- the engines -----------------------------------------------------------------------------

    def sit(self, seat: int, engine: asyncio.Event) -> None:
        """Adds an engine; it replaces that of an older connection."""
        self._engines[seat] = engine
        self._plies.pop(seat, None)
        self._tell_leader()

    def leave(self, seat: int, engine: asyncio.Event) -> bool:
        """Removes an engine. Returns whether the seat is empty now: a newer connection may have taken it."""
        if self._engines.get(seat) is not engine:
            return False
        del self._engines[seat]
        self._plies.pop(seat, None)
        self._tell_leader()
        return True

    def settle(self, seat: int, ply: int) -> None:
        """Called when an engine has reached the game's position."""
        self._plies[seat] = ply
        self._known.add(seat)
        self._tell_leader()

    def is_at(self, ply: int) -> bool:
        """Whether all engines have the game's position after ``ply`` plies.

        Both must have had a position before, but one that has left is not waited for: it is set up when it returns.
        """
        return len(self._known) == SEATS and set(self._plies.values()) == {ply}

    def name(self, move: str, ply: int) -> None:
        """Tells the leader the move of the engine to move."""
        self.named = move, ply
        self._tell_leader()

    def _tell_leader(self) -> None:
        if self._leader is not None:
            self._leader.set()


class EngineMatches:
    """All matches, by game."""

    def __init__(self) -> None:
        self._matches: dict[str, EngineMatch] = {}

    @contextmanager
    def at(self, game_id: str) -> Iterator[EngineMatch]:
        """The match of a game, for a driver that uses it within this context."""
        match = self._matches.setdefault(game_id, EngineMatch())
        try:
            yield match
        finally:
            if match.is_empty:
                self._matches.pop(game_id, None)
