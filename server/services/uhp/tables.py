"""Tables of model A: the engines that the server drives in one game, and the main viewer that may lead them.

Here they meet; each has a connection and a driver of its own (``engine_role``, ``main_role``). A table lasts as long
as anybody is at it.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Protocol

from protocols.uhp.requests import Depth, MoveTime

SEATS = 2
"""Of a game of Hive: an engine at each."""


class TableEngine(Protocol):
    """The driver of an engine, as its table sees it."""

    async def look(self) -> None:
        """Who leads, or whether the game has begun, is otherwise now."""
        ...

    async def solicit(self, limit: MoveTime | Depth) -> None:
        """The main viewer wants a move."""
        ...


class TableLeader(Protocol):
    """The driver of a main viewer, as its table sees it."""

    @property
    def has_begun(self) -> bool:
        """Whether the engines may be set up."""
        ...

    async def agreed(self, ply: int) -> None:
        """Both engines stand at this ply."""
        ...

    async def named(self, move: str, ply: int) -> None:
        """The engine to move has named its move."""
        ...


@dataclass(frozen=True, slots=True)
class _Asked:
    """A leader wants a move of ``seat`` after so many plies."""

    seat: int
    ply: int
    limit: MoveTime | Depth


class EngineTable:
    """One game's engines, by seat, and their leader."""

    def __init__(self) -> None:
        self.leader: TableLeader | None = None
        self._engines: dict[int, TableEngine] = {}
        self._plies: dict[int, int] = {}
        """Where each engine stands that has stood in the game since it came."""
        self._known: set[int] = set()
        """The seats whose engines have ever stood in the game."""
        self._asked: _Asked | None = None
        """What the leader has asked for, until it has it."""

    @property
    def is_empty(self) -> bool:
        """Whether nobody is at the table."""
        return self.leader is None and not self._engines

    @property
    def is_led(self) -> bool:
        """Whether somebody says when a move is asked for."""
        return self.leader is not None

    @property
    def has_begun(self) -> bool:
        """Whether the engines may be set up."""
        return self.leader is None or self.leader.has_begun

    def sit(self, seat: int, engine: TableEngine) -> None:
        """An engine has a seat; it takes that of an older connection."""
        self._engines[seat] = engine
        self._plies.pop(seat, None)

    def leave(self, seat: int, engine: TableEngine) -> bool:
        """An engine is gone. Whether its seat is empty now: another connection may have it."""
        if self._engines.get(seat) is not engine:
            return False
        del self._engines[seat]
        self._plies.pop(seat, None)
        return True

    async def lead_no_more(self) -> None:
        """The leader is gone, and with it what it has asked for: the engines go on by themselves."""
        self.leader = self._asked = None
        await self.look()

    async def look(self) -> None:
        """Tells every engine that the table is otherwise now."""
        for engine in tuple(self._engines.values()):
            await engine.look()

    # ---- what they tell each other ---------------------------------------------------------------

    async def settle(self, seat: int, ply: int) -> None:
        """An engine stands at the game's position: a leader may have waited for that."""
        self._plies[seat] = ply
        self._known.add(seat)
        await self.agree()
        asked = self._asked
        if asked is not None and (asked.seat, asked.ply) == (seat, ply):
            await self._engines[seat].solicit(asked.limit)

    async def agree(self) -> None:
        """Tells the leader where the engines stand, if that is one position.

        It waits for both to come, but not for one that was in the game and has left: that is set up when it is back.
        """
        plies = set(self._plies.values())
        if self.leader is not None and len(self._known) == SEATS and len(plies) == 1:
            await self.leader.agreed(plies.pop())

    async def solicit(self, seat: int, ply: int, limit: MoveTime | Depth) -> None:
        """The leader wants a move of this seat after so many plies, now or when its engine is there."""
        self._asked = _Asked(seat, ply, limit)
        if seat in self._engines:
            await self._engines[seat].solicit(limit)

    def has_move(self, ply: int) -> None:
        """The engine to move has a move: it is not asked again, though the leader hears of it later."""
        if self._asked is not None and self._asked.ply == ply:
            self._asked = None

    async def name(self, move: str, ply: int) -> None:
        """The engine to move names its move."""
        if self.leader is not None:
            await self.leader.named(move, ply)


class EngineTables:
    """Every table, by game."""

    def __init__(self) -> None:
        self._tables: dict[str, EngineTable] = {}

    @contextmanager
    def at(self, game_id: str) -> Iterator[EngineTable]:
        """The table of a game, for who is at it as long as this lasts."""
        table = self._tables.setdefault(game_id, EngineTable())
        try:
            yield table
        finally:
            if table.is_empty:
                self._tables.pop(game_id, None)
