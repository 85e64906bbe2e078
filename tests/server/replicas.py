"""Servers in the process of the test that use one database, and hear of each other what a test sends them."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from time import monotonic
from typing import Any

import pytest

from protocols.values import Seat, SeatKind
from server.domain import events as e
from server.ports.store import Listing, ListingQuery
from server.services.cluster import leases
from server.services.cluster.bus import Bus, Subscription
from server.services.cluster.changes import (
    LOGS,
    GamesChanged,
    LogGrown,
    log_topic,
)
from server.services.games.game_factory import GameFactory, NewGame
from server.services.games.games import Games
from server.services.games.opened_games import OpenedGames
from server.store.sql_store import SqlStore
from tests.server.services import Botless

TOGETHER = NewGame("toy-goofspiel", (Seat(SeatKind.HUMAN), Seat(SeatKind.HUMAN)))


DRAW = NewGame("toy-draw", (Seat(SeatKind.HUMAN), Seat(SeatKind.HUMAN)), config={"seed": 5})


ROW = Listing("", "toy-draw", "standard", "playing", is_timed=False, has_bot=False, created_at=1, updated_at=1,
              ply=0, summary={})  # fmt: skip


class TestedBus(Bus):
    """A bus whose messages for other processes are read by the tests."""

    has_others = True


class Services:
    """One process: its games and its bus, which is not connected to others.

    Messages of the form ``short`` have neither events nor rows, unlike ``full`` ones.
    """

    def __init__(self, url: str, loaded: int, form: str) -> None:
        self._form = form
        self.store = SqlStore(url)
        self.bus = TestedBus()
        factory = GameFactory(Botless(), with_unlisted=True)
        self.opened = OpenedGames(10, monotonic)
        self.games = Games(self.store, self.bus, factory, loaded=loaded, opened=self.opened)

    async def hears(self, game_id: str, *recorded: e.Recorded) -> None:
        """Receives the messages of another process about events: to those that use the game, and to all."""
        events = () if self._form == "short" else recorded
        grown = LogGrown("another", game_id, recorded[0].seq, recorded[-1].seq, events)
        await self.bus.publish(log_topic(game_id), grown)
        await self.hears_of(game_id, recorded[-1].seq)

    async def hears_last_of(self, game_id: str) -> None:
        """Receives the messages of another process about the last event of the log."""
        await self.hears(game_id, (await self.store.events(game_id))[-1])

    async def hears_of(self, game_id: str, version: int) -> None:
        """Receives only the message to all."""
        rows = await self.store.listings(ListingQuery(game_ids=(game_id,))) or [replace(ROW, game_id=game_id)]
        listings = () if self._form == "short" else tuple(rows)
        await self.bus.publish(LOGS, GamesChanged("another", {game_id: version}, listings))


Pair = tuple[Services, Services]
"""Two processes on one database."""


@asynccontextmanager
async def a_server(url: str, loaded: int = 1000, form: str = "full") -> AsyncIterator[Services]:
    """A process, which the next one that starts finds alive soon."""
    services = Services(url, loaded, form)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(leases, "HEARTBEAT_SECONDS", 0.05)
        await services.games.start()
        try:
            yield services
        finally:
            await services.games.stop()
            await services.store.close()


async def game_in_both(one: Services, other: Services, wish: NewGame = DRAW) -> str:
    """Creates a game at one process and reads it at the other, so that both have it in memory; returns its id."""
    game = (await one.games.create(wish)).state.id
    await other.games.get(game)
    return game


async def taken(changes: Subscription, count: int) -> list[Any]:
    found = []
    async with asyncio.timeout(60):
        async for change in changes:
            found.append(change)
            if len(found) == count:
                break
    return found
