"""Matches of model A: the engines that the server drives in a game, and the main viewer that may lead them.

Each driver (``engine_role``, ``main_role``) serves its own connection, and is told when the others have changed
something. A match exists as long as any of them is connected.
"""

from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager

from protocols.uhp.remote.main_viewer import Lead
from protocols.uhp.requests import Depth, MoveTime

SEATS = 2
"""Seats of a game of Hive, each with an engine."""

Refresh = Callable[[], Awaitable[None]]
"""A driver's method that looks at the match again."""


class EngineMatch:
    """The engines of one game, by seat, and their leader."""

    def __init__(self) -> None:
        self.lead: Lead | None = None
        """What the main viewer has decided; None without one."""
        self._leader: Refresh | None = None
        self._engines: dict[int, Refresh] = {}
        self._plies: dict[int, int] = {}
        """The ply of each engine that has reached the game's position since it connected."""
        self._known: set[int] = set()
        """The seats whose engines have ever reached the game's position."""

    @property
    def is_empty(self) -> bool:
        """Whether the match has no connections."""
        return self.lead is None and not self._engines

    @property
    def has_begun(self) -> bool:
        """Whether the engines may be set up."""
        return self.lead is None or self.lead.has_begun

    def limit_at(self, ply: int) -> MoveTime | Depth | None:
        """The leader's request for a move after ``ply`` plies, if it is not answered."""
        asked = None if self.lead is None else self.lead.asked
        return asked[0] if asked is not None and asked[1] == ply else None

    @asynccontextmanager
    async def led(self, lead: Lead, leader: Refresh) -> AsyncIterator[None]:
        """Within this context, a main viewer decides; afterwards, the engines continue by themselves."""
        self.lead, self._leader = lead, leader
        try:
            yield
        finally:
            self.lead = self._leader = None
            await self.refresh()

    async def refresh(self) -> None:
        """Tells every engine that the leader has changed something."""
        for engine in tuple(self._engines.values()):
            await engine()

    async def sit(self, seat: int, engine: Refresh) -> None:
        """Adds an engine; it replaces that of an older connection."""
        self._engines[seat] = engine
        self._plies.pop(seat, None)
        await self.agree()

    def leave(self, seat: int, engine: Refresh) -> bool:
        """Removes an engine. Returns whether the seat is empty now: a newer connection may have taken it."""
        if self._engines.get(seat) != engine:
            return False
        del self._engines[seat]
        self._plies.pop(seat, None)
        return True

    async def settle(self, seat: int, ply: int) -> None:
        """Called when an engine has reached the game's position."""
        self._plies[seat] = ply
        self._known.add(seat)
        await self.agree()

    async def agree(self) -> None:
        """Tells the leader the engines' ply, if both are at the same one.

        Waits for the first connection of both engines, but not for one to reconnect: it will be set up when it returns.
        """
        plies = set(self._plies.values())
        if (
            self.lead is not None
            and self._leader is not None
            and len(self._known) == SEATS
            and len(plies) == 1
        ):
            self.lead.agreed = plies.pop()
            await self._leader()

    async def name(self, move: str, ply: int) -> None:
        """Tells the leader the move of the engine to move."""
        if self.lead is not None and self._leader is not None:
            self.lead.named = move, ply
            await self._leader()


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
