"""The answers about tournaments, each written once for all its viewers, who ask every few seconds."""

import asyncio
from collections import OrderedDict
from typing import Final
from weakref import WeakValueDictionary

from pydantic_core import to_json

from server.domain.tournaments.state import TournamentState
from server.routes.tournaments.answers import tournament_json
from server.services.heavy_work import HeavyWork

KEPT: Final = 32
"""How many answers are kept; the largest has half a megabyte."""


class WrittenTournaments:
    """The latest answer about each of the tournaments that were asked for last, as JSON."""

    def __init__(self, work: HeavyWork) -> None:
        self._work = work
        self._known: OrderedDict[str, tuple[int, bytes]] = OrderedDict()
        """With the version, by the tournament's id."""
        self._locks: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()

    async def of(self, state: TournamentState) -> bytes:
        """Returns the answer for a state, or a newer one. ApiError if the server has too much to do."""
        lock = self._locks.setdefault(state.id, asyncio.Lock())
        async with lock:
            known = self._known.get(state.id)
            if known is None or known[0] < state.version:
                known = self._known[state.id] = state.version, await self._work.run(_written, state)
            self._known.move_to_end(state.id)
            while len(self._known) > KEPT:
                self._known.popitem(last=False)
            return known[1]


def _written(state: TournamentState) -> bytes:
    return to_json(tournament_json(state))
