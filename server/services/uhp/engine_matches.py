"""Matches of model A: the engines that the server drives in a game, and the main viewer that may lead them.

Each connection (``engine_role``, ``main_role``) has an event that is set when any of them has changed something. A
match exists as long as any of them is connected.
"""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager

from protocols.uhp.game_string import COLORS
from protocols.uhp.requests import Depth, MoveTime


class EngineMatch:
    """The engines of one game, by seat, and their leader. Plies say which position is meant."""

    def __init__(self) -> None:
        self.asked: tuple[MoveTime | Depth | None, int] | None = None
        """The leader's request for a move, and the ply; None once the engine to move has one."""
        self.named: tuple[str, int] | None = None
        """The move that the engine to move has named last, and the ply."""
        self.has_begun = True
        """Whether the engines may be set up: a leader has to start the game."""
        self._connections: dict[int | None, asyncio.Event] = {}
        """The event of each engine, by seat, and of the leader, under None."""
        self._plies: dict[int, int | None] = {}
        """The ply of each engine that has ever reached the game's position; None until it has done so again."""

    @property
    def is_led(self) -> bool:
        """Whether a main viewer decides when moves are requested, and which are played."""
        return None in self._connections

    @property
    def is_empty(self) -> bool:
        """Whether the match has no connections."""
        return not self._connections

    def is_asked_at(self, ply: int) -> bool:
        """Whether the leader has asked for a move after ``ply`` plies, and has no answer yet."""
        return self.asked is not None and self.asked[1] == ply

    def limit_at(self, ply: int) -> MoveTime | Depth | None:
        """The limit in that request; None if there is none."""
        return self.asked[0] if self.asked is not None and self.asked[1] == ply else None

    # ---- the leader ------------------------------------------------------------------------------

    @contextmanager
    def led(self, leader: asyncio.Event) -> Iterator[None]:
        """Within this context, a main viewer decides; afterwards, the engines continue by themselves."""
        self._connections[None], self.has_begun, self.asked, self.named = leader, False, None, None
        try:
            yield
        finally:
            self.asked = None
            del self._connections[None]
            self.begin()

    def begin(self) -> None:
        """Starts the game."""
        self.has_begun = True
        self._tell()

    def ask(self, limit: MoveTime | Depth | None, ply: int) -> None:
        """Asks the engine to move for a move."""
        self.asked, self.named = (limit, ply), None
        self._tell()

    # ---- the engines -----------------------------------------------------------------------------

    def sit(self, seat: int, engine: asyncio.Event) -> None:
        """Adds an engine; it replaces that of an older connection."""
        self._connections[seat] = engine
        self._forget_ply(seat)

    def has(self, seat: int, engine: asyncio.Event) -> bool:
        """Whether the engine has the seat: a newer connection may have taken it."""
        return self._connections.get(seat) is engine

    def leave(self, seat: int, engine: asyncio.Event) -> bool:
        """Removes an engine. Returns whether the seat is empty now."""
        if not self.has(seat, engine):
            return False
        del self._connections[seat]
        self._forget_ply(seat)
        return True

    def _forget_ply(self, seat: int) -> None:
        if seat in self._plies:
            self._plies[seat] = None
        self._tell()

    def settle(self, seat: int, ply: int) -> None:
        """Called when an engine has reached the game's position."""
        if self._plies.get(seat) != ply:
            self._plies[seat] = ply
            self._tell()

    @property
    def ply(self) -> int | None:
        """The ply of the position that all engines have; None if there is no such position.

        Both must have had a position before, but one that has left is not waited for: it is set up when it returns.
        """
        plies = {*self._plies.values()} - {None}
        return plies.pop() if len(self._plies) == len(COLORS) and len(plies) == 1 else None

    def name(self, move: str, ply: int) -> None:
        """Tells the leader the move of the engine to move."""
        self.named = move, ply
        self._tell()

    def _tell(self) -> None:
        for event in self._connections.values():
            event.set()


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
            if match.is_empty and self._matches.get(game_id) is match:
                del self._matches[game_id]
