"""Matches of model A: the engines that the server drives in a game, and the main viewer that may lead them.

Connects their drivers (``engine_role``, ``main_role``), each of which serves its own connection. A match exists as long
as any of them is connected.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Protocol

from protocols.uhp.requests import Depth, MoveTime

SEATS = 2
"""Seats of a game of Hive, each with an engine."""


class MatchEngine(Protocol):
    """The driver of an engine, as used by its match."""

    async def refresh(self) -> None:
        """Called when the leader, or whether the game has begun, has changed."""
        ...

    async def solicit(self, limit: MoveTime | Depth) -> None:
        """Called when the leader requests a move."""
        ...


class MatchLeader(Protocol):
    """The driver of a main viewer, as used by its match."""

    @property
    def has_begun(self) -> bool:
        """Whether the engines may be set up."""
        ...

    async def agreed(self, ply: int) -> None:
        """Called when both engines are at this ply."""
        ...

    async def named(self, move: str, ply: int) -> None:
        """Called when the engine to move has named its move."""
        ...


@dataclass(frozen=True, slots=True)
class _Asked:
    """The leader has requested a move of ``seat`` after ``ply`` plies."""

    seat: int
    ply: int
    limit: MoveTime | Depth


class EngineMatch:
    """The engines of one game, by seat, and their leader."""

    def __init__(self) -> None:
        self.leader: MatchLeader | None = None
        self._engines: dict[int, MatchEngine] = {}
        self._plies: dict[int, int] = {}
        """The ply of each engine that has reached the game's position since it connected."""
        self._known: set[int] = set()
        """The seats whose engines have ever reached the game's position."""
        self._asked: _Asked | None = None
        """The leader's request, until it is answered."""

    @property
    def is_empty(self) -> bool:
        """Whether the match has no connections."""
        return self.leader is None and not self._engines

    @property
    def is_led(self) -> bool:
        """Whether a leader decides when moves are requested."""
        return self.leader is not None

    @property
    def has_begun(self) -> bool:
        """Whether the engines may be set up."""
        return self.leader is None or self.leader.has_begun

    def sit(self, seat: int, engine: MatchEngine) -> None:
        """Adds an engine; it replaces that of an older connection."""
        self._engines[seat] = engine
        self._plies.pop(seat, None)

    def leave(self, seat: int, engine: MatchEngine) -> bool:
        """Removes an engine. Returns whether the seat is empty now: a newer connection may have taken it."""
        if self._engines.get(seat) is not engine:
            return False
        del self._engines[seat]
        self._plies.pop(seat, None)
        return True

    async def remove_leader(self) -> None:
        """Removes the leader and its request; the engines continue by themselves."""
        self.leader = self._asked = None
        await self.refresh()

    async def refresh(self) -> None:
        """Notifies every engine that the match has changed."""
        for engine in tuple(self._engines.values()):
            await engine.refresh()

    # ---- messages between drivers ----------------------------------------------------------------

    async def settle(self, seat: int, ply: int) -> None:
        """Called when an engine has reached the game's position; sends the leader's pending request, if any."""
        self._plies[seat] = ply
        self._known.add(seat)
        await self.agree()
        asked = self._asked
        if asked is not None and (asked.seat, asked.ply) == (seat, ply):
            await self._engines[seat].solicit(asked.limit)

    async def agree(self) -> None:
        """Tells the leader the engines' ply, if both are at the same one.

        Waits for the first connection of both engines, but not for one to reconnect: it will be set up when it returns.
        """
        plies = set(self._plies.values())
        if self.leader is not None and len(self._known) == SEATS and len(plies) == 1:
            await self.leader.agreed(plies.pop())

    async def solicit(self, seat: int, ply: int, limit: MoveTime | Depth) -> None:
        """Requests a move of this seat after ``ply`` plies, now or when its engine has connected."""
        self._asked = _Asked(seat, ply, limit)
        if seat in self._engines:
            await self._engines[seat].solicit(limit)

    def has_move(self, ply: int) -> None:
        """Clears the request, because the engine has a move that the leader will be told later."""
        if self._asked is not None and self._asked.ply == ply:
            self._asked = None

    async def name(self, move: str, ply: int) -> None:
        """Tells the leader the move of the engine to move."""
        if self.leader is not None:
            await self.leader.named(move, ply)


class EngineMatches:
    """All matches, by game."""

    def __init__(self) -> None:
        self._tables: dict[str, EngineMatch] = {}

    @contextmanager
    def at(self, game_id: str) -> Iterator[EngineMatch]:
        """The match of a game, for a driver that uses it within this context."""
        table = self._tables.setdefault(game_id, EngineMatch())
        try:
            yield table
        finally:
            if table.is_empty:
                self._tables.pop(game_id, None)
